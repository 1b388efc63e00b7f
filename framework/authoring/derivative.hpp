#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace arthron {

/// A derivative by finite differences, and how far the extrapolations it was chosen from differ.
struct Derivative {
  std::vector<double> value;
  double uncertainty = std::numeric_limits<double>::infinity();
};

/// d/dt at 0 of a vector-valued function of t: central differences of a sweep of steps, extrapolated to step zero (Ridders). Of all
/// extrapolations the one that differs least from its neighbours is taken: about 1e-12 of the function's size where it is smooth within
/// the widest step; beside a kink the narrow steps decide.
template <class Function>
Derivative derivative(const Function& function, double widest = 0.02) {
  constexpr std::size_t sweep = 10;
  constexpr double narrowing = 1.6;
  std::array<std::vector<double>, sweep> row, above;  // row[j]: j times extrapolated
  Derivative best;
  double step = widest;
  for (std::size_t i = 0; i < sweep; ++i, step /= narrowing) {
    const std::vector<double> after = function(step), before = function(-step);
    row[0].resize(after.size());
    for (std::size_t k = 0; k < after.size(); ++k) row[0][k] = (after[k] - before[k]) / (2 * step);
    if (i == 0) best.value.assign(after.size(), std::numeric_limits<double>::quiet_NaN());
    double factor = narrowing * narrowing;
    for (std::size_t j = 1; j <= i; ++j, factor *= narrowing * narrowing) {
      row[j].resize(after.size());
      double spread = 0;
      for (std::size_t k = 0; k < after.size(); ++k) {
        row[j][k] = (factor * row[j - 1][k] - above[j - 1][k]) / (factor - 1);
        const double own = std::max(std::abs(row[j][k] - row[j - 1][k]), std::abs(row[j][k] - above[j - 1][k]));
        if (!(own <= spread)) spread = own;
      }
      if (spread < best.uncertainty) best.value = row[j], best.uncertainty = spread;
    }
    above = row;
  }
  return best;
}

}  // namespace arthron
