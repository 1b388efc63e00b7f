#pragma once
#include "arthron/dynamics/dynamics.hpp"

/// The acceleration-based formulations, with velocities u where HDCA has momenta. Which one is the Plan's. They share kinematics, loads and
/// the equations with HDCA and differ in how these are solved; closures hold at the level of accelerations only, and drift above it.
namespace arthron {

/// (t, q, u) -> (qdot, udot). Allocates nothing, throws nothing.
[[nodiscard]] Status accelerate(const Plan& plan, double t, const double* q, const double* u, double* qdot, double* udot, Workspace& work);

/// The same, with all that observe.hpp reads: reactions, momenta, freedoms of the cut joints.
[[nodiscard]] Status observe_accelerations(const Plan& plan, double t, const double* q, const double* u, Workspace& work);

/// The velocities nearest to u (least kinetic energy of the difference) that the closures admit.
[[nodiscard]] Status project_velocities(const Plan& plan, double t, const double* q, double* u, Workspace& work);

/// Momenta of the free joints at the velocities u, those of driven joints and grounds as at t; cut impulses are zero.
[[nodiscard]] Status momenta_of_velocities(const Plan& plan, double t, const double* q, const double* u, double* p, Workspace& work);
/// The velocities that momenta mean, those of driven joints and grounds as at t. With momenta from before a jump of what is prescribed:
/// those after it, for the impulses that make it act along no freedom.
[[nodiscard]] Status velocities_of_momenta(const Plan& plan, double t, const double* q, const double* p, double* u, Workspace& work);

}  // namespace arthron
