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
/// the widest step. Beyond a kink the wide steps agree as well, on another value: where narrower steps agree among themselves and
/// contradict wider ones, they decide.
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
    double largest = 0;
    for (std::size_t k = 0; k < after.size(); ++k) {
      row[0][k] = (after[k] - before[k]) / (2 * step);
      largest = std::max({largest, std::abs(after[k]), std::abs(before[k])});
    }
    const double rounding = std::numeric_limits<double>::epsilon() * largest / step;
    if (i == 0) best.value.assign(after.size(), std::numeric_limits<double>::quiet_NaN());
    double factor = narrowing * narrowing;
    for (std::size_t j = 1; j <= i; ++j, factor *= narrowing * narrowing) {
      row[j].resize(after.size());
      double spread = rounding, apart = 0;
      for (std::size_t k = 0; k < after.size(); ++k) {
        row[j][k] = (factor * row[j - 1][k] - above[j - 1][k]) / (factor - 1);
        const double own = std::max(std::abs(row[j][k] - row[j - 1][k]), std::abs(row[j][k] - above[j - 1][k]));
        if (!(own <= spread)) spread = own;
        apart = std::max(apart, std::abs(row[j][k] - best.value[k]));
      }
      const bool contradicts = apart > 100 * (spread + best.uncertainty);
      if (spread < best.uncertainty || contradicts) best.value = row[j], best.uncertainty = spread;
    }
    above = row;
  }
  return best;
}

}  // namespace arthron
