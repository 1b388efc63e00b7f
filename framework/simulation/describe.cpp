#include <algorithm>
#include <cstdio>
#include <numbers>

#include "arthron/simulation/shortest_text.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {

namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string in_loop(const Status& status, const Plan& plan) {
  const PlanClosure& closure = plan.closures[plan.joints[status.element].closure];
  return " in loop " + loop_name(plan, closure);
}

/// Joints around a loop that may not move as the loop needs: driven ones, and kept ones at the start.
std::vector<std::string> fixed_joints(const Status& status, const Plan& plan) {
  const PlanClosure& closure = plan.closures[plan.joints[status.element].closure];
  std::vector<std::string> names;
  for (const int j : loop_joints(plan, closure)) {
    const Joint& joint = plan.model->joints[j];
    if (!joint.motion.empty() || joint.keep) names.push_back(quoted(joint.path) + (joint.keep ? " (kept)" : " (driven)"));
  }
  return names;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

std::string gap(const Spatial6& motion, const char* per_second) {
  return rounded_text(1e3 * norm(motion.linear)) + " mm" + per_second + " and " +
         rounded_text(norm(motion.angular) * 180 / std::numbers::pi) + " degrees" + per_second;
}

/// A failure of a coupling names the first of its joints, which is no cut joint.
bool of_coupling(const Status& status, const Plan& plan) { return plan.joints[status.element].closure < 0; }

std::string coupling(const Status& status, const Plan& plan) {
  std::string names;
  for (const Coupling& given : plan.model->couplings)
    if (given.terms.front().joint.value == status.element) names += (names.empty() ? "" : " or ") + quoted(given.path);
  return "coupling " + names + " cannot hold: its joints are not free to move as it says";
}

/// Joint and bodies of a loop that is not closed.
std::string open_joint(const Status& status, const Plan& plan) {
  const Joint& joint = plan.model->joints[status.element];
  const auto body = [&](BodyIndex index) { return quoted(plan.model->bodies[index.value].path); };
  return "joint " + quoted(joint.path) + " between " + body(joint.parent) + " and " + body(joint.child);
}

/// A loop that has come open in the course of a run.
std::string came_open(const Status& status, const Plan& plan, const Workspace& work) {
  if (of_coupling(status, plan)) return coupling(status, plan);
  return open_joint(status, plan) + in_loop(status, plan) + " has come open by " + gap(joint_opening(plan, work, {status.element}), "");
}

/// Joint, bodies and gap of a loop that stays open.
std::string opening(const Status& status, const Plan& plan, const Workspace& work) {
  if (of_coupling(status, plan)) return coupling(status, plan);
  const std::vector<std::string> fixed = fixed_joints(status, plan);
  return open_joint(status, plan) + " stays open by " + gap(joint_opening(plan, work, {status.element}), "") + ": the loop cannot close" +
         (fixed.empty() ? "" : " with " + list(fixed));
}

/// Drives that a loop cannot follow.
std::string contradiction(const Status& status, const Plan& plan, const Workspace& work, const std::string& where) {
  if (of_coupling(status, plan)) return coupling(status, plan) + where;
  const std::vector<std::string> fixed = fixed_joints(status, plan);
  return (fixed.size() > 1   ? "joints " + list(fixed) + " contradict each other"
          : fixed.size() > 0 ? "joint " + list(fixed) + " cannot be followed"
                             : "prescribed motions cannot be followed") +
         in_loop(status, plan) + ": they would open joint " + quoted(plan.model->joints[status.element].path) + " by " +
         gap(joint_opening_rate(plan, work, {status.element}), " a second") + where;
}

bool has_fixed_steps(const Plan& plan) {
  const std::vector<IntegratorType>& types = integrator_types();
  return std::any_of(types.begin(), types.end(),
                     [&](const IntegratorType& type) { return type.fixed_step && type.name == plan.model->simulation.integrator.type; });
}

}  // namespace

/// Why nothing may resist a joint's motion, and what to do about it.
static std::string without_mass(const Status& status, const Plan& plan) {
  if (status.element < 0) return "";
  const Joint& joint = plan.model->joints[status.element];
  for (const BodyIndex b : {joint.parent, joint.child}) {
    const Body& body = plan.model->bodies[b.value];
    if (!body.ground && body.mass == 0)
      return "; body " + quoted(body.path) +
             " has no mass, and the joints around it leave this motion free: give it a mass, or hold the motion";
  }
  return "";
}

std::string describe(const Status& status, const Plan& plan, const Workspace& work, double t) {
  char time[32];
  std::snprintf(time, sizeof time, "%.6g", t);
  const std::string when = std::string(" at t = ") + time + " s";
  std::string where = when;
  const std::size_t element = std::max(status.element, 0), joints = plan.joints.size();
  if (status.element >= 0 && element >= joints) {
    const std::string force = "force " + quoted(plan.model->forces[element - joints].path);
    if (status.code == Status::Code::not_finite) return force + " ceases to be finite" + when;
    where += ", " + force;
  } else if (status.element >= 0) {
    const Joint& joint = plan.model->joints[element];
    where += ", joint \"" + joint.path + "\" of body \"" + plan.model->bodies[joint.child.value].path + '"';
  }
  switch (status.code) {
    case Status::Code::ok: return "all went well";
    case Status::Code::singular_joint: return "no inertia resists the motion of a joint" + where + without_mass(status, plan);
    case Status::Code::not_finite: return "the motion ceases to be finite" + where;
    case Status::Code::step_too_small:
      if (has_fixed_steps(plan)) return "the equations of a step are not solved by iteration" + where + "; shorter steps may get past it";
      return "no step is short enough for the tolerance" + where + "; a looser tolerance or the integrator bdf may get past it";
    case Status::Code::too_many_steps: return "no steps left" + where + "; a looser tolerance, the integrator bdf or --max-steps may help";
    case Status::Code::not_closed: return opening(status, plan, work);
    case Status::Code::contradictory_drives: return contradiction(status, plan, work, when);
    case Status::Code::not_balanced: return "no position of rest is found: the loads do not balance" + where;
    case Status::Code::not_determined: return "the driven joints leave others free to move" + where;
    case Status::Code::interrupted: return "interrupted" + where;
    case Status::Code::freedom_lost: return "a joint loses a freedom: its directions of motion are not independent" + where;
    case Status::Code::came_open: return came_open(status, plan, work) + when;
    case Status::Code::energy_off:
      return (is_conservative(plan) ? "the energy is wrong although nothing in the model adds or takes any"
                                    : "the energy grows although nothing in the model adds any") +
             when;
    case Status::Code::component_failed: return work.failure + when;
  }
  throw InternalError("every status code has words");
}

}  // namespace arthron
