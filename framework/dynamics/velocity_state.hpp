#pragma once
#include "arthron/dynamics/dynamics.hpp"

/// States of velocities u, which acceleration-based formulations integrate where HDCA has momenta: what they mean as momenta, and back.
namespace arthron {

/// Before a program that begins with the kinematics and goes on from joint velocities.
[[nodiscard]] Status begin_motion(const Plan& plan, double t, const double* q, const double* u, Workspace& work);

/// The velocities nearest to u (least kinetic energy of the difference) that the closures admit.
[[nodiscard]] Status project_velocities(const Plan& plan, double t, const double* q, double* u, Workspace& work);

/// Momenta of the free joints at the velocities u, those of driven joints and grounds as at t; cut impulses are zero.
[[nodiscard]] Status momenta_of_velocities(const Plan& plan, double t, const double* q, const double* u, double* p, Workspace& work);
/// The velocities that momenta mean, those of driven joints and grounds as at t. With momenta from before a jump of what is prescribed:
/// those after it, for the impulses that make it act along no freedom.
[[nodiscard]] Status velocities_of_momenta(const Plan& plan, double t, const double* q, const double* p, double* u, Workspace& work);

}  // namespace arthron
