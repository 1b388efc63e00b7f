#include "arthron/components/forces/torsion_spring.hpp"

#include <numbers>

#include "arthron/component/numbers_on.hpp"
#include "arthron/spatial/dual.hpp"

namespace arthron {

namespace {

template <class T>
struct Turn {
  T angle;              // [rad]
  Vector3<T> gradient;  // d(angle)/dt = gradient . (w_B - w_A), world axes; the axis itself while B turns about it alone
  T rate;               // [rad/s]
};

/// Angle of the part of B's relative quaternion (w, v) that lies along the axis a: 2 atan2(a.v, w), from s = 4 w v and n = 4 w^2; of all
/// turns the one nearest to `followed`.
template <class T>
Turn<T> turn(const Vector3<T>& axis, const HandleStateOf<T>* h, const T& followed) {
  using std::atan2;
  const Matrix3<T> R = transpose(h[0].rotation) * h[1].rotation;
  const Vector3<T> s{R.c1.z - R.c2.y, R.c2.x - R.c0.z, R.c0.y - R.c1.x};
  const T n = 1.0 + R.c0.x + R.c1.y + R.c2.z, along = dot(axis, s), squared = n * n + along * along;
  const T scale = T(1.0) / select(squared > T(1e-30), squared, T(1e-30));
  constexpr double whole = 2 * std::numbers::pi;
  const T angle = 2.0 * atan2(along, n);
  const Vector3<T> gradient = h[0].rotation * (scale * (n * n * axis + n * cross(s, axis) + along * s));
  return {angle + whole * nearest_whole(T((followed - angle) / T(whole))), gradient,
          dot(gradient, h[1].velocity.angular - h[0].velocity.angular)};
}

template <class T>
T torque_of(const TorsionSpringNumbers<T>& spring, const Turn<T>& now) {
  return spring.stiffness * (now.angle - spring.rest_angle) + spring.damping * now.rate;
}
template <class T>
void twist(const TorsionSpringNumbers<T>& spring, const Turn<T>& now, Spatial<T>* wrench) {
  const Vector3<T> torque = torque_of(spring, now) * now.gradient;
  wrench[0] = {{}, torque}, wrench[1] = {{}, -torque};
}
/// Errors of integration do not add up: while the bodies turn by one radian, they shrink to 1/e.
template <class T>
T rate_of_followed(const Turn<T>& now, const T& followed) {
  using std::abs;
  return now.rate + abs(now.rate) * (now.angle - followed);
}

}  // namespace

TorsionSpringForce TorsionSpringForce::parse(const JsonReader& in) {
  in.handle({"from", "", "body A: [body, point]"});
  in.handle({"to", "", "body B: [body, point]"});
  return {{in.unit_vector({"axis", "", "axis, fixed in body A"}),
           in.number_or({"stiffness", "N m/rad", "spring rate"}, 0, Range::non_negative()),
           in.number_or({"damping", "N m s/rad", "damper rate"}, 0, Range::non_negative()),
           in.number_or({"rest_angle", "rad", "angle where the spring is relaxed"}, 0)},
          in.number_or({"start_angle", "rad", "angle at the start, to within half a turn"}, 0)};
}

void TorsionSpringForce::load(const Instant&, const HandleState* h, const double* x, Spatial6* wrench) const {
  twist(spring, turn(spring.axis, h, x[0]), wrench);
}

void TorsionSpringForce::state_rates(const Instant&, const HandleState* h, const double* x, double* xdot) const {
  xdot[0] = rate_of_followed(turn(spring.axis, h, x[0]), x[0]);
}

double TorsionSpringForce::energy(const Instant&, const HandleState* h, const double* x) const {
  const double deflection = turn(spring.axis, h, x[0]).angle - spring.rest_angle;
  return spring.stiffness * deflection * deflection / 2;
}

void TorsionSpringForce::measure(const Instant&, const HandleState* h, const double* x, double* values) const {
  const Turn<double> now = turn(spring.axis, h, x[0]);
  values[0] = torque_of(spring, now), values[1] = now.angle;
}

template <class T>
TorsionSpringForce::On<T>::On(const PerLane<const TorsionSpringForce*>& forces, LaneTimeFunctions&) {
  using Of = TorsionSpringNumbers<double>;
  const auto number = [&](double Of::*which) { return number_of_lanes<T>([&](int lane) { return forces[lane]->spring.*which; }); };
  spring_ = {vector_of_lanes<T>([&](int lane) { return forces[lane]->spring.axis; }), number(&Of::stiffness), number(&Of::damping),
             number(&Of::rest_angle)};
}

template <class T>
ARTHRON_FLATTEN void TorsionSpringForce::On<T>::load(const LaneInstant&, const HandleStateOf<T>* h, const T* x, Spatial<T>* wrench,
                                                     T* xdot) const {
  const Turn<T> now = turn(spring_.axis, h, x[0]);
  twist(spring_, now, wrench);
  xdot[0] = rate_of_followed(now, x[0]);
}

template class TorsionSpringForce::On<Lanes>;
template class TorsionSpringForce::On<Dual<double, 1>>;

}  // namespace arthron
