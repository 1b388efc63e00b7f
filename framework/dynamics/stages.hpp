#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/workspace.hpp"

/// The stages evaluations are made of. Each reads the Plan and what earlier stages wrote, and writes its own part of the Workspace. Those
/// that take a number work on one part of the Plan; programs.hpp puts them in order, and the others go through all parts.
namespace arthron {

/// Before the kinematics at t and q: grounds, and driven joints that are shared. q stays where it is until the kinematics are done.
void begin(const Plan& plan, double t, const double* q, Workspace& work);
/// The same with the grounds where the workspace has them.
void begin_on_grounds(const Plan& plan, double t, const double* q, Workspace& work);

/// Driven coordinates, joint poses and columns, poses, arms, columns and inertias in world axes, outward. Bodies of joined parts are first
/// placed on the body their part hangs on, until place_chain has found where that one is.
void place_bodies(const Plan& plan, int part, Workspace& work);
void place_chain(const Plan& plan, int chain, Workspace& work);
void place_joined(const Plan& plan, int part, Workspace& work);
void kinematics(const Plan& plan, double t, const double* q, Workspace& work);
void kinematics_on_grounds(const Plan& plan, double t, const double* q, Workspace& work);

/// Rates of the columns that change with the coordinates; needs u.
void column_rates(const Plan& plan, int part, Workspace& work);
void column_rates(const Plan& plan, Workspace& work);

/// Phase one by folding (section 2): articulated inertias and biases leaf to root, then velocities root to leaf; or, with forces in the
/// place of momenta, accelerations.
template <Level level>
void fold_part(const Plan& plan, int part, Workspace& work);
template <Level level>
void close_ground(const Plan& plan, int, Workspace& work);
template <Level level>
void unfold_part(const Plan& plan, int part, Workspace& work);
[[nodiscard]] Status fold_velocities(const Plan& plan, Workspace& work);

/// Velocities root to leaf from known joint velocities.
void move_bodies(const Plan& plan, int part, Workspace& work);
void forward_velocities(const Plan& plan, Workspace& work);

/// Forces on bodies and efforts along joint columns, from positions and velocities.
void move_handles(const Plan& plan, int part, Workspace& work);
/// Measurements that functions of time use.
void measure(const Plan& plan, Workspace& work);
/// The same, then what is shared.
void find_shared_loads(const Plan& plan, int part, Workspace& work);
void load_part(const Plan& plan, int part, Workspace& work);
void apply_loads(const Plan& plan, Workspace& work);

/// What forces_are_finite looks at: handles, internal states, wrenches and rates, every `stride`-th number one behind the other.
struct ForceNumbers {
  const double *handles, *x, *wrenches, *xdot;
  std::size_t stride;
};
[[nodiscard]] Status forces_are_finite(const Plan& plan, const ForceNumbers& numbers);

/// Momenta and loads of every subtree, and from them dp/dt (section 4). `pdot` may be null: momenta alone.
void momentum_part(const Plan& plan, int part, Workspace& work);
void momentum_rates(const Plan& plan, double* pdot, Workspace& work);
/// p of every free tree joint from the velocities in the workspace, cut impulses being zero.
void subtree_momenta(const Plan& plan, Workspace& work, double* p);
/// The same from the momenta of the subtrees.
void momenta_along_joints(const Plan& plan, const Workspace& work, double* p);

/// Right-hand sides of the acceleration-level equations: gamma and bias.
void acceleration_terms(const Plan& plan, int part, Workspace& work);
void acceleration_terms(const Plan& plan, Workspace& work);

/// Accelerations by folding, from the right-hand sides in the workspace.
void fold_accelerations(const Plan& plan, Workspace& work);

/// Reactions F, leaf to root, from accelerations.
void reactions(const Plan& plan, Workspace& work);

}  // namespace arthron
