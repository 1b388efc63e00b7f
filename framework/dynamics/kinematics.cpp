#include <algorithm>
#include <cmath>

#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/ground_state.hpp"
#include "arthron/dynamics/spines.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

void move_grounds(const Plan& plan, Workspace& work) {
  const Instant now = work.now();
  for (size_t g = 0; g < plan.ground.size(); ++g) {
    const GroundState ground = ground_state(plan.ground[g], now);
    work.body[g].X_WB = ground.X_WB;
    work.body[g].V = ground.V, work.A[g] = ground.A;
  }
}

void drive_joints(const Plan& plan, Slice joints, Workspace& work) {
  const Instant now = work.now();
  for (int i = joints.first; i < joints.last; ++i) {
    const size_t j = static_cast<size_t>(plan.driven_joints[static_cast<size_t>(i)]);
    const PlanJoint& joint = plan.joints[j];
    const Joint& given = plan.model->joints[j];
    std::array<TimeFunction::Sample, 6> chart;
    std::array<double, 6> value{};
    for (size_t k = 0; k < given.motion.size(); ++k) chart[k] = given.motion[k].sample(now), value[k] = chart[k].value;
    const JointType& type = given.definition->type();
    type.from_chart(*given.definition, value.data(), work.q.data() + joint.q);
    type.chart_motion(*given.definition, chart.data(), work.u.data() + joint.u, work.drive_acceleration.data() + joint.u);
  }
}

/// Where a body's handle is on its parent, and the axes of the joint there.
struct Mount {
  WideMatrix3 R_WF;
  Wide3 arm;
};

inline Mount mount_on(const PlanBody& body, const WideMatrix3& R_WP, const Pose<double>& X_FM) {
  Mount mount{body.aligned ? R_WP : R_WP * body.R_PF, R_WP * body.p_PF};
  // The joint's slide is along F axes.
  if (body.slides) mount.arm += mount.R_WF * X_FM.p;
  return mount;
}

/// Columns and inertia in world axes.
inline void turn_body(const Plan& plan, const PlanBody& body, const Mount& mount, BodyWork& out, Workspace& work) {
  out.arm = mount.arm;
  for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c) {
    const Spatial6& h = work.H_F[c];
    switch (plan.shapes[c]) {
      case ColumnShape::rotation: work.column[c].H = {Wide3::zero(), mount.R_WF * h.angular}; break;
      case ColumnShape::translation: work.column[c].H = {mount.R_WF * h.linear, Wide3::zero()}; break;
      case ColumnShape::general: work.column[c].H = {mount.R_WF * h.linear, mount.R_WF * h.angular}; break;
    }
  }
  out.first_moment = out.X_WB.R * body.first_moment;
  out.second_moment = rotated(out.X_WB.R, body.second_moment);
}

/// The same for a joined part, whose bodies have been placed on the body it hangs on before that one was placed.
void turn_bodies(const Plan& plan, const PlanPart& part, const WidePose& base, Workspace& work) {
  for (int b = part.bodies.first; b < part.bodies.last; ++b) {
    BodyWork& out = work.body[static_cast<size_t>(b)];
    out.X_WB = {base.R * out.X_WB.R, base.p + base.R * out.X_WB.p};
  }
  for (int b = part.bodies.first; b < part.bodies.last; ++b) {
    const PlanBody& body = plan.bodies[static_cast<size_t>(b)];
    const WideMatrix3& R_WP = part.bodies.holds(body.parent) ? work.body[static_cast<size_t>(body.parent)].X_WB.R : base.R;
    turn_body(plan, body, mount_on(body, R_WP, work.X_FM[static_cast<size_t>(body.joint)]), work.body[static_cast<size_t>(b)], work);
  }
}

}  // namespace

void begin(const Plan& plan, double t, const double* q, Workspace& work) {
  work.t = t;
  move_grounds(plan, work);
  begin_on_grounds(plan, t, q, work);
}

void begin_on_grounds(const Plan& plan, double t, const double* q, Workspace& work) {
  work.t = t;
  work.state_q = q;
  drive_joints(plan, part(plan, shared_part(plan)).driven_joints, work);
}

void place_bodies(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  std::copy(work.state_q + part.q.first, work.state_q + part.q.last, work.q.data() + part.q.first);
  drive_joints(plan, part.driven_joints, work);
  for (const BatchSlice& slice : part.joints)
    plan.joint_batches[static_cast<size_t>(slice.batch)]->position(slice.items, work.q.data(), work.X_FM.data(), work.H_F.data());

  const WidePose here = Pose<double>{};
  for (int b = part.bodies.first; b < part.bodies.last; ++b) {
    const PlanBody& body = plan.bodies[static_cast<size_t>(b)];
    const bool afloat = part.joined && !part.bodies.holds(body.parent);
    const WidePose& X_WP = afloat ? here : work.body[static_cast<size_t>(body.parent)].X_WB;
    const Pose<double>& X_FM = work.X_FM[static_cast<size_t>(body.joint)];
    const Mount mount = mount_on(body, X_WP.R, X_FM);
    BodyWork& out = work.body[static_cast<size_t>(b)];
    out.X_WB.p = X_WP.p + mount.arm;
    out.X_WB.R = mount.R_WF * X_FM.R;
    if (!part.joined) turn_body(plan, body, mount, out, work);
  }
}

void place_spine(const Plan& plan, int number, Workspace& work) {
  const std::vector<int>& parts = plan.joined_spines[static_cast<size_t>(number)].parts;
  for (size_t i = 1; i < parts.size(); ++i) {
    const WidePose& on = work.body[static_cast<size_t>(part(plan, parts[i]).on)].X_WB;
    const WidePose& base = work.spines->part[static_cast<size_t>(parts[i - 1])].base;
    // The first part is in place already.
    work.spines->part[static_cast<size_t>(parts[i])].base = i == 1 ? on : WidePose{base.R * on.R, base.p + base.R * on.p};
  }
}

void place_joined(const Plan& plan, int number, Workspace& work) {
  turn_bodies(plan, part(plan, number), work.spines->part[static_cast<size_t>(number)].base, work);
}

void column_rates(const Plan& plan, int number, Workspace& work) {
  for (const BatchSlice& slice : part(plan, number).varying_joints)
    plan.joint_batches[static_cast<size_t>(slice.batch)]->rate(slice.items, work.q.data(), work.u.data(), work.Hdot_F.data());
}

void column_rates(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) column_rates(plan, p, work);
}

void move_bodies(const Plan& plan, int number, Workspace& work) {
  const Slice bodies = part(plan, number).bodies;
  for (size_t b = static_cast<size_t>(bodies.first); b < static_cast<size_t>(bodies.last); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 V = velocity_at(work.body[static_cast<size_t>(body.parent)].V, work.body[b].arm);
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c)
      add_column(V, work.u[c], work.column[c].H, plan.shapes[c]);
    work.body[b].V = V;
  }
}

void forward_velocities(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) move_bodies(plan, p, work);
}

}  // namespace arthron
