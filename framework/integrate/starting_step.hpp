#pragma once
#include <vector>

#include "arthron/integrate/checked_rhs.hpp"

namespace arthron {

/// First step of an adaptive method of order `order`, from the size of the solution and of its first two derivatives:
/// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4, in the maximum norm weighted by the tolerances.
/// Costs one evaluation, some more where the state is next to zero. `f0` is the derivative at (t0, y0), where `rhs` was last asked.
[[nodiscard]] double starting_step(CheckedRhs& rhs, double t0, const std::vector<double>& y0, const std::vector<double>& f0, int order,
                                   const IntegratorSettings& settings);

}  // namespace arthron
