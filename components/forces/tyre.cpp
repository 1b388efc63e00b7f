#include "arthron/components/forces/tyre.hpp"

#include <algorithm>

namespace arthron {

TyreForce TyreForce::parse(const JsonReader& in) {
  in.handle({"on", "", "wheel centre: [body that spins, point]"});
  const auto positive = Range::positive();
  TyreForce force{in.road(), {}};
  TyreNumbers<double>& tyre = force.tyre;
  tyre = {in.unit_vector({"axis", "", "spin axis; the wheel rolls towards the cross product of axis and up"}),
          in.number({"radius", "m", "unloaded radius"}, positive),
          in.number({"stiffness", "N/m", "radial stiffness"}, positive),
          in.number_or({"damping", "N s/m", "radial damping"}, 0, Range::non_negative()),
          in.number({"longitudinal_stiffness", "N", "longitudinal force per slip, at small slip"}, positive),
          in.number({"cornering_stiffness", "N/rad", "lateral force per slip angle, at small slip"}, positive),
          0,
          0,
          in.number_or({"trail", "m", "pneumatic trail at small slip"}, 0, Range::non_negative()),
          in.number_or({"low_speed", "m/s", "below it slip forces fade into viscous creep"}, 1, positive)};
  const std::vector<double> friction =
      in.numbers({"friction", "", "coefficients along and across, or one for both; 1 when absent"}, 2, positive);
  tyre.longitudinal_friction = friction.empty() ? 1 : friction[0];
  tyre.lateral_friction = friction.empty() ? 1 : friction[1];
  return force;
}

namespace {

template <class T>
struct Patch {
  Vector3<T> arm;                    // from the centre to the contact point
  Vector3<T> forward, left, normal;  // road axes; `left` is where the axis of a wheel with upright normal points
  T deflection;
  T sine, cosine;  // of the camber
  T N{}, Fx{}, Fy{}, Mz{}, slip_x{}, slip_y{};
  T roll{};  // V_x / V
  Condition<T> pressed{false};
};

template <class T>
void slip_forces(const TyreNumbers<T>& tyre, Patch<T>& patch) {
  using std::sqrt;
  const T load = select(patch.pressed, patch.N, T(1.0)), limit_x = tyre.longitudinal_friction * load,
          limit_y = tyre.lateral_friction * load;
  const T z_x = tyre.longitudinal_stiffness * patch.slip_x / (3.0 * limit_x),
          z_y = tyre.cornering_stiffness * patch.slip_y / (3.0 * limit_y);
  const T z = sqrt(z_x * z_x + z_y * z_y), stick = select(z < T(1.0), 1.0 - z, T(0.0));
  const T share = select(z < T(1.0), 3.0 - 3.0 * z + z * z, T(1.0) / z);
  const auto where_pressed = [&](const T& a) { return select(patch.pressed, a, T(0.0)); };
  patch.Fx = where_pressed(-(limit_x * share * z_x)), patch.Fy = where_pressed(-(limit_y * share * z_y));
  patch.Mz = where_pressed(3.0 * tyre.trail * patch.roll * stick * stick * stick * limit_y * z_y);
}

/// `spin`: the axis in space. Harmless numbers where there is no contact.
template <class T>
ARTHRON_INLINE Patch<T> patch_on(const TyreNumbers<T>& tyre, const RoadPlane<T>& plane, const Vector3<T>& spin, const HandleStateOf<T>& h) {
  using std::sqrt;
  const Vector3<T>& n = plane.normal;
  const Vector3<T> along = cross(spin, n);
  // cos(camber) = |spin x n|; a wheel lying flat on the road has no direction to roll to.
  const T sine = dot(spin, n), lean = norm(along);
  const Condition<T> rolls = lean >= T(1e-3);
  const T cosine = select(rolls, lean, T(1.0)), secant = T(1.0) / cosine;
  const Vector3<T> forward = secant * along, upward = cross(forward, spin);
  const T loaded_radius = height_above(plane, h.position) * secant;
  Patch<T> patch{
      -loaded_radius * upward, forward, cross(n, forward), n, select(rolls, tyre.radius - loaded_radius, -tyre.radius), sine, lean};
  const Condition<T> touches = patch.deflection > T(0.0);
  if (nowhere(touches)) return patch;
  const Vector3<T> v = velocity_at(h.velocity, patch.arm).linear - plane.velocity;
  const T rate = -(dot(v, n) * secant), first = 100.0 * patch.deflection / tyre.radius, fade = select(first < T(1.0), first, T(1.0));
  const T push = tyre.stiffness * patch.deflection + fade * tyre.damping * rate;
  patch.pressed = touches && push > T(0.0);
  patch.N = select(patch.pressed, push * secant, T(0.0));
  const T V_x = dot(h.velocity.linear - plane.velocity, forward), V = sqrt(V_x * V_x + tyre.low_speed * tyre.low_speed);
  const T slower = select(touches, T(1.0) / V, T(0.0));
  patch.slip_x = slower * dot(v, forward), patch.slip_y = slower * dot(v, patch.left), patch.roll = slower * V_x;
  if (!nowhere(patch.pressed)) slip_forces(tyre, patch);
  return patch;
}

Patch<double> patch_of(const TyreForce& force, double t, const HandleState& h) {
  const Vec3 spin = h.rotation * force.tyre.axis;
  return patch_on(force.tyre, force.road->nearest_across(spin, h.position, t), spin, h);
}

template <class T>
ARTHRON_INLINE Spatial<T> wrench_of(const Patch<T>& patch) {
  return wrench_from(Spatial<T>{patch.Fx * patch.forward + patch.Fy * patch.left + patch.N * patch.normal, patch.Mz * patch.normal},
                     patch.arm);
}

}  // namespace

void TyreForce::load(double t, const HandleState* h, Spatial6* wrench) const { wrench[0] = wrench_of(patch_of(*this, t, h[0])); }

double TyreForce::energy(double t, const HandleState* h) const {
  const double deflection = std::max(0.0, patch_of(*this, t, h[0]).deflection);
  return tyre.stiffness * deflection * deflection / 2;
}

void TyreForce::measure(double t, const HandleState* h, double* values) const {
  const Patch<double> now = patch_of(*this, t, h[0]);
  const double results[] = {
      now.N, now.Fx, now.Fy, now.Mz, -now.slip_x, std::atan(now.slip_y), now.deflection, std::atan2(now.sine, now.cosine)};
  std::copy(std::begin(results), std::end(results), values);
}

template <class T>
TyreForce::On<T>::On(const PerLane<const TyreForce*>& forces, LaneTimeFunctions&)
    : road_(per_lane<const Road*>([&](std::size_t lane) { return forces[lane]->road.get(); })) {
  const auto number = [&](double TyreNumbers<double>::*which) {
    return number_of_lanes<T>([&](int lane) { return forces[lane]->tyre.*which; });
  };
  using Of = TyreNumbers<double>;
  tyre_ = {vector_of_lanes<T>([&](int lane) { return forces[lane]->tyre.axis; }),
           number(&Of::radius),
           number(&Of::stiffness),
           number(&Of::damping),
           number(&Of::longitudinal_stiffness),
           number(&Of::cornering_stiffness),
           number(&Of::longitudinal_friction),
           number(&Of::lateral_friction),
           number(&Of::trail),
           number(&Of::low_speed)};
}

template <class T>
ARTHRON_FLATTEN void TyreForce::On<T>::load(const LaneInstant& now, const HandleStateOf<T>* h, Spatial<T>* wrench) const {
  const Vector3<T> spin = h[0].rotation * tyre_.axis;
  const Patch<T> patch = patch_on(tyre_, road_.nearest_across(spin, h[0].position, now.t), spin, h[0]);
  const Spatial<T> F = wrench_of(patch);
  const auto where_pressed = [&](const Vector3<T>& a) {
    return Vector3<T>{select(patch.pressed, a.x, T(0.0)), select(patch.pressed, a.y, T(0.0)), select(patch.pressed, a.z, T(0.0))};
  };
  wrench[0] = {where_pressed(F.linear), where_pressed(F.angular)};
}

template class TyreForce::On<Lanes>;
template class TyreForce::On<Dual<double, 1>>;

}  // namespace arthron
