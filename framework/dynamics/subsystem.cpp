#include "arthron/dynamics/subsystem.hpp"

#include "arthron/dynamics/column.hpp"

namespace arthron {

namespace {

using std::size_t;

Wide6 momentum_at_handle(const Plan& plan, const Workspace& work, size_t b) {
  return rigid_momentum(plan.bodies[b].mass, work.body[b].first_moment, work.body[b].second_moment, work.body[b].V);
}

/// What an attachment exerts on its body, at `point`.
Spatial6 wrench_at(const Plan& plan, const Workspace& work, const PlanAttachment& attachment, const Vec3& point) {
  if (attachment.joint < 0) {
    const size_t h = attachment.handle;
    return wrench_from(work.wrenches[h], work.handles[h].position - point);
  }
  const JointIndex joint{attachment.joint};
  const Spatial6 on_child = wrench_from(joint_reaction(plan, work, joint), joint_point(plan, work, joint) - point);
  return attachment.child ? on_child : -on_child;
}

}  // namespace

MassCentre mass_centre(const Plan& plan, const Workspace& work, int subsystem) {
  MassCentre sum;
  for (const int number : plan.subsystems[subsystem].bodies) {
    const size_t b = number;
    const double mass = plan.bodies[b].mass;
    sum.mass += mass;
    sum.position += mass * static_cast<Vec3>(work.body[b].X_WB.p) + static_cast<Vec3>(work.body[b].first_moment);
    sum.velocity += momentum_at_handle(plan, work, b).linear;
  }
  if (sum.mass == 0) {  // nothing but bodies without mass: where the first of them is
    const std::vector<int>& bodies = plan.subsystems[subsystem].bodies;
    if (bodies.empty()) return sum;
    const BodyWork& first = work.body[bodies.front()];
    sum.position = first.X_WB.p, sum.velocity = first.V.linear;
    return sum;
  }
  sum.position = (1 / sum.mass) * sum.position;
  sum.velocity = (1 / sum.mass) * sum.velocity;
  return sum;
}

Spatial6 momentum(const Plan& plan, const Workspace& work, int subsystem) {
  const Vec3 centre = mass_centre(plan, work, subsystem).position;
  Spatial6 sum;
  for (const int number : plan.subsystems[subsystem].bodies) {
    const size_t b = number;
    sum += wrench_from<double>(momentum_at_handle(plan, work, b), static_cast<Vec3>(work.body[b].X_WB.p) - centre);
  }
  return sum;
}

Vec3 port_position(const Plan& plan, const Workspace& work, int port) {
  const PlanPort& at = plan.ports[port];
  const Pose<double> X_WB = work.body[at.body].X_WB;
  return X_WB * at.p_B;
}

Spatial6 port_reaction(const Plan& plan, const Workspace& work, int port) {
  const Vec3 point = port_position(plan, work, port);
  Spatial6 sum;
  for (const PlanAttachment& attachment : plan.ports[port].attachments) sum += wrench_at(plan, work, attachment, point);
  return sum;
}

}  // namespace arthron
