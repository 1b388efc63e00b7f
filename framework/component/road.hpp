#pragma once
#include <optional>

#include "arthron/component/expression.hpp"
#include "arthron/spatial/placement.hpp"

namespace arthron {

/// The world's ground as a surface z = height(x, y, t) in world coordinates, for tyres and contacts; flat at z = 0 by default. Forces meet
/// it in the frame they are drawn in.
/// Slopes are exact (automatic differentiation). Immutable; allocates nothing after construction.
class Road {
 public:
  /// Tangent plane of the surface.
  struct Plane {
    Vec3 point, normal;  // unit normal, upward
    double speed;        // of the surface along its normal [m/s]
  };

  Road() = default;
  /// `height` has the variables x, y, t.
  explicit Road(const Expression& height);

  /// The same surface in the frame of a drawing that `placement` lays into the world.
  [[nodiscard]] Road seen_from(const Placement& placement) const;

  /// Plane at the point of the surface straight below or above p.
  [[nodiscard]] Plane below(const Vec3& p, double t) const;
  /// Plane at the point of the surface nearest to p, found by a few projections: good where the surface curves less than the distance.
  [[nodiscard]] Plane nearest(const Vec3& p, double t) const;
  /// True when the height is one number everywhere and at all times.
  [[nodiscard]] bool is_flat() const { return !height_; }

 private:
  [[nodiscard]] Plane below_in_world(const Vec3& p, double t) const;

  std::optional<Placement> placement_;  // of the frame that points and planes are given in; the world's without
  double level_ = 0;                    // of a flat road
  std::optional<Expression> height_;    // else
};

/// Height of p above the plane, along its normal.
inline double height_above(const Road::Plane& plane, const Vec3& p) { return dot(plane.normal, p - plane.point); }

}  // namespace arthron
