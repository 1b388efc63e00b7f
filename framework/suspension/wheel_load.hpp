#pragma once
#include <array>
#include <memory>

#include "arthron/model/model.hpp"

namespace arthron {

/// Load on a wheel besides the vertical one that holds its height, world axes.
struct WheelLoad {
  Spatial6 at_contact;  // force and torque on the wheel, its hub locked, at the centre of contact [N, N m]
  Spatial6 at_centre;   // at the wheel centre
};
inline WheelLoad operator-(const WheelLoad& a, const WheelLoad& b) { return {a.at_contact - b.at_contact, a.at_centre - b.at_centre}; }
inline WheelLoad operator*(double s, const WheelLoad& load) { return {s * load.at_contact, s * load.at_centre}; }

inline constexpr const char* side_names[] = {"left", "right"};
/// Of the left and the right wheel.
using AxleLoad = std::array<WheelLoad, 2>;
inline AxleLoad operator*(double s, const AxleLoad& load) { return {s * load[0], s * load[1]}; }

/// From the centre of a wheel with unit spin axis `axis` to the lowest point of its circle.
[[nodiscard]] Vec3 to_contact(const Vec3& axis, double radius);

/// A load that the rig can change after the model is compiled: `value` at time 0, growing by `rate` a second.
struct RigLoad {
  WheelLoad value, rate;
  double wheel_radius = 0;  // [m]
};

/// The load as a force of the model, on the wheel centre of `body`.
[[nodiscard]] Force wheel_load_force(const std::string& path, BodyIndex body, const Vec3& centre, const Vec3& axis,
                                     std::shared_ptr<const RigLoad> load);

}  // namespace arthron
