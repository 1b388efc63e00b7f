#include "arthron/component/road.hpp"

#include "arthron/component/expression_surface.hpp"
#include "arthron/component/nearest_point.hpp"

namespace arthron {

Road::Road(const Expression& height) {
  if (height.is_constant())
    level_ = height.evaluate<double>(nullptr);
  else
    height_ = height;
}

Road Road::seen_from(const Placement& placement) const {
  Road road = *this;
  road.placement_ = placement;
  return road;
}

Road::Plane Road::seen_back(const Plane& plane) const {
  return {placement_->point_back(plane.point), placement_->polar_back(plane.normal), placement_->polar_back(plane.velocity)};
}

Road::Plane Road::below(const Vec3& p, double t) const {
  if (!placement_) return below_in_world(p, t);
  return seen_back(below_in_world(placement_->point(p), t));
}

Road::Plane Road::below_in_world(const Vec3& p, double t) const {
  if (!height_) return {{p.x, p.y, level_}, {0, 0, 1}, {}};
  const ExpressionSurface<double> surface{*height_};
  return NearestPoint<double, ExpressionSurface<double>>(surface, p, nullptr, t).plane();
}

Road::Plane Road::nearest_in_world(const Vec3& p, const Vec3* axis, double t) const {
  const ExpressionSurface<double> surface{*height_};
  NearestPoint<double, ExpressionSurface<double>> search(surface, p, axis, t);
  search.find();
  return search.plane();
}

Road::Plane Road::nearest(const Vec3& p, double t) const {
  if (is_flat()) return below(p, t);
  if (!placement_) return nearest_in_world(p, nullptr, t);
  return seen_back(nearest_in_world(placement_->point(p), nullptr, t));
}

Road::Plane Road::nearest_across(const Vec3& axis, const Vec3& p, double t) const {
  if (is_flat()) return below(p, t);
  if (!placement_) return nearest_in_world(p, &axis, t);
  const Vec3 turned = placement_->polar(axis);
  return seen_back(nearest_in_world(placement_->point(p), &turned, t));
}

}  // namespace arthron
