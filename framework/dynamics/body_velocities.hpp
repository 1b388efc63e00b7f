#pragma once
#include "arthron/dynamics/dynamics.hpp"

namespace arthron {

/// Gives `starts`, whose positions close all loops at time t, the joint velocities with which bodies move as the model says, or as near to
/// it as joints, loops, drives and kept velocities admit: the kinetic energy of the difference is least,
///   sum over bodies  m |v - v0|^2 + (w - w0) I (w - w0)  ->  min,
/// v the velocity of the centre of mass and w the angular velocity. Of what the model leaves open, whole bodies or one of the two, comes
/// nearest, among all that do this, what the starts' velocities give on top of those of the bodies inward. Fails as assemble does.
[[nodiscard]] Status take_body_velocities(const Plan& plan, double t, std::vector<JointStart>& starts);

/// Bodies that do not move as the model says, at the last evaluation, and how they do.
[[nodiscard]] std::vector<BodyVelocity> velocities_not_admitted(const Plan& plan, const Workspace& work);

}  // namespace arthron
