#include "arthron/suspension/geometry.hpp"

#include <cmath>
#include <limits>

namespace arthron {
namespace {

constexpr Vec3 up{0, 0, 1};

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

/// Derivative of atan2(y, x).
double angle_rate(double y, double x, double y_rate, double x_rate) { return (x * y_rate - y * x_rate) / (x * x + y * y); }

double toe_rate(const WheelSight& wheel, const Vec3& axis_rate) {
  return angle_rate(wheel.axis.x, wheel.side * wheel.axis.y, axis_rate.x, wheel.side * axis_rate.y);
}

double camber_rate(const WheelSight& wheel, const Vec3& axis_rate) { return -axis_rate.z / std::hypot(wheel.axis.x, wheel.axis.y); }

/// Motion of the upright when both wheels move as `direction` says, per unit of the travel that slopes are over.
Spatial6 bump_twist(const WheelSight& wheel, const BumpDirection& direction) {
  const double own = direction.per(wheel.side);
  return (direction.left / own) * wheel.twist[0] + (direction.right / own) * wheel.twist[1];
}

std::optional<SteeringAxis> steering_axis(const WheelSight& wheel, const Vec3& contact) {
  constexpr double steers = 1e-6;  // a rack that turns the upright less does not steer [rad/m]
  const size_t own = wheel.side > 0 ? 0 : 1, rack = 2;
  Spatial6 twist = wheel.twist[rack];
  SteeringAxis axis;
  axis.steer_rate = -wheel.side * toe_rate(wheel, cross(twist.angular, wheel.axis));
  if (!wheel.springs.empty() && wheel.springs[0].rate[own] != 0)
    twist -= (wheel.springs[0].rate[rack] / wheel.springs[0].rate[own]) * wheel.twist[own];
  const double turning = norm(twist.angular);
  if (!(turning > steers)) return {};
  const Vec3 k = ((twist.angular.z < 0 ? -1 : 1) / turning) * twist.angular;
  axis.direction = k;
  axis.point = wheel.centre + (1 / (turning * turning)) * cross(twist.angular, twist.linear);
  axis.caster = std::atan2(-k.x, k.z);
  axis.kingpin_inclination = std::atan2(-wheel.side * k.y, k.z);
  const Vec3 G = axis.point + ((contact.z - axis.point.z) / k.z) * k;
  const Vec3 outward = unit({wheel.axis.x, wheel.axis.y, 0}), heading = static_cast<double>(wheel.side) * cross(outward, up);
  axis.scrub_radius = dot(contact - G, outward);
  axis.mechanical_trail = dot(G - contact, heading);
  return axis;
}

}  // namespace

WheelGeometry wheel_geometry(const WheelSight& wheel, const BumpDirection& direction, bool steers, double wheel_radius) {
  const Vec3& a = wheel.axis;
  const Spatial6 twist = bump_twist(wheel, direction);
  const Vec3 arm = to_contact(wheel.axis, wheel_radius), axis_rate = cross(twist.angular, a);
  const Vec3 contact_velocity = velocity_at(twist, arm).linear;
  WheelGeometry out;
  out.centre = wheel.centre;
  out.contact = wheel.centre + arm;
  out.camber = std::atan2(-a.z, std::hypot(a.x, a.y));
  out.front_view_camber = std::atan2(-a.z, wheel.side * a.y);
  out.toe = std::atan2(a.x, wheel.side * a.y);
  out.camber_slope = camber_rate(wheel, axis_rate);
  out.toe_slope = toe_rate(wheel, axis_rate);
  const bool held = direction.of(wheel.side) == 0;
  const auto per_rise = [&](double rate, double rise) { return held ? std::numeric_limits<double>::quiet_NaN() : rate / rise; };
  out.lateral_slope = per_rise(wheel.side * contact_velocity.y, contact_velocity.z);
  out.brake_slope = per_rise(contact_velocity.x, contact_velocity.z);
  out.drive_slope = per_rise(twist.linear.x, twist.linear.z);
  out.force = wheel.force;
  if (steers) out.steering = steering_axis(wheel, out.contact);
  for (const SpringSight& spring : wheel.springs) {
    const double own = direction.per(wheel.side);
    out.springs.push_back({spring.length, -(direction.left * spring.rate[0] + direction.right * spring.rate[1]) / own});
  }
  return out;
}

WheelMotion wheel_motion(const WheelSight& wheel, const Spatial6& twist, double wheel_radius) {
  const Vec3& a = wheel.axis;
  const Vec3 axis_rate = cross(twist.angular, a), down = a.z * a - up, down_rate = axis_rate.z * a + a.z * axis_rate;
  const Vec3 arm_rate = (wheel_radius / norm(down)) * (down_rate - dot(unit(down), down_rate) * unit(down));
  return {twist.linear, twist.linear + arm_rate, camber_rate(wheel, axis_rate), toe_rate(wheel, axis_rate)};
}

RollCentre roll_centre(const std::array<WheelSight, 2>& wheels, double wheel_radius) {
  // The line from CP across its velocity:  z = z_CP - (v_y / v_z) (y - y_CP).
  double slope[2], y[2], z[2];
  for (size_t i = 0; i < 2; ++i) {
    const Vec3 arm = to_contact(wheels[i].axis, wheel_radius);
    const Vec3 v = velocity_at(bump_twist(wheels[i], {1, -1}), arm).linear;
    slope[i] = -v.y / v.z;
    y[i] = wheels[i].centre.y + arm.y, z[i] = wheels[i].centre.z + arm.z;
  }
  constexpr double parallel = 1e-12;
  if (std::abs(slope[0] - slope[1]) < parallel) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // Both lines along the road: a symmetric axle whose wheels move straight up rolls about the road itself.
    return std::abs(slope[0]) < parallel && std::abs(z[0] - z[1]) < parallel ? RollCentre{(y[0] + y[1]) / 2, 0} : RollCentre{nan, nan};
  }
  const double at = (z[1] - z[0] + slope[0] * y[0] - slope[1] * y[1]) / (slope[0] - slope[1]);
  return {at, z[0] + slope[0] * (at - y[0]) - (z[0] + z[1]) / 2};
}

}  // namespace arthron
