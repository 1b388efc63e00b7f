#include "arthron/integrate/starting_step.hpp"

#include <algorithm>

#include "arthron/integrate/error_measure.hpp"

namespace arthron {

double starting_step(CheckedRhs& rhs, double t0, const std::vector<double>& y0, const std::vector<double>& f0, int order,
                     const IntegratorSettings& settings) {
  const std::size_t n = y0.size();
  // Rates are measured by what they do in a moment.
  constexpr double moment = 1e-6;
  const auto measured_rate = [&](double t, const std::vector<double>& y, const std::vector<double>& rate, std::vector<double>& sizes) {
    std::vector<double> change = rate;
    for (double& v : change) v *= moment;
    rhs.measure(t, y.data(), change.data(), sizes.data());
    return in_tolerances(change, sizes, settings) / moment;
  };
  std::vector<double> sizes = y0;
  const double slope = measured_rate(t0, y0, f0, sizes), size = in_tolerances(sizes, sizes, settings);
  const double guess = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;

  // An explicit Euler step gives the size of the second derivative.
  std::vector<double> y1(n), f1(n);
  for (std::size_t i = 0; i < n; ++i) y1[i] = y0[i] + guess * f0[i];
  rhs.forgive();
  rhs.evaluate(t0 + guess, y1.data(), f1.data());
  if (!rhs.status().ok()) return 1e-3 * guess;
  for (std::size_t i = 0; i < n; ++i) f1[i] -= f0[i];
  std::vector<double> sizes1 = y1;
  const double bend = measured_rate(t0 + guess, y1, f1, sizes1) / guess;
  if (!rhs.status().ok()) return 1e-3 * guess;

  const double steepest = std::max(slope, bend);
  const double step = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * guess) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min(100 * guess, step);
}

}  // namespace arthron
