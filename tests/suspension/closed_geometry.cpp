#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "arthron/spatial/rotation_vector.hpp"
#include "arthron/suspension/sweep.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"
#include "suspension/corner.hpp"
#include "suspension/rig.hpp"

/// The rig against a double wishbone solved from distances and planes alone, in this file. Nothing here knows of joints, bodies or loops:
/// each arm's ball runs on a circle about the arm's axis, the balls keep their distance, and the tie rod's outer end keeps its distances to
/// both balls and to the rack.
using namespace arthron;
using namespace arthron::test;

namespace {

/// A point after a turn about the line through `a` and `b`.
Vec3 turned(const Vec3& point, const Vec3& a, const Vec3& b, double angle) { return a + axis_rotation(unit(b - a), angle) * (point - a); }

/// Zero of f near `guess`: the secant method, until it moves no more.
template <class Function>
double root(const Function& f, double guess) {
  double x0 = guess, x1 = guess + 1e-3, f0 = f(x0), f1 = f(x1);
  for (int i = 0; i < 60 && f1 != f0 && x1 != x0; ++i) {
    const double x2 = x1 - f1 * (x1 - x0) / (f1 - f0);
    x0 = x1, f0 = f1, x1 = x2, f1 = f(x1);
  }
  return x1;
}

/// Where a point with given distances from three others lies, on the side of their plane that `side` says.
Vec3 trilaterated(const Vec3& a, double ra, const Vec3& b, double rb, const Vec3& c, double rc, double side) {
  const Vec3 ex = unit(b - a), ez = unit(cross(ex, c - a)), ey = cross(ez, ex);
  const double d = norm(b - a), i = dot(ex, c - a), j = dot(ey, c - a);
  const double x = (ra * ra - rb * rb + d * d) / (2 * d), y = (ra * ra - rc * rc + i * i + j * j - 2 * i * x) / (2 * j);
  return a + x * ex + y * ey + (side * std::sqrt(ra * ra - x * x - y * y)) * ez;
}

/// The upright's axes by three of its points.
Mat3 frame_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ex = unit(b - a), ez = unit(cross(ex, c - a));
  return {ex, cross(ez, ex), ez};
}

struct Solution {
  Vec3 lower_ball, upper_ball, centre, axis;
};

struct ClosedGeometry {
  Hardpoints at;

  /// Of the side of a plane through both balls and the rack end where the drawn rod end lies.
  [[nodiscard]] Solution at_angle(double lower, double rack) const {
    const Vec3 L = turned(at.lower_ball, at.lower_rear, at.lower_front, lower);
    const double upright = norm(at.upper_ball - at.lower_ball);
    const auto upper_ball = [&](double angle) { return turned(at.upper_ball, at.upper_rear, at.upper_front, angle); };
    const Vec3 U = upper_ball(root([&](double angle) { return norm(upper_ball(angle) - L) - upright; }, lower));
    const Vec3 inner = at.rod_inner + Vec3{0, rack, 0};
    const double side = dot(cross(at.upper_ball - at.lower_ball, at.rod_inner - at.lower_ball), at.rod_outer - at.lower_ball) > 0 ? 1 : -1;
    const Vec3 outer = trilaterated(L, norm(at.rod_outer - at.lower_ball), U, norm(at.rod_outer - at.upper_ball), inner,
                                    norm(at.rod_outer - at.rod_inner), side);
    const Mat3 R = frame_of(L, U, outer) * transpose(frame_of(at.lower_ball, at.upper_ball, at.rod_outer));
    return {L, U, L + R * (at.centre - at.lower_ball), R * unit(at.axis)};
  }

  [[nodiscard]] Solution at_height(double bump, double rack) const {
    return at_angle(root([&](double angle) { return at_angle(angle, rack).centre.z - at.centre.z - bump; }, bump / 0.33), rack);
  }
};

/// Parallel bump over 80 mm each way.
void check_sweep(SuspensionRig& rig, const ClosedGeometry& truth) {
  const KinematicSweep sweep = run_sweep(rig, SweepKind::parallel_bump, {0.08, 0.005, truth.at.centre.z});
  REQUIRE(sweep.complete);
  REQUIRE(sweep.rows.size() == 33);
  for (const SweepRow& row : sweep.rows) {
    CAPTURE(row.travel);
    const Solution exact = truth.at_height(row.travel, 0);
    const WheelGeometry& left = row.wheels[0];
    CHECK(std::abs(left.centre.x - exact.centre.x) < 1e-10);
    CHECK(std::abs(left.centre.y - exact.centre.y) < 1e-10);
    CHECK(std::abs(left.centre.z - truth.at.centre.z - row.travel) < 1e-10);
    CHECK(std::abs(left.camber - std::asin(-exact.axis.z)) < 1e-10);
    CHECK(std::abs(left.front_view_camber - std::atan2(-exact.axis.z, exact.axis.y)) < 1e-10);
    CHECK(std::abs(left.toe - std::atan2(exact.axis.x, exact.axis.y)) < 1e-10);
  }
}

}  // namespace

TEST_CASE("the sweep of a double wishbone over 80 mm each way agrees with closed geometry to 1e-10") {
  const Folder folder;
  SuspensionRig rig = rig_of(folder, corner_json());
  check_sweep(rig, {});
}

TEST_CASE("so does that of the library's double wishbone, alone and in its axle") {
  const std::string folder = ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/";
  std::map<std::string, double> parameter;
  for (const Parameter& given : load_model(folder + "double_wishbone.json", builtins()).parameters) parameter[given.path] = given.value;
  const auto point = [&](const std::string& name) {
    return Vec3{parameter.at(name + ".x"), parameter.at(name + ".y"), parameter.at(name + ".z")};
  };
  const ClosedGeometry truth{{point("lower_front"),
                              point("lower_rear"),
                              point("lower_ball"),
                              point("upper_front"),
                              point("upper_rear"),
                              point("upper_ball"),
                              point("rod_inner"),
                              point("rod_outer"),
                              point("centre"),
                              {0, 1, 0},
                              point("strut_top"),
                              point("strut_foot")}};
  for (const char* file : {"double_wishbone.json", "double_wishbone_axle.json"}) {
    CAPTURE(file);
    SuspensionRig rig(folder + file, builtins());
    check_sweep(rig, truth);
  }
}

TEST_CASE("steering a double wishbone agrees with closed geometry to 1e-10, on both sides") {
  const Folder folder;
  SuspensionRig rig = rig_of(folder, corner_json());
  const KinematicSweep sweep = run_sweep(rig, SweepKind::steer, {0.03, 0.005, 0.31});
  REQUIRE(sweep.complete);
  const ClosedGeometry truth;
  for (const SweepRow& row : sweep.rows) {
    CAPTURE(row.travel);
    // To the right wheel, a rack that moves left is what one that moves right is to the left wheel.
    for (const std::size_t side : {0U, 1U}) {
      const Solution exact = truth.at_height(0, side == 0 ? row.travel : -row.travel);
      CHECK(std::abs(row.wheels[side].toe - std::atan2(exact.axis.x, exact.axis.y)) < 1e-10);
      CHECK(std::abs(row.wheels[side].camber - std::asin(-exact.axis.z)) < 1e-10);
      CHECK(std::abs(row.wheels[side].front_view_camber - std::atan2(-exact.axis.z, exact.axis.y)) < 1e-10);
      CHECK(std::abs(row.wheels[side].centre.x - exact.centre.x) < 1e-10);
    }
  }
}

TEST_CASE("the steering axis of a double wishbone goes through both balls") {
  // The spring stands on the lower arm, so locking it leaves the upright the turn about its balls alone. Velocities are solved for with
  // the conditioning of the linkage, positions are exact to rounding: 1e-11 leaves two digits.
  const Folder folder;
  SuspensionRig rig = rig_of(folder, corner_json());
  const KinematicSweep sweep = run_sweep(rig, SweepKind::parallel_bump, {0.06, 0.03, 0.31});
  const ClosedGeometry truth;
  for (const SweepRow& row : sweep.rows) {
    CAPTURE(row.travel);
    const Solution exact = truth.at_height(row.travel, 0);
    const Vec3 k = unit(exact.upper_ball - exact.lower_ball);
    REQUIRE(row.wheels[0].steering);
    const SteeringAxis& axis = *row.wheels[0].steering;
    CHECK(norm(cross(axis.direction, k)) < 1e-11);
    CHECK(norm(cross(k, axis.point - exact.lower_ball)) < 1e-11);
    CHECK(std::abs(axis.caster - std::atan2(-k.x, k.z)) < 1e-11);
    CHECK(std::abs(axis.kingpin_inclination - std::atan2(-k.y, k.z)) < 1e-11);
    // G on the road, seen from the contact centre of a wheel that is nearly straight ahead.
    const WheelGeometry& wheel = row.wheels[0];
    const Vec3 G = exact.lower_ball + ((wheel.contact.z - exact.lower_ball.z) / k.z) * k;
    const double c = std::cos(wheel.toe), s = std::sin(wheel.toe);
    const Vec3 offset = G - wheel.contact;
    CHECK(std::abs(axis.mechanical_trail - (c * offset.x - s * offset.y)) < 1e-11);
    CHECK(std::abs(axis.scrub_radius + (s * offset.x + c * offset.y)) < 1e-11);
  }
}

TEST_CASE("slopes, motion ratio, wheel force and wheel rate are the differences of closed geometry") {
  // Differences of fourth order with h = 1e-3 m of curves that bend over lengths of 0.1 m: (h / 0.1)^4 = 1e-8 of the slopes. Second
  // differences also lose the rounding of the energy, 1e-13 J / h^2.
  const Folder folder;
  SuspensionRig rig = rig_of(folder, corner_json());
  const KinematicSweep sweep = run_sweep(rig, SweepKind::parallel_bump, {0.06, 0.03, 0.31});
  const ClosedGeometry truth;
  const Hardpoints& at = truth.at;
  const double h = 1e-3, stiffness = 38000, free_length = 0.55;
  const auto lower_angle = [&](double bump) {
    return root([&](double angle) { return truth.at_angle(angle, 0).centre.z - at.centre.z - bump; }, bump / 0.33);
  };
  const auto length = [&](double bump) {
    return norm(turned(at.strut_foot, at.lower_rear, at.lower_front, lower_angle(bump)) - at.strut_top);
  };
  const auto energy = [&](double bump) { return stiffness * std::pow(length(bump) - free_length, 2) / 2; };
  const auto toe = [&](double bump) {
    const Vec3 a = truth.at_height(bump, 0).axis;
    return std::atan2(a.x, a.y);
  };
  const auto camber = [&](double bump) {
    const Vec3 a = truth.at_height(bump, 0).axis;
    return std::asin(-a.z);
  };
  const auto slope = [h](const auto& f, double z) { return (8 * (f(z + h) - f(z - h)) - (f(z + 2 * h) - f(z - 2 * h))) / (12 * h); };
  const auto bend = [h](const auto& f, double z) {
    return (16 * (f(z + h) + f(z - h)) - (f(z + 2 * h) + f(z - 2 * h)) - 30 * f(z)) / (12 * h * h);
  };
  for (const SweepRow& row : sweep.rows) {
    CAPTURE(row.travel);
    const WheelGeometry& wheel = row.wheels[0];
    const double z = row.travel;
    CHECK(std::abs(wheel.toe_slope - slope(toe, z)) < 1e-8);
    CHECK(std::abs(wheel.camber_slope - slope(camber, z)) < 1e-8);
    CHECK(std::abs(wheel.springs.at(0).length - length(z)) < 1e-10);
    CHECK(std::abs(wheel.springs.at(0).motion_ratio + slope(length, z)) < 1e-8);
    CHECK(std::abs(wheel.force - slope(energy, z)) < 1e-8 * stiffness);
    CHECK(std::abs(row.wheel_rate[0] - bend(energy, z)) < 1e-8 * stiffness);
  }
}
