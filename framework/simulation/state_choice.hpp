#pragma once
#include "arthron/plan/plan.hpp"

namespace arthron {

/// Gives the Plan the formulation with velocities in the place of its own where momenta are a bad state to integrate: where a joint carries
/// far more than a change of its momentum moves. With the leverage L = M_kk / d_k, the inertia of all it carries over the one that its
/// momentum moves, the largest of all joints (momentum_leverage):
///
/// * Rounding. p_k is known to a few eps |p_k|, and |p_k| is up to M_kk |u|, so velocities are known to a few eps L |u|. Where that is more
///   than the relative tolerance asks for, no step is short enough to meet it. L may come to the ratio of the masses of a body and one it
///   hangs on, when joints come loose that hold it firmly at the start, and in loops to that of any two: that counts too.
/// * Truncation. M(q) u = p: an error dq of coordinates is one of M^-1 (dM/dq) u dq, up to L |u| dq, in velocities, as if they had been
///   found without the motion of what is carried. So the errors of a step are up to L times as large as those in velocities, and of a
///   method whose estimate is of order h^r steps are up to L^(1/r) times as many. In rings of links on balls, where every link turns about
///   itself with little inertia, they are; in chains of hinges the last links, which carry nothing, set the steps, and momenta are as good.
///   So where the bound is no answer both are tried: released at rest, a few steps of either.
/// * A ground that moves at V. Momenta are those of V, up to sqrt(M_kk m) V of a carried mass m, and the errors of a step up to
///   sqrt(M_kk m) V / d_k times those of the coordinates: where that exceeds the absolute tolerance as much as L would exceed 1, velocities
///   are taken.
///
/// Symplectic methods, which need momenta, keep them until rounding is more than what their steps are solved to.
///
/// Depends on the positions at the start, the loads there, the method and its tolerance: not on units, rows, or initial velocities.
void choose_state(Plan& plan);

}  // namespace arthron
