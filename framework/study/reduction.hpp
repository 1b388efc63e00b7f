#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace arthron {

/// One number of a curve, from its rows one after the other. Mean and rms are over time, the curve being straight between rows.
class Reduction {
 public:
  enum class Kind { final, initial, min, max, mean, rms, range, abs_max, time_of_min, time_of_max };
  /// The words for the kinds, in their order.
  [[nodiscard]] static const std::vector<std::string>& names();
  /// The unit of the result, from that of the channel.
  [[nodiscard]] static std::string unit(Kind kind, const std::string& channel);

  explicit Reduction(Kind kind) : kind_(kind) {}
  void take(double t, double value);
  /// NaN before the first row.
  [[nodiscard]] double result() const;

 private:
  Kind kind_;
  std::int64_t rows_ = 0;
  double first_ = 0, last_ = 0, first_t_ = 0, last_t_ = 0;
  double min_ = 0, max_ = 0, min_t_ = 0, max_t_ = 0;
  double integral_ = 0, square_integral_ = 0;
};

}  // namespace arthron
