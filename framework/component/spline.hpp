#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "arthron/spatial/dual.hpp"
#include "arthron/spatial/vector3.hpp"

namespace arthron {

/// Vectors along a parameter s, interpolated by cubics with continuous second derivatives. Open ones go on straight beyond their ends,
/// where they have no curvature; closed ones come back to their first vector after period() and repeat. Evaluation allocates nothing and
/// does not throw, on double and on numbers that carry derivatives.
class Spline {
 public:
  /// `values[i]` at `s[i]`, all finite, s increasing, at least two. A closed one has one more s, where it comes back to the first value.
  Spline(const std::vector<double>& s, const std::vector<Vec3>& values, bool closed);

  template <class T>
  struct Sample {
    Vector3<T> value, slope;
  };
  template <class T>
  [[nodiscard]] Sample<T> at(const T& s) const;
  /// Length of the way of a closed one [units of s]; 0 for an open one.
  [[nodiscard]] double period() const { return period_; }

 private:
  /// value = c[0] + r (c[1] + r (c[2] + r c[3])),  r = s - start; good up to the next one's start.
  struct Cubic {
    double start;
    std::array<Vec3, 4> c;
  };
  [[nodiscard]] const Cubic& piece(double s) const;

  std::vector<Cubic> cubics_;  // of an open one, the first and the last are the straight continuations
  double period_ = 0;
};

/// A smooth curve through the points by the length along it, which `s` is at the points. No two neighbours may be one. Nothing where its
/// length does not grow from place to place in double precision: of points in one place, or far closer together than others.
[[nodiscard]] std::optional<Spline> curve_through(const std::vector<Vec3>& points, bool closed, std::vector<double>& s);

/// The number itself, freed of its derivatives.
inline double plain(double a) { return a; }
template <class T, int N>
double plain(const Dual<T, N>& a) {
  return plain(a.value);
}

template <class T>
Spline::Sample<T> Spline::at(const T& s) const {
  const double turns = period_ > 0 ? std::floor((plain(s) - cubics_.front().start) / period_) : 0;
  const T within = s - turns * period_;
  const Cubic& cubic = piece(plain(within));
  const T r = within - cubic.start;
  const auto value = [&](double c0, double c1, double c2, double c3) { return c0 + r * (c1 + r * (c2 + r * c3)); };
  const auto slope = [&](double c1, double c2, double c3) { return c1 + r * (2 * c2 + r * (3 * c3)); };
  const auto& [a, b, c, d] = cubic.c;
  return {{value(a.x, b.x, c.x, d.x), value(a.y, b.y, c.y, d.y), value(a.z, b.z, c.z, d.z)},
          {slope(b.x, c.x, d.x), slope(b.y, c.y, d.y), slope(b.z, c.z, d.z)}};
}

}  // namespace arthron
