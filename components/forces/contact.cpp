#include "arthron/components/forces/contact.hpp"

#include <algorithm>

#include "arthron/component/contact_law.hpp"
#include "arthron/spatial/lane_math.hpp"

namespace arthron {

ContactForce ContactForce::parse(const JsonReader& in) {
  in.handle({"on", "", "centre of the sphere: [body, point]"});
  return {in.road(),
          in.number_or({"radius", "m", "of the sphere"}, 0, Range::non_negative()),
          in.number({"stiffness", "N/m^exponent", "of the contact"}, Range::positive()),
          in.number_or({"exponent", "", "of the depth: 1 linear, 1.5 Hertz"}, 1.5, {1, 10}),
          in.number_or({"damping", "s/m", "share added to the normal force per unit of impact speed"}, 0, Range::non_negative()),
          in.number_or({"friction", "", "coefficient of friction"}, 0, Range::non_negative()),
          in.number_or({"slip_speed", "m/s", "below it friction is viscous"}, 0.01, Range::positive())};
}

struct ContactForce::Touch {
  Vec3 arm;    // from the centre to the point of contact
  Vec3 force;  // on the sphere, at the point of contact
  double depth, normal = 0, friction = 0, slip = 0;
};

ContactForce::Touch ContactForce::touch(double t, const HandleState& h) const {
  const Road::Plane plane = road->nearest(h.position, t);
  const Vec3& n = plane.normal;
  const double height = height_above(plane, h.position), depth = radius - height;
  const Vec3 arm = -height * n;
  if (depth <= 0) return {arm, {}, depth};
  const Vec3 v = velocity_at(h.velocity, arm).linear - plane.velocity;
  const double approach = -dot(v, n);
  const Vec3 sliding = v + approach * n;
  const double slip = norm(sliding), normal = damped_contact(stiffness * std::pow(depth, exponent), damping, approach);
  const double against = slip > 0 ? friction * normal * friction_share(slip, slip_speed) : 0;
  return {arm, normal * n - (slip > 0 ? against / slip : 0) * sliding, depth, normal, against, slip};
}

void ContactForce::load(double t, const HandleState* h, Spatial6* wrench) const {
  const Touch now = touch(t, h[0]);
  wrench[0] = wrench_from(Spatial6{now.force, {}}, now.arm);
}

double ContactForce::energy(double t, const HandleState* h) const {
  const double depth = radius - height_above(road->nearest(h[0].position, t), h[0].position);
  return depth > 0 ? stiffness * std::pow(depth, exponent + 1) / (exponent + 1) : 0;
}

void ContactForce::measure(double t, const HandleState* h, double* values) const {
  const Touch now = touch(t, h[0]);
  values[0] = now.normal, values[1] = now.friction, values[2] = now.depth, values[3] = now.slip;
}

ContactForce::OnLanes::OnLanes(const PerLane<const ContactForce*>& forces, LaneTimeFunctions&)
    : flat_(std::all_of(forces.begin(), forces.end(), [](const ContactForce* force) { return force->road->is_flat(); })),
      hertz_(std::all_of(forces.begin(), forces.end(), [](const ContactForce* force) { return force->exponent == 1.5; })) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const ContactForce& force = *forces[lane];
    const Road::Plane plane = force.road->nearest({}, 0);
    radius_.set(lane, force.radius), stiffness_.set(lane, force.stiffness), exponent_.set(lane, force.exponent);
    damping_.set(lane, force.damping), friction_.set(lane, force.friction), slip_speed_.set(lane, force.slip_speed);
    set_lane(&point_, lane, &plane.point, 1), set_lane(&normal_, lane, &plane.normal, 1);
  }
}

void ContactForce::OnLanes::load(const LaneInstant&, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
  const Vector3<Lanes>& n = normal_;
  const Lanes height = dot(n, h[0].position - point_), depth = max(radius_ - height, Lanes(0));
  wrench[0] = {};
  if (nowhere(depth > 0)) return;
  const Vector3<Lanes> arm = -height * n, v = velocity_at(h[0].velocity, arm).linear;
  const Lanes approach = -dot(v, n);
  const Vector3<Lanes> sliding = v + approach * n;
  const Lanes power =
      hertz_ ? depth * sqrt(depth) : Lanes::each([&](int lane) { return depth[lane] > 0 ? std::pow(depth[lane], exponent_[lane]) : 0; });
  const Lanes slip = norm(sliding), normal = stiffness_ * power * max(Lanes(0), 1 + damping_ * approach);
  const Lanes against = select(slip > 0, friction_ * normal * tanh(slip / slip_speed_) / slip, Lanes(0));
  wrench[0] = wrench_from(Spatial<Lanes>{normal * n - against * sliding, {}}, arm);
}

}  // namespace arthron
