#pragma once
#include "arthron/component/joint.hpp"

namespace arthron {

/// The file's x axis, or its y axis where x is nearly along `axis`: a direction to be laid across the axis where the user gave none.
inline Vec3 default_direction(const Vec3& axis) { return std::abs(axis.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}; }

/// Two unit vectors that make a right-handed frame with the unit vector `axis` as the third; the first is the default direction.
inline std::array<Vec3, 2> directions_across(const Vec3& axis) {
  const Vec3 wish = default_direction(axis), across = wish - dot(wish, axis) * axis;
  const Vec3 first = normalized(across);
  return {first, cross(axis, first)};
}

/// Directions of a plane fixed in the parent: ex, ey, normal are right-handed unit vectors.
struct PlaneAxes {
  Vec3 ex, ey, normal;

  static PlaneAxes parse(const JsonReader& in) {
    const Vec3 normal = in.unit_vector({"normal", "", "normal of the plane"});
    const Vec3 wish = in.unit_vector_or({"x_axis", "", "first direction, projected onto the plane"}, default_direction(normal));
    const Vec3 in_plane = wish - dot(wish, normal) * normal;
    if (norm(in_plane) < 1e-3) in.complain("x_axis", "a direction along the normal", "a direction in the plane");
    const Vec3 ex = (1 / std::max(norm(in_plane), 1e-3)) * in_plane;
    return {ex, cross(normal, ex), normal};
  }
  friend bool operator==(const PlaneAxes&, const PlaneAxes&) = default;
};

}  // namespace arthron
