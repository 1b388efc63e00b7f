/// evaluate_chain N K: evaluates a serial chain of N revolute joints K times, and prints a checksum. For counting instructions.
#include <cstdlib>
#include <iostream>

#include "chain.hpp"

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 64, evaluations = argc > 2 ? std::atoi(argv[2]) : 100;
  arthron::bench::Evaluation evaluate(arthron::bench::chain(n));
  double sum = 0;
  for (int k = 0; k < evaluations; ++k) sum += evaluate();
  std::cout << sum << '\n';
}
