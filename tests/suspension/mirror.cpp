#include <doctest/doctest.h>

#include <cmath>

#include "arthron/suspension/load_case.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"
#include "suspension/corner.hpp"

/// A corner file and its mirror image on the rig. Source of truth: reflection across the middle of the vehicle. What is defined towards the
/// outside, and everything along x and z, is the same number on both sides; y is the opposite one.
using namespace arthron;
using namespace arthron::test;

namespace {

struct Channel {
  const char* name;
  double left, right, scale;
};

std::vector<Channel> channels(const SweepRow& left_row, const SweepRow& right_row) {
  const WheelGeometry &l = left_row.wheels[0], &r = right_row.wheels[1];
  const SteeringAxis ls = l.steering.value(), rs = r.steering.value();
  return {{"x", l.centre.x, r.centre.x, 1},
          {"y", l.centre.y, -r.centre.y, 1},
          {"z", l.centre.z, r.centre.z, 1},
          {"contact.x", l.contact.x, r.contact.x, 1},
          {"contact.y", l.contact.y, -r.contact.y, 1},
          {"contact.z", l.contact.z, r.contact.z, 1},
          {"camber", l.camber, r.camber, 1},
          {"front_view_camber", l.front_view_camber, r.front_view_camber, 1},
          {"toe", l.toe, r.toe, 1},
          {"camber_slope", l.camber_slope, r.camber_slope, 1},
          {"toe_slope", l.toe_slope, r.toe_slope, 1},
          {"lateral_slope", l.lateral_slope, r.lateral_slope, 1},
          {"brake_slope", l.brake_slope, r.brake_slope, 1},
          {"drive_slope", l.drive_slope, r.drive_slope, 1},
          {"caster", ls.caster, rs.caster, 1},
          {"kingpin_inclination", ls.kingpin_inclination, rs.kingpin_inclination, 1},
          {"scrub_radius", ls.scrub_radius, rs.scrub_radius, 1},
          {"mechanical_trail", ls.mechanical_trail, rs.mechanical_trail, 1},
          // The rack's travel is mirrored too, and the steer angle with it.
          {"steer_rate", ls.steer_rate, rs.steer_rate, 10},
          {"length", l.springs.at(0).length, r.springs.at(0).length, 1},
          {"motion_ratio", l.springs.at(0).motion_ratio, r.springs.at(0).motion_ratio, 1},
          {"force", l.force, r.force, 5000},
          // A difference over a millimetre of forces of 5000 N that are right to some roundings of 1e-12 N: 2e-9 of 2e4 N/m.
          {"wheel_rate", left_row.wheel_rate[0], right_row.wheel_rate[1], 2e4}};
}

double worst(const SweepRow& left_row, const SweepRow& right_row, double bound) {
  double error = 0;
  for (const Channel& channel : channels(left_row, right_row)) {
    const double difference = std::abs(channel.left - channel.right) / channel.scale;
    CHECK_MESSAGE(difference < bound, std::string(channel.name) << " " << channel.left << " " << channel.right);
    error = std::max(error, difference);
  }
  return error;
}

/// Every channel of the left wheel against the right one at the mirrored position.
void check_mirrored(SuspensionRig& rig, double bound) {
  for (const SweepKind kind : {SweepKind::parallel_bump, SweepKind::opposite_bump, SweepKind::steer}) {
    CAPTURE(name_of(kind));
    const KinematicSweep sweep = run_sweep(rig, kind, {kind == SweepKind::steer ? 0.03 : 0.08, 0.01, 0.31});
    REQUIRE(sweep.complete);
    const std::size_t rows = sweep.rows.size();
    for (std::size_t i = 0; i < rows; ++i) {
      CAPTURE(sweep.rows[i].travel);
      // In parallel bump both wheels are at the same place; else the right one is there at the opposite travel.
      const std::size_t other = kind == SweepKind::parallel_bump ? i : rows - 1 - i;
      CHECK(worst(sweep.rows[i], sweep.rows[other], bound) < bound);
      const RollCentre here = sweep.rows[i].roll_centre, there = sweep.rows[other].roll_centre;
      CHECK(std::abs(here.z - there.z) < 1e-12);
      // Lines of slope 2 z / track that are right to 1e-12 meet at a y that is right to 1e-12 (track / 2)^2 / z.
      const double half_track = sweep.rows[i].track / 2;
      CHECK(std::abs(here.y + there.y) < 1e-12 * (rig.compliant() ? std::max(1.0, half_track * half_track / std::abs(here.z)) : 1));
    }
  }
}

}  // namespace

TEST_CASE("a corner and its mirror image on the rig: every channel mirrored to 1e-12") {
  const Folder folder;
  SuspensionRig rig(folder.write("corner.json", corner_json().dump()), builtins());
  check_mirrored(rig, 1e-12);
}

TEST_CASE("a corner in bushings and its mirror image on the rig: every channel mirrored to 2e-12") {
  const Folder folder;
  SuspensionRig rig(folder.write("corner.json", bushed_corner_json(3e6, 30).dump()), builtins());
  // Rest is found to some roundings of 3e6 N/m, slopes of toe to as many of their own.
  check_mirrored(rig, 2e-12);
}

TEST_CASE("loads on a corner in bushings and on its mirror image: every channel mirrored to 1e-12") {
  const Folder folder;
  SuspensionRig rig(folder.write("corner.json", bushed_corner_json(3e6, 30).dump()), builtins());
  for (const LoadCase& load_case : load_cases()) {
    const std::string name = load_case.name();
    CAPTURE(name);
    const LoadSweep sweep = run_load_case(rig, load_case, {3000, 100, 3, 0.31});
    REQUIRE(sweep.complete);
    // Forces along x are mirrored onto themselves, forces along y and torques about z onto their opposites.
    const bool along_x = load_case.kind == LoadKind::brake_force || load_case.kind == LoadKind::drive_force;
    const std::size_t rows = sweep.rows.size();
    for (std::size_t i = 0; i < rows; ++i) {
      CAPTURE(sweep.rows[i].load);
      const std::size_t other = along_x == load_case.opposite ? rows - 1 - i : i;
      SweepRow left, right;
      left.wheels = sweep.rows[i].wheels, right.wheels = sweep.rows[other].wheels;
      CHECK(worst(left, right, 1e-12) < 1e-12);
    }
  }
}

TEST_CASE("a corner drawn for the right side stands on the right") {
  // The file reflected by hand, coordinate by coordinate, in place of the program's own mirror.
  const Folder folder;
  Hardpoints at;
  for (Vec3* point : {&at.lower_front, &at.lower_rear, &at.lower_ball, &at.upper_front, &at.upper_rear, &at.upper_ball, &at.rod_inner,
                      &at.rod_outer, &at.centre, &at.axis, &at.strut_top, &at.strut_foot})
    point->y = -point->y;
  SuspensionRig drawn_left(folder.write("corner.json", corner_json().dump()), builtins());
  SuspensionRig drawn_right(folder.write("other.json", corner_json(at).dump()), builtins());
  const KinematicSweep a = run_sweep(drawn_left, SweepKind::opposite_bump, {0.06, 0.02, 0.31});
  const KinematicSweep b = run_sweep(drawn_right, SweepKind::opposite_bump, {0.06, 0.02, 0.31});
  REQUIRE(a.rows.size() == b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    CHECK(worst(a.rows[i], b.rows[a.rows.size() - 1 - i], 1e-12) < 1e-12);
    CHECK(b.rows[i].wheels[0].centre.y > 0);
  }
}
