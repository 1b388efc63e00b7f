#pragma once
#include "arthron/component/force.hpp"
#include "arthron/dynamics/group_kernel.hpp"

/// Second half of the kernel for compounds that are alike: what acts on them, and momenta with their rates.
namespace arthron::simd_group {

/// Velocities at the cuts whose directions change, from which the rates of these follow.
template <class Access, class T>
ARTHRON_INLINE void move_cuts(const SimdGroup& group, const GroupNumbers<T>& own, const Access& access) {
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    const GroupCutWork<T>& here = own.cut[i];
    if (!cut.varies || cut.holds != GroupCut::Holds::directions) continue;
    const Spatial<T> V = velocity_at(velocity_of(own, cut.child_on, cut.child, access), here.arm_child) -
                         velocity_at(velocity_of(own, cut.parent_on, cut.parent, access), here.arm_parent);
    access.cut_moves(cut, {transposed_times(here.R_WF, V.linear), transposed_times(here.R_WF, V.angular)});
  }
}

/// Adds a wrench at the cut to a body on one of its sides.
template <class Access, class T>
ARTHRON_INLINE void add_side(int on, const PerBranch& bodies, const Spatial<T>& wrench, std::vector<Spatial<T>>& sums, bool momentum,
                             const Access& access) {
  if (on >= 0)
    sums[on] += wrench;
  else
    access.add_outside(bodies, wrench, momentum);
}

/// Impulse of a cut, T = D sigma, and the rate of T that keeps it across the cut's freedoms (see wrench_rate in closure_loads.cpp).
template <class T>
struct CutImpulse {
  Spatial<T> T_cut, rate;
};

template <class T>
ARTHRON_INLINE CutImpulse<T> impulse_of_link(const GroupCutWork<T>& cut, const T& sigma, const Vector3<T>& v_child,
                                             const Spatial<T>& V_parent) {
  const Vector3<T>& n = cut.D[0].linear;
  const Vector3<T> v = v_child - velocity_at(V_parent, cut.arm_end).linear;
  return {{sigma * n, {}}, {(sigma * cut.link_inverse) * (v - dot(n, v) * n), {}}};
}

/// T = D sigma.
template <class T>
ARTHRON_INLINE Spatial<T> along_directions(const GroupCut& of, const GroupCutWork<T>& cut, const T* sigma) {
  Spatial<T> F;
  for (int r = 0; r < of.rows; ++r) F += sigma[r] * cut.D[r];
  return F;
}

template <class Access, class T>
ARTHRON_INLINE CutImpulse<T> impulse_along_directions(const GroupCut& of, const GroupCutWork<T>& cut, const T* sigma, const Vector3<T>& w,
                                                      const Access& access) {
  const Spatial<T> F = along_directions(of, cut, sigma);
  Spatial<T> rate{cross(w, F.linear), cross(w, F.angular)};
  if (of.varies) {
    Spatial<T> moved;
    for (int r = 0; r < of.rows; ++r) moved += sigma[r] * access.direction_rate(of, r);
    rate += Spatial<T>{cut.R_WF * moved.linear, cut.length * (cut.R_WF * moved.angular)};
  }
  const Spatial<T> weighted{rate.linear, (1 / (cut.length * cut.length)) * rate.angular};
  for (int r = 0; r < of.rows; ++r) rate -= dot(cut.D[r], weighted) * cut.D[r];
  return {F, rate};
}

/// What the cuts do to bodies.
template <class Access, class T>
ARTHRON_INLINE void load_cuts(const SimdGroup& group, GroupNumbers<T>& own, const Access& access) {
  for (size_t i = 0; i < group.bodies.size(); ++i) own.momentum[i] = own.load[i] = {};
  for (size_t i = 0; i < group.cuts.size(); ++i) {
    const GroupCut& cut = group.cuts[i];
    if (cut.holds == GroupCut::Holds::coupling) continue;
    const GroupCutWork<T>& here = own.cut[i];
    const T* const sigma = own.sigma.data() + group.nodes[cut.node].first + cut.row;
    const Vector3<T> v = velocity_at(velocity_of(own, cut.child_on, cut.child, access), here.arm_child).linear;
    CutImpulse<T> impulse;
    if (cut.holds == GroupCut::Holds::point)
      impulse.T_cut.linear = {sigma[0], sigma[1], sigma[2]};
    else if (cut.holds == GroupCut::Holds::length)
      impulse = impulse_of_link(here, sigma[0], v, velocity_of(own, cut.parent_on, cut.parent, access));
    else
      impulse = impulse_along_directions(cut, here, sigma, velocity_of(own, cut.parent_on, cut.parent, access).angular, access);
    auto& [F, rate] = impulse;
    rate.angular += cross(v, F.linear);
    add_side(cut.child_on, cut.child, -wrench_from(F, here.arm_child), own.momentum, true, access);
    add_side(cut.parent_on, cut.parent, wrench_from(F, here.arm_parent), own.momentum, true, access);
    add_side(cut.child_on, cut.child, -wrench_from(rate, here.arm_child), own.load, false, access);
    add_side(cut.parent_on, cut.parent, wrench_from(rate, here.arm_parent), own.load, false, access);
  }
}

template <class T>
void release_cuts(GroupNumbers<T>& own) {
  for (auto* sums : {&own.momentum, &own.load}) std::fill(sums->begin(), sums->end(), Spatial<T>{});
}

/// Positions, velocities and, where wanted, rotations of the handles.
template <class Access, class T>
ARTHRON_INLINE void move_handles(const std::vector<GroupHandle<T>>& places, const GroupNumbers<T>& own, const Access& access,
                                 std::vector<HandleStateOf<T>>& handles, std::vector<Vector3<T>>& arms) {
  for (size_t h = 0; h < places.size(); ++h) {
    const GroupHandle<T>& place = places[h];
    Pose<T> X;
    Spatial<T> V;
    if (place.outside) X = access.pose_outside(place.body), V = access.velocity_outside(place.body);
    const Pose<T>& X_WB = place.outside ? X : place.on < 0 ? own.carrier[place.carrier].X_WB : own.body[place.on].X_WB;
    const Spatial<T>& V_B = place.outside ? V : place.on < 0 ? own.carrier[place.carrier].V : own.body[place.on].V;
    const Vector3<T> arm = X_WB.R * place.p_B;
    arms[h] = arm;
    handles[h].position = X_WB.p + arm;
    handles[h].velocity = velocity_at(V_B, arm);
    if (place.rotates) handles[h].rotation = X_WB.R * place.R_BW;
  }
}

/// Wrenches at the handles' bodies; what they do to the carrier comes back.
template <class Access, class T>
ARTHRON_INLINE Spatial<T> add_wrenches(const std::vector<GroupHandle<T>>& places, const std::vector<Spatial<T>>& wrenches,
                                       const std::vector<Vector3<T>>& arms, GroupNumbers<T>& own, const Access& access) {
  for (Spatial<T>& force : own.force) force = {};
  Spatial<T> on_carrier;
  for (size_t h = 0; h < places.size(); ++h) {
    const GroupHandle<T>& place = places[h];
    const Spatial<T> wrench = wrench_from(wrenches[h], arms[h]);
    if (place.on >= 0)
      own.force[place.on] += wrench;
    else if (!place.outside)
      on_carrier += wrench;
    else
      access.load_outside(place.body, wrench);
  }
  return on_carrier;
}

/// World rate of a column that moves in its parent's axes.
template <class Access, class T>
ARTHRON_INLINE Spatial<T> varying_rate(const GroupBody& body, const GroupBodyGiven<T>& given, int c, const Spatial<T>& h,
                                       const Vector3<T>& w, const Matrix3<T>& R_WP, bool varies, const Access& access) {
  Spatial<T> rate{cross(w, h.linear), cross(w, h.angular)};
  if (varies) rate += rotated(body.aligned ? R_WP : R_WP * given.R_PF, access.rate_of_column(body, c));
  return rate;
}

/// Momenta and loads of every subtree, and from them dp/dt = h.(Q - Sdot P) + hdot.P + tau where `with_rates`.
template <class Access, class T>
ARTHRON_INLINE void find_momenta(const SimdGroup& group, GroupNumbers<T>& own, bool with_forces, bool with_rates, const Access& access) {
  const Vector3<T> gravity = access.gravity();
  for (size_t i = group.bodies.size(); i-- > 0;) {
    const GroupBody& body = group.bodies[i];
    GroupBodyWork<T>& here = own.body[i];
    const Spatial<T> V = here.V;
    const Vector3<T> mc = here.first_moment;
    Spatial<T> P = rigid_momentum(own.given[i].mass, mc, here.second_moment, V);
    Spatial<T> Q{own.given[i].mass * gravity, cross(mc, gravity)};
    if (!body.leaf) P += here.P, Q += here.Q;
    access.add_loads(i, body, Q);
    if (with_forces) Q += own.force[i];
    if (!group.cuts.empty()) P += own.momentum[i], Q += own.load[i];
    here.P = P, here.Q = Q;
    if (with_rates && !body.driven) {
      const Vector3<T>& w = own.velocity_of_parent(body).angular;
      const bool alone = body.turns || body.slides;
      for (int c = 0; c < body.columns; ++c) {
        const Spatial<T>& h = own.column[body.column + c].H;
        const ColumnShape shape = access.shape(body, c);
        const bool varies = !alone && access.varies(body, c);
        T rate = access.effort(body, c);
        if (varies || shape == ColumnShape::general) {
          rate += dot(h.linear, Q.linear) + dot(h.angular, Q.angular - cross(V.linear, P.linear)) +
                  dot(varying_rate(body, own.given[i], c, h, w, own.pose_of_parent(body).R, varies, access), P);
        } else if (shape == ColumnShape::rotation) {
          rate += dot(h.angular, Q.angular - cross(V.linear, P.linear) - cross(w, P.angular));
        } else {
          rate += dot(h.linear, Q.linear - cross(w, P.linear));
        }
        access.found_rate(body, c, rate);
      }
    }
    if (body.on < 0 && group.grounded) continue;
    Spatial<T>&P_sum = body.on < 0 ? own.P : own.body[body.on].P, &Q_sum = body.on < 0 ? own.Q : own.body[body.on].Q;
    put(body.folds_first, wrench_from(P, here.arm), P_sum), put(body.folds_first, wrench_from(Q, here.arm), Q_sum);
  }
}

/// p of the free joints from their momenta: take(body, column, p).
template <class T, class Take>
ARTHRON_INLINE void momenta_along_columns(const SimdGroup& group, const GroupNumbers<T>& own, const std::vector<ColumnShape>& shapes,
                                          const Take& take) {
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const GroupBody& body = group.bodies[i];
    for (int c = 0; c < (body.driven ? 0 : body.columns); ++c)
      take(body, c, column_dot(own.column[body.column + c].H, own.body[i].P, shapes[body.u[0] + c]));
  }
}

}  // namespace arthron::simd_group
