/// Time per loop of one evaluation of a ladder of four-bars: linear in the number of loops.
#include <benchmark/benchmark.h>

#include "ladder.hpp"

static void ladder(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  arthron::bench::Evaluation evaluation(arthron::bench::ladder(n));
  for (auto _ : state) benchmark::DoNotOptimize(evaluation());
  state.counters["per_loop"] =
      benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert, benchmark::Counter::kIs1000);
}
BENCHMARK(ladder)->Arg(2)->Arg(40)->Arg(400)->Arg(4000);
