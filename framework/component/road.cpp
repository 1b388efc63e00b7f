#include "arthron/component/road.hpp"

#include <limits>

#include "arthron/spatial/dual.hpp"

namespace arthron {
namespace {

/// Height of the surface over a point with its first and second derivatives.
struct Shape2 {
  double h, x, y, xx, xy, yy;
};

Shape2 shape_at(const Expression& height, double x, double y, double t) {
  using Slope = Dual<double, 2>;
  using Bend = Dual<Slope, 2>;
  const auto variable = [](double value, std::size_t i) {
    Slope slope(value);
    slope.d[i] = 1;
    Bend bend(slope);
    bend.d[i] = Slope(1.0);
    return bend;
  };
  const Bend at[] = {variable(x, 0), variable(y, 1), Bend(t)};
  const Bend h = height.evaluate(at);
  return {h.value.value, h.d[0].value, h.d[1].value, h.d[0].d[0], h.d[0].d[1], h.d[1].d[1]};
}

/// Newton's method for the point q = (x, y, h) of the surface nearest to c, with r = q - c and the tangents T = dq/d(x, y):
///   T^T (r + mu axis) = 0   and, with an axis,   axis . r = 0      Hessian  T^T T + (r + mu axis)_z h''
/// A Hessian that is not positive (q is no minimum yet, or h'' is not finite) is replaced by T^T T, whose step leads to the foot on the
/// tangent plane. Steps are shortened until the distance falls.
class NearestPoint {
 public:
  NearestPoint(const Expression& height, const Vec3& c, const Vec3* axis, double t) : height_(height), c_(c), axis_(axis), t_(t) {
    look(c.x, c.y);
  }

  void find() {
    constexpr int most_steps = 50;
    // Errors are squared by a step: the one behind this is below rounding.
    constexpr double last = 1e-10, rounding = 4 * std::numeric_limits<double>::epsilon();
    for (int i = 0; i < most_steps && choose_step(); ++i) {
      const double length = std::hypot(step_x_, step_y_);
      if (!(length > last * norm(r_) + rounding * (std::abs(x_) + std::abs(y_)))) return look(x_ + step_x_, y_ + step_y_);
      if (!walk()) return;
    }
  }
  [[nodiscard]] Vec3 point() const { return c_ + r_; }

 private:
  void look(double x, double y) {
    x_ = x, y_ = y;
    at_ = shape_at(height_, x, y, t_);
    r_ = {x - c_.x, y - c_.y, at_.h - c_.z};
  }
  /// What steps must bring down. Being off the plane weighs more than its multiplier: so it never pays.
  [[nodiscard]] double merit() const { return dot(r_, r_) / 2 + (axis_ ? weight_ * std::abs(dot(*axis_, r_)) : 0); }

  /// False where the axis stands on the surface.
  bool choose_step() {
    const double g_x = r_.x + r_.z * at_.x, g_y = r_.y + r_.z * at_.y;
    return axis_ ? step_across(g_x, g_y) : step_anywhere(g_x, g_y);
  }
  bool step_anywhere(double g_x, double g_y) {
    double xx = 1 + at_.x * at_.x, xy = at_.x * at_.y, yy = 1 + at_.y * at_.y;
    const double full_xx = xx + r_.z * at_.xx, full_xy = xy + r_.z * at_.xy, full_yy = yy + r_.z * at_.yy;
    if (full_xx > 0 && full_xx * full_yy - full_xy * full_xy > 0) xx = full_xx, xy = full_xy, yy = full_yy;
    const double determinant = xx * yy - xy * xy;
    step_x_ = -(yy * g_x - xy * g_y) / determinant, step_y_ = -(xx * g_y - xy * g_x) / determinant;
    return true;
  }
  /// A part along B = T^T axis that brings q into the plane, and one across B that shortens r.
  bool step_across(double g_x, double g_y) {
    constexpr double standing = 1e-6;
    const double B_x = axis_->x + axis_->z * at_.x, B_y = axis_->y + axis_->z * at_.y, B = std::hypot(B_x, B_y);
    if (!(B > standing)) return false;
    const double m_x = B_x / B, m_y = B_y / B, d_x = -m_y, d_y = m_x;
    const double mu = -(m_x * g_x + m_y * g_y) / B, bent = r_.z + mu * axis_->z;
    const double slope_d = d_x * at_.x + d_y * at_.y, slope_m = m_x * at_.x + m_y * at_.y;
    double dd = 1 + slope_d * slope_d, dm = slope_d * slope_m;
    const double full = dd + bent * (d_x * d_x * at_.xx + 2 * d_x * d_y * at_.xy + d_y * d_y * at_.yy);
    if (full > 0) dd = full, dm += bent * (d_x * m_x * at_.xx + (d_x * m_y + d_y * m_x) * at_.xy + d_y * m_y * at_.yy);
    const double along = -dot(*axis_, r_) / B, across = -(d_x * g_x + d_y * g_y + along * dm) / dd;
    step_x_ = along * m_x + across * d_x, step_y_ = along * m_y + across * d_y;
    const double mu_behind = mu - (along * (1 + slope_m * slope_m) + across * dm) / B;
    weight_ = 2 * (std::abs(mu) + std::abs(mu_behind));
    return true;
  }

  /// Takes the step, or a part of it; false where no part leads down.
  bool walk() {
    constexpr double slack = 1e-10;
    constexpr int halvings = 20;
    const double x = x_, y = y_, before = merit();
    double part = 1;
    for (int i = 0; i < halvings; ++i, part /= 2) {
      look(x + part * step_x_, y + part * step_y_);
      if (merit() <= (1 + slack) * before) return true;
    }
    look(x, y);
    return false;
  }

  const Expression& height_;
  const Vec3 c_;
  const Vec3* axis_;
  const double t_;
  double x_ = 0, y_ = 0, step_x_ = 0, step_y_ = 0, weight_ = 0;
  Shape2 at_{};
  Vec3 r_;
};

}  // namespace

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
  using Slope = Dual<double, 3>;
  Slope at[] = {Slope(p.x), Slope(p.y), Slope(t)};
  for (std::size_t i = 0; i < 3; ++i) at[i].d[i] = 1;
  const Slope h = height_->evaluate(at);
  const double scale = 1 / std::sqrt(1 + h.d[0] * h.d[0] + h.d[1] * h.d[1]);
  return {{p.x, p.y, h.value}, {-scale * h.d[0], -scale * h.d[1], scale}, {0, 0, h.d[2]}};
}

Road::Plane Road::nearest_in_world(const Vec3& p, const Vec3* axis, double t) const {
  NearestPoint search(*height_, p, axis, t);
  search.find();
  return below_in_world(search.point(), t);
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
