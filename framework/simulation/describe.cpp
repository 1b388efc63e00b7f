#include <cstdio>
#include <numbers>

#include "arthron/simulation/simulation.hpp"

namespace arthron {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// Joint, bodies and gap of a loop that stays open.
std::string opening(const Status& status, const Plan& plan, const Workspace& work) {
  const Joint& joint = plan.model->joints[static_cast<std::size_t>(status.element)];
  const auto body = [&](BodyIndex index) { return '"' + plan.model->bodies[static_cast<std::size_t>(index.value)].path + '"'; };
  const Spatial6 gap = joint_opening(plan, work, {status.element});
  return "joint \"" + joint.path + "\" between " + body(joint.parent) + " and " + body(joint.child) + " stays open by " +
         number(1e3 * norm(gap.linear)) + " mm and " + number(norm(gap.angular) * 180 / std::numbers::pi) +
         " degrees: the loop cannot close";
}

}  // namespace

std::string describe(const Status& status, const Plan& plan, const Workspace& work, double t) {
  char time[32];
  std::snprintf(time, sizeof time, "%.6g", t);
  std::string where = std::string(" at t = ") + time + " s";
  if (status.element >= 0) {
    const Joint& joint = plan.model->joints[static_cast<std::size_t>(status.element)];
    where += ", joint \"" + joint.path + "\" of body \"" + plan.model->bodies[static_cast<std::size_t>(joint.child.value)].path + '"';
  }
  switch (status.code) {
    case Status::Code::ok: return "all went well";
    case Status::Code::singular_joint: return "no inertia resists the motion of a joint" + where;
    case Status::Code::not_finite: return "the motion ceases to be finite" + where;
    case Status::Code::step_too_small:
      return "no step is short enough for the tolerance" + where + "; a looser tolerance or the integrator bdf may get past it";
    case Status::Code::too_many_steps:
      return "the number of steps is used up" + where + "; a looser tolerance, the integrator bdf or --max-steps may help";
    case Status::Code::not_closed: return opening(status, plan, work);
    case Status::Code::interrupted: return "interrupted" + where;
  }
  throw InternalError("every status code has words");
}

}  // namespace arthron
