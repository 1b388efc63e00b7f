#pragma once
#include "arthron/dynamics/workspace.hpp"

/// What momenta mean as velocities, and what part of them is cut impulses.
namespace arthron {

/// Whether evaluations leave the factors of their columns in the workspace: SIMD groups keep them.
[[nodiscard]] bool leaves_columns(const Plan& plan);

/// Per momentum: the inertia that a change of it moves while the joint's parent is at rest and what the joint carries gives way [kg or
/// kg m^2], at the last evaluation where that leaves columns, else at the last solve_velocities. Of a joint on the way to a tip, what is
/// joined there is left out.
void column_inertias(const Plan& plan, const Workspace& work, double* inertia);

/// Per momentum: the part J^T sigma that re-anchoring would add, after solve_velocities.
void impulse_momenta(const Plan& plan, Workspace& work, double* impulse);

/// Largest, over the momenta, of the inertia of all that a joint carries, as one rigid body, over the inertia that a change of the momentum
/// moves: how much larger an error of a momentum is as one of the velocity. After solve_velocities by folding.
[[nodiscard]] double momentum_leverage(const Plan& plan, const Workspace& work);
/// Largest velocity that the momentum of a joint alone may mean, wherever the mechanism moves, because of how its bodies move now:
/// |h^T M V| / d <= sqrt(h^T M h V^T M V) / d. After an evaluation at rest that is the motion of the grounds.
[[nodiscard]] double speed_of_momenta(const Plan& plan, const Workspace& work);

}  // namespace arthron
