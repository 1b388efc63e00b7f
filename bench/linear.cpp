/// Time of an evaluation and memory, per body, of chains from a thousand to a hundred thousand bodies: both should stay as they are.
/// Usage: linear
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "machines.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

double bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Least time of some evaluations [ns].
double fastest(Evaluation& evaluation, int count) {
  double least = 1e300;
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    evaluation();
    least = std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

}  // namespace

int main() {
  std::printf("| bodies | elimination | evaluation, per body [ns] | Plan, Workspace and State, per body [B] |\n|---|---|---|---|\n");
  for (const char* elimination : {"fold", "auto"})
    for (const int n : {1000, 10000, 100000}) {
      const auto model = chain(n, elimination);
      const double before = bytes_in_use();
      Evaluation evaluation(model);
      const double bytes = bytes_in_use() - before;
      std::printf("| %d | %s | %.1f | %.0f |\n", n, elimination, fastest(evaluation, 3'000'000 / n + 20) / n, bytes / n);
      std::fflush(stdout);
    }
  return 0;
}
