#include "arthron/integrate/starting_step.hpp"

#include <algorithm>

#include "arthron/integrate/error_measure.hpp"

namespace arthron {

double starting_step(CheckedRhs& rhs, double t0, const std::vector<double>& y0, const std::vector<double>& f0, int order,
                     const IntegratorSettings& settings) {
  const std::size_t n = y0.size();
  std::vector<double> sizes = y0, rates = f0;
  rhs.measure(rates.data(), sizes.data());
  const double size = in_tolerances(sizes, sizes, settings), slope = in_tolerances(rates, sizes, settings);
  const double guess = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;

  // An explicit Euler step gives the size of the second derivative.
  std::vector<double> y1(n), f1(n);
  for (std::size_t i = 0; i < n; ++i) y1[i] = y0[i] + guess * f0[i];
  rhs.forgive();
  rhs.evaluate(t0 + guess, y1.data(), f1.data());
  if (!rhs.status().ok()) return 1e-3 * guess;
  for (std::size_t i = 0; i < n; ++i) f1[i] -= f0[i];
  rhs.measure(f1.data(), y1.data());
  const double bend = in_tolerances(f1, sizes, settings) / guess;

  const double steepest = std::max(slope, bend);
  const double step = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * guess) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min(100 * guess, step);
}

}  // namespace arthron
