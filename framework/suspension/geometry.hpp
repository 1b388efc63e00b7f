#pragma once
#include <optional>

#include "arthron/suspension/rig.hpp"

/// The quantities of suspension geometry from positions and velocities alone, whatever the linkage. Signs: s = +1 left, -1 right, a the
/// spin axis outboard, k the steering axis upward, CP the lowest point of the wheel's circle, G where k meets the road at the height of CP.
/// Angles in rad, lengths in m.
namespace arthron {

/// Axis of the screw that the upright makes when the rack moves while the wheel's first spring keeps its length (while the wheel centre
/// keeps its height, where there is no spring). Of an upright on two ball joints it goes through both.
struct SteeringAxis {
  Vec3 point, direction;
  double caster = 0;               // atan2(-k_x, k_z): top rearward
  double kingpin_inclination = 0;  // atan2(-s k_y, k_z): top inboard
  double scrub_radius = 0;         // G inboard of CP, across the wheel's heading
  double mechanical_trail = 0;     // G ahead of CP, along it
  double steer_rate = 0;           // of the steer angle (positive to the left) over rack travel, at constant height [rad/m]
};

struct WheelSpring {
  double length = 0;        // [m]
  double motion_ratio = 0;  // compression per wheel travel [1]
};

/// A wheel at one position; slopes are over its own travel, in a motion of both wheels; those of a wheel that is held over the travel of
/// the other, and ratios of its own rise are NaN.
struct WheelGeometry {
  Vec3 centre, contact;
  double camber = 0;             // asin(-a_z), inclination of the wheel's plane to the vertical (ISO 8855): top outward
  double front_view_camber = 0;  // atan2(-a_z, s a_y), what is seen of it from the front
  double toe = 0;                // atan2(a_x, s a_y): toe-in
  double camber_slope = 0;       // bump camber [rad/m]
  double toe_slope = 0;          // bump steer [rad/m]
  double lateral_slope = 0;      // CP outward per travel: half the change of track [1]
  double brake_slope = 0;        // CP of the braked wheel forward per travel: tan of the line to the side-view instant centre [1]
  double drive_slope = 0;        // the same of the wheel centre [1]
  double force = 0;              // vertical, of springs, stops and bushings [N]
  std::optional<SteeringAxis> steering;
  std::vector<WheelSpring> springs;

  /// Positive to the left.
  [[nodiscard]] double steer(int side) const { return -side * toe; }
};

/// How both wheel centres move: (1, 1) in parallel, (1, -1) in opposite bump, (1, 0) of the left wheel alone.
struct BumpDirection {
  double left = 1, right = 1;
  [[nodiscard]] double of(int side) const { return side > 0 ? left : right; }
  /// What slopes of a wheel are over: its own travel, or that of the other while it is held.
  [[nodiscard]] double per(int side) const { return of(side) != 0 ? of(side) : of(-side); }
};

[[nodiscard]] WheelGeometry wheel_geometry(const WheelSight& wheel, const BumpDirection& direction, bool steers, double wheel_radius);

/// Rates of a wheel that moves with a twist at its centre: of its centre and of CP [m], of its angles [rad].
struct WheelMotion {
  Vec3 centre, contact;
  double camber = 0, toe = 0;
};
[[nodiscard]] WheelMotion wheel_motion(const WheelSight& wheel, const Spatial6& twist, double wheel_radius);

/// Where the lines from CP to the front-view instant centre of both wheels meet, when they move oppositely: y from the middle of the
/// vehicle, z above the mean height of both CP; NaN where they are parallel.
struct RollCentre {
  double y = 0, z = 0;
};
[[nodiscard]] RollCentre roll_centre(const std::array<WheelSight, 2>& wheels, double wheel_radius);

}  // namespace arthron
