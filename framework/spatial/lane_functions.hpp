#pragma once
#include <cmath>

#include "arthron/spatial/lane_math.hpp"

/// The elementary functions that are too seldom asked for on lanes to have a text of their own there: lane by lane. And what laws written
/// for any number need of plain ones and of numbers with derivatives.
namespace arthron {

inline Lanes tan(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::tan(a); });
}
inline Lanes asin(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::asin(a); });
}
inline Lanes acos(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::acos(a); });
}
inline Lanes atan(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::atan(a); });
}
inline Lanes sinh(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::sinh(a); });
}
inline Lanes cosh(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::cosh(a); });
}
inline Lanes log(const Lanes& x) {
  return lane_math::per_lane(x, [](double a) { return std::log(a); });
}
[[gnu::noinline]] inline Lanes atan2(const Lanes& y, const Lanes& x) {
  return Lanes::each([&](int lane) { return std::atan2(y[lane], x[lane]); });
}
[[gnu::noinline]] inline Lanes pow(const Lanes& x, const Lanes& n) {
  return Lanes::each([&](int lane) { return std::pow(x[lane], n[lane]); });
}

ARTHRON_INLINE double max(double a, double b) { return a < b ? b : a; }
ARTHRON_INLINE double min(double a, double b) { return b < a ? b : a; }

/// What comparisons of T yield.
template <class T>
using Condition = decltype(std::declval<T>() > std::declval<T>());
ARTHRON_INLINE bool everywhere(const LaneMask& condition) { return std::experimental::all_of(condition); }
ARTHRON_INLINE bool everywhere(bool condition) { return condition; }

}  // namespace arthron
