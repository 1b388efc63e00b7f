#include <doctest/doctest.h>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

double position(const Simulation& simulation, int joint) {
  double value = 0;
  joint_position(simulation.plan(), simulation.workspace(), {joint}, &value);
  return value;
}

double acceleration(const Simulation& simulation, int joint) {
  double value = 0;
  joint_acceleration(simulation.plan(), simulation.workspace(), {joint}, &value);
  return value;
}

/// Motor of 0.02 kg m^2 and wheel of 1.5 kg m^2 about z, and a rack of 4 kg along x, without gravity.
std::string train(const std::string& couplings, const std::string& motor = R"("effort": 3)") {
  return R"({"arthron": 1, "name": "train", "gravity": [0, 0, 0],
    "bodies": {"rotor": {"mass": 1, "inertia": [1, 1, 0.02]}, "disc": {"mass": 9, "com": [1, 0, 0], "inertia": [1, 1, 1.5]},
               "bar": {"mass": 4, "com": [0, 1, 0], "inertia": [1, 1, 1]}},
    "joints": {"motor": {"type": "revolute", "parent": "ground", "child": "rotor", "at": [0, 0, 0], "axis": [0, 0, 1], )" +
         motor + R"(},
               "wheel": {"type": "revolute", "parent": "ground", "child": "disc", "at": [1, 0, 0], "axis": [0, 0, 1]},
               "rack": {"type": "prismatic", "parent": "ground", "child": "bar", "at": [0, 1, 0], "axis": [1, 0, 0]}},
    "couplings": )" +
         couplings + "}";
}

}  // namespace

TEST_CASE("gear: the motor feels the wheel's inertia divided by the ratio's square") {
  Simulation simulation(model_of(train(R"({"gear": {"terms": {"motor": 1, "wheel": -5}}})")));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe(true).ok());
  const double expected = 3 / (0.02 + 1.5 / 25);
  CHECK(acceleration(simulation, 0) == doctest::Approx(expected).epsilon(1e-13));
  CHECK(acceleration(simulation, 1) == doctest::Approx(expected / 5).epsilon(1e-13));
  CHECK(acceleration(simulation, 2) == 0);
  REQUIRE(simulation.advance_to(2).ok());
  REQUIRE(simulation.observe().ok());
  CHECK(position(simulation, 0) == doctest::Approx(2 * expected).epsilon(1e-10));
  CHECK(std::abs(position(simulation, 0) - 5 * position(simulation, 1)) < 1e-12);
}

TEST_CASE("rack and pinion behind a gear: both ratios and the rack's mass act on the motor; radius 0.05 m") {
  Simulation simulation(
      model_of(train(R"({"gear": {"terms": {"motor": 1, "wheel": -5}}, "pinion": {"terms": {"wheel": 0.05, "rack": -1}}})")));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe(true).ok());
  const double expected = 3 / (0.02 + 1.5 / 25 + 4 * 0.01 * 0.01);
  CHECK(acceleration(simulation, 0) == doctest::Approx(expected).epsilon(1e-13));
  CHECK(acceleration(simulation, 2) == doctest::Approx(expected * 0.01).epsilon(1e-13));
}

TEST_CASE("a driven joint carries a coupled one along, and a differential shares its motion") {
  Simulation simulation(model_of(train(R"({"mean": {"terms": {"motor": 1, "wheel": -0.5, "rack": -0.5}}})", R"j("motion": "=sin(t)")j")));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(1).ok());
  REQUIRE(simulation.observe(true).ok());
  // The multiplier gives both followers the same force: 1.5 w' = 4 r', and w' + r' = 2 sin'' = -2 sin(1).
  const double drive = -2 * std::sin(1.0);
  CHECK(acceleration(simulation, 1) == doctest::Approx(drive * 4 / 5.5).epsilon(1e-8));
  CHECK(acceleration(simulation, 2) == doctest::Approx(drive * 1.5 / 5.5).epsilon(1e-8));
  CHECK(std::abs(position(simulation, 1) + position(simulation, 2) - 2 * std::sin(1.0)) < 1e-12);
  CHECK(momentum_residual(simulation.plan(), simulation.workspace()) < 1e-13);
  // The drive turns its own rotor and both followers, half of whose force each it feels.
  double effort = 0;
  joint_effort(simulation.plan(), simulation.workspace(), {0}, &effort);
  CHECK(effort == doctest::Approx(-0.02 * std::sin(1.0) + 2 * 1.5 * drive * 4 / 5.5).epsilon(1e-8));
}

TEST_CASE("two drives that a gear cannot follow are refused with the coupling's name") {
  std::string text = train(R"({"gear": {"terms": {"motor": 1, "wheel": -5}}})", R"j("motion": "=sin(t)")j");
  text.replace(text.find(R"("wheel": {"type": "revolute",)"), 29, R"j("wheel": {"type": "revolute", "motion": "=sin(t)",)j");
  Simulation simulation(model_of(text));
  const Status status = simulation.start();
  REQUIRE(!status.ok());
  CHECK(describe(status, simulation.plan(), simulation.workspace(), 0).find("coupling \"gear\" cannot hold") != std::string::npos);
}
