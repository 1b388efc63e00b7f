// eliminations [COUNT] [FIRST]: random mechanisms of nested subsystems, 500 of them, in every order of elimination; how far auto, pairs and
// subsystems are from folding. Ends with 1 where one is further than 1e-11.
#include "support/eliminations.hpp"

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  constexpr double bound = 1e-11;
  const int mechanisms = count > 1 ? std::atoi(arguments[1]) : 500, first = count > 2 ? std::atoi(arguments[2]) : 1;
  double worst = 0;
  int failed = 0;
  for (int i = 0; i < mechanisms; ++i) {
    const auto seed = static_cast<unsigned>(first + i);
    const double found = arthron::test::elimination_disagreement(arthron::test::random_hierarchy(seed), seed);
    if (!(found <= worst)) worst = found;
    if (found < bound) continue;
    ++failed;
    std::printf("seed %u: %.2g\n", seed, found);
  }
  std::printf("%d mechanisms, largest difference %.2g, %d beyond %.0g\n", mechanisms, worst, failed, bound);
  return failed == 0 ? 0 : 1;
}
