#include <doctest/doctest.h>

#include <cmath>

#include "arthron/suspension/sweep.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"

/// Suspensions of the library on the rig, against what can be known of them without computing them.
using namespace arthron;
using namespace arthron::test;

namespace {

SuspensionRig rig_of(const std::string& file) { return SuspensionRig(ARTHRON_SOURCE_DIR "/subsystems/" + file, builtins()); }

const SweepRow& drawn(const KinematicSweep& sweep) { return sweep.rows.at(sweep.rows.size() / 2); }

}  // namespace

TEST_CASE("every suspension of the library goes through 80 mm of bump each way, in parallel and oppositely") {
  for (const char* file :
       {"double_wishbone/double_wishbone.json", "double_wishbone/double_wishbone_axle.json", "macpherson/macpherson.json",
        "five_link/five_link.json", "trailing_arm/trailing_arm.json", "solid_axle/solid_axle.json"}) {
    CAPTURE(file);
    SuspensionRig rig = rig_of(file);
    CHECK(run_sweep(rig, SweepKind::parallel_bump, {0.08, 0.02, 0.3}).complete);
    CHECK(run_sweep(rig, SweepKind::opposite_bump, {0.08, 0.02, 0.3}).complete);
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
  const auto point = [&](const std::string& name) {
    Vec3 at;
    for (const Parameter& given : rig.model().parameters) {
      if (given.path == "left." + name + "_x") at.x = given.value;
      if (given.path == "left." + name + "_y") at.y = given.value;
      if (given.path == "left." + name + "_z") at.z = given.value;
    }
    return at;
  };
  const Vec3 inner = point("pivot_inner"), outer = point("pivot_outer"), centre = point("centre"), a{0, 1, 0};
  const Vec3 line = outer - inner, lifted = cross(line, centre - inner), w = (1 / lifted.z) * line;
  const Vec3 v = cross(w, centre - inner), axis_rate = cross(w, a), contact = cross(w, centre - Vec3{0, 0, 0.3} - inner);
  const WheelGeometry wheel = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.02, 0.01, 0.3})).wheels[0];
  CHECK(std::abs(wheel.toe_slope - axis_rate.x) < 1e-12);
  CHECK(std::abs(wheel.camber_slope + axis_rate.z) < 1e-12);
  CHECK(std::abs(wheel.drive_slope - v.x / v.z) < 1e-12);
  CHECK(std::abs(wheel.brake_slope - contact.x / contact.z) < 1e-12);
  CHECK(std::abs(wheel.lateral_slope - contact.y / contact.z) < 1e-12);
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
