#pragma once
#include <optional>

#include "arthron/component/expression.hpp"
#include "arthron/spatial/placement.hpp"

namespace arthron {

/// Tangent plane of a surface.
template <class T>
struct RoadPlane {
  Vector3<T> point, normal;  // unit normal, upward
  Vector3<T> velocity;       // of the point of the surface: d(height)/dt along the world's z [m/s]
};

/// The world's ground as a surface z = height(x, y, t) in world coordinates, for tyres and contacts; flat at z = 0 by default. Forces meet
/// it in the frame they are drawn in. With t it moves up and down, and its points do nothing else: none moves along x or y.
/// Slopes and curvatures are exact (automatic differentiation). Immutable; allocates nothing after construction.
class Road {
 public:
  using Plane = RoadPlane<double>;

  Road() = default;
  /// `height` has the variables x, y, t.
  explicit Road(const Expression& height);

  /// The same surface in the frame of a drawing that `placement` lays into the world.
  [[nodiscard]] Road seen_from(const Placement& placement) const;

  /// Plane at the point of the surface straight below or above p.
  [[nodiscard]] Plane below(const Vec3& p, double t) const;
  /// Plane at the point of the surface nearest to p, to rounding. Its distance from p has the plane's normal as its gradient, so that
  /// a force along the normal that depends on the distance has a potential. Where the surface curves as sharply as a sphere that lies in
  /// it, several points may be nearer than those around them: the one that is found by going downhill from the point below p.
  [[nodiscard]] Plane nearest(const Vec3& p, double t) const;
  /// The same among the points of the surface in the plane through p across the unit vector `axis`. The gradient of the distance over p is
  /// the normal over sin(angle of axis and normal). The plane below p where that angle is nearly zero.
  [[nodiscard]] Plane nearest_across(const Vec3& axis, const Vec3& p, double t) const;
  /// True when the height is one number everywhere and at all times.
  [[nodiscard]] bool is_flat() const { return !height_; }
  /// Its height over the world's x, y and t, where it is not flat, and what seen_from was told.
  [[nodiscard]] const std::optional<Expression>& height() const { return height_; }
  [[nodiscard]] const std::optional<Placement>& placement() const { return placement_; }

 private:
  [[nodiscard]] Plane below_in_world(const Vec3& p, double t) const;
  [[nodiscard]] Plane nearest_in_world(const Vec3& p, const Vec3* axis, double t) const;
  [[nodiscard]] Plane seen_back(const Plane& plane) const;

  std::optional<Placement> placement_;  // of the frame that points and planes are given in; the world's without
  double level_ = 0;                    // of a flat road
  std::optional<Expression> height_;    // else
};

/// Height of p above the plane, along its normal.
template <class T>
T height_above(const RoadPlane<T>& plane, const Vector3<T>& p) {
  return dot(plane.normal, p - plane.point);
}

}  // namespace arthron
