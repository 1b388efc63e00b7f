#include <cstdio>

#include "arthron/simulation/simulation.hpp"

namespace arthron {

std::string describe(const Status& status, const Plan& plan, double t) {
  char time[32];
  std::snprintf(time, sizeof time, "%.6g", t);
  std::string where = std::string(" at t = ") + time + " s";
  if (status.element >= 0) {
    const Joint& joint = plan.model->joints[static_cast<std::size_t>(status.element)];
    where += ", joint \"" + joint.path + "\" of body \"" + plan.model->bodies[static_cast<std::size_t>(joint.child.value)].path + '"';
  }
  switch (status.code) {
    case Status::Code::ok:
      return "all went well";
    case Status::Code::singular_joint:
      return "no inertia resists the motion of a joint" + where;
    case Status::Code::not_finite:
      return "the motion ceases to be finite" + where;
    case Status::Code::step_too_small:
      return "no step is short enough for the tolerance" + where + "; a looser tolerance or the integrator bdf may get past it";
    case Status::Code::too_many_steps:
      return "the number of steps is used up" + where + "; a looser tolerance, the integrator bdf or --max-steps may help";
    case Status::Code::interrupted:
      return "interrupted" + where;
  }
  throw InternalError("every status code has words");
}

}  // namespace arthron
