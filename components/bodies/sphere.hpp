#pragma once
#include <numbers>

#include "arthron/component/body.hpp"
#include "arthron/components/bodies/mass.hpp"

namespace arthron {

/// Homogeneous ball.  I = 2/5 m r^2   [kg m^2]
struct SphereBody {
  static constexpr std::string_view type = "sphere";
  double radius;  // [m]
  Vec3 com;
  Mass mass;

  static SphereBody parse(const JsonReader& in) {
    return {in.number({"radius", "m", "radius"}, Range::positive()), in.point_or({"com", "m", "its centre"}, {}), Mass::parse(in)};
  }
  [[nodiscard]] BodyProperties properties() const {
    const double m = mass.of(4.0 / 3 * std::numbers::pi * radius * radius * radius), I = 0.4 * m * radius * radius;
    return {m, com, {I, I, I, 0, 0, 0}, {Shape::sphere(radius, com)}};
  }
};

}  // namespace arthron
