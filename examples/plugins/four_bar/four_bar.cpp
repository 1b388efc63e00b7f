#include <arthron/component/plugin.hpp>
#include <cmath>

using namespace arthron;

/// A planar four-bar packed as one joint of one freedom: crank and rocker without mass, and the coupler as the child. The joint sits at the
/// crank's pivot, the rocker's pivot is `ground` along x, and everything moves in the plane across z.
///   A = crank (cos a, sin a),  a = start + q;   B at the distances coupler from A and rocker from (ground, 0)
///   X(q) = { axes with x along AB, A }
/// Positions that the bars cannot reach have no pose.
struct FourBarJoint {
  static constexpr std::string_view type = "acme/four_bar";
  static constexpr std::string_view example = R"({"crank": 0.1, "coupler": 0.4, "rocker": 0.3, "ground": 0.35, "start": 0.5})";
  static constexpr int nq = 1, nu = 1;
  double crank, coupler, rocker, ground;  // [m]
  double start;                           // [rad]
  double side;                            // of B beyond the line from A to the rocker's pivot: 1 left, -1 right

  static FourBarJoint parse(const JsonReader& in) {
    const auto length = [&](const char* name, const char* help) { return in.number({name, "m", help}, Range::positive()); };
    const FourBarJoint joint{length("crank", "length of the crank"),
                             length("coupler", "distance of its two pins"),
                             length("rocker", "length of the rocker"),
                             length("ground", "distance of the pivots of crank and rocker"),
                             in.number_or({"start", "rad", "angle of the crank as drawn"}, 0),
                             in.flag_or({"crossed", "", "the rocker is on the other side"}, false) ? -1.0 : 1.0};
    if (!std::isfinite(joint.pin(joint.start).x))
      in.complain("start", "an angle at which the bars do not meet", "one at which coupler and rocker reach each other");
    return joint;
  }

  template <class T>
  Pose<T> pose(const T* q) const {
    using std::cos, std::sin;
    const T angle = start + q[0], zero(0), one(1);
    const Vector3<T> x = pin(angle);
    return {{x, {-x.y, x.x, zero}, {zero, zero, one}}, {crank * cos(angle), crank * sin(angle), zero}};
  }

 private:
  /// Unit vector from A to B.
  template <class T>
  Vector3<T> pin(const T& angle) const {
    using std::cos, std::sin, std::sqrt;
    const T dx = ground - crank * cos(angle), dy = -crank * sin(angle), square = dx * dx + dy * dy, distance = sqrt(square);
    const T along = (coupler * coupler - rocker * rocker + square) / (2 * coupler * distance);
    const T across = side * sqrt(1 - along * along);
    return {(along * dx - across * dy) / distance, (along * dy + across * dx) / distance, T(0)};
  }
};

ARTHRON_PLUGIN(registry) { registry.add_joint<FourBarJoint>(); }
