#include "arthron/dynamics/lane_dynamics.hpp"

#include <algorithm>

#include "arthron/dynamics/ground_state.hpp"
#include "arthron/dynamics/lane_column.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Remembers the first failure of every lane where `fine` does not hold.
[[gnu::noinline]] void note_failures(const LaneMask& fine, Status status, LaneWorkspace& work) {
  for (size_t lane = 0; lane < work.status.size(); ++lane)
    if (!fine[lane] && work.status[lane].ok()) work.status[lane] = status;
}

/// Coordinates and momenta, and internal states where they are; zeros in lanes that are not finite.
void take_state(const LanePlan& plan, const Lanes* q, const Lanes* p, LaneWorkspace& work) {
  const int nq = plan.topology().nq, nu = plan.topology().nu;
  Lanes sound(0);
  for (int i = 0; i < nq; ++i) sound += 0 * q[i];
  for (int i = 0; i < nu; ++i) sound += 0 * p[i];
  for (const Lanes& x : work.x) sound += 0 * x;
  std::copy_n(q, nq, work.q.data());
  std::copy_n(p, nu, work.p.data());
  const LaneMask fine = finite(sound);
  if (std::experimental::all_of(fine)) return;
  note_failures(fine, {Status::Code::not_finite}, work);
  for (int i = 0; i < nq; ++i) work.q[i] = select(fine, q[i], Lanes(0));
  for (int i = 0; i < nu; ++i) work.p[i] = select(fine, p[i], Lanes(0));
  for (Lanes& x : work.x) x = select(fine, x, Lanes(0));
}

/// Functions of time do not change while the time does not.
void ask_functions(const LanePlan& plan, double t, LaneWorkspace& work) {
  work.t = t;
  if (t == work.sampled) return;
  plan.functions.sample(work.now(), work.values.data(), work.rates.data());
  work.sampled = t;
}

void move_grounds(const LanePlan& plan, LaneWorkspace& work) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const Plan& own = *plan.plans[lane];
    for (size_t g = 0; g < own.ground.size(); ++g) {
      const GroundState ground = ground_state(own.ground[g], work.now().of(lane));
      set_lane(&work.body[g].X_WB, lane, &ground.X_WB, 1), set_lane(&work.body[g].V, lane, &ground.V, 1);
    }
  }
}

void drive_joints(const LanePlan& plan, LaneWorkspace& work) {
  for (const LaneDrive& drive : plan.drives) {
    work.q[drive.q] = work.values[drive.function];
    work.u[drive.u] = work.rates[drive.function];
  }
  for (const int j : plan.drives_by_lane) {
    const PlanJoint& joint = plan.topology().joints[j];
    for (int lane = 0; lane < lane_count; ++lane) {
      const Joint& given = plan.plans[lane]->model->joints[j];
      std::array<TimeFunction::Sample, 6> chart;
      std::array<double, 6> value{}, u{}, udot{};
      for (size_t i = 0; i < given.motion.size(); ++i) chart[i] = given.motion[i].sample(work.now().of(lane)), value[i] = chart[i].value;
      given.definition->type().from_chart(*given.definition, value.data(), work.q_lane.data());
      given.definition->type().chart_motion(*given.definition, chart.data(), u.data(), udot.data());
      set_lane(work.q.data() + joint.q, lane, work.q_lane.data(), joint.nq), set_lane(work.u.data() + joint.u, lane, u.data(), joint.nu);
    }
  }
}

ARTHRON_FLATTEN void place_bodies(const LanePlan& plan, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  for (size_t b = topology.grounds; b < topology.bodies.size(); ++b) {
    const PlanBody& place = topology.bodies[b];
    const LaneBody& body = plan.bodies[b];
    const Pose<Lanes>& X_WP = work.body[place.parent].X_WB;
    const Pose<Lanes>& X_FM = work.X_FM[place.joint];
    LaneBodyWork& out = work.body[b];
    const Matrix3<Lanes> R_WF = body.aligned ? X_WP.R : X_WP.R * body.R_PF;
    out.arm = X_WP.R * body.p_PF;
    if (place.slides) out.arm += R_WF * X_FM.p;
    out.X_WB.p = X_WP.p + out.arm;
    const Matrix3<Lanes> R = R_WF * X_FM.R;
    out.X_WB.R = R;
    for (int c = place.u; c < place.u + place.columns; ++c) {
      const ColumnShape shape = topology.shapes[c];
      if (shape != ColumnShape::translation) work.column[c].H.angular = R_WF * work.H_F[c].angular;
      if (shape != ColumnShape::rotation) work.column[c].H.linear = R_WF * work.H_F[c].linear;
    }
    out.first_moment = R * body.first_moment;
    out.second_moment = rotated(R, body.second_moment);
  }
}

void kinematics(const LanePlan& plan, LaneWorkspace& work) {
  move_grounds(plan, work);
  drive_joints(plan, work);
  for (const auto& batch : plan.joint_batches) batch->position(work.q.data(), work.X_FM.data(), work.H_F.data());
  place_bodies(plan, work);
}

/// Eliminates one column from the pair (M, bias). A column without inertia is reported, and held.
template <ColumnShape shape>
ARTHRON_INLINE void eliminate_column(Inertia<Lanes>& M, Spatial<Lanes>& bias, const PlanBody& place, size_t c, LaneWorkspace& work) {
  LaneColumnWork& column = work.column[c];
  const Spatial<Lanes>& h = column.H;
  const Spatial<Lanes> U = inertia_times(M, h, shape);
  const Lanes d = column_dot(h, U, shape);
  const LaneMask fine = d > 0;
  if (!std::experimental::all_of(fine)) [[unlikely]]
    note_failures(fine, {Status::Code::singular_joint, place.joint}, work);
  const Lanes d_inverse = select(fine, 1 / d, Lanes(0));
  const Lanes u = d_inverse * (work.p[c] - column_dot(h, bias, shape));
  column.U = U, column.d_inverse = d_inverse, column.u_at_rest = u;
  release_column(M, U, d_inverse);
  bias += u * U;
}

/// Leaf to root: P_k = M V_parent + bias seen through each joint.
ARTHRON_FLATTEN void fold(const LanePlan& plan, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  const size_t first = topology.grounds;
  for (size_t b = topology.bodies.size(); b-- > first;) {
    const PlanBody& place = topology.bodies[b];
    const LaneBodyWork& here = work.body[b];
    Inertia<Lanes> M;
    Spatial<Lanes> bias;
    if (plan.bodies[b].leaf) {
      M = rigid_inertia(plan.bodies[b].mass, here.first_moment, here.second_moment);
    } else {
      M = here.M_children, bias = here.bias_children;
      M.add_rigid(plan.bodies[b].mass, here.first_moment, here.second_moment);
    }
    for (int i = place.u + place.columns - 1; i >= place.u; --i) {
      const size_t c = i;
      if (place.driven)
        bias += work.u[c] * inertia_times(M, work.column[c].H, topology.shapes[c]);
      else if (topology.shapes[c] == ColumnShape::rotation)
        eliminate_column<ColumnShape::rotation>(M, bias, place, c, work);
      else if (topology.shapes[c] == ColumnShape::translation)
        eliminate_column<ColumnShape::translation>(M, bias, place, c, work);
      else
        eliminate_column<ColumnShape::general>(M, bias, place, c, work);
    }
    const size_t parent = place.parent;
    if (parent < first) continue;
    LaneBodyWork& out = work.body[parent];
    if (plan.bodies[b].folds_first)
      out.M_children = inertia_from(M, here.arm), out.bias_children = wrench_from(bias, here.arm);
    else
      out.M_children += inertia_from(M, here.arm), out.bias_children += wrench_from(bias, here.arm);
  }
}

/// Root to leaf: joint velocities, then body velocities.
ARTHRON_FLATTEN void velocities(const LanePlan& plan, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  for (size_t b = topology.grounds; b < topology.bodies.size(); ++b) {
    const PlanBody& place = topology.bodies[b];
    Spatial<Lanes> V = velocity_at(work.body[place.parent].V, work.body[b].arm);
    for (int c = place.u; c < place.u + place.columns; ++c) {
      const LaneColumnWork& column = work.column[c];
      if (!place.driven) work.u[c] = column.u_at_rest - column.d_inverse * dot(column.U, V);
      add_column(V, work.u[c], column.H, topology.shapes[c]);
    }
    work.body[b].V = V;
  }
}

/// World rate of a column: it turns with the tree parent, and moves in the parent's axes where its joint type says so.
Spatial<Lanes> column_rate(const LanePlan& plan, size_t b, size_t c, const LaneWorkspace& work) {
  const LaneBodyWork& parent = work.body[plan.topology().bodies[b].parent];
  const Vector3<Lanes>& w = parent.V.angular;
  const Spatial<Lanes>& h = work.column[c].H;
  Spatial<Lanes> rate;
  if (plan.topology().shapes[c] != ColumnShape::rotation) rate.linear = cross(w, h.linear);
  if (plan.topology().shapes[c] != ColumnShape::translation) rate.angular = cross(w, h.angular);
  if (plan.topology().varying_columns[c])
    rate += rotated(plan.bodies[b].aligned ? parent.X_WB.R : parent.X_WB.R * plan.bodies[b].R_PF, work.Hdot_F[c]);
  return rate;
}

/// Momenta and loads of every subtree, and from them dp/dt = h.(Q - Sdot P) + hdot.P + tau (section 4).
ARTHRON_FLATTEN void momentum_rates(const LanePlan& plan, Lanes* pdot, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  const size_t first = topology.grounds;
  for (size_t b = topology.bodies.size(); b-- > first;) {
    const PlanBody& place = topology.bodies[b];
    const LaneBodyWork& here = work.body[b];
    const Spatial<Lanes> V = here.V;
    const Vector3<Lanes> mc = here.first_moment;
    const Lanes mass = plan.bodies[b].mass;
    Spatial<Lanes> P = rigid_momentum(mass, mc, here.second_moment, V);
    Spatial<Lanes> Q{mass * plan.gravity, cross(mc, plan.gravity)};
    if (!plan.bodies[b].leaf) P += here.P, Q += here.Q;
    if (topology.loads_bodies) Q += work.load[b];

    if (!place.driven) {
      const Vector3<Lanes>& w = work.body[place.parent].V.angular;
      for (int c = place.u; c < place.u + place.columns; ++c) {
        const Spatial<Lanes>& h = work.column[c].H;
        const ColumnShape shape = topology.shapes[c];
        const Spatial<Lanes> moved{Q.linear, Q.angular - cross(V.linear, P.linear)};
        if (topology.varying_columns[c] || shape == ColumnShape::general)
          pdot[c] = column_dot(h, moved, shape) + dot(column_rate(plan, b, c, work), P);
        else if (shape == ColumnShape::rotation)
          pdot[c] = dot(h.angular, moved.angular - cross(w, P.angular));
        else
          pdot[c] = dot(h.linear, Q.linear - cross(w, P.linear));
        pdot[c] += work.tau[c];
      }
    }

    const size_t parent = place.parent;
    if (parent < first) continue;
    LaneBodyWork& out = work.body[parent];
    P = wrench_from(P, here.arm), Q = wrench_from(Q, here.arm);
    if (plan.bodies[b].folds_first)
      out.P = P, out.Q = Q;
    else
      out.P += P, out.Q += Q;
  }
}

}  // namespace

bool evaluate(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  work.status = {};
  take_state(plan, q, p, work);
  ask_functions(plan, t, work);
  kinematics(plan, work);
  fold(plan, work);
  velocities(plan, work);
  for (const int batch : plan.varying_batches) plan.joint_batches[batch]->rate(work.q.data(), work.u.data(), work.Hdot_F.data());
  apply_loads(plan, work);
  momentum_rates(plan, pdot, work);
  if (topology.plain_coordinates) {
    std::copy_n(work.u.data(), topology.nu, qdot);
  } else {
    for (const auto& batch : plan.joint_batches) batch->coordinate_rate(work.q.data(), work.u.data(), work.qdot.data());
    std::copy_n(work.qdot.data(), topology.nq, qdot);
  }
  return std::all_of(work.status.begin(), work.status.end(), [](const Status& status) { return status.ok(); });
}

bool normalise(const LanePlan& plan, Lanes* q) {
  if (plan.topology().plain_coordinates) return false;
  for (const auto& batch : plan.joint_batches) batch->normalise(q, plan.topology().nq);
  return true;
}

}  // namespace arthron
