#pragma once
#include "arthron/component/lane_force.hpp"

namespace arthron {

/// Sphere on the road: the normal force of Hunt and Crossley and regularised Coulomb friction.
///   N = stiffness d^exponent (1 + damping d')   [N], never negative;  d > 0: depth of the sphere below the surface, measured at the
///       point of the road nearest to its centre
///   T = friction N tanh(|v| / slip_speed) against the velocity v with which the sphere slides at the point of contact
struct ContactForce {
  static constexpr std::string_view type = "contact";
  static constexpr std::array<OutputChannel, 4> channels{
      {{"normal_force", "N"}, {"friction_force", "N"}, {"depth", "m"}, {"slip_speed", "m/s"}}};
  std::shared_ptr<const Road> road;
  double radius, stiffness, exponent, damping, friction, slip_speed;

  class OnLanes;

  static ContactForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  [[nodiscard]] bool conservative() const { return damping == 0 && friction == 0 && road->is_flat(); }
  void measure(double t, const HandleState* h, double* values) const;
  [[nodiscard]] std::vector<HandleShape> shapes() const { return {{0, Shape::sphere(radius, {})}}; }

 private:
  struct Touch;
  [[nodiscard]] Touch touch(double t, const HandleState& h) const;
};

/// The same of all variants where their roads are flat.
class ContactForce::OnLanes {
 public:
  OnLanes(const PerLane<const ContactForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = false;
  [[nodiscard]] bool applies() const { return flat_; }
  void load(const LaneInstant& now, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const;

 private:
  Lanes radius_, stiffness_, exponent_, damping_, friction_, slip_speed_;
  Vector3<Lanes> point_, normal_;  // of the road
  bool flat_, hertz_;              // hertz: the exponent is 1.5 in all
};

}  // namespace arthron
