#pragma once
#include "arthron/dynamics/group_motion.hpp"

/// Accelerations and reactions of compounds that are alike: right-hand sides for assemble() and back_substitute() with an Access that
/// accelerates, and what comes of them. Such an Access also has
///   velocity(body, c)        u, where rate(body, c) is the acceleration of a driven joint
namespace arthron::simd_group {

/// Known motion and bias of the bodies, see acceleration_terms in momentum.cpp.
template <class Access, class T>
ARTHRON_INLINE void body_acceleration_terms(const SimdGroup& group, GroupNumbers<T>& own, bool with_forces, const Access& access) {
  const Vector3<T> gravity = access.gravity();
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const GroupBody& body = group.bodies[i];
    const GroupBodyWork<T>& here = own.body[i];
    const Spatial<T>&V = here.V, &V_parent = own.velocity_of_parent(body);
    Spatial<T> known{cross(V_parent.angular, V.linear - V_parent.linear), {}};
    for (int c = 0; c < body.columns; ++c) {
      const Spatial<T>& h = own.column[body.column + c].H;
      const bool varies = !body.turns && !body.slides && access.varies(body, c);
      known +=
          access.velocity(body, c) * varying_rate(body, own.given[i], c, h, V_parent.angular, own.pose_of_parent(body).R, varies, access);
      if (body.driven) known += access.rate(body, c) * h;
    }
    own.known[i] = known;
    const Vector3<T>&mc = here.first_moment, &w = V.angular;
    own.bias_alone[i] = {cross(w, cross(w, mc)) - own.given[i].mass * gravity, cross(w, here.second_moment * w) - cross(mc, gravity)};
    if (with_forces) own.bias_alone[i] -= own.force[i];
  }
}

/// Acceleration along the directions of a cut that comes from what turns, its freedoms included: D^T Hdot u = -Ddot^T H u, see
/// turning_constraints in closure_loads.cpp.
template <class Access, class T>
ARTHRON_INLINE Spatial<T> turning_directions(const GroupCut& of, const GroupCutWork<T>& cut, const Spatial<T>& V, const Vector3<T>& w,
                                             const Access& access) {
  const T weight = 1 / (cut.length * cut.length);
  const auto dual = [&](int r) { return Spatial<T>{cut.D[r].linear, weight * cut.D[r].angular}; };
  Spatial<T> Hu = V, known;
  for (int r = 0; r < of.rows; ++r) Hu -= dot(cut.D[r], V) * dual(r);
  const Spatial<T> seen{cross(Hu.linear, w), cross(Hu.angular, w)};
  const Spatial<T> Hu_F{transposed_times(cut.R_WF, Hu.linear), cut.length * transposed_times(cut.R_WF, Hu.angular)};
  for (int r = 0; r < of.rows; ++r) {
    T rate = dot(cut.D[r], seen);
    if (of.varies) rate += dot(access.direction_rate(of, r), Hu_F);
    known -= rate * dual(r);
  }
  return known;
}

/// What is known of the relative accelerations at the cuts.
template <class Access, class T>
ARTHRON_INLINE void cut_acceleration_terms(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    GroupCutWork<T>& here = own.cut[i];
    here.known = {};
    if (cut.holds == GroupCut::Holds::coupling) continue;
    const Spatial<T> V_child = velocity_of(own, cut.child_on, cut.child, access),
                     V_parent = velocity_of(own, cut.parent_on, cut.parent, access);
    const Spatial<T> V = velocity_at(V_child, here.arm_child);
    const Vector3<T> child_turns = cross(V_child.angular, cross(V_child.angular, here.arm_child));
    if (cut.holds == GroupCut::Holds::length) {
      // Along the link n: what keeps its length while its ends move across it.
      const Vector3<T>& n = here.D[0].linear;
      const Vector3<T> v = V.linear - velocity_at(V_parent, here.arm_end).linear;
      const Vector3<T> parent_turns = cross(V_parent.angular, cross(V_parent.angular, here.arm_end));
      const T along = dot(n, v);
      here.known.linear = (dot(n, parent_turns - child_turns) - here.link_inverse * (dot(v, v) - along * along)) * n;
      continue;
    }
    here.known.linear = cross(V_parent.angular, V.linear - V_parent.linear) - child_turns;
    if (cut.holds == GroupCut::Holds::directions)
      here.known += turning_directions(cut, here, V - velocity_at(V_parent, here.arm_parent), V_parent.angular, access);
  }
}

/// What carries every body exerts on it, once accelerations and multipliers are known.
template <class T>
ARTHRON_INLINE void find_reactions(const SimdGroup& group, GroupNumbers<T>& own) {
  for (size_t i = 0; i < group.bodies.size(); ++i)
    own.F[i] = rigid_momentum(own.given[i].mass, own.body[i].first_moment, own.body[i].second_moment, own.A[i]) + own.bias_alone[i];
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    if (cut.holds == GroupCut::Holds::coupling) continue;
    const Spatial<T> T_cut = along_directions(cut, own.cut[i], own.sigma.data() + group.nodes[cut.node].first + cut.row);
    if (cut.child_on >= 0) own.F[cut.child_on] -= wrench_from(T_cut, own.cut[i].arm_child);
    if (cut.parent_on >= 0) own.F[cut.parent_on] += wrench_from(T_cut, own.cut[i].arm_parent);
  }
  for (size_t i = group.bodies.size(); i-- > 0;)
    if (const int on = group.bodies[i].on; on >= 0) own.F[on] += wrench_from(own.F[i], own.body[i].arm);
}

}  // namespace arthron::simd_group
