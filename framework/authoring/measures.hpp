#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "arthron/authoring/derivative.hpp"
#include "arthron/authoring/examination.hpp"
#include "arthron/spatial/spatial.hpp"

/// How numbers of components are compared.
namespace arthron {

inline void append(std::vector<double>& values, const Vec3& a) {
  for (const double number : {a.x, a.y, a.z}) values.push_back(number);
}
inline void append(std::vector<double>& values, const Mat3& m) { append(values, m.c0), append(values, m.c1), append(values, m.c2); }
inline void append(std::vector<double>& values, const Spatial6& a) { append(values, a.linear), append(values, a.angular); }
inline std::vector<double> numbers_of(const Pose<double>& X) {
  std::vector<double> values;
  append(values, X.p), append(values, X.R);
  return values;
}
template <class Items>
std::vector<double> numbers_of(const Items& items, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) append(values, items[i]);
  return values;
}

/// Largest difference relative to the largest of the expected numbers, or to 1 where all are smaller; NaN where one of them is.
inline double deviation(const std::vector<double>& expected, const std::vector<double>& values) {
  double worst = 0, scale = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(values[i] - expected[i]);
    if (!(difference <= worst) && worst == worst) worst = difference;
    scale = std::max(scale, std::abs(expected[i]));
  }
  return worst / scale;
}

/// Notes how far `values` are from a derivative by finite differences; not where the function has a kink that hides it. True when they are
/// no farther than allowed.
template <class Where>
bool note_derivative(Examination& examination, const Identity& identity, const Derivative& truth, const std::vector<double>& values,
                     const Where& where) {
  double scale = 1;
  for (const double value : truth.value) scale = std::max(scale, std::abs(value));
  if (std::isfinite(truth.uncertainty) && truth.uncertainty > identity.allowed * scale / 2) {
    examination.pass_over(identity, where);
    return true;
  }
  const double off = deviation(truth.value, values);
  examination.note(identity, off, where);
  return off <= identity.allowed;
}

/// Velocity V with Rdot = w~ R, from the rates of the numbers of a pose: (dp, dR).
inline Spatial6 velocity_of(const std::vector<double>& rate, const Mat3& R) {
  const Mat3 dR{{rate[3], rate[4], rate[5]}, {rate[6], rate[7], rate[8]}, {rate[9], rate[10], rate[11]}};
  const Mat3 W = dR * transpose(R);
  return {{rate[0], rate[1], rate[2]}, {(W.c1.z - W.c2.y) / 2, (W.c2.x - W.c0.z) / 2, (W.c0.y - W.c1.x) / 2}};
}

}  // namespace arthron
