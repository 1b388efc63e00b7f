#include "arthron/components/forces/tyre.hpp"

#include <algorithm>

namespace arthron {

TyreForce TyreForce::parse(const JsonReader& in) {
  in.handle({"on", "", "wheel centre: [body that spins, point]"});
  const auto positive = Range::positive();
  TyreForce tyre{in.road(),
                 in.unit_vector({"axis", "", "axis of spin; the wheel rolls towards axis x up"}),
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
  return tyre;
}

struct TyreForce::Patch {
  Vec3 arm;                    // from the centre to the contact point
  Vec3 forward, left, normal;  // road axes; `left` is where the axis of a wheel with upright normal points
  double deflection;
  double sine, cosine;  // of the camber
  double N = 0, Fx = 0, Fy = 0, Mz = 0, slip_x = 0, slip_y = 0;
  double roll = 0;  // V_x / V
};

TyreForce::Patch TyreForce::patch(double t, const HandleState& h) const {
  const Vec3 spin = h.rotation * axis;
  const Road::Plane plane = road->nearest_across(spin, h.position, t);
  const Vec3 n = plane.normal, along = cross(spin, n);
  // cos(camber) = |spin x n|; a wheel lying flat on the road has no direction to roll to.
  const double sine = dot(spin, n), cosine = norm(along);
  if (cosine < 1e-3) return {{}, {}, {}, n, -radius, sine, cosine};
  const Vec3 forward = (1 / cosine) * along, upward = cross(forward, spin);
  const double loaded_radius = height_above(plane, h.position) / cosine;
  Patch patch{-loaded_radius * upward, forward, cross(n, forward), n, radius - loaded_radius, sine, cosine};
  if (patch.deflection <= 0) return patch;

  const Vec3 v = velocity_at(h.velocity, patch.arm).linear - plane.velocity;
  const double rate = -dot(v, n) / cosine, fade = std::min(1.0, 100 * patch.deflection / radius);
  patch.N = std::max(0.0, stiffness * patch.deflection + fade * damping * rate) / cosine;
  const double V_x = dot(h.velocity.linear - plane.velocity, forward), V = std::sqrt(V_x * V_x + low_speed * low_speed);
  patch.slip_x = dot(v, forward) / V, patch.slip_y = dot(v, patch.left) / V, patch.roll = V_x / V;
  if (patch.N > 0) slip_forces(patch);
  return patch;
}

void TyreForce::slip_forces(Patch& patch) const {
  const double limit_x = longitudinal_friction * patch.N, limit_y = lateral_friction * patch.N;
  const double z_x = longitudinal_stiffness * patch.slip_x / (3 * limit_x), z_y = cornering_stiffness * patch.slip_y / (3 * limit_y);
  const double z = std::sqrt(z_x * z_x + z_y * z_y), stick = std::max(0.0, 1 - z);
  const double share = z < 1 ? 3 - 3 * z + z * z : 1 / z;
  patch.Fx = -limit_x * share * z_x, patch.Fy = -limit_y * share * z_y;
  patch.Mz = 3 * trail * patch.roll * stick * stick * stick * limit_y * z_y;
}

void TyreForce::load(double t, const HandleState* h, Spatial6* wrench) const {
  const Patch now = patch(t, h[0]);
  const Vec3 force = now.Fx * now.forward + now.Fy * now.left + now.N * now.normal;
  wrench[0] = wrench_from(Spatial6{force, now.Mz * now.normal}, now.arm);
}

double TyreForce::energy(double t, const HandleState* h) const {
  const double deflection = std::max(0.0, patch(t, h[0]).deflection);
  return stiffness * deflection * deflection / 2;
}

void TyreForce::measure(double t, const HandleState* h, double* values) const {
  const Patch now = patch(t, h[0]);
  const double results[] = {
      now.N, now.Fx, now.Fy, now.Mz, -now.slip_x, std::atan(now.slip_y), now.deflection, std::atan2(now.sine, now.cosine)};
  std::copy(std::begin(results), std::end(results), values);
}

TyreForce::OnLanes::OnLanes(const PerLane<const TyreForce*>& forces, LaneTimeFunctions&)
    : flat_(std::all_of(forces.begin(), forces.end(), [](const TyreForce* force) { return force->road->is_flat(); })) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const TyreForce& tyre = *forces[lane];
    const Road::Plane plane = tyre.road->below({}, 0);
    set_lane(&point_, lane, &plane.point, 1), set_lane(&normal_, lane, &plane.normal, 1), set_lane(&axis_, lane, &tyre.axis, 1);
    radius_.set(lane, tyre.radius), stiffness_.set(lane, tyre.stiffness), damping_.set(lane, tyre.damping);
    longitudinal_stiffness_.set(lane, tyre.longitudinal_stiffness), cornering_stiffness_.set(lane, tyre.cornering_stiffness);
    longitudinal_friction_.set(lane, tyre.longitudinal_friction), lateral_friction_.set(lane, tyre.lateral_friction);
    trail_.set(lane, tyre.trail), low_speed_.set(lane, tyre.low_speed);
  }
}

/// TyreForce::patch and slip_forces, with harmless numbers where there is no contact.
void TyreForce::OnLanes::load(const LaneInstant&, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
  const Vector3<Lanes>& n = normal_;
  const Vector3<Lanes> spin = h[0].rotation * axis_, along = cross(spin, n);
  const Lanes lean = norm(along), cosine = select(lean < 1e-3, Lanes(1), lean);
  const Vector3<Lanes> forward = (1 / cosine) * along, upward = cross(forward, spin), left = cross(n, forward);
  const Lanes loaded_radius = dot(n, h[0].position - point_) / cosine, deflection = radius_ - loaded_radius;
  const Vector3<Lanes> arm = -loaded_radius * upward, v = velocity_at(h[0].velocity, arm).linear;
  const Lanes rate = -dot(v, n) / cosine, fade = min(Lanes(1), 100 * deflection / radius_);
  const Lanes pushed = max(Lanes(0), stiffness_ * deflection + fade * damping_ * rate) / cosine;
  const Lanes N = select(deflection > 0 && lean >= 1e-3, pushed, Lanes(0));
  wrench[0] = {};
  if (nowhere(N > 0)) return;
  const Lanes load = select(N > 0, N, Lanes(1)), limit_x = longitudinal_friction_ * load, limit_y = lateral_friction_ * load;
  const Lanes V_x = dot(h[0].velocity.linear, forward), V = sqrt(V_x * V_x + low_speed_ * low_speed_);
  const Lanes z_x = longitudinal_stiffness_ * dot(v, forward) / (3 * V * limit_x);
  const Lanes z_y = cornering_stiffness_ * dot(v, left) / (3 * V * limit_y);
  const Lanes z = sqrt(z_x * z_x + z_y * z_y), stick = max(Lanes(0), 1 - z);
  const Lanes share = select(z < 1, 3 - 3 * z + z * z, 1 / z);
  const Lanes F_x = -limit_x * share * z_x, F_y = -limit_y * share * z_y;
  const Lanes M_z = 3 * trail_ * (V_x / V) * stick * stick * stick * limit_y * z_y;
  const Spatial<Lanes> at_contact{F_x * forward + F_y * left + N * n, M_z * n};
  const auto where_pressed = [&](const Vector3<Lanes>& a) {
    return Vector3<Lanes>{select(N > 0, a.x, Lanes(0)), select(N > 0, a.y, Lanes(0)), select(N > 0, a.z, Lanes(0))};
  };
  const Spatial<Lanes> moved = wrench_from(at_contact, arm);
  wrench[0] = {where_pressed(moved.linear), where_pressed(moved.angular)};
}

}  // namespace arthron
