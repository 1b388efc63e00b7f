#pragma once

namespace arthron {

/// Variants that are computed at once, a SIMD lane each: one AVX register. Measured, two are no faster, since they leave no registers for
/// anything else.
inline constexpr int lane_count = 4;

}  // namespace arthron
