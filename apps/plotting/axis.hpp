#pragma once
#include <string>
#include <vector>

namespace arthron::cli {

/// An axis with the numbers along it.
struct Axis {
  struct Tic {
    double at;
    std::string text;
  };
  double low = 0, high = 1;
  std::vector<Tic> tics;
  int exponent = 0;  // the numbers are given in 10^exponent

  [[nodiscard]] double share(double value) const { return (value - low) / (high - low); }
};

/// An axis over [low, high] with about `count` steps of 1, 2 or 5 times a power of ten. Tight: it ends where the values do; otherwise
/// at numbers. What varies by rounding only is a level line.
[[nodiscard]] Axis make_axis(double low, double high, int count, bool tight);

/// The label with the power of ten that the numbers leave out, beside the unit: "force [10³ N]".
[[nodiscard]] std::string with_exponent(const std::string& label, int exponent);

}  // namespace arthron::cli
