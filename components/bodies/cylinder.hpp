#pragma once
#include <numbers>

#include "arthron/component/body.hpp"
#include "arthron/components/bodies/mass.hpp"

namespace arthron {

/// Homogeneous cylinder of length L and radius R, with a bore of radius r along its axis: a rod, a disc, a tube.
///   I = m (R^2 + r^2) / 2 about the axis, m (3 (R^2 + r^2) + L^2) / 12 across it   [kg m^2]
struct CylinderBody {
  static constexpr std::string_view type = "cylinder";
  Vec3 from, to;         // centres of its ends [m]
  double radius, inner;  // [m]
  Mass mass;

  static CylinderBody parse(const JsonReader& in) {
    const CylinderBody body{in.point({"from", "m", "centre of one end"}), in.point({"to", "m", "centre of the other end"}),
                            in.number({"radius", "m", "radius"}, Range::positive()),
                            in.number_or({"inner_radius", "m", "of a tube"}, 0, Range::non_negative()), Mass::parse(in)};
    if (!(norm(body.to - body.from) > 1e-9)) in.complain("to", "an end at the place of the other", "ends at least 1e-9 m apart");
    if (!(body.inner < body.radius)) in.complain("inner_radius", "a bore as wide as the cylinder", "less than the radius");
    return body;
  }
  [[nodiscard]] BodyProperties properties() const {
    const Vec3 along = to - from, a = normalized(along);
    const double L2 = dot(along, along), squares = radius * radius + inner * inner;
    const double m = mass.of(std::numbers::pi * (radius * radius - inner * inner) * std::sqrt(L2));
    const double axial = m * squares / 2, across = m * (3 * squares + L2) / 12, d = axial - across;
    return {m,
            0.5 * (from + to),
            {across + d * a.x * a.x, across + d * a.y * a.y, across + d * a.z * a.z, d * a.x * a.y, d * a.x * a.z, d * a.y * a.z},
            {Shape::between(Shape::Kind::cylinder, from, to, radius, inner)}};
  }
};

}  // namespace arthron
