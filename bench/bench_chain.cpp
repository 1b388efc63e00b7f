/// Time per body of one evaluation of a serial chain, by folding and by pairing.
#include <benchmark/benchmark.h>

#include "chain.hpp"

namespace {

void evaluate(benchmark::State& state, const char* elimination) {
  const int n = static_cast<int>(state.range(0));
  arthron::bench::Evaluation evaluation(arthron::bench::chain(n, elimination));
  for (auto _ : state) benchmark::DoNotOptimize(evaluation());
  state.counters["per_body"] =
      benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert, benchmark::Counter::kIs1000);
}

}  // namespace

BENCHMARK_CAPTURE(evaluate, fold, "fold")->RangeMultiplier(8)->Range(8, 4096);
BENCHMARK_CAPTURE(evaluate, pair, "pair")->RangeMultiplier(8)->Range(8, 4096);
