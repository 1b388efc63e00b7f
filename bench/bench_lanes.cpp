/// Evaluations of variants of one topology on SIMD lanes against one after the other: time per body and variant.
#include <benchmark/benchmark.h>

#include "arthron/dynamics/lane_dynamics.hpp"
#include "chain.hpp"

namespace {

using namespace arthron;

benchmark::Counter per(double count) {
  return {count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert, benchmark::Counter::kIs1000};
}

void scalar(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  bench::Evaluation evaluation(bench::chain(n));
  for (auto _ : state) benchmark::DoNotOptimize(evaluation());
  state.counters["per_body"] = per(n);
}

void lanes(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  bench::Evaluation one(bench::chain(n));
  const Plan* plans[] = {one.plan.get()};
  const LanePlan plan(plans);
  LaneWorkspace work(plan, per_lane<const std::vector<Signal>*>([&](std::size_t) { return &one.work->signals; }));
  const std::vector<Lanes> q(one.state.q.begin(), one.state.q.end()), p(one.state.p.begin(), one.state.p.end());
  std::vector<Lanes> qdot(q.size()), pdot(p.size());
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(plan, 0, q.data(), p.data(), qdot.data(), pdot.data(), work));
  (void)one();
  for (std::size_t i = 0; i < pdot.size(); ++i)
    if (!(std::abs(pdot[i][1] - one.pdot[i]) < 1e-9)) state.SkipWithError("lanes differ");
  state.counters["per_body"] = per(n * lane_count);
}

}  // namespace

BENCHMARK(scalar)->Arg(16)->Arg(64);
BENCHMARK(lanes)->Arg(16)->Arg(64);
