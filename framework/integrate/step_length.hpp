#pragma once
#include <algorithm>
#include <cmath>

namespace arthron {

/// Length of the step after one of length h that ended with an `error` of order h^order, in units of the tolerance:
///   h 0.8 error^(-1/order)      (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4)
/// at least a fifth, at most `most` times h. The error expected is a third of the tolerance for order 5: where that grows from step to
/// step few are rejected.
[[nodiscard]] inline double next_step_length(double h, double error, int order, double most) {
  constexpr double safety = 0.8, least = 0.2;
  return h * std::clamp(safety * std::pow(error, -1.0 / order), least, most);
}

}  // namespace arthron
