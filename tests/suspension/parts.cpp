#include <doctest/doctest.h>

#include <cmath>

#include "suspension/corner.hpp"
#include "suspension/rig.hpp"

/// What the rig makes of parts of a suspension file: what touches the road, and springs in slides.
using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

/// The corner with a tyre on its wheel and a skid on its lower arm, both pressed into the road as drawn.
Json with_tyre(Json corner) {
  const Hardpoints at;
  corner["forces"]["tyre"] = {{"type", "tyre"},
                              {"on", {"wheel", {at.centre.x, at.centre.y, at.centre.z}}},
                              {"axis", {at.axis.x, at.axis.y, at.axis.z}},
                              {"radius", at.centre.z + 0.02},
                              {"stiffness", 2e5},
                              {"longitudinal_stiffness", 8e4},
                              {"cornering_stiffness", 6e4}};
  corner["forces"]["skid"] = {
      {"type", "contact"}, {"on", {"lower_arm", {at.lower_ball.x, at.lower_ball.y, at.lower_ball.z}}}, {"radius", 0.2}, {"stiffness", 1e5}};
  return corner;
}

}  // namespace

TEST_CASE("tyres and contacts are left out of the rig, and named: wheel force, rate and positions are those of the file without them") {
  const Folder folder;
  for (const Json& corner : {corner_json(), bushed_corner_json(3e6, 30)}) {
    SuspensionRig with = rig_of(folder, with_tyre(corner)), without = rig_of(folder, corner);
    CHECK(with.left_out() == std::vector<std::string>{"tyre", "skid"});
    CHECK(without.left_out().empty());
    CHECK(with.compliant() == without.compliant());
    const KinematicSweep a = run_sweep(with, SweepKind::parallel_bump, {0.04, 0.02, 0.31});
    const KinematicSweep b = run_sweep(without, SweepKind::parallel_bump, {0.04, 0.02, 0.31});
    REQUIRE(a.complete);
    REQUIRE(a.rows.size() == b.rows.size());
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      // Roundings of 5000 N, over a millimetre.
      CHECK(std::abs(a.rows[i].wheels[0].force - b.rows[i].wheels[0].force) < 1e-9);
      CHECK(std::abs(a.rows[i].wheel_rate[0] - b.rows[i].wheel_rate[0]) < 1e-5);
      CHECK(norm(a.rows[i].wheels[0].centre - b.rows[i].wheels[0].centre) < 1e-13);
      CHECK(std::abs(a.rows[i].wheels[0].camber - b.rows[i].wheels[0].camber) < 1e-12);
    }
  }
}

TEST_CASE("a spring in a slide is compressed in bump, whichever way the slide's axis is drawn") {
  // Closed form: the wheel goes along (0.1, 0, 1), so the slide moves by sqrt(1.01) of the wheel's travel. Work of the spring k at a
  // coordinate that is 0.1 m from relaxed: force k (0.1 + sqrt(1.01) z) sqrt(1.01) and rate 1.01 k, at the wheel, up to the stop.
  const double ratio = std::sqrt(1.01), k = 20000;
  for (const double sign : {1.0, -1.0}) {
    CAPTURE(sign);
    SuspensionRig rig(ARTHRON_SOURCE_DIR "/tests/data/corners/pillar.json", builtins(), {{"sgn", sign}, {"rest", -0.1 * sign}});
    const KinematicSweep sweep = run_sweep(rig, SweepKind::parallel_bump, {0.04, 0.02, 0.3});
    REQUIRE(sweep.complete);
    for (const SweepRow& row : sweep.rows)
      for (const std::size_t side : {0U, 1U}) {
        const WheelSpring& spring = row.wheels[side].springs.at(0);
        CHECK(std::abs(spring.motion_ratio - ratio) < 1e-12);
        CHECK(std::abs(drawn(sweep).wheels[side].springs[0].length - spring.length - ratio * row.travel) < 1e-12);
        CHECK(std::abs(row.wheels[side].force - k * (0.1 + ratio * row.travel) * ratio) < 1e-9 * k);
        CHECK(std::abs(row.wheel_rate[side] - 1.01 * k) < 1e-6 * k);
      }
  }
}
