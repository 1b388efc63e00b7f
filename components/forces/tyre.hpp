#pragma once
#include "arthron/component/lane_force.hpp"
#include "arthron/component/road_on.hpp"

namespace arthron {

template <class T>
struct TyreNumbers {
  Vector3<T> axis;  // of spin, fixed in the wheel; forward is axis x up
  T radius, stiffness, damping;
  T longitudinal_stiffness, cornering_stiffness;  // [N, N/rad]
  T longitudinal_friction, lateral_friction;
  T trail, low_speed;
};

/// Tyre on the road: radial spring and damper, and slip forces of the brush model (Fiala's law) with combined slip.
///
/// Contact point: the point of the road in the wheel's plane that is nearest to the centre. Normal and axes are those of the road's tangent
/// plane there; gamma = inclination of the wheel's plane to that normal, d = radius - distance of centre and contact point. The gradient of
/// that distance is the normal over cos(gamma), so that the radial force without damping is the gradient of stiffness d^2 / 2 on every
/// road at rest.
///   normal force   N = (stiffness d + damping d') / cos(gamma)   [N], never negative; the damping fades in over the first hundredth of
///                  the radius, so that touching down is no jump
///   slips          s_x = v_x / V, s_y = v_y / V,   V = sqrt(V_x^2 + low_speed^2)
///   slip forces    F_i = -friction_i N (3 g - 3 g^2 + g^3) z_i / |z|,   z_i = stiffness_i s_i / (3 friction_i N),  g = min(|z|, 1)
///   aligning torque about the road's normal: 3 trail (V_x / V) (1 - g)^3 friction_y N z_y for g < 1, else 0
/// v: velocity of the wheel's material at the contact point over the road, V_x: forward velocity of the centre over the road, which moves
/// up and down as a whole where its height depends on time. At small slip F_i = -stiffness_i s_i and the force acts `trail` behind the
/// contact point, seen along the way; at full slip it lies on the ellipse of the two friction limits. Slip forces oppose the slip velocity
/// at any speed. Below `low_speed` they fade into a viscous creep: a parked car creeps on a slope.
struct TyreForce {
  static constexpr std::string_view type = "tyre";
  static constexpr std::array<OutputChannel, 8> channels{{{"normal_force", "N"},
                                                          {"longitudinal_force", "N"},
                                                          {"lateral_force", "N"},
                                                          {"aligning_torque", "N m"},
                                                          {"slip", "1"},
                                                          {"slip_angle", "rad"},
                                                          {"deflection", "m"},
                                                          {"camber", "rad"}}};
  std::shared_ptr<const Road> road;
  TyreNumbers<double> tyre;

  template <class T>
  class On;
  using OnLanes = On<Lanes>;

  static TyreForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  void measure(double t, const HandleState* h, double* values) const;
  /// A tyre as wide and as high as most are.
  [[nodiscard]] std::vector<HandleShape> shapes() const {
    const Vec3 half = (0.3 * tyre.radius) * tyre.axis;
    Shape rubber = Shape::between(Shape::Kind::cylinder, -half, half, tyre.radius, 0.62 * tyre.radius);
    rubber.color = "#33383f";
    Shape rim = Shape::between(Shape::Kind::cylinder, -0.1 * half, 0.4 * half, 0.62 * tyre.radius);
    rim.color = "#b9c0c8";
    return {{0, rubber}, {0, rim}};
  }
};

/// The same on a number type: of several tyres on lanes, of the first on numbers that carry derivatives.
template <class T>
class TyreForce::On {
 public:
  On(const PerLane<const TyreForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = true;
  /// False where their roads are too different.
  [[nodiscard]] bool applies() const { return road_.applies(); }
  void load(const LaneInstant& now, const HandleStateOf<T>* h, Spatial<T>* wrench) const;

 private:
  TyreNumbers<T> tyre_;
  RoadOn<T> road_;
};

}  // namespace arthron
