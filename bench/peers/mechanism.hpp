#pragma once
#include <array>
#include <cstddef>
#include <vector>

/// A system in the terms that all engines share, so that each builds the same. Gravity is the only load. Design position, world axes; a
/// link's frame is parallel to the world there, its origin where its tree joint is. Plain C++17: Simbody's headers are no C++20.
namespace arthron::peers {

using Vector = std::array<double, 3>;
using Matrix = std::array<double, 9>;  // by rows

inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector along(const Vector& a, double s, const Vector& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }
inline double product(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

enum class JointKind { revolute, prismatic, spherical, free, distance };

struct Link {
  static constexpr int ground = -1;
  int parent = ground;
  JointKind joint{};
  Vector at{}, axis{};
  double mass = 0;
  Vector com{};                     // in the world
  std::array<double, 6> inertia{};  // about the com: xx, yy, zz, xy, xz, yz
};

/// A cut joint between links a and b; of a `distance` joint the ends of its rod differ.
struct LoopJoint {
  JointKind joint{};
  int a = Link::ground, b = Link::ground;
  Vector at_a{}, at_b{}, axis{};
};

/// Coordinate of the joint of link `driven` = ratio * that of link `driver`.
struct Gear {
  int driven = 0, driver = 0;
  double ratio = 0;
};

struct Mechanism {
  Vector gravity{};
  std::vector<Link> links;  // parents before children
  std::vector<LoopJoint> loops;
  std::vector<Gear> gears;

  [[nodiscard]] const Link& link(int i) const { return links[i]; }
  /// A point of the design position in a link's frame.
  [[nodiscard]] Vector in_link(int i, const Vector& point) const { return i == Link::ground ? point : point - link(i).at; }
};

/// Pose and velocity of a link's frame B in its tree parent's P, P's axes.
struct LinkMotion {
  Matrix R_PB{};
  Vector p_PB{}, v_PB{}, w_PB{};
};
using Motion = std::vector<LinkMotion>;  // per link

/// Acceleration of the origin of a link's frame and of its rotation, world axes.
struct Acceleration {
  Vector linear{}, angular{};
};

}  // namespace arthron::peers
