#pragma once
#include "arthron/component/body.hpp"
#include "arthron/components/bodies/mass.hpp"

namespace arthron {

/// Homogeneous box with edges a, b, c along the axes of the body's frame.
///   Ixx = m (b^2 + c^2) / 12   [kg m^2], and so on
struct BoxBody {
  static constexpr std::string_view type = "box";
  std::vector<double> size;  // edges [m]
  Vec3 com;
  Mass mass;

  static BoxBody parse(const JsonReader& in) {
    return {in.numbers({"size", "m", "edges along x, y and z"}, 3, Range::positive(), true), in.point_or({"com", "m", "its centre"}, {}),
            Mass::parse(in)};
  }
  [[nodiscard]] BodyProperties properties() const {
    const double a = size[0], b = size[1], c = size[2], m = mass.of(a * b * c), k = m / 12;
    return {
        m, com, {k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0}, {Shape::box({a, b, c}, {Mat3::identity(), com})}};
  }
};

}  // namespace arthron
