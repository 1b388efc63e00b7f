#pragma once
#include <vector>

namespace arthron {

/// A curve through points, x strictly increasing, at least two; beyond the ends it goes on straight with the end slope.
/// `linear` joins points by lines; `smooth` is a monotone C1 cubic (PCHIP), for motions and force laws that a stiff integrator meets.
/// at() and integral() allocate nothing and do not throw; an empty table is zero everywhere.
class Table {
 public:
  enum class Interpolation { linear, smooth };
  struct Sample {
    double value, slope, curvature;
  };

  Table() = default;
  Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation);
  [[nodiscard]] Sample at(double x) const;
  /// Integral of the curve from 0 to x, exact: the potential of a force law.
  [[nodiscard]] double integral(double x) const;
  [[nodiscard]] bool empty() const { return cubics_.empty(); }
  /// The points, where one piece of the curve gives way to the next.
  [[nodiscard]] std::vector<double> breaks() const;
  friend bool operator==(const Table&, const Table&) = default;

 private:
  /// value(s) = c[0] + c[1] s + c[2] s^2 + c[3] s^3,  s = x - start; good up to the next one's start.
  struct Cubic {
    double start, c[4];
    double area;  // from the first point to start
    friend bool operator==(const Cubic&, const Cubic&) = default;
  };
  [[nodiscard]] const Cubic& piece(double x) const;
  [[nodiscard]] double area_to(double x) const;

  std::vector<Cubic> cubics_;  // the first and the last are the straight continuations
  double area_to_zero_ = 0;    // from the first point
};

}  // namespace arthron
