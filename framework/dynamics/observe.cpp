#include "arthron/dynamics/observe.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/model/hierarchy.hpp"

namespace arthron {

namespace {

using std::size_t;

struct JointView {
  const PlanJoint& place;
  const Joint& given;
};

JointView view(const Plan& plan, JointIndex joint) { return {plan.joints[joint.value], plan.model->joints[joint.value]}; }

/// Sum over the couplings of a freedom of a joint: its factor there times a number of the coupling's.
template <class Number>
double coupling_part(const Plan& plan, const Workspace& work, int joint, int freedom, Number number) {
  double sum = 0;
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      if (term.joint.value == joint && term.freedom == freedom) sum += term.coefficient * number(work.closures->cuts[c]);
  return sum;
}
double coupling_impulse(const ClosureWork::Cut& cut) { return static_cast<Spatial6>(cut.T).linear.x; }
double coupling_force(const ClosureWork::Cut& cut) { return cut.sigma[0]; }

/// Multipliers and effort of a cut joint, as a wrench on its child at the child-side point.
Spatial6 cut_reaction(const Plan& plan, const Workspace& work, JointIndex joint) {
  const PlanJoint& place = view(plan, joint).place;
  const Columns6& dual = work.closures->freedoms[place.closure].dual;
  Wide6 F = joint_multipliers(plan, work, joint);
  for (Eigen::Index i = 0; i < dual.cols(); ++i) F += work.tau[place.u + i] * Wide6(spatial(dual.col(i)));
  return F;
}

}  // namespace

Energy energy(const Plan& plan, const Workspace& work, int subsystem) {
  const PlanSubsystem& part = plan.subsystems[subsystem];
  Energy sum;
  const Vec3& gravity = plan.model->gravity;
  for (const int number : part.bodies) {
    const size_t b = number;
    const PlanBody& body = plan.bodies[b];
    const Vec3& mc = work.body[b].first_moment;
    sum.kinetic += dot(rigid_momentum(body.mass, mc, work.body[b].second_moment, work.body[b].V), work.body[b].V) / 2;
    sum.potential -= dot(gravity, body.mass * work.body[b].X_WB.p + mc);
  }
  for (const int j : plan.loaded_joints) {
    if (!lies_within(*plan.model, plan.model->joints[j].subsystem, subsystem)) continue;
    const JointView joint = view(plan, {j});
    sum.potential += joint_stored_energy(joint.given, work.q.data() + joint.place.q);
  }
  const Slice forces = members_of(*plan.model, subsystem).forces;
  for (int force = forces.first; force < forces.last; ++force) {
    const PlanForce& place = plan.forces[force];
    sum.potential += plan.force_batches[place.batch]->energy(place.item, work.now(), work.force_inputs());
  }
  return sum;
}

bool is_conservative(const Plan& plan) {
  const Model& model = *plan.model;
  return plan.driven_joints.empty() &&
         std::all_of(model.bodies.begin(), model.bodies.end(), [](const Body& body) { return !body.motion; }) &&
         std::all_of(model.joints.begin(), model.joints.end(), joint_is_conservative) &&
         std::all_of(model.forces.begin(), model.forces.end(), [](const Force& force) { return force.definition->conservative(); });
}

Pose<double> frame_pose(const Plan& plan, const Workspace& work, BodyIndex body) {
  const Pose<double> X_WB = work.body[plan.body_of[body.value]].X_WB;
  return X_WB * plan.frame_in_body[body.value];
}

Spatial6 frame_velocity(const Plan& plan, const Workspace& work, BodyIndex body) {
  const size_t b = plan.body_of[body.value];
  return velocity_at(work.body[b].V, work.body[b].X_WB.R * plan.frame_in_body[body.value].p);
}

Spatial6 frame_acceleration(const Plan& plan, const Workspace& work, BodyIndex body) {
  const size_t b = plan.body_of[body.value];
  const Vec3 arm = work.body[b].X_WB.R * plan.frame_in_body[body.value].p, w = work.body[b].V.angular;
  Spatial6 A = velocity_at(work.A[b], arm);
  A.linear += cross(w, cross(w, arm));
  return A;
}

HandleState marker_state(const Plan& plan, const Workspace& work, int marker) { return work.handles[plan.force_handles + marker]; }

void joint_position(const Plan& plan, const Workspace& work, JointIndex joint, double* out) {
  const JointView j = view(plan, joint);
  j.given.definition->type().to_chart(*j.given.definition, work.q.data() + j.place.q, out);
}

void joint_velocity(const Plan& plan, const Workspace& work, JointIndex joint, double* out) {
  const PlanJoint& place = view(plan, joint).place;
  std::copy_n(work.u.data() + place.u, place.nu, out);
}

std::vector<JointStart> joint_starts(const Plan& plan, const Workspace& work) {
  std::vector<JointStart> starts(plan.joints.size());
  for (size_t j = 0; j < starts.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    starts[j].position.resize(joint.nu), starts[j].velocity.resize(starts[j].position.size());
    if (joint.nq != joint.nu) starts[j].coordinates.assign(work.q.begin() + joint.q, work.q.begin() + joint.q + joint.nq);
    joint_position(plan, work, {static_cast<int>(j)}, starts[j].position.data());
    joint_velocity(plan, work, {static_cast<int>(j)}, starts[j].velocity.data());
  }
  return starts;
}

void joint_momentum(const Plan& plan, const Workspace& work, JointIndex joint, double* out) {
  const PlanJoint& place = view(plan, joint).place;
  for (int i = 0; i < place.nu; ++i) out[i] = place.driven || place.closure >= 0 ? 0 : work.p[place.u + i];
}

void joint_acceleration(const Plan& plan, const Workspace& work, JointIndex joint, double* out) {
  const PlanJoint& place = view(plan, joint).place;
  std::copy_n(work.udot.data() + place.u, place.nu, out);
}

void joint_effort(const Plan& plan, const Workspace& work, JointIndex joint, double* out) {
  const PlanJoint& place = view(plan, joint).place;
  for (int i = 0; i < place.nu; ++i) {
    const size_t c = place.u + i;
    const auto delivered = [&] {
      return place.closure >= 0 ? dot<double>(work.column[c].H, joint_reaction(plan, work, joint))
                                : dot(work.column[c].H, work.F[place.body]) - coupling_part(plan, work, joint.value, i, coupling_force);
    };
    out[i] = place.driven ? delivered() : work.tau[c];
  }
}

Spatial6 joint_reaction(const Plan& plan, const Workspace& work, JointIndex joint) {
  const PlanJoint& place = view(plan, joint).place;
  if (place.closure >= 0) return cut_reaction(plan, work, joint);
  const size_t b = place.body;
  if (!place.reversed) return work.F[b];
  // The tree's parent is the joint's child: the opposite wrench, moved to the child-side point, which is fixed in the tree's parent.
  const Vec3 handle = work.body[b].X_WB.p;
  return -wrench_from<double>(work.F[b], handle - joint_point(plan, work, joint));
}

Vec3 joint_point(const Plan& plan, const Workspace& work, JointIndex joint) {
  const PlanJoint& place = view(plan, joint).place;
  if (place.closure >= 0) {
    const int child = plan.closures[place.closure].child;
    return work.body[child].X_WB.p + work.closures->cuts[place.closure].arm_child;
  }
  const size_t b = place.body;
  if (!place.reversed) return work.body[b].X_WB.p;
  const Pose<double> X_WP = work.body[plan.bodies[b].parent].X_WB;
  return X_WP * plan.bodies[b].p_PF;
}

void force_measure(const Plan& plan, const Workspace& work, int force, double* out) {
  const PlanForce& place = plan.forces[force];
  plan.force_batches[place.batch]->measure(place.item, work.now(), work.force_inputs(), out);
}

double momentum_residual(const Plan& plan, const Workspace& work) {
  double worst = 0, largest = 1e-300;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    if (body.driven) continue;
    for (int c = body.u; c < body.u + body.columns; ++c) {
      const double coupled = coupling_part(plan, work, body.joint, static_cast<int>(c) - body.u, coupling_impulse);
      worst = std::max(worst, std::abs(column_dot(work.column[c].H, work.body[b].P, plan.shapes[c]) - coupled - work.p[c]));
      largest = std::max(largest, std::abs(work.p[c]));
    }
  }
  return worst / largest;
}

}  // namespace arthron
