#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "support/loaded.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double g = 9.81;

std::string model(const std::string& bodies, const std::string& joints, const std::string& rest = "") {
  return R"({"arthron": 1, "name": "m", "bodies": {)" + bodies + R"(}, "joints": {)" + joints + "}" + rest + "}";
}

const std::string block = R"("block": {"mass": 2, "com": [0, 0, 0], "inertia": [0.1, 0.2, 0.25]})";
const std::string rod = R"("rod": {"mass": 3, "com": [0.5, 0, 0], "inertia": [0.01, 0.4, 0.4]})";

double acceleration(Loaded& loaded, int joint = 0) {
  REQUIRE(loaded.accelerate().ok());
  double value = 0;
  joint_acceleration(*loaded.plan, *loaded.work, {joint}, &value);
  return value;
}

}  // namespace

TEST_CASE("compound pendulum: m g r / (I + m r^2) at the horizontal") {
  Loaded pendulum =
      Loaded::text(model(rod, R"("pin": {"type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]})"));
  CHECK(acceleration(pendulum) == doctest::Approx(3 * g * 0.5 / (0.4 + 3 * 0.25)).epsilon(1e-14));
  const Spatial6 reaction = joint_reaction(*pendulum.plan, *pendulum.work, {0});
  CHECK(reaction.linear.z == doctest::Approx(3 * g - 3 * 0.5 * acceleration(pendulum)).epsilon(1e-14));
}

TEST_CASE("a free body falls with g and its reaction is zero") {
  Loaded body = Loaded::text(model(block, R"("float": {"type": "free", "parent": "ground", "child": "block", "at": [1, 2, 3]})"));
  REQUIRE(body.accelerate().ok());
  const Spatial6 A = frame_acceleration(*body.plan, *body.work, {1});
  // The handle is 3.7 m from the centre of mass: moments of order m g r cancel, eps m r^2 g / I = 7e-13 remains.
  CHECK(A.linear.z == doctest::Approx(-g).epsilon(1e-12));
  CHECK(norm(A.angular) < 1e-12);
  CHECK(norm(joint_reaction(*body.plan, *body.work, {0}).linear) < 1e-12);
}

TEST_CASE("spring, damper and effort of a slider: k, c and f over the mass") {
  Loaded slider =
      Loaded::text(model(block, R"("rail": {"type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0],
      "spring": {"stiffness": 50, "damping": 4, "rest": 0.1}, "effort": 7, "initial": {"position": 0.3, "velocity": 0.5}})"));
  CHECK(acceleration(slider) == doctest::Approx((-50 * 0.2 - 4 * 0.5 + 7) / 2).epsilon(1e-14));
  CHECK(energy(*slider.plan, *slider.work).potential == doctest::Approx(50 * 0.2 * 0.2 / 2).epsilon(1e-14));
  CHECK(energy(*slider.plan, *slider.work).kinetic == doctest::Approx(2 * 0.5 * 0.5 / 2).epsilon(1e-14));
}

TEST_CASE("a driven joint delivers the effort of inverse dynamics") {
  // theta = 0.5 t^2 at t = 0: acceleration 1 at the horizontal, so tau = I alpha - m g r (axis y turns the rod downwards).
  Loaded driven = Loaded::text(model(
      rod, R"("pin": {"type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0], "motion": "=0.5*t^2"})"));
  CHECK(driven.plan->nu == 0);
  CHECK(acceleration(driven) == 1);
  double effort = 0;
  joint_effort(*driven.plan, *driven.work, {0}, &effort);
  CHECK(effort == doctest::Approx((0.4 + 3 * 0.25) * 1 - 3 * g * 0.5).epsilon(1e-14));
}

TEST_CASE("reversed joint: same motion, opposite side, reaction still on the joint's child") {
  const std::string tail = R"("at": [0, 0, 0], "axis": [0, 1, 0], "initial": {"position": 0.4, "velocity": 0.7}})";
  Loaded forward = Loaded::text(model(rod, R"("pin": {"type": "revolute", "parent": "ground", "child": "rod", )" + tail));
  const std::string opposite = R"("at": [0, 0, 0], "axis": [0, 1, 0], "initial": {"position": -0.4, "velocity": -0.7}})";
  Loaded reversed = Loaded::text(model(rod, R"("pin": {"type": "revolute", "parent": "rod", "child": "ground", )" + opposite));
  CHECK(acceleration(reversed) == doctest::Approx(-acceleration(forward)).epsilon(1e-14));
  const Spatial6 on_rod = joint_reaction(*forward.plan, *forward.work, {0}),
                 on_ground = joint_reaction(*reversed.plan, *reversed.work, {0});
  CHECK(norm(on_rod.linear + on_ground.linear) < 1e-13);
}

TEST_CASE("pendulum on a ground that accelerates sideways feels a tilted gravity") {
  // Hanging rod, ground moving x = t^2: relative equilibrium angle acceleration m a r / I_pivot.
  const std::string hanging = R"("rod": {"mass": 3, "com": [0, 0, -0.5], "inertia": [0.4, 0.4, 0.01]})";
  Loaded cart =
      Loaded::text(model(hanging, R"("pin": {"type": "revolute", "parent": "cart", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]})",
                         R"(, "grounds": {"cart": {"motion": {"translation": ["=t^2", 0, 0]}}})"));
  CHECK(acceleration(cart) == doctest::Approx(3 * 2 * 0.5 / (0.4 + 3 * 0.25)).epsilon(1e-14));
}

TEST_CASE("tabulated spring law pulls with the interpolated force") {
  Loaded hung = Loaded::text(
      model(block, R"("rail": {"type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [0, 0, 1]})",
            R"(, "forces": {"spring": {"type": "spring_damper", "from": ["ground", [0, 0, 1]], "to": ["block", [0, 0, 0]],
                                       "free_length": 0.7, "spring_law": [[-1, -10], [0, 0], [0.2, 6], [0.4, 30]]}})"));
  // Extension 0.3 lies between 6 N and 30 N.
  CHECK(acceleration(hung) == doctest::Approx(18 / 2.0 - g).epsilon(1e-14));
  std::array<double, 3> measured{};
  force_measure(*hung.plan, *hung.work, 0, measured.data());
  CHECK(measured[0] == doctest::Approx(18).epsilon(1e-14));
  CHECK(measured[1] == 1);
}

TEST_CASE("a body without inertia about its joint's axis is a status that names the joint") {
  Model massless =
      parse_model(model(rod, R"("pin": {"type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [1, 0, 0]})"), "m",
                  builtins());
  massless.bodies[1].inertia = {};
  massless.bodies[1].mass = 0;
  Loaded loaded(std::move(massless));
  const Status status = loaded.accelerate();
  CHECK(status.code == Status::Code::singular_joint);
  CHECK(status.element == 0);
}
