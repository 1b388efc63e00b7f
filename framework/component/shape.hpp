#pragma once
#include <string>

#include "arthron/spatial/pose.hpp"

namespace arthron {

/// A solid that is drawn for a body. Nothing that is computed depends on it.
struct Shape {
  enum class Kind { box, cylinder, capsule, sphere, mesh };
  Kind kind = Kind::sphere;
  Pose<double> pose{};      // its centre and axes; cylinders and capsules lie along z
  Vec3 edges{};             // of a box [m]
  double radius = 0;        // [m]
  double inner_radius = 0;  // of a cylinder with a bore [m]
  double length = 0;        // of a cylinder; between the centres of a capsule's balls [m]
  std::string file{};       // of a mesh: .stl or .obj
  double scale = 1;         // metres in a unit of that file
  bool inverted = false;    // of a mesh: its points times -1, as mirror images are
  std::string color{};      // "#rrggbb"; empty for that of the subsystem

  [[nodiscard]] static Shape box(const Vec3& edges, const Pose<double>& pose) { return {Kind::box, pose, edges}; }
  [[nodiscard]] static Shape sphere(double radius, const Vec3& centre) { return {Kind::sphere, {Mat3::identity(), centre}, {}, radius}; }
  /// A cylinder or a capsule from one centre to the other, which are apart.
  [[nodiscard]] static Shape between(Kind kind, const Vec3& from, const Vec3& to, double radius, double inner_radius = 0) {
    return {kind, {turned_to(normalized(to - from)), 0.5 * (from + to)}, {}, radius, inner_radius, norm(to - from)};
  }
  /// Some rotation that takes z to the unit vector.
  [[nodiscard]] static Mat3 turned_to(const Vec3& z) {
    const Vec3 beside = std::abs(z.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 y = normalized(cross(z, beside));
    return {cross(y, z), y, z};
  }
};

/// A shape at a handle of a force: its pose is seen from the handle's point, in the axes of the drawing.
struct HandleShape {
  int handle = 0;
  Shape shape;
};

/// What is drawn between the first two handles of a force.
enum class ForceLook { none, line, coil };

}  // namespace arthron
