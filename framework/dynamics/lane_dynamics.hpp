#pragma once
#include "arthron/dynamics/lane_workspace.hpp"

namespace arthron {

/// evaluate() for all variants of a LanePlan, work.x and work.xdot included: the same equations in the same order, so the same numbers to
/// rounding. True when all
/// succeeded; else work.status says which did not, and their results mean nothing. A variant that fails goes on with harmless numbers, and
/// no other notices. Allocates nothing, throws nothing.
[[nodiscard]] bool evaluate(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work);

/// normalise() for all variants.
bool normalise(const LanePlan& plan, Lanes* q);

/// forces_are_finite() of one variant.
[[nodiscard]] Status forces_are_finite(const LanePlan& plan, std::size_t lane, const LaneWorkspace& work);

/// Forces on bodies and efforts along joint columns, and rates of internal states.
void apply_loads(const LanePlan& plan, LaneWorkspace& work);

}  // namespace arthron
