#pragma once
#include <cstring>
#include <limits>

#include "arthron/spatial/lanes.hpp"

/// Elementary functions on lanes, to two units in the last place. Whatever is far out, or NaN, goes through the scalar functions.
namespace arthron {

namespace lane_math {

/// The nearest whole number, for |x| < 2^51.
ARTHRON_INLINE Lanes nearest_whole(const Lanes& x) {
  const Lanes shift(6755399441055744.0);  // 1.5 2^52
  return (x + shift) - shift;
}

/// 2^k of whole numbers k in [-1022, 1023].
ARTHRON_INLINE Lanes power_of_two(const Lanes& k) {
  using Bits = long long __attribute__((vector_size(sizeof(Lanes))));
  Lanes power = k + (6755399441055744.0 + 1023);  // k + 1023 in the last bits
  Bits bits;
  std::memcpy(&bits, static_cast<const void*>(&power), sizeof(bits));
  bits <<= 52;
  std::memcpy(static_cast<void*>(&power), &bits, sizeof(bits));
  return power;
}

/// sin and cos of the remainder r = x - quadrant pi/2, |r| <= pi/4, and quadrant modulo 4, in [-2, 2].
struct Reduced {
  Lanes sine, cosine, quadrant;

  /// Cody and Waite's reduction, with Cephes' polynomials. pi/2 comes in three parts, the first of 33 bits: exact for |x| < `farthest`.
  static constexpr double farthest = 1e6;
  ARTHRON_INLINE explicit Reduced(const Lanes& x) {
    const Lanes k = nearest_whole(Lanes(0.63661977236758134308) * x);
    const Lanes r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
    const Lanes z = r * r;
    const Lanes s =
        ((((1.58962301576546568060e-10 * z - 2.50507477628578072866e-8) * z + 2.75573136213857245213e-6) * z - 1.98412698295895385996e-4) *
             z +
         8.33333333332211858878e-3) *
            z -
        1.66666666666666307295e-1;
    const Lanes c =
        ((((-1.13585365213876817300e-11 * z + 2.08757008419747316778e-9) * z - 2.75573141792967388112e-7) * z + 2.48015872888517045348e-5) *
             z -
         1.38888888888730564116e-3) *
            z +
        4.16666666666665929218e-2;
    sine = r + r * (z * s), cosine = 1 - 0.5 * z + z * z * c;
    quadrant = k - 4 * nearest_whole(0.25 * k);
  }
};

template <class Function>
[[gnu::noinline]] Lanes per_lane(const Lanes& x, const Function& function) {
  return Lanes::each([&](int lane) { return function(x[lane]); });
}

}  // namespace lane_math

/// The fast path is taken in any case, so that sin and cos of one angle share it.
ARTHRON_INLINE Lanes sin(const Lanes& x) {
  const lane_math::Reduced at(x);
  const LaneMask odd = abs(at.quadrant) >= 1 && abs(at.quadrant) <= 1;
  const Lanes size = select(odd, at.cosine, at.sine);
  const Lanes result = select(at.quadrant < 0 || at.quadrant > 1, -size, size);
  if (nowhere(!(abs(x) < lane_math::Reduced::farthest))) [[likely]]
    return result;
  return lane_math::per_lane(x, [](double a) { return std::sin(a); });
}
ARTHRON_INLINE Lanes cos(const Lanes& x) {
  const lane_math::Reduced at(x);
  const LaneMask odd = abs(at.quadrant) >= 1 && abs(at.quadrant) <= 1;
  const Lanes size = select(odd, at.sine, at.cosine);
  const Lanes result = select(at.quadrant > 0 || at.quadrant < -1, -size, size);
  if (nowhere(!(abs(x) < lane_math::Reduced::farthest))) [[likely]]
    return result;
  return lane_math::per_lane(x, [](double a) { return std::cos(a); });
}

/// Cephes' rational function on |r| <= ln(2)/2, times a power of two; zero where e^x is no normal number.
ARTHRON_INLINE Lanes exp(const Lanes& x) {
  constexpr double lowest = -708, highest = 709;
  const Lanes bounded = min(max(x, Lanes(lowest)), Lanes(highest)), k = lane_math::nearest_whole(1.4426950408889634074 * bounded);
  const Lanes r = (bounded - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6, z = r * r;
  const Lanes p = r * ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1);
  const Lanes q = ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2;
  const Lanes result = (1 + 2 * (p / (q - p))) * lane_math::power_of_two(k);
  const Lanes beyond = select(x > highest, Lanes(std::numeric_limits<double>::infinity()), select(x < lowest, Lanes(0), x));
  return select(x >= lowest && x <= highest, result, beyond);
}

ARTHRON_INLINE Lanes tanh(const Lanes& x) {
  const Lanes z = x * x, size = abs(x);
  const Lanes p = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;
  const Lanes q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
  const Lanes far = 1 - 2 / (exp(2 * size) + 1);
  return select(size < 0.625, x + x * (z * (p / q)), select(x < 0, -far, far));
}

}  // namespace arthron
