#include <algorithm>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/spatial/lane_math.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

/// Rotation about a unit vector, by the sine and the cosine of its angle.
ARTHRON_INLINE Matrix3<Lanes> rotation_about(const Vector3<Lanes>& axis, const Lanes& s, const Lanes& c) {
  const Lanes v = 1 - c, vx = v * axis.x, vy = v * axis.y, vz = v * axis.z, sx = s * axis.x, sy = s * axis.y, sz = s * axis.z;
  const Lanes xy = vx * axis.y, xz = vx * axis.z, yz = vy * axis.z;
  return {{vx * axis.x + c, xy + sz, xz - sy}, {xy - sz, vy * axis.y + c, yz + sx}, {xz + sy, yz - sx, vz * axis.z + c}};
}

/// Where a joint that has a batch puts its bodies, and its columns.
ARTHRON_INLINE Matrix3<Lanes> move_by_batch(const Plan& plan, const GroupBody& body, const Matrix3<Lanes>& R_WF, Vector3<Lanes>& arm,
                                            LaneColumnWork* column, const Workspace& work) {
  const Pose<Lanes> X_FM = gather_pose([&](int lane) -> const Pose<double>& { return work.X_FM[at(body.joint[at(lane)])]; });
  if (body.moves_handle) arm += R_WF * X_FM.p;
  for (int c = 0; c < body.columns; ++c) {
    const Spatial<Lanes> h = gather_plain6([&](int lane) -> const Spatial6& { return work.H_F[at(body.u[at(lane)] + c)]; });
    const ColumnShape shape = plan.shapes[at(body.u[0] + c)];
    if (shape != ColumnShape::translation) column[c].H.angular = R_WF * h.angular;
    if (shape != ColumnShape::rotation) column[c].H.linear = R_WF * h.linear;
  }
  return R_WF * X_FM.R;
}

ARTHRON_FLATTEN void place_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const WidePose& X_WP = work.body[at(group.carrier)].X_WB;
  own.X_WP = {everywhere(X_WP.R), everywhere(X_WP.p)};
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const GroupBody& body = group.bodies[i];
    const GroupBodyGiven& given = own.given[i];
    LaneBodyWork& out = own.body[i];
    LaneColumnWork* const column = own.column.data() + body.column;
    const Pose<Lanes>& parent = body.on < 0 ? own.X_WP : own.body[at(body.on)].X_WB;
    const Matrix3<Lanes> R_WF = body.aligned ? parent.R : parent.R * given.R_PF;
    Vector3<Lanes> arm = parent.R * given.p_PF;
    Matrix3<Lanes> R;
    if (body.turns) {
      const Lanes angle = gather([&](int lane) { return work.q[at(body.q[at(lane)])]; });
      R = R_WF * rotation_about(given.axis, sin(angle), cos(angle));
      column->H.angular = R_WF * given.axis;
    } else if (body.slides) {
      R = R_WF;
      column->H.linear = R_WF * given.axis;
      arm += gather([&](int lane) { return work.q[at(body.q[at(lane)])]; }) * column->H.linear;
    } else {
      R = move_by_batch(plan, body, R_WF, arm, column, work);
    }
    out.arm = arm;
    out.X_WB = {R, parent.p + arm};
    out.first_moment = R * given.first_moment;
    out.second_moment = rotated(R, given.second_moment);
    const auto place = [&](int lane) -> WidePose& { return work.body[at(body.body[at(lane)])].X_WB; };
    scatter3(R.c0, [&](int lane) -> Wide3& { return place(lane).R.c0; });
    scatter3(R.c1, [&](int lane) -> Wide3& { return place(lane).R.c1; });
    scatter3(R.c2, [&](int lane) -> Wide3& { return place(lane).R.c2; });
    scatter3(out.X_WB.p, [&](int lane) -> Wide3& { return place(lane).p; });
  }
}

/// A body on a side of a cut joint.
ARTHRON_INLINE Pose<Lanes> pose_of(const GroupWork& own, int on, const PerBranch& bodies, const Workspace& work) {
  if (on >= 0) return own.body[at(on)].X_WB;
  const auto pose = [&](int lane) -> const WidePose& { return work.body[at(bodies[at(lane)])].X_WB; };
  return {{gather3([&](int lane) -> const Wide3& { return pose(lane).R.c0; }),
           gather3([&](int lane) -> const Wide3& { return pose(lane).R.c1; }),
           gather3([&](int lane) -> const Wide3& { return pose(lane).R.c2; })},
          gather3([&](int lane) -> const Wide3& { return pose(lane).p; })};
}

/// Arms; directions, or where their joints' batches know these, the poses from which they follow.
ARTHRON_FLATTEN void place_cuts(const SimdGroup& group, GroupWork& own, Workspace& work) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    GroupCutWork& out = own.cut[i];
    const Pose<Lanes> child = pose_of(own, cut.child_on, cut.child, work), parent = pose_of(own, cut.parent_on, cut.parent, work);
    out.arm_child = child.R * out.X_CM.p;
    out.arm_parent = child.p + out.arm_child - parent.p;
    if (cut.holds == GroupCut::Holds::point) continue;
    if (cut.holds == GroupCut::Holds::length) {
      out.arm_end = parent.R * out.end;
      const Vector3<Lanes> link = out.arm_parent - out.arm_end;
      out.link_inverse = 1 / sqrt(dot(link, link));
      out.D[0].linear = out.link_inverse * link;
      continue;
    }
    out.R_WF = parent.R * out.X_PF.R;
    if (!cut.varies) continue;
    const Matrix3<Lanes> R_FW = transpose(out.R_WF);
    const Pose<Lanes> X_FM{R_FW * (child.R * out.X_CM.R), R_FW * (out.arm_parent - parent.R * out.X_PF.p)};
    scatter_pose(X_FM, [&](int lane) -> Pose<double>& { return work.closures->X_FM[at(cut.closure[at(lane)])]; });
  }
}

ARTHRON_FLATTEN void turn_directions(const SimdGroup& group, GroupWork& own, const Workspace& work) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    GroupCutWork& out = own.cut[i];
    if (cut.holds == GroupCut::Holds::directions)
      for (size_t r = 0; r < at(cut.rows); ++r) {
        if (cut.varies)
          out.D_F[r] = gather_plain6([&](int lane) -> const Spatial6& { return work.closures->D_F[6 * at(cut.closure[at(lane)]) + r]; });
        out.D[r] = {out.R_WF * out.D_F[r].linear, out.length * (out.R_WF * out.D_F[r].angular)};
      }
    // The body that is not of the group has its side among the single ones.
    if (cut.child_on >= 0 && cut.parent_on >= 0) continue;
    const auto single = [&](int lane) -> ClosureWork::Cut& { return work.closures->cuts[at(cut.closure[at(lane)])]; };
    scatter3(out.arm_child, [&](int lane) -> Wide3& { return single(lane).arm_child; });
    scatter3(out.arm_parent, [&](int lane) -> Wide3& { return single(lane).arm_parent; });
    for (size_t r = 0; r < at(cut.rows); ++r) scatter6(out.D[r], [&](int lane) -> Wide6& { return single(lane).D[r]; });
    for (int lane = 0; lane < group.branches; ++lane) single(lane).known = Wide6::zero();
  }
}

}  // namespace

GroupWork::GroupWork(const Plan& plan, const SimdGroup& group, const Workspace& work) : forces(plan, group) {
  given.resize(group.bodies.size());
  for (size_t i = 0; i < given.size(); ++i)
    for (int lane = 0; lane < lane_count; ++lane) {
      const PlanBody& single = plan.bodies[at(group.bodies[i].body[at(lane)])];
      set_lane(&given[i].axis, lane, &group.bodies[i].axis[at(lane)], 1), set_lane(&given[i].p_PF, lane, &single.p_PF, 1);
      set_lane(&given[i].R_PF, lane, &single.R_PF, 1), set_lane(&given[i].mass, lane, &single.mass, 1);
      set_lane(&given[i].first_moment, lane, &single.first_moment, 1), set_lane(&given[i].second_moment, lane, &single.second_moment, 1);
    }
  body.resize(group.bodies.size()), column.resize(at(group.columns)), cut.resize(group.cuts.size());
  momentum.resize(group.bodies.size()), load.resize(group.bodies.size()), force.resize(group.bodies.size());
  for (int a = 0; a < group.top().open(); ++a)
    for (size_t lane = 0; lane < at(group.branches); ++lane)
      rows_in_order = rows_in_order && group.passed_rows[at(a)][lane] == plan.closure_nodes[at(group.passes[lane])].first_open_row() + a;
  for (const GroupBody& of : group.bodies)
    loaded_ungrouped.push_back(std::any_of(of.body.begin(), of.body.end(), [&](int b) { return plan.bodies[at(b)].loaded_ungrouped; }));
  X.resize(at(group.rows)), g.resize(at(group.rows)), sigma.resize(at(group.rows)), d_inverse.resize(at(group.rows));
  gamma.resize(at(group.gamma_size)), y.resize(at(group.y_size));
  for (size_t i = 0; i < cut.size(); ++i) {
    const PerBranch& closure = group.cuts[i].closure;
    for (int lane = 0; lane < lane_count; ++lane) {
      const PlanClosure& single = plan.closures[at(closure[at(lane)])];
      set_lane(&cut[i].X_PF, lane, &single.X_PF, 1), set_lane(&cut[i].X_CM, lane, &single.X_CM, 1);
      set_lane(&cut[i].end, lane, &group.cuts[i].end[at(lane)], 1);
    }
    cut[i].length = gather([&](int lane) { return work.closures->scale[at(closure[at(lane)])]; });
    cut[i].least_trace = gather([&](int lane) { return surely_mobile * work.closures->free_mobility[at(closure[at(lane)])]; });
    for (size_t r = 0; r < at(group.cuts[i].rows); ++r)
      cut[i].D_F[r] = gather_plain6([&](int lane) -> const Spatial6& { return work.closures->D_F[6 * at(closure[at(lane)]) + r]; });
    if (group.cuts[i].holds == GroupCut::Holds::point) cut[i].D[0].linear.x = cut[i].D[1].linear.y = cut[i].D[2].linear.z = 1;
  }
}

void place_groups(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) place_group(plan, plan.groups[at(t)], *work.groups[at(t)], work);
}

void group_cut_directions(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) place_cuts(plan.groups[at(t)], *work.groups[at(t)], work);
  for (const BatchSlice& slice : part.group_cuts)
    if (const JointBatch& batch = *plan.closure_batches[at(slice.batch)]; batch.varies() && !batch.holds_length())
      batch.complement(slice.items, work.closures->X_FM.data(), work.closures->D_F.data());
  for (const int t : part.groups) turn_directions(plan.groups[at(t)], *work.groups[at(t)], work);
}

void ungroup(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    const GroupWork& own = *work.groups[at(t)];
    for (size_t i = 0; i < group.bodies.size(); ++i) {
      const GroupBody& body = group.bodies[i];
      const LaneBodyWork& from = own.body[i];
      for (int lane = 0; lane < group.branches; ++lane) {
        BodyWork& to = work.body[at(body.body[at(lane)])];
        Vec3 arm, first_moment;
        Sym3 second_moment;
        get_lane(&from.arm, lane, &arm, 1), get_lane(&from.first_moment, lane, &first_moment, 1);
        get_lane(&from.second_moment, lane, &second_moment, 1);
        to.arm = arm, to.first_moment = first_moment, to.second_moment = second_moment;
        for (int c = 0; c < body.columns; ++c) {
          Spatial6 h;
          get_lane(&own.column[at(body.column + c)].H, lane, &h, 1);
          work.column[at(body.u[at(lane)] + c)].H = h;
        }
      }
    }
  }
}

}  // namespace arthron
