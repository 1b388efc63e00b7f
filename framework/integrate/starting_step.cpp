#include "arthron/integrate/starting_step.hpp"

#include <algorithm>

#include "arthron/integrate/error_measure.hpp"

namespace arthron {

double starting_step(CheckedRhs& rhs, double t0, const std::vector<double>& y0, const std::vector<double>& f0, int order,
                     const IntegratorSettings& settings) {
  const std::size_t n = y0.size();
  const auto within = [&](const std::vector<double>& v, const std::vector<double>& sizes) {
    return in_tolerances(v, sizes, settings.absolute_tolerance, settings.relative_tolerance);
  };
  // Rates are measured by what they do in a moment.
  constexpr double moment = 1e-6;
  const auto measured_rate = [&](double t, const std::vector<double>& y, const std::vector<double>& rate, std::vector<double>& sizes) {
    std::vector<double> change = rate;
    for (double& v : change) v *= moment;
    rhs.measure(t, y.data(), change.data(), sizes.data());
    return within(change, sizes) / moment;
  };
  std::vector<double> sizes = y0;
  const double slope = measured_rate(t0, y0, f0, sizes), size = within(sizes, sizes);
  // What is smaller than its tolerance has no size: at rest, or next to it, the rates alone say something.
  double guess = slope < 1e-5 ? 1e-6 : 0.01 * std::max(size, 1.0) / slope;

  // An explicit Euler step gives the size of the second derivative; one that was far too short, that of a longer one.
  constexpr int most = 8;
  double step = 0;
  std::vector<double> y1(n), f1(n), sizes1(n);
  for (int i = 0; i < most; ++i, guess *= 100) {
    for (std::size_t k = 0; k < n; ++k) y1[k] = y0[k] + guess * f0[k];
    rhs.forgive();
    rhs.evaluate(t0 + guess, y1.data(), f1.data());
    for (std::size_t k = 0; k < n; ++k) f1[k] -= f0[k];
    sizes1 = y1;
    const double bend = measured_rate(t0 + guess, y1, f1, sizes1) / guess;
    if (!rhs.status().ok()) return step > 0 ? step : 1e-3 * guess;
    const double steepest = std::max(slope, bend);
    const double wanted = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * guess) : std::pow(0.01 / steepest, 1.0 / (order + 1));
    step = std::min(100 * guess, wanted);
    if (step == wanted) break;
  }
  return step;
}

}  // namespace arthron
