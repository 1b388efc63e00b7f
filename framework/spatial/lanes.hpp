#pragma once
#include <cmath>
#include <experimental/simd>

#include "arthron/core/sanitizer.hpp"
#include "arthron/spatial/lane_count.hpp"

/// One number of several variants of a model at once, a SIMD lane each: the scalar on which kernels run for variants that share a topology.
/// Lanes never mix, so that what goes wrong in one stays in it.
namespace arthron {

#define ARTHRON_INLINE [[gnu::always_inline]] inline
/// For loops over lanes: all in one function, so that structs of lanes stay in registers. Not where every load is checked: compilers take
/// minutes over such a function.
#if ARTHRON_SANITIZER_ADDRESS || ARTHRON_SANITIZER_THREAD
#define ARTHRON_FLATTEN
#else
#define ARTHRON_FLATTEN [[gnu::flatten]]
#endif

struct Lanes {
  using Simd = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, lane_count>>;
  using Mask = Simd::mask_type;
  Simd v;

  /// Copied one by one, never as blocks of memory: so structs of lanes stay in registers.
  ARTHRON_INLINE Lanes() : v(0.0) {}
  ARTHRON_INLINE Lanes(const Lanes& b) : v(b.v) {}
  ARTHRON_INLINE Lanes& operator=(const Lanes& b) {
    v = b.v;
    return *this;
  }
  ARTHRON_INLINE Lanes(double all) : v(all) {}           // NOLINT: a constant is the same in all lanes
  ARTHRON_INLINE Lanes(const Simd& lanes) : v(lanes) {}  // NOLINT
  ARTHRON_INLINE double operator[](int lane) const { return v[lane]; }
  ARTHRON_INLINE void set(int lane, double value) { v[lane] = value; }
  /// value(lane) in every lane.
  template <class Value>
  static Lanes each(const Value& value) {
    Lanes lanes;
    for (int lane = 0; lane < lane_count; ++lane) lanes.set(lane, value(lane));
    return lanes;
  }

  ARTHRON_INLINE Lanes& operator+=(const Lanes& b) {
    v += b.v;
    return *this;
  }
  ARTHRON_INLINE Lanes& operator-=(const Lanes& b) {
    v -= b.v;
    return *this;
  }
  ARTHRON_INLINE Lanes& operator*=(const Lanes& b) {
    v *= b.v;
    return *this;
  }
  ARTHRON_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) { return a.v + b.v; }
  ARTHRON_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) { return a.v - b.v; }
  ARTHRON_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) { return a.v * b.v; }
  ARTHRON_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) { return a.v / b.v; }
  ARTHRON_INLINE friend Lanes operator-(const Lanes& a) { return -a.v; }
  ARTHRON_INLINE friend Mask operator<(const Lanes& a, const Lanes& b) { return a.v < b.v; }
  ARTHRON_INLINE friend Mask operator>(const Lanes& a, const Lanes& b) { return a.v > b.v; }
  ARTHRON_INLINE friend Mask operator<=(const Lanes& a, const Lanes& b) { return a.v <= b.v; }
  ARTHRON_INLINE friend Mask operator>=(const Lanes& a, const Lanes& b) { return a.v >= b.v; }
};

using LaneMask = Lanes::Mask;

/// condition ? a : b, in every lane; on a plain scalar too, so that a law may be written once for both.
ARTHRON_INLINE Lanes select(const LaneMask& condition, const Lanes& a, const Lanes& b) {
  Lanes::Simd result = b.v;
  where(condition, result) = a.v;
  return result;
}
ARTHRON_INLINE double select(bool condition, double a, double b) { return condition ? a : b; }
/// True when the condition holds in no lane.
ARTHRON_INLINE bool nowhere(const LaneMask& condition) { return std::experimental::none_of(condition); }
ARTHRON_INLINE bool nowhere(bool condition) { return !condition; }

ARTHRON_INLINE Lanes sqrt(const Lanes& a) { return std::experimental::sqrt(a.v); }
ARTHRON_INLINE Lanes abs(const Lanes& a) { return std::experimental::abs(a.v); }
ARTHRON_INLINE Lanes min(const Lanes& a, const Lanes& b) { return std::experimental::min(a.v, b.v); }
ARTHRON_INLINE Lanes max(const Lanes& a, const Lanes& b) { return std::experimental::max(a.v, b.v); }
/// False in lanes that are infinite or NaN.
ARTHRON_INLINE LaneMask finite(const Lanes& a) { return (a.v - a.v) == Lanes::Simd(0.0); }

}  // namespace arthron
