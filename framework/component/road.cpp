#include "arthron/component/road.hpp"

#include <boost/math/differentiation/autodiff.hpp>

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

Road::Plane Road::below(const Vec3& p, double t) const {
  if (!placement_) return below_in_world(p, t);
  const Plane plane = below_in_world(placement_->point(p), t);
  return {placement_->point_back(plane.point), placement_->polar_back(plane.normal), plane.speed};
}

Road::Plane Road::below_in_world(const Vec3& p, double t) const {
  if (!height_) return {{p.x, p.y, level_}, {0, 0, 1}, 0};
  using boost::math::differentiation::make_fvar;
  using Dual = decltype(make_fvar<double, 1>(0.0));
  const double at[] = {p.x, p.y, t};
  double slope[3], height = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    Dual variables[] = {Dual(at[0]), Dual(at[1]), Dual(at[2])};
    variables[i] = make_fvar<double, 1>(at[i]);
    const Dual result = height_->evaluate(variables);
    height = result.derivative(0), slope[i] = result.derivative(1);
  }
  const double scale = 1 / std::sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  return {{p.x, p.y, height}, {-scale * slope[0], -scale * slope[1], scale}, scale * slope[2]};
}

Road::Plane Road::nearest(const Vec3& p, double t) const {
  Plane plane = below(p, t);
  if (is_flat()) return plane;
  for (int i = 0; i < 4; ++i) plane = below(p - height_above(plane, p) * plane.normal, t);
  return plane;
}

}  // namespace arthron
