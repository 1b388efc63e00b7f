#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/workspace.hpp"

/// The stages evaluations are made of. Each reads the Plan and what earlier stages wrote, and writes its own part of the Workspace.
namespace arthron {

/// t, q -> driven coordinates, joint poses and columns, poses, arms, columns and inertias in world axes.
void kinematics(const Plan& plan, double t, const double* q, Workspace& work);

/// The same with the grounds where the workspace has them.
void kinematics_on_grounds(const Plan& plan, double t, const double* q, Workspace& work);

/// Rates of the columns that change with the coordinates; needs u.
void column_rates(const Plan& plan, Workspace& work);

/// Phase one by folding (section 2): articulated inertias and biases leaf to root, then velocities root to leaf.
[[nodiscard]] Status fold_velocities(const Plan& plan, Workspace& work);

/// The same from known joint velocities (initial conditions).
void forward_velocities(const Plan& plan, Workspace& work);

/// Forces on bodies and efforts along joint columns, from positions and velocities.
void apply_loads(const Plan& plan, Workspace& work);

/// Momenta and loads of every subtree, and from them dp/dt (section 4). `pdot` may be null: momenta alone.
void momentum_rates(const Plan& plan, double* pdot, Workspace& work);

/// Right-hand sides of the acceleration-level equations: gamma and bias.
void acceleration_terms(const Plan& plan, Workspace& work);

/// Accelerations with the factors of fold_velocities.
void fold_accelerations(const Plan& plan, Workspace& work);

/// Reactions F, leaf to root, from accelerations.
void reactions(const Plan& plan, Workspace& work);

}  // namespace arthron
