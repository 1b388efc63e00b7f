/// evaluate_ladder N K: evaluates a ladder of N four-bars K times, and prints a checksum. For counting instructions.
#include <cstdlib>
#include <iostream>

#include "ladder.hpp"

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 40, evaluations = argc > 2 ? std::atoi(argv[2]) : 100;
  arthron::bench::Evaluation evaluate(arthron::bench::ladder(n));
  double sum = 0;
  for (int k = 0; k < evaluations; ++k) sum += evaluate();
  std::cout << sum << '\n';
}
