#include <arthron/component/plugin.hpp>

using namespace arthron;

/// Knee whose bones roll on each other: a circle of the thigh (parent, centre at the joint) on a circle of the shank (child), without slip.
///   X(q) = { Rot(axis, q), (r1 + r2) Rot(axis, q r2 / (r1 + r2)) toward }      equal arcs: r1 phi = r2 (q - phi)
/// q is the angle between the bones; the centre of rotation wanders, as that of a knee does.
struct RollingKnee {
  static constexpr std::string_view type = "acme/knee";
  static constexpr int nq = 1, nu = 1;
  Vec3 axis, toward;    // unit vectors across each other
  double femur, tibia;  // radii r1, r2 [m]

  static RollingKnee parse(const JsonReader& in) {
    const Vec3 axis = in.unit_vector({"axis", "", "axis of flexion"});
    const Vec3 given = in.unit_vector({"toward", "", "from the thigh's circle to that of the shank, in the drawn position"});
    const Vec3 toward = given - dot(axis, given) * axis;
    if (norm(toward) < 1e-3) in.complain("toward", "a direction along the axis", "one across it");
    return {axis, norm(toward) < 1e-3 ? Vec3{} : normalized(toward),
            in.number({"femur", "m", "radius of the thigh's circle"}, Range::positive()),
            in.number({"tibia", "m", "radius of the shank's circle"}, Range::positive())};
  }
  template <class T>
  Pose<T> pose(const T* q) const {
    const double length = femur + tibia;
    return {axis_rotation(axis, q[0]), length * (axis_rotation(axis, q[0] * (tibia / length)) * cast<T>(toward))};
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<RollingKnee>(); }
