#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

#include "arthron/suspension/load_case.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"
#include "suspension/rig.hpp"

/// Suspensions of the library on the rig, against what can be known of them without computing them.
using namespace arthron;
using namespace arthron::test;

namespace {

SuspensionRig rig_of(const std::string& file) { return SuspensionRig(ARTHRON_SOURCE_DIR "/subsystems/" + file, builtins()); }

/// Of the left corner, from the parameters of its file.
Vec3 hardpoint(const SuspensionRig& rig, const std::string& name) {
  Vec3 at;
  for (const Parameter& given : rig.model().parameters) {
    if (given.path == "left." + name + ".x") at.x = given.value;
    if (given.path == "left." + name + ".y") at.y = given.value;
    if (given.path == "left." + name + ".z") at.z = given.value;
  }
  return at;
}

/// Velocities of an upright as six linear equations e.(v + w x (p - wheel centre)) = rate: a row forbids, or prescribes, the velocity of
/// the point p along e. No joints, bodies or loops.
struct Upright {
  Vec3 centre;
  Eigen::Matrix<double, 6, 6> rows = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> rack = Eigen::Matrix<double, 6, 1>::Zero();
  int count = 0;

  void along(const Vec3& e, const Vec3& p, double rack_rate = 0) {
    const Vec3 torque = cross(p - centre, e);
    rack[count] = rack_rate;
    rows.row(count++) << e.x, e.y, e.z, torque.x, torque.y, torque.z;
  }
  void rod(const Vec3& inner, const Vec3& outer, double rack_moves = 0) {
    const Vec3 e = unit(outer - inner);
    along(e, outer, rack_moves * e.y);
  }
  /// p moves along n alone.
  void line(const Vec3& n, const Vec3& p) {
    const Vec3 e = unit(cross(n, std::abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    along(e, p), along(cross(unit(n), e), p);
  }
  /// With the sixth equation: velocities along the last row, or with the rack.
  [[nodiscard]] Spatial6 twist(bool rack_moves) const {
    Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Unit(5);
    if (rack_moves) right = rack;
    const Eigen::Matrix<double, 6, 1> x = rows.partialPivLu().solve(right);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
};

}  // namespace

TEST_CASE("every suspension of the library goes through 80 mm of bump each way, in parallel, oppositely and one wheel alone") {
  for (const char* file :
       {"double_wishbone/double_wishbone.json", "double_wishbone/double_wishbone_axle.json",
        "double_wishbone_bushed/double_wishbone_bushed.json", "double_wishbone_bushed/double_wishbone_bushed_axle.json",
        "macpherson/macpherson.json", "macpherson/macpherson_axle.json", "five_link/five_link.json", "five_link/five_link_axle.json",
        "trailing_arm/trailing_arm.json", "trailing_arm/trailing_arm_axle.json", "solid_axle/solid_axle.json"}) {
    CAPTURE(file);
    SuspensionRig rig = rig_of(file);
    for (const SweepKind kind : {SweepKind::parallel_bump, SweepKind::opposite_bump, SweepKind::single_wheel})
      CHECK(run_sweep(rig, kind, {0.08, 0.02, 0.3}).complete);
  }
}

TEST_CASE("the wheels of a solid axle roll as one body") {
  // Closed form: in opposite bump dz = +-1 over a track t the beam turns by 2/t, so camber changes by -2/t; in parallel bump not at all.
  SuspensionRig rig = rig_of("solid_axle/solid_axle.json");
  const SweepRow roll = drawn(run_sweep(rig, SweepKind::opposite_bump, {0.02, 0.01, 0.3}));
  const SweepRow heave = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.02, 0.01, 0.3}));
  for (const std::size_t side : {0U, 1U}) {
    CHECK(std::abs(roll.wheels[side].camber_slope + 2 / roll.track) < 1e-12);
    CHECK(std::abs(heave.wheels[side].camber_slope) < 1e-12);
  }
  CHECK(!rig.steers());
}

TEST_CASE("a trailing arm turns about its pivots") {
  // Closed form: the wheel moves with angular velocity w along the line through the pivots, scaled to raise its centre by one.
  SuspensionRig rig = rig_of("trailing_arm/trailing_arm.json");
  const Vec3 inner = hardpoint(rig, "pivot_inner"), outer = hardpoint(rig, "pivot_outer"), centre = hardpoint(rig, "centre"), a{0, 1, 0};
  const Vec3 line = outer - inner, lifted = cross(line, centre - inner), w = (1 / lifted.z) * line;
  const Vec3 v = cross(w, centre - inner), axis_rate = cross(w, a), contact = cross(w, centre - Vec3{0, 0, 0.3} - inner);
  const WheelGeometry wheel = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.02, 0.01, 0.3})).wheels[0];
  CHECK(std::abs(wheel.toe_slope - axis_rate.x) < 1e-12);
  CHECK(std::abs(wheel.camber_slope + axis_rate.z) < 1e-12);
  CHECK(std::abs(wheel.drive_slope - v.x / v.z) < 1e-12);
  CHECK(std::abs(wheel.brake_slope - contact.x / contact.z) < 1e-12);
  CHECK(std::abs(wheel.lateral_slope - contact.y / contact.z) < 1e-12);
}

TEST_CASE("MacPherson and five-link: slopes, instant centres and steering axis follow from the lines of their links") {
  // Source of truth: five velocities that the links forbid, with the wheel's rise, or the rack's travel at constant length of the spring,
  // as the sixth equation. Instant centres are found as points at rest, and the roll centre and tan(theta) by lines through them.
  for (const std::string file : {"macpherson", "five_link"}) {
    CAPTURE(file);
    SuspensionRig rig = rig_of(file + '/' + file + ".json");
    const auto at = [&](const std::string& name) { return hardpoint(rig, name); };
    Upright upright{at("centre")};
    if (file == "five_link") {
      for (const std::string link : {"lower_front", "lower_rear", "upper_front", "upper_rear"})
        upright.rod(at(link + "_inner"), at(link + "_outer"));
    } else {
      upright.line(cross(at("lower_front") - at("lower_rear"), at("lower_ball") - at("lower_rear")), at("lower_ball"));
      upright.line(at("strut_top") - at("strut_foot"), at("strut_top"));
    }
    upright.rod(at("rod_inner"), at("rod_outer"), 1);
    Upright steered = upright;
    upright.along({0, 0, 1}, at("centre"));
    const Vec3 strut = unit(at("strut_foot") - at("strut_top"));
    steered.along(strut, at("strut_foot"));

    const SweepRow row = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.02, 0.01, 0.3}));
    const WheelGeometry& wheel = row.wheels[0];
    const Spatial6 bump = upright.twist(false), steer = steered.twist(true);
    const Vec3 &v = bump.linear, &w = bump.angular, C = at("centre"), CP = C - Vec3{0, 0, 0.3};
    constexpr double rounding = 1e-10;
    CHECK(std::abs(wheel.camber_slope + w.x) < rounding);
    CHECK(std::abs(wheel.toe_slope + w.z) < rounding);
    CHECK(std::abs(wheel.springs.at(0).motion_ratio + dot(strut, velocity_at(bump, at("strut_foot") - C).linear)) < rounding);
    // v + w x r = 0 in the front view (y, z) and in the side view (x, z).
    const double front_y = C.y - v.z / w.x, front_z = C.z + v.y / w.x, side_x = C.x + v.z / w.y, side_z = C.z - v.x / w.y;
    CHECK(std::abs(row.roll_centre.z - front_z * CP.y / (CP.y - front_y)) < rounding);
    CHECK(std::abs(wheel.brake_slope - side_z / (CP.x - side_x)) < rounding);
    CHECK(std::abs(wheel.drive_slope - (side_z - C.z) / (C.x - side_x)) < rounding);
    const Vec3 k = unit(steer.angular.z > 0 ? steer.angular : -steer.angular);
    const Vec3 on_axis = C + (1 / dot(steer.angular, steer.angular)) * cross(steer.angular, steer.linear);
    const Vec3 G = on_axis - (on_axis.z / k.z) * k;
    const SteeringAxis axis = wheel.steering.value();
    CHECK(std::abs(axis.caster - std::atan2(-k.x, k.z)) < rounding);
    CHECK(std::abs(axis.kingpin_inclination - std::atan2(-k.y, k.z)) < rounding);
    CHECK(std::abs(axis.scrub_radius - (CP.y - G.y)) < rounding);
    CHECK(std::abs(axis.mechanical_trail - (G.x - CP.x)) < rounding);
  }
}

TEST_CASE("one wheel alone is half of parallel and half of opposite bump") {
  // Velocities and small changes of forces superpose: the left wheel shows the sum, the right one, held, the difference.
  for (const char* file : {"solid_axle/solid_axle.json", "double_wishbone/double_wishbone_axle.json",
                           "double_wishbone_bushed/double_wishbone_bushed_axle.json"}) {
    CAPTURE(file);
    SuspensionRig rig = rig_of(file);
    const auto row = [&](SweepKind kind) { return drawn(run_sweep(rig, kind, {0.02, 0.02, 0.3})); };
    const SweepRow heave = row(SweepKind::parallel_bump), roll = row(SweepKind::opposite_bump), one = row(SweepKind::single_wheel);
    const auto close = [](double a, double b, double scale) { return std::abs(a - b) < 1e-8 * scale; };
    // Slopes of the right wheel are over its own travel, which in opposite bump is the opposite one.
    CHECK(close(one.wheels[0].camber_slope, (heave.wheels[0].camber_slope + roll.wheels[0].camber_slope) / 2, 1));
    CHECK(close(one.wheels[1].camber_slope, (heave.wheels[1].camber_slope - roll.wheels[1].camber_slope) / 2, 1));
    CHECK(close(one.wheels[1].toe_slope, (heave.wheels[1].toe_slope - roll.wheels[1].toe_slope) / 2, 1));
    CHECK(close(one.wheel_rate[0], (heave.wheel_rate[0] + roll.wheel_rate[0]) / 2, 2e4));
    CHECK(close(one.wheel_rate[1], (heave.wheel_rate[1] - roll.wheel_rate[1]) / 2, 2e4));
    CHECK(std::isnan(one.wheels[1].brake_slope));
  }
}

TEST_CASE("the wheel that is held stays where it is, the other one moves as in parallel bump") {
  SuspensionRig rig = rig_of("double_wishbone/double_wishbone.json");
  const KinematicSweep one = run_sweep(rig, SweepKind::single_wheel, {0.06, 0.03, 0.3}),
                       both = run_sweep(rig, SweepKind::parallel_bump, {0.06, 0.03, 0.3});
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    CHECK(norm(one.rows[i].wheels[0].centre - both.rows[i].wheels[0].centre) < 1e-14);
    CHECK(std::abs(one.rows[i].wheels[0].toe - both.rows[i].wheels[0].toe) < 1e-13);
    CHECK(norm(one.rows[i].wheels[1].centre - both.rows[2].wheels[1].centre) < 1e-14);
  }
}

TEST_CASE("loads do not move the wheels that joints hold") {
  SuspensionRig rig = rig_of("double_wishbone/double_wishbone_axle.json");
  const LoadSweep sweep = run_load_case(rig, {LoadKind::lateral_force, true}, {3000, 100, 2, 0.3});
  REQUIRE(sweep.rows.size() == 5);
  for (const LoadRow& row : sweep.rows) CHECK(norm(row.wheels[0].centre - sweep.rows[2].wheels[0].centre) == 0);
  CHECK(sweep.gradient[0].toe == 0);
  // What the road's lateral force does through the linkage: it lifts or lowers, by its lever to the instant centre (virtual work).
  const double jacking = (sweep.rows[4].wheels[0].force - sweep.rows[2].wheels[0].force) / 3000;
  const SweepRow bump = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.02, 0.01, 0.3}));
  CHECK(std::abs(jacking + bump.wheels[0].lateral_slope) < 1e-9);
}

TEST_CASE("an anti-roll bar stiffens opposite bump alone") {
  SuspensionRig rig = rig_of("double_wishbone/double_wishbone_axle.json"), corner = rig_of("double_wishbone/double_wishbone.json");
  const auto rate = [](SuspensionRig& on, SweepKind kind) { return drawn(run_sweep(on, kind, {0.02, 0.01, 0.3})).wheel_rate[0]; };
  const double alone = rate(corner, SweepKind::parallel_bump);
  // The same corners, so the same numbers up to rounding of forces over a millimetre.
  CHECK(std::abs(rate(rig, SweepKind::parallel_bump) - alone) < 1e-9 * alone);
  CHECK(std::abs(rate(corner, SweepKind::opposite_bump) - alone) < 1e-9 * alone);
  CHECK(rate(rig, SweepKind::opposite_bump) > 1.2 * alone);
}
