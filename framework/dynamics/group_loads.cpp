#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/lane_column.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_INLINE Spatial<Lanes> velocity_of(const GroupWork& own, int on, const PerBranch& bodies, const Workspace& work) {
  if (on >= 0) return own.body[at(on)].V;
  return gather6([&](int lane) -> const Wide6& { return work.body[at(bodies[at(lane)])].V; });
}

/// Velocities at the cuts whose directions change, from which the rates of these follow.
ARTHRON_FLATTEN void move_cuts(const SimdGroup& group, const GroupWork& own, Workspace& work) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    const GroupCutWork& here = own.cut[i];
    if (!cut.varies || cut.holds != GroupCut::Holds::directions) continue;
    const Spatial<Lanes> V = velocity_at(velocity_of(own, cut.child_on, cut.child, work), here.arm_child) -
                             velocity_at(velocity_of(own, cut.parent_on, cut.parent, work), here.arm_parent);
    const Spatial<Lanes> V_FM{transposed_times(here.R_WF, V.linear), transposed_times(here.R_WF, V.angular)};
    scatter_plain6(V_FM, [&](int lane) -> Spatial6& { return work.closures->V_FM[at(cut.closure[at(lane)])]; });
  }
}

/// Adds a wrench at the cut to a body on one of its sides.
ARTHRON_INLINE void add_side(const SimdGroup& group, int on, const PerBranch& bodies, const Spatial<Lanes>& wrench,
                             std::vector<Spatial<Lanes>>& sums, int grounds, std::vector<Wide6>& sums_outside) {
  if (on >= 0) {
    sums[at(on)] += wrench;
    return;
  }
  std::array<Wide6, lane_count> single;
  scatter6(wrench, [&](int lane) -> Wide6& { return single[at(lane)]; });
  for (size_t lane = 0; lane < at(group.branches); ++lane)
    if (bodies[lane] >= grounds) sums_outside[at(bodies[lane])] += single[lane];
}

/// Impulse of a cut, T = D sigma, and the rate of T that keeps it across the cut's freedoms (see wrench_rate in closure_loads.cpp).
struct CutImpulse {
  Spatial<Lanes> T, rate;
};

ARTHRON_INLINE CutImpulse impulse_of_link(const GroupCutWork& cut, const Lanes& sigma, const Vector3<Lanes>& v_child,
                                          const Spatial<Lanes>& V_parent) {
  const Vector3<Lanes>& n = cut.D[0].linear;
  const Vector3<Lanes> v = v_child - velocity_at(V_parent, cut.arm_end).linear;
  return {{sigma * n, {}}, {(sigma * cut.link_inverse) * (v - dot(n, v) * n), {}}};
}

ARTHRON_INLINE CutImpulse impulse_along_directions(const GroupCut& of, const GroupCutWork& cut, const Lanes* sigma, const Vector3<Lanes>& w,
                                                   const ClosureWork& closures) {
  Spatial<Lanes> T;
  for (int r = 0; r < of.rows; ++r) T += sigma[r] * cut.D[at(r)];
  Spatial<Lanes> rate{cross(w, T.linear), cross(w, T.angular)};
  if (of.varies) {
    Spatial<Lanes> moved;
    for (int r = 0; r < of.rows; ++r)
      moved += sigma[r] * gather_plain6([&](int lane) -> const Spatial6& { return closures.Ddot_F[6 * at(of.closure[at(lane)]) + at(r)]; });
    rate += Spatial<Lanes>{cut.R_WF * moved.linear, cut.length * (cut.R_WF * moved.angular)};
  }
  const Spatial<Lanes> weighted{rate.linear, (1 / (cut.length * cut.length)) * rate.angular};
  for (int r = 0; r < of.rows; ++r) rate -= dot(cut.D[at(r)], weighted) * cut.D[at(r)];
  return {T, rate};
}

/// What the cuts do to bodies.
ARTHRON_FLATTEN void load_cuts(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  ClosureWork& closures = *work.closures;
  for (size_t i = 0; i < group.bodies.size(); ++i) own.momentum[i] = own.load[i] = {};
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    const GroupCutWork& here = own.cut[i];
    const Lanes* const sigma = own.sigma.data() + group.nodes[at(cut.node)].first + cut.row;
    const Vector3<Lanes> v = velocity_at(velocity_of(own, cut.child_on, cut.child, work), here.arm_child).linear;
    CutImpulse impulse;
    if (cut.holds == GroupCut::Holds::point)
      impulse.T.linear = {sigma[0], sigma[1], sigma[2]};
    else if (cut.holds == GroupCut::Holds::length)
      impulse = impulse_of_link(here, sigma[0], v, velocity_of(own, cut.parent_on, cut.parent, work));
    else
      impulse = impulse_along_directions(cut, here, sigma, velocity_of(own, cut.parent_on, cut.parent, work).angular, closures);
    auto& [T, rate] = impulse;
    rate.angular += cross(v, T.linear);
    add_side(group, cut.child_on, cut.child, -wrench_from(T, here.arm_child), own.momentum, plan.grounds, closures.momentum);
    add_side(group, cut.parent_on, cut.parent, wrench_from(T, here.arm_parent), own.momentum, plan.grounds, closures.momentum);
    add_side(group, cut.child_on, cut.child, -wrench_from(rate, here.arm_child), own.load, plan.grounds, closures.load);
    add_side(group, cut.parent_on, cut.parent, wrench_from(rate, here.arm_parent), own.load, plan.grounds, closures.load);
  }
}

/// World rate of a column that moves in its parent's axes.
ARTHRON_INLINE Spatial<Lanes> varying_rate(const GroupBody& body, const GroupBodyGiven& given, int c, const Spatial<Lanes>& h,
                                           const Vector3<Lanes>& w, const Matrix3<Lanes>& R_WP, bool varies, const Workspace& work) {
  Spatial<Lanes> rate{cross(w, h.linear), cross(w, h.angular)};
  if (varies)
    rate += rotated(body.aligned ? R_WP : R_WP * given.R_PF,
                    gather_plain6([&](int lane) -> const Spatial6& { return work.Hdot_F[at(body.u[at(lane)] + c)]; }));
  return rate;
}

/// Momenta and loads of every subtree, and from them dp/dt = h.(Q - Sdot P) + hdot.P + tau.
ARTHRON_FLATTEN void momenta_of_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const Vector3<Lanes> gravity = everywhere(work.gravity);
  double* const pdot = work.pdot_out;
  for (size_t i = group.bodies.size(); i-- > 0;) {
    const GroupBody& body = group.bodies[i];
    LaneBodyWork& here = own.body[i];
    const Spatial<Lanes> V = here.V;
    const Vector3<Lanes> mc = here.first_moment;
    Spatial<Lanes> P = rigid_momentum(own.given[i].mass, mc, here.second_moment, V);
    Spatial<Lanes> Q{own.given[i].mass * gravity, cross(mc, gravity)};
    if (!body.leaf) P += here.P, Q += here.Q;
    if (own.loaded_ungrouped[i]) Q += gather6([&](int lane) -> const Wide6& { return work.load[at(body.body[at(lane)])]; });
    if (!group.forces.empty()) Q += own.force[i];
    if (!group.cuts.empty()) P += own.momentum[i], Q += own.load[i];
    here.P = P, here.Q = Q;
    if (pdot) {
      const Vector3<Lanes>& w = body.on < 0 ? own.V_P.angular : own.body[at(body.on)].V.angular;
      const bool alone = body.turns || body.slides;
      for (int c = 0; c < body.columns; ++c) {
        const size_t first = at(body.u[0] + c);
        const Spatial<Lanes>& h = own.column[at(body.column + c)].H;
        const ColumnShape shape = plan.shapes[first];
        const bool varies = !alone && plan.varying_columns[first] != 0;
        Lanes rate = gather([&](int lane) { return work.tau[at(body.u[at(lane)] + c)]; });
        if (varies || shape == ColumnShape::general) {
          const Matrix3<Lanes>& R_WP = body.on < 0 ? own.X_WP.R : own.body[at(body.on)].X_WB.R;
          rate += dot(h.linear, Q.linear) + dot(h.angular, Q.angular - cross(V.linear, P.linear)) +
                  dot(varying_rate(body, own.given[i], c, h, w, R_WP, varies, work), P);
        } else if (shape == ColumnShape::rotation) {
          rate += dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular));
        } else {
          rate += dot(h.linear, Q.linear - cross(w, P.linear));
        }
        scatter(rate, [&](int lane) -> double& { return pdot[body.u[at(lane)] + c]; });
      }
    }
    Spatial<Lanes>&P_sum = body.on < 0 ? own.P : own.body[at(body.on)].P, &Q_sum = body.on < 0 ? own.Q : own.body[at(body.on)].Q;
    P = wrench_from(P, here.arm), Q = wrench_from(Q, here.arm);
    if (body.folds_first)
      P_sum = P, Q_sum = Q;
    else
      P_sum += P, Q_sum += Q;
  }
}

}  // namespace

void group_cut_rates(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) move_cuts(plan.groups[at(t)], *work.groups[at(t)], work);
  for (const BatchSlice& slice : part.group_cuts)
    if (const JointBatch& batch = *plan.closure_batches[at(slice.batch)]; batch.varies() && !batch.holds_length())
      batch.complement_rate(slice.items, work.closures->X_FM.data(), work.closures->V_FM.data(), work.closures->Ddot_F.data());
}

void group_cut_loads(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups)
    if (const SimdGroup& group = plan.groups[at(t)]; !group.cuts.empty()) load_cuts(plan, group, *work.groups[at(t)], work);
}

void release_group_cuts(const PlanPart& part, Workspace& work) {
  for (const int t : part.groups)
    for (auto* sums : {&work.groups[at(t)]->momentum, &work.groups[at(t)]->load}) std::fill(sums->begin(), sums->end(), Spatial<Lanes>{});
}

void clear_carrier_momenta(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    BodyWork& carrier = work.body[at(plan.groups[at(t)].carrier)];
    if (plan.groups[at(t)].carrier >= plan.grounds) carrier.P = carrier.Q = Wide6::zero();
  }
}

void group_momenta(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) momenta_of_group(plan, plan.groups[at(t)], *work.groups[at(t)], work);
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    if (group.carrier < plan.grounds) continue;
    GroupWork& own = *work.groups[at(t)];
    if (group.branches < lane_count) leave_out(group.branches, own.P), leave_out(group.branches, own.Q);
    BodyWork& carrier = work.body[at(group.carrier)];
    carrier.P += sum_of(own.P), carrier.Q += sum_of(own.Q);
  }
}

void group_subtree_momenta(const Plan& plan, const PlanPart& part, const Workspace& work, double* p) {
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    const GroupWork& own = *work.groups[at(t)];
    for (size_t i = 0; i < group.bodies.size(); ++i) {
      const GroupBody& body = group.bodies[i];
      for (int c = 0; c < body.columns; ++c) {
        const Lanes along = column_dot(own.column[at(body.column + c)].H, own.body[i].P, plan.shapes[at(body.u[0] + c)]);
        scatter(along, [&](int lane) -> double& { return p[body.u[at(lane)] + c]; });
      }
    }
  }
}

}  // namespace arthron
