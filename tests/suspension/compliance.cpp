#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "arthron/suspension/load_case.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"
#include "suspension/corner.hpp"
#include "suspension/rig.hpp"

/// Suspensions in bushings on the rig.
using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

/// One body on two bushings of equal rates beside each other, hub on it. Solved by hand for small motions: with d the displacement of the
/// middle O of the bushings, f the rotation, (c, e, h) from O to the wheel centre and V the force that holds its height,
///   2 k d = F + V e_z,   2 (k b^2 + r) f_x = T_x + e V,   2 r f_y = T_y - c V,   2 (k b^2 + r) f_z = T_z,   d_z + e f_x - c f_y = z,
/// where F is the load, T its torque about O, and k, r the rates of each bushing along and about every axis, b their distance from O.
struct ArmOnBushings {
  double k = 2e6, r = 40, b = 0.18;
  Vec3 middle{0.4, 0.5, 0.28}, centre{0, 0.75, 0.3};

  [[nodiscard]] Json json() const {
    const Json wheel{centre.x, centre.y, centre.z};
    Json file{{"arthron", 1},
              {"name", "arm"},
              {"ports", {{"chassis", {{"mount", true}}}, {"hub", {{"output", "arm"}, {"at", wheel}, {"axis", {0, 1, 0}}}}}},
              {"bodies", {{"arm", {{"mass", 20}, {"com", {0.1, 0.7, 0.28}}, {"inertia", {0.4, 0.5, 0.6}}}}}},
              {"joints", {{"mount", {{"type", "free"}, {"parent", "chassis"}, {"child", "arm"}, {"at", {0, 0, 0}}}}}}};
    for (const double side : {1.0, -1.0}) {
      const Json place{middle.x, middle.y + side * b, middle.z};
      file["forces"][side > 0 ? "outer" : "inner"] = {
          {"type", "bushing"}, {"from", {"chassis", place}}, {"to", {"arm", place}}, {"stiffness", k}, {"rotational_stiffness", r}};
    }
    return file;
  }

  struct Motion {
    Vec3 displacement, rotation;  // at the wheel centre
    double force = 0;             // V
  };
  /// Under a load at the wheel centre, at the height z.
  [[nodiscard]] Motion under(const Spatial6& load, double z) const {
    const Vec3 w = centre - middle, F = load.linear, T = load.angular + cross(w, F);
    const double bending = 2 * (k * b * b + r);
    // The height as a linear function of V.
    const double at_rest = F.z / (2 * k) + w.y * T.x / bending - w.x * T.y / (2 * r);
    const double per_force = 1 / (2 * k) + w.y * w.y / bending + w.x * w.x / (2 * r);
    const double V = (z - at_rest) / per_force;
    const Vec3 f{(T.x + w.y * V) / bending, (T.y - w.x * V) / (2 * r), T.z / bending};
    return {(1 / (2 * k)) * (F + Vec3{0, 0, V}) + cross(f, w), f, V};
  }
};

}  // namespace

TEST_CASE("an arm on two bushings yields to loads as solved by hand") {
  const Folder folder;
  const ArmOnBushings truth;
  SuspensionRig rig = rig_of(folder, truth.json());
  REQUIRE(rig.compliant());
  CHECK(rig.idle_freedoms() == 0);
  constexpr double radius = 0.3;
  for (const LoadCase& load_case : load_cases()) {
    const std::string name = load_case.name();
    CAPTURE(name);
    const LoadSweep sweep = run_load_case(rig, load_case, {1e-3, 1e-3, 1, radius});
    REQUIRE(sweep.complete);
    const WheelLoad unit = load_case.unit()[0];
    const Vec3 down{0, 0, -radius};
    const ArmOnBushings::Motion exact = truth.under(unit.at_centre + wrench_from(unit.at_contact, down), 0);
    // Differences of fourth order over 200 N, that is over turns of up to 0.02 rad: the error is (0.02)^4 of the gradients, their largest
    // part being 1e-4 rad/N or 1e-5 m/N.
    const WheelMotion& left = sweep.gradient[0];
    CHECK(std::abs(left.toe + exact.rotation.z) < 1e-11);
    CHECK(std::abs(left.camber + exact.rotation.x) < 1e-11);
    CHECK(norm(left.centre - exact.displacement) < 1e-11);
    CHECK(std::abs(left.contact.y - (exact.displacement.y + radius * exact.rotation.x)) < 1e-11);
    CHECK(std::abs(left.contact.x - exact.displacement.x) < 1e-11);
    // The curve through it: a millinewton bends by the gradient, up to rounding of the angles.
    const double slope = (sweep.rows.back().wheels[0].toe - sweep.rows.front().wheels[0].toe) / 2e-3;
    CHECK(std::abs(slope - left.toe) < 1e-12);
  }
}

TEST_CASE("the wheel rate of an arm on two bushings is the one solved by hand") {
  const Folder folder;
  const ArmOnBushings truth;
  SuspensionRig rig = rig_of(folder, truth.json());
  const SweepRow row = drawn(run_sweep(rig, SweepKind::parallel_bump, {0.01, 0.01, 0.3}));
  const ArmOnBushings::Motion exact = truth.under({}, 1);
  // The stencil of +-2 mm over an arm of 0.4 m: (0.005)^4 at most, since the arm's rotation makes the rate bend.
  CHECK(row.wheel_rate[0] == doctest::Approx(exact.force).epsilon(1e-8));
  CHECK(row.wheels[0].camber_slope == doctest::Approx(-exact.rotation.x).epsilon(1e-8));
  CHECK(row.wheels[0].drive_slope == doctest::Approx(exact.displacement.x).epsilon(1e-8));
}

TEST_CASE("bushings that are made stiffer lead to the kinematic curves, with an error that goes as 1 / stiffness") {
  const Folder folder;
  SuspensionRig rigid = rig_of(folder, corner_json());
  CHECK(!rigid.compliant());
  const SweepSettings settings{0.06, 0.03, 0.31};
  const auto error = [&](double stiffness, SweepKind kind) {
    SuspensionRig rig = rig_of(folder, bushed_corner_json(stiffness, 0));
    REQUIRE(rig.compliant());
    const KinematicSweep exact = run_sweep(rigid, kind, settings), soft = run_sweep(rig, kind, settings);
    REQUIRE(soft.complete);
    double worst = 0;
    for (std::size_t i = 0; i < exact.rows.size(); ++i)
      for (const std::size_t side : {0U, 1U}) {
        const WheelGeometry &a = exact.rows[i].wheels[side], &b = soft.rows[i].wheels[side];
        worst = std::max({worst, std::abs(a.toe - b.toe), std::abs(a.camber - b.camber), norm(a.centre - b.centre),
                          std::abs(a.toe_slope - b.toe_slope), std::abs(a.camber_slope - b.camber_slope),
                          std::abs(a.springs.at(0).motion_ratio - b.springs.at(0).motion_ratio), std::abs(a.force - b.force) / 5000});
      }
    return worst;
  };
  for (const SweepKind kind : {SweepKind::parallel_bump, SweepKind::opposite_bump, SweepKind::single_wheel, SweepKind::steer}) {
    CAPTURE(name_of(kind));
    const double at_1e8 = error(1e8, kind), at_1e9 = error(1e9, kind);
    CHECK(at_1e8 < 1e-2);
    CHECK(at_1e8 / at_1e9 == doctest::Approx(10).epsilon(0.02));
  }
}

TEST_CASE("displacements at the wheels over loads at the wheels are symmetric") {
  // Maxwell and Betti: what load i does along j is what load j does along i, at rest under preloaded springs too.
  SuspensionRig rig(ARTHRON_SOURCE_DIR "/subsystems/double_wishbone_bushed/double_wishbone_bushed_axle.json", builtins());
  REQUIRE(rig.compliant());
  const std::array<WheelSight, 2> sight = rig.observe();
  constexpr double radius = 0.3;
  Eigen::Matrix<double, 12, 12> C;
  for (int i = 0; i < 12; ++i) {
    std::array<double, 6> unit{};
    unit[i % 6] = 1;
    AxleLoad load;
    load[i / 6].at_contact = {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}};
    const std::array<Spatial6, 2> twist = rig.response(load, radius);
    for (std::size_t side = 0; side < 2; ++side) {
      const Spatial6 V = velocity_at(twist[side], to_contact(sight[side].axis, radius));
      C.block<6, 1>(6 * static_cast<int>(side), i) << V.linear.x, V.linear.y, V.linear.z, V.angular.x, V.angular.y, V.angular.z;
    }
  }
  const double largest = C.cwiseAbs().maxCoeff();
  CHECK(largest > 1e-7);
  CHECK((C - C.transpose()).cwiseAbs().maxCoeff() < 1e-9 * largest);
  // A load does work on its own displacement.
  CHECK(C.diagonal().minCoeff() > -1e-9 * largest);
  CHECK(C(1, 1) > 1e-8);
}

TEST_CASE("in bushings, wheel force and rates are the slopes of the curves") {
  // Differences of second order over h = 1 mm of curves that bend over 0.1 m: (h / 0.1)^2 / 6 of them, and four times less over h / 2.
  const Folder folder;
  SuspensionRig rig = rig_of(folder, bushed_corner_json(3e6, 30));
  const auto at = [&](double z) {
    REQUIRE(rig.move_to({z, z, 0}));
    return wheel_geometry(rig.observe()[0], {1, 1}, true, 0.31);
  };
  for (const double z : {-0.04, 0.0, 0.04}) {
    CAPTURE(z);
    rig.reset();
    const WheelGeometry here = at(z);
    const auto slope = [&](auto value, double h) { return (value(at(z + h)) - value(at(z - h))) / (2 * h); };
    const auto richardson = [&](auto value) { return (4 * slope(value, 5e-4) - slope(value, 1e-3)) / 3; };
    CHECK(here.toe_slope == doctest::Approx(richardson([](const WheelGeometry& w) { return w.toe; })).epsilon(1e-7));
    CHECK(here.camber_slope == doctest::Approx(richardson([](const WheelGeometry& w) { return w.camber; })).epsilon(1e-7));
    CHECK(here.drive_slope == doctest::Approx(richardson([](const WheelGeometry& w) { return w.centre.x; })).epsilon(1e-7));
    CHECK(here.springs[0].motion_ratio ==
          doctest::Approx(-richardson([](const WheelGeometry& w) { return w.springs[0].length; })).epsilon(1e-7));
    const double rate = richardson([](const WheelGeometry& w) { return w.force; });
    rig.reset();
    const KinematicSweep sweep = run_sweep(rig, SweepKind::parallel_bump, {0.04, 0.04, 0.31});
    CHECK(sweep.rows.at(std::lround(z / 0.04) + 1).wheel_rate[0] == doctest::Approx(rate).epsilon(1e-7));
  }
}

TEST_CASE("what only bushings could hold, and they do not, is refused") {
  const Folder folder;
  Json loose = bushed_corner_json(3e6, 30), soft = bushed_corner_json(0, 0);
  loose["joints"].erase("rod");
  CHECK_THROWS_AS(rig_of(folder, loose), ModelError);
  CHECK_THROWS_AS(rig_of(folder, soft), ModelError);
}

TEST_CASE("in bushings, a position does not depend on the steps that lead to it") {
  // Source of truth: the same rest, followed in steps of 10 mm. Newton's method alone, from 20 mm away, ends nowhere in most of these.
  // Travel of 80 mm meets both stops.
  const auto rig_with = [](double axial) {
    return SuspensionRig(ARTHRON_SOURCE_DIR "/subsystems/double_wishbone_bushed/double_wishbone_bushed.json", builtins(),
                         {{"upper_axial", axial}});
  };
  for (const double axial : {18300.0, 24100.0}) {
    CAPTURE(axial);
    SuspensionRig rig = rig_with(axial);
    for (const SweepKind kind : {SweepKind::parallel_bump, SweepKind::opposite_bump, SweepKind::steer}) {
      const double extent = kind == SweepKind::steer ? 0.04 : 0.08;
      const KinematicSweep fine = run_sweep(rig, kind, {extent, 0.01, 0.3});
      REQUIRE(fine.complete);
      for (const double step : {0.02, 0.04}) {
        CAPTURE(step);
        const KinematicSweep coarse = run_sweep(rig, kind, {extent, step, 0.3});
        REQUIRE(coarse.complete);
        for (const SweepRow& row : coarse.rows) {
          CAPTURE(row.travel);
          const SweepRow& same = fine.rows.at(std::lround((row.travel + extent) / 0.01));
          for (const std::size_t side : {0U, 1U}) {
            const WheelGeometry &a = row.wheels[side], &b = same.wheels[side];
            // Rest is found to 1e-12 of the loads, 1e4 N on 20 N m/rad.
            CHECK(norm(a.centre - b.centre) < 1e-10);
            CHECK(std::abs(a.camber - b.camber) + std::abs(a.toe - b.toe) < 1e-9);
            CHECK(std::abs(a.force - b.force) < 1e-5);
          }
        }
      }
    }
  }
}
