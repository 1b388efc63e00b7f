#include "arthron/dynamics/joint_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arthron/component/contact_law.hpp"

namespace arthron {

namespace {

using std::size_t;
using PerFreedom = std::array<double, 6>;

/// How far x is beyond the limits, positive above the upper one, negative below the lower one.
double overshoot(const JointLimits& limits, size_t i, double x) {
  if (!limits.upper.empty() && x > limits.upper[i]) return x - limits.upper[i];
  if (!limits.lower.empty() && x < limits.lower[i]) return x - limits.lower[i];
  return 0;
}

double stop_force(const JointLimits& limits, size_t i, double x, double rate) {
  const double beyond = overshoot(limits, i, x), inward = beyond > 0 ? rate : -rate;
  return damped_contact(-limits.stiffness[i] * beyond, at_or(limits.damping, i, 0), inward);
}

double drive_force(const JointDrive& drive, size_t i, const Instant& now, double x, double rate) {
  TimeFunction::Sample target = drive.target.empty() ? TimeFunction::Sample{} : drive.target[i].sample(now);
  if (!drive.target_rate.empty()) target.rate = drive.target_rate[i].value(now);
  const double wanted = at_or(drive.stiffness, i, 0) * (target.value - x) + at_or(drive.damping, i, 0) * (target.rate - rate);
  return drive.max_effort.empty() ? wanted : std::clamp(wanted, -drive.max_effort[i], drive.max_effort[i]);
}

double friction_effort(const JointFriction& friction, size_t i, double u) {
  const double ratio = u / friction.stribeck_speed[i];
  const double limit = friction.effort[i] + (friction.static_effort[i] - friction.effort[i]) * std::exp(-ratio * ratio);
  return -limit * friction_share(u, friction.speed[i]);
}

/// Efforts of what acts along the user coordinates.
void coordinate_loads(const Joint& joint, const Instant& now, const double* q, const double* u, double* tau) {
  const JointType& type = joint.definition->type();
  PerFreedom x{}, rate{}, force{};
  type.to_chart(*joint.definition, q, x.data());
  type.chart_rate(*joint.definition, q, u, rate.data());
  for (int i = 0; i < type.nu(); ++i) {
    force[i] = -at_or(joint.stiffness, i, 0) * (x[i] - at_or(joint.rest, i, 0));
    if (joint.limits) force[i] += stop_force(*joint.limits, i, x[i], rate[i]);
    if (joint.drive) force[i] += drive_force(*joint.drive, i, now, x[i], rate[i]);
  }
  type.chart_effort(*joint.definition, q, force.data(), tau);
}

}  // namespace

void joint_loads(const Joint& joint, const Instant& now, const double* q, const double* u, double* tau) {
  const size_t nu = joint.definition->type().nu();
  if (!joint.stiffness.empty() || joint.limits || joint.drive)
    coordinate_loads(joint, now, q, u, tau);
  else
    std::fill_n(tau, nu, 0.0);
  for (size_t i = 0; i < nu; ++i) {
    tau[i] -= at_or(joint.damping, i, 0) * u[i];
    if (joint.friction) tau[i] += friction_effort(*joint.friction, i, u[i]);
    if (!joint.effort.empty()) tau[i] += joint.effort[i].value(now);
  }
}

double joint_stored_energy(const Joint& joint, const double* q) {
  if (joint.stiffness.empty() && !joint.limits) return 0;
  const JointType& type = joint.definition->type();
  PerFreedom x{};
  type.to_chart(*joint.definition, q, x.data());
  double sum = 0;
  for (int i = 0; i < type.nu(); ++i) {
    const double deflection = x[i] - at_or(joint.rest, i, 0), beyond = joint.limits ? overshoot(*joint.limits, i, x[i]) : 0;
    sum += at_or(joint.stiffness, i, 0) * deflection * deflection / 2;
    if (joint.limits) sum += joint.limits->stiffness[i] * beyond * beyond / 2;
  }
  return sum;
}

bool joint_is_conservative(const Joint& joint) {
  const auto quiet = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  };
  const bool frictionless = !joint.friction || (quiet(joint.friction->effort) && quiet(joint.friction->static_effort));
  return joint.effort.empty() && quiet(joint.damping) && (!joint.limits || quiet(joint.limits->damping)) && frictionless && !joint.drive;
}

}  // namespace arthron
