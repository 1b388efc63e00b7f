#pragma once
#include "arthron/dynamics/group_rows.hpp"
#include "arthron/spatial/lane_math.hpp"

/// The kernel for compounds that are alike: branches of one model on one body, or variants of a whole model on the ground. Each stage is
/// the one of the same name for single bodies. An Access says where the numbers of a lane come from and where they go:
///   Number                                              T
///   searches_pivots                                     closures may be redundant; lanes then fail each by itself
///   accelerates                                         forces take the place of momenta, and accelerations that of velocities
///   coordinate(body), motion(body), column(body, c), rate_of_column(body, c)     of its inboard joint
///   momentum(body, c), effort(body, c), rate(body, c)   p, tau and, of a driven joint, u
///   shape(body, c), varies(body, c)
///   placed(body, X_WB), moved(body, V), found(body, c, u), found_rate(body, c, pdot)
///   pose_outside(bodies), velocity_outside(bodies)      of bodies that are not of the group
///   add_outside(bodies, wrench, momentum)               to the sums of momenta or of loads there
///   note_singular(fine, body)                           a joint without inertia where `fine` does not hold
///   add_loads(i, Q)                                     of forces that the group does not compute
///   gravity()
namespace arthron::simd_group {

/// Rotation about a unit vector, by the sine and the cosine of its angle.
template <class T>
ARTHRON_INLINE Matrix3<T> rotation_about(const Vector3<T>& axis, const T& s, const T& c) {
  const T v = 1 - c, vx = v * axis.x, vy = v * axis.y, vz = v * axis.z, sx = s * axis.x, sy = s * axis.y, sz = s * axis.z;
  const T xy = vx * axis.y, xz = vx * axis.z, yz = vy * axis.z;
  return {{vx * axis.x + c, xy + sz, xz - sy}, {xy - sz, vy * axis.y + c, yz + sx}, {xz + sy, yz - sx, vz * axis.z + c}};
}

/// Where a joint that has a batch puts its bodies, and its columns.
template <class Access, class T>
ARTHRON_INLINE Matrix3<T> move_by_batch(const GroupBody& body, const Matrix3<T>& R_WF, Vector3<T>& arm, GroupColumnWork<T>* column,
                                        const Access& access) {
  const Pose<T> X_FM = access.motion(body);
  if (body.moves_handle) arm += R_WF * X_FM.p;
  for (int c = 0; c < body.columns; ++c) {
    const Spatial<T> h = access.column(body, c);
    const ColumnShape shape = access.shape(body, c);
    if (shape != ColumnShape::translation) column[c].H.angular = R_WF * h.angular;
    if (shape != ColumnShape::rotation) column[c].H.linear = R_WF * h.linear;
  }
  return R_WF * X_FM.R;
}

template <class Access, class T>
ARTHRON_INLINE void place_bodies(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  using std::cos, std::sin;
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const GroupBody& body = group.bodies[i];
    const GroupBodyGiven<T>& given = own.given[i];
    GroupBodyWork<T>& out = own.body[i];
    GroupColumnWork<T>* const column = own.column.data() + body.column;
    const Pose<T>& parent = own.pose_of_parent(body);
    const Matrix3<T> R_WF = body.aligned ? parent.R : parent.R * given.R_PF;
    Vector3<T> arm = parent.R * given.p_PF;
    Matrix3<T> R;
    if (body.turns) {
      const T angle = access.coordinate(body);
      R = R_WF * rotation_about(given.axis, sin(angle), cos(angle));
      column->H.angular = R_WF * given.axis;
    } else if (body.slides) {
      R = R_WF;
      column->H.linear = R_WF * given.axis;
      arm += access.coordinate(body) * column->H.linear;
    } else {
      R = move_by_batch(body, R_WF, arm, column, access);
    }
    out.arm = arm;
    out.X_WB = {R, parent.p + arm};
    out.first_moment = R * given.first_moment;
    out.second_moment = rotated(R, given.second_moment);
    access.placed(body, out.X_WB);
  }
}

/// A body on a side of a cut joint.
template <class Access, class T>
ARTHRON_INLINE Pose<T> pose_of(const GroupNumbers<T>& own, int on, const PerBranch& bodies, const Access& access) {
  return on >= 0 ? own.body[on].X_WB : access.pose_outside(bodies);
}
template <class Access, class T>
ARTHRON_INLINE Spatial<T> velocity_of(const GroupNumbers<T>& own, int on, const PerBranch& bodies, const Access& access) {
  return on >= 0 ? own.body[on].V : access.velocity_outside(bodies);
}

/// Arms; directions, or where their joints' batches know these, the poses from which they follow. `all`: these poses of every cut joint.
template <class Access, class T>
ARTHRON_INLINE void place_cuts(const SimdGroup& group, GroupNumbers<T>& own, const Access& access, bool all = false) {
  using std::sqrt;
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    if (cut.holds == GroupCut::Holds::coupling) continue;
    GroupCutWork<T>& out = own.cut[i];
    const Pose<T> child = pose_of(own, cut.child_on, cut.child, access), parent = pose_of(own, cut.parent_on, cut.parent, access);
    out.arm_child = child.R * out.X_CM.p;
    out.arm_parent = child.p + out.arm_child - parent.p;
    if (cut.holds == GroupCut::Holds::length) {
      out.arm_end = parent.R * out.end;
      const Vector3<T> link = out.arm_parent - out.arm_end;
      out.link_inverse = 1 / sqrt(dot(link, link));
      out.D[0].linear = out.link_inverse * link;
    }
    if (cut.holds != GroupCut::Holds::directions && !all) continue;
    out.R_WF = parent.R * out.X_PF.R;
    if (!all && !cut.varies) continue;
    const Matrix3<T> R_FW = transpose(out.R_WF);
    access.cut_at(cut, {R_FW * (child.R * out.X_CM.R), R_FW * (out.arm_parent - parent.R * out.X_PF.p)});
  }
}

template <class Access, class T>
ARTHRON_INLINE void turn_directions(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    GroupCutWork<T>& out = own.cut[i];
    if (cut.holds == GroupCut::Holds::directions)
      for (int r = 0; r < cut.rows; ++r) {
        if (cut.varies) out.D_F[r] = access.direction(cut, r);
        out.D[r] = {out.R_WF * out.D_F[r].linear, out.length * (out.R_WF * out.D_F[r].angular)};
      }
    access.turned(cut, out);
  }
}

/// Eliminates a column.
template <ColumnShape shape, class Access, class T>
ARTHRON_INLINE void eliminate_column(const GroupBody& body, const T& p, GroupColumnWork<T>& column, Inertia<T>& M, Spatial<T>& bias,
                                     const Access& access) {
  const Spatial<T> U = inertia_times(M, column.H, shape);
  const T d = column_dot(column.H, U, shape);
  const auto fine = d > (body.light ? lost_inertia(M, column.H) : T(0));
  if (!holds_everywhere(fine)) [[unlikely]]
    access.note_singular(fine, body);
  T d_inverse = 1 / d;
  if constexpr (Access::searches_pivots) d_inverse = select(fine, d_inverse, T(0));
  const T u = d_inverse * (p - column_dot(column.H, bias, shape));
  column.U = U, column.d_inverse = d_inverse, column.u_at_rest = u;
  release_column(M, U, d_inverse);
  bias += u * U;
}

/// Velocity, or acceleration, of a body, and of the one that carries it.
template <class Access, class T>
ARTHRON_INLINE Spatial<T>& motion_of(size_t i, GroupNumbers<T>& own) {
  if constexpr (Access::accelerates)
    return own.A[i];
  else
    return own.body[i].V;
}
template <class Access, class T>
ARTHRON_INLINE const Spatial<T>& motion_of_parent(const GroupBody& body, GroupNumbers<T>& own) {
  return body.on < 0 ? own.carrier[body.carrier].V : motion_of<Access>(body.on, own);
}

/// What is known of the motion relative to the parent: of a driven joint all velocity; of every joint what velocities and drives leave of
/// the acceleration.
template <class Access, class T>
ARTHRON_INLINE void take_known_motion(size_t i, const GroupBody& body, const Rows<T>& rows, const GroupNumbers<T>& own, const Inertia<T>& M,
                                      Spatial<T>& bias, const Access& access) {
  Spatial<T> V;
  if constexpr (Access::accelerates)
    V = own.known[i];
  else
    for (int c = 0; c < body.columns; ++c) V += access.rate(body, c) * own.column[body.column + c].H;
  bias += M * V;
  move_rows(rows, V);
  if (body.driven) move_couplings(rows, own.coefficients.data(), [&](int c) { return access.rate(body, c); });
}

/// Leaf to root: what the bodies pass on to their carrier. False where a group that does not search for pivots meets rows that may depend
/// on others.
template <class Access, class T>
ARTHRON_INLINE bool assemble(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  constexpr bool searches = Access::searches_pivots;
  for (size_t i = group.bodies.size(); i-- > 0;) {
    const GroupBody& body = group.bodies[i];
    const GroupBodyWork<T>& here = own.body[i];
    const Rows<T> rows(group.nodes[i], own);
    Inertia<T> M = body.leaf ? rigid_inertia(own.given[i].mass, here.first_moment, here.second_moment) : here.M_children;
    Spatial<T> bias = body.leaf ? Spatial<T>{} : here.bias_children;
    if constexpr (Access::accelerates) bias += own.bias_alone[i];
    if (!body.leaf) M.add_rigid(own.given[i].mass, here.first_moment, here.second_moment);
    if (rows.node.rows > 0) {
      begin_rows(group, rows, own);
      if (rows.node.closing > 0 && !close_rows<searches, true>(group, rows, own, M, bias)) return false;
    }
    if (Access::accelerates || body.driven) take_known_motion(i, body, rows, own, M, bias, access);
    for (int c = body.driven ? -1 : body.columns - 1; c >= 0; --c) {
      GroupColumnWork<T>& column = own.column[body.column + c];
      const ColumnShape shape = access.shape(body, c);
      const T p = access.momentum(body, c);
      if (shape == ColumnShape::rotation)
        eliminate_column<ColumnShape::rotation>(body, p, column, M, bias, access);
      else if (shape == ColumnShape::translation)
        eliminate_column<ColumnShape::translation>(body, p, column, M, bias, access);
      else
        eliminate_column<ColumnShape::general>(body, p, column, M, bias, access);
      release_rows(rows, own.coefficients.data(), c, shape, column);
    }
    const bool leaves = body.on < 0;
    if (leaves && group.grounded) {
      if (rows.node.open() > 0)
        pass_rows_to_ground(rows, Rows<T>(group.top(), own), here.arm, own.carrier[body.carrier], own.carriers_move);
      continue;
    }
    if (rows.node.open() > 0) pass_rows(rows, Rows<T>(group.nodes[rows.node.onward], own), here.arm);
    put(body.folds_first, inertia_from(M, here.arm), leaves ? own.M : own.body[body.on].M_children);
    put(body.folds_first, wrench_from(bias, here.arm), leaves ? own.bias : own.body[body.on].bias_children);
  }
  const Rows<T> top(group.top(), own);
  if (top.node.rows == 0) return true;
  begin_rows(group, top, own);
  if (top.node.closing == 0) return true;
  if (group.grounded) return close_rows<searches, false>(group, top, own, own.M, own.bias);
  return close_rows<searches, true>(group, top, own, own.M, own.bias);
}

/// Root to leaf: velocities, or accelerations. The multipliers of rows that leave the group are known.
template <class Access, class T>
ARTHRON_INLINE T back_substitute(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  constexpr bool searches = Access::searches_pivots;
  T sum(0);
  if (const Rows<T> top(group.top(), own); top.node.rows > 0) {
    if (group.grounded)
      open_rows<searches, false>(top, own, Spatial<T>{});
    else
      open_rows<searches, true>(top, own, own.carrier[0].V);
  }
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const GroupBody& body = group.bodies[i];
    const GroupBodyWork<T>& here = own.body[i];
    const Rows<T> rows(group.nodes[i], own);
    const int first = rows.node.closing, open = rows.node.open();
    if (open > 0) take_multipliers(rows, Rows<T>(group.nodes[rows.node.onward], own));
    Spatial<T> V = velocity_at(motion_of_parent<Access>(body, own), here.arm);
    for (int c = 0; c < body.columns; ++c) {
      const GroupColumnWork<T>& column = own.column[body.column + c];
      T u;
      if (body.driven) {
        u = access.rate(body, c);
        if constexpr (Access::accelerates) access.found(body, c, u);
      } else {
        T taken = dot(column.U, V);
        for (int a = 0; a < open; ++a) taken += rows.y[c * open + a] * rows.sigma[first + a];
        u = column.u_at_rest - column.d_inverse * taken;
        access.found(body, c, u);
      }
      // Drives are in the known part of accelerations.
      if (!Access::accelerates || !body.driven) add_column(V, u, column.H, access.shape(body, c));
      sum += u;
    }
    if constexpr (Access::accelerates) V += own.known[i];
    motion_of<Access>(i, own) = V;
    access.moved(body, V);
    open_rows<searches, true>(rows, own, V);
  }
  return sum;
}

}  // namespace arthron::simd_group
