#pragma once
#include <limits>

#include "arthron/component/road.hpp"
#include "arthron/spatial/curved.hpp"
#include "arthron/spatial/lane_functions.hpp"

namespace arthron {

/// Newton's method for the point q = (x, y, h) of a surface nearest to c, with r = q - c and the tangents T = dq/d(x, y):
///   T^T (r + mu axis) = 0   and, with an axis,   axis . r = 0      Hessian  T^T T + (r + mu axis)_z h''
/// A Hessian that is not positive (q is no minimum yet, or h'' is not finite) is replaced by T^T T, whose step leads to the foot on the
/// tangent plane. Steps are shortened until the distance falls. On lanes each of them has steps of its own: one that has arrived stays
/// where it is, to the last bit. `Surface`: at(x, y, t) gives the height as a Curved<T>.
template <class T, class Surface>
class NearestPoint {
 public:
  NearestPoint(const Surface& surface, const Vector3<T>& c, const Vector3<T>* axis, const T& t)
      : surface_(surface), c_(c), axis_(axis), t_(t), x_(c.x), y_(c.y) {
    look();
  }

  void find() {
    constexpr int most_steps = 50;
    // Errors are squared by a step: the one behind this is below rounding.
    constexpr double last = 1e-10, rounding = 4 * std::numeric_limits<double>::epsilon();
    Mask going(true);
    for (int i = 0; i < most_steps; ++i) {
      going = going && choose_step();
      if (nowhere(going)) return;
      const T length = size(step_x_, step_y_), least = rounding * (abs(x_) + abs(y_));
      if constexpr (!carries_derivatives) going = going && length > least;
      if (nowhere(going)) return;
      going = walk(going, going && length > last * norm(r_) + least);
    }
  }
  /// The tangent plane at the point where it is.
  [[nodiscard]] RoadPlane<T> plane() const {
    using std::sqrt;
    const T scale = T(1.0) / sqrt(1.0 + at_.x * at_.x + at_.y * at_.y);
    return {{x_, y_, at_.value}, {-(scale * at_.x), -(scale * at_.y), scale}, {T(0.0), T(0.0), surface_.rate(x_, y_, t_)}};
  }

 private:
  using Mask = Condition<T>;
  /// Their derivatives take the last step, too.
  static constexpr bool carries_derivatives = !std::is_same_v<T, double> && !std::is_same_v<T, Lanes>;

  static T abs(const T& a) {
    using arthron::abs, std::abs;
    return abs(a);
  }
  static T size(const T& a, const T& b) {
    using std::sqrt;
    const T squared = a * a + b * b;
    if constexpr (carries_derivatives)
      if (!(squared > 0.0)) return T(0.0);
    return sqrt(squared);
  }

  void look() {
    at_ = surface_.at(x_, y_, t_);
    r_ = {x_ - c_.x, y_ - c_.y, at_.value - c_.z};
  }
  /// What steps must bring down. Being off the plane weighs more than its multiplier: so it never pays.
  [[nodiscard]] T merit() const {
    T sum = 0.5 * dot(r_, r_);
    if (axis_) sum += weight_ * abs(dot(*axis_, r_));
    return sum;
  }

  /// False where the axis stands on the surface.
  Mask choose_step() {
    const T g_x = r_.x + r_.z * at_.x, g_y = r_.y + r_.z * at_.y;
    if (axis_) return step_across(g_x, g_y);
    step_anywhere(g_x, g_y);
    return Mask(true);
  }
  void step_anywhere(const T& g_x, const T& g_y) {
    T xx = 1.0 + at_.x * at_.x, xy = at_.x * at_.y, yy = 1.0 + at_.y * at_.y;
    const T full_xx = xx + r_.z * at_.xx, full_xy = xy + r_.z * at_.xy, full_yy = yy + r_.z * at_.yy;
    const Mask full = full_xx > T(0.0) && full_xx * full_yy - full_xy * full_xy > T(0.0);
    xx = select(full, full_xx, xx), xy = select(full, full_xy, xy), yy = select(full, full_yy, yy);
    const T determinant = xx * yy - xy * xy;
    step_x_ = -(yy * g_x - xy * g_y) / determinant, step_y_ = -(xx * g_y - xy * g_x) / determinant;
  }
  /// A part along B = T^T axis that brings q into the plane, and one across B that shortens r.
  Mask step_across(const T& g_x, const T& g_y) {
    constexpr double standing = 1e-6;
    const T B_x = axis_->x + axis_->z * at_.x, B_y = axis_->y + axis_->z * at_.y, B = size(B_x, B_y), B_inverse = T(1.0) / B;
    const T m_x = B_x * B_inverse, m_y = B_y * B_inverse, d_x = -m_y, d_y = m_x;
    const T mu = -(m_x * g_x + m_y * g_y) * B_inverse, bent = r_.z + mu * axis_->z;
    const T slope_d = d_x * at_.x + d_y * at_.y, slope_m = m_x * at_.x + m_y * at_.y;
    T dd = 1.0 + slope_d * slope_d, dm = slope_d * slope_m;
    const T full = dd + bent * (d_x * d_x * at_.xx + 2.0 * (d_x * d_y * at_.xy) + d_y * d_y * at_.yy);
    const T full_dm = dm + bent * (d_x * m_x * at_.xx + (d_x * m_y + d_y * m_x) * at_.xy + d_y * m_y * at_.yy);
    dd = select(full > T(0.0), full, dd), dm = select(full > T(0.0), full_dm, dm);
    const T along = -(dot(*axis_, r_) * B_inverse), across = -(d_x * g_x + d_y * g_y + along * dm) / dd;
    step_x_ = along * m_x + across * d_x, step_y_ = along * m_y + across * d_y;
    const T mu_behind = mu - (along * (1.0 + slope_m * slope_m) + across * dm) * B_inverse;
    weight_ = 2.0 * (abs(mu) + abs(mu_behind));
    return B > T(standing);
  }

  /// Takes the step where `going` holds, or a part of it where `on` does, until it leads down; tells where there is a way to go on.
  Mask walk(const Mask& going, const Mask& on) {
    constexpr double slack = 1e-10;
    constexpr int halvings = 20;
    const T x = x_, y = y_, before = merit();
    x_ = select(going, x + step_x_, x), y_ = select(going, y + step_y_, y);
    look();
    Mask up = on && !(merit() <= (1.0 + slack) * before);
    double part = 0.5;
    for (int i = 1; i < halvings && !nowhere(up); ++i, part /= 2) {
      x_ = select(up, x + part * step_x_, x_), y_ = select(up, y + part * step_y_, y_);
      look();
      up = up && !(merit() <= (1.0 + slack) * before);
    }
    if (!nowhere(up)) {
      x_ = select(up, x, x_), y_ = select(up, y, y_);
      look();
    }
    return on && !up;
  }

  const Surface& surface_;
  const Vector3<T> c_;
  const Vector3<T>* axis_;
  const T t_;
  T x_, y_, step_x_{}, step_y_{}, weight_{};
  Curved<T> at_;
  Vector3<T> r_;
};

}  // namespace arthron
