#include <algorithm>
#include <cmath>

#include "arthron/dynamics/chains.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/ground_state.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/spatial/lane_math.hpp"

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
    const size_t j = plan.driven_joints[i];
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

/// Columns in world axes.
inline void turn_columns(const Plan& plan, const PlanBody& body, const Mount& mount, Workspace& work) {
  for (int c = body.u; c < body.u + body.columns; ++c) {
    const Spatial6& h = work.H_F[c];
    if (plan.shapes[c] != ColumnShape::translation) work.column[c].H.angular = mount.R_WF * h.angular;
    if (plan.shapes[c] != ColumnShape::rotation) work.column[c].H.linear = mount.R_WF * h.linear;
  }
}

/// Arm and inertia in world axes.
inline void turn_inertia(const PlanBody& body, const Mount& mount, const WideMatrix3& R, BodyWork& out) {
  out.arm = mount.arm;
  out.first_moment = R * body.first_moment;
  out.second_moment = rotated(R, body.second_moment);
}

/// Sines and cosines of turns, several at once.
void turn_joints(const Plan& plan, Slice turns, Workspace& work) {
  const auto turn = [&](int i) { return work.q[plan.turns[std::min(i, turns.last - 1)]]; };
  for (int first = turns.first; first < turns.last; first += lane_count) {
    const Lanes angle = Lanes::each([&](int lane) { return turn(first + lane); }), sine = sin(angle), cosine = cos(angle);
    for (int lane = 0; lane < std::min(lane_count, turns.last - first); ++lane) work.turned[first + lane] = {sine[lane], cosine[lane]};
  }
}

/// A frame turned about one of its axes, by its columns from that axis on.
inline void turn_about(const Workspace::Turned& turned, double sense, const Wide3& a, const Wide3& b, const Wide3& c, Wide3& a_turned,
                       Wide3& b_turned, Wide3& c_turned) {
  const double sine = sense * turned.sine;
  a_turned = a, b_turned = turned.cosine * b + sine * c, c_turned = turned.cosine * c - sine * b;
}

inline const Wide3& axis_of(const WideMatrix3& R, int axis) { return axis == 0 ? R.c0 : axis == 1 ? R.c1 : R.c2; }

/// Where a body that turns or slides is on its parent, and its column.
inline Mount move_body(const PlanBody& body, const WidePose& X_WP, BodyWork& out, Workspace& work) {
  Mount mount{body.aligned ? X_WP.R : X_WP.R * body.R_PF, X_WP.R * body.p_PF};
  const WideMatrix3& F = mount.R_WF;
  WideMatrix3& R = out.X_WB.R;
  const Wide3 direction = body.sense * axis_of(F, body.axis);
  ColumnWork& column = work.column[body.u];
  if (body.move == Move::turn) {
    const Workspace::Turned& turned = work.turned[body.turn];
    switch (body.axis) {
      case 0: turn_about(turned, body.sense, F.c0, F.c1, F.c2, R.c0, R.c1, R.c2); break;
      case 1: turn_about(turned, body.sense, F.c1, F.c2, F.c0, R.c1, R.c2, R.c0); break;
      default: turn_about(turned, body.sense, F.c2, F.c0, F.c1, R.c2, R.c0, R.c1); break;
    }
    column.H.angular = direction;
  } else {
    R = F;
    mount.arm += work.q[body.q] * direction;
    column.H.linear = direction;
  }
  out.X_WB.p = X_WP.p + mount.arm;
  return mount;
}

/// The same for a joined part, whose bodies have been placed on the body it hangs on before that one was placed.
void turn_bodies(const Plan& plan, const PlanPart& part, const WidePose& base, Workspace& work) {
  for (int b = part.bodies.first; b < part.bodies.last; ++b) {
    const PlanBody& body = plan.bodies[b];
    const WidePose& X_WP = part.bodies.holds(body.parent) ? work.body[body.parent].X_WB : base;
    BodyWork& out = work.body[b];
    if (body.move != Move::other) {
      turn_inertia(body, move_body(body, X_WP, out, work), out.X_WB.R, out);
      continue;
    }
    out.X_WB = {base.R * out.X_WB.R, base.p + base.R * out.X_WB.p};
    const Mount mount = mount_on(body, X_WP.R, work.X_FM[body.joint]);
    turn_columns(plan, body, mount, work);
    turn_inertia(body, mount, out.X_WB.R, out);
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

/// Places bodies that turn or slide from `number` outward, up to the first that does neither, or `last`; returns that one.
[[gnu::noinline]] static int move_bodies_outward(const Plan& plan, const PlanPart& part, int number, int last, Workspace& work) {
  const WidePose here = Pose<double>{};
  const PlanBody* body = plan.bodies.data() + number;
  BodyWork *const bodies = work.body.data(), *out = bodies + number;
  for (; number < last && body->move != Move::other; ++number, ++body, ++out) {
    const WidePose& X_WP = part.joined && body->parent < part.bodies.first ? here : bodies[body->parent].X_WB;
    const Mount mount = move_body(*body, X_WP, *out, work);
    if (!part.joined) turn_inertia(*body, mount, out->X_WB.R, *out);
  }
  return number;
}

static void place_batches(const Plan& plan, const std::vector<BatchSlice>& joints, Workspace& work) {
  for (const BatchSlice& slice : joints)
    plan.joint_batches[slice.batch]->position(slice.items, work.q.data(), work.X_FM.data(), work.H_F.data());
}

/// Bodies [first, last) of a part.
static void place_some(const Plan& plan, const PlanPart& part, Slice bodies, Workspace& work) {
  const WidePose here = Pose<double>{};
  for (int b = bodies.first; b < bodies.last; ++b) {
    b = move_bodies_outward(plan, part, b, bodies.last, work);
    if (b == bodies.last) break;
    const PlanBody& body = plan.bodies[b];
    const bool afloat = part.joined && !part.bodies.holds(body.parent);
    const WidePose& X_WP = afloat ? here : work.body[body.parent].X_WB;
    BodyWork& out = work.body[b];
    const Pose<double>& X_FM = work.X_FM[body.joint];
    const Mount mount = mount_on(body, X_WP.R, X_FM);
    out.X_WB.p = X_WP.p + mount.arm;
    out.X_WB.R = mount.R_WF * X_FM.R;
    if (part.joined) continue;
    turn_columns(plan, body, mount, work);
    turn_inertia(body, mount, out.X_WB.R, out);
  }
}

void place_bodies(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  const bool asked = work.request.branches == Request::Branches::grouped;
  const bool grouped = asked && !part.groups.empty() && !part.joined && part.tip < 0;
  work.part[number].grouped = grouped;
  std::copy(work.state_q + part.q.first, work.state_q + part.q.last, work.q.data() + part.q.first);
  drive_joints(plan, part.driven_joints, work);
  turn_joints(plan, part.turns, work);
  place_batches(plan, part.placed_joints, work);
  if (grouped) {
    for (const Slice& bodies : part.ungrouped) place_some(plan, part, bodies, work);
    place_groups(plan, part, work);
    return;
  }
  turn_joints(plan, part.group_turns, work);
  place_batches(plan, part.group_joints, work);
  place_some(plan, part, part.bodies, work);
}

void place_chain(const Plan& plan, int number, Workspace& work) {
  const std::vector<int>& parts = plan.chains[number].parts;
  for (size_t i = 1; i < parts.size(); ++i) {
    const WidePose& on = work.body[part(plan, parts[i]).on].X_WB;
    const WidePose& base = work.chains->part[parts[i - 1]].base;
    // The first part is in place already.
    work.chains->part[parts[i]].base = i == 1 ? on : WidePose{base.R * on.R, base.p + base.R * on.p};
  }
}

void place_joined(const Plan& plan, int number, Workspace& work) {
  turn_bodies(plan, part(plan, number), work.chains->part[number].base, work);
}

void column_rates(const Plan& plan, int number, Workspace& work) {
  const auto rate = [&](const BatchSlice& slice) {
    plan.joint_batches[slice.batch]->rate(slice.items, work.q.data(), work.u.data(), work.Hdot_F.data());
  };
  for (const BatchSlice& slice : part(plan, number).varying_joints) rate(slice);
  if (work.part[number].grouped) return;
  for (const BatchSlice& slice : part(plan, number).group_joints)
    if (plan.joint_batches[slice.batch]->varies()) rate(slice);
}

void column_rates(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) column_rates(plan, p, work);
}

void move_bodies(const Plan& plan, int number, Workspace& work) {
  const Slice bodies = part(plan, number).bodies;
  for (int b = bodies.first; b < bodies.last; ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 V = velocity_at(work.body[body.parent].V, work.body[b].arm);
    for (int c = body.u; c < body.u + body.columns; ++c) add_column(V, work.u[c], work.column[c].H, plan.shapes[c]);
    work.body[b].V = V;
  }
}

void forward_velocities(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) move_bodies(plan, p, work);
}

}  // namespace arthron
