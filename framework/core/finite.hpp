#pragma once
#include <bit>
#include <cstdint>

namespace arthron {

/// True when no value is infinite or not a number. Looks at all of them, several at a time.
[[nodiscard]] inline bool all_finite(const double* values, int count) {
  // Exponents of what is not finite have every bit set: one more carries into the sign.
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000, one = 0x0010'0000'0000'0000, sign = 0x8000'0000'0000'0000;
  std::uint64_t carried = 0;
  for (int i = 0; i < count; ++i) carried |= (std::bit_cast<std::uint64_t>(values[i]) & exponent) + one;
  return (carried & sign) == 0;
}

}  // namespace arthron
