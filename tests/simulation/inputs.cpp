#include <doctest/doctest.h>

#include <cmath>

#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double mass = 2;

/// A mass on a slide, pushed by an input that is 1 + 3 t [N] while nobody sets it.
constexpr auto pushed = R"json({
  "arthron": 1, "name": "pushed", "gravity": [0, 0, 0],
  "ports": { "push": { "signal": "input", "default": "=1 + 3*t" } },
  "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1] } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0], "effort": "=push" } } })json";

/// Position and velocity of the mass under forces f + g s for a time s.
struct Free {
  double x = 0, v = 0;
  void move(double s, double f, double g = 0) {
    x += v * s + f * s * s / (2 * mass) + g * s * s * s / (6 * mass);
    v += f * s / mass + g * s * s / (2 * mass);
  }
};

std::shared_ptr<const Model> with_integrator(const std::string& text, const std::string& type, double tolerance) {
  return model_of(text, [&](SimulationSettings& settings) {
    settings.integrator.type = type;
    settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = tolerance;
  });
}

void check(Simulation& simulation, const Free& expected, double tolerance) {
  CAPTURE(simulation.state().t);
  CHECK(std::abs(simulation.state().q[0] - expected.x) < tolerance);
  CHECK(std::abs(simulation.state().p[0] / mass - expected.v) < tolerance);
}

/// A four-bar in a horizontal plane, its crank turned by an input.
constexpr auto four_bar = R"json({
  "arthron": 1, "name": "four_bar", "gravity": [0, 0, 0],
  "ports": { "torque": { "signal": "input" } },
  "bodies": { "crank": { "mass": 1, "com": [0, 0.1, 0], "inertia": [0.01, 0.01, 0.01] },
              "coupler": { "mass": 2, "com": [0.25, 0.25, 0], "inertia": [0.02, 0.02, 0.02] },
              "rocker": { "mass": 1, "com": [0.5, 0.15, 0], "inertia": [0.01, 0.01, 0.01] } },
  "joints": { "a": { "type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 0, 1], "effort": "=torque" },
              "b": { "type": "revolute", "parent": "crank", "child": "coupler", "at": [0, 0.2, 0], "axis": [0, 0, 1] },
              "c": { "type": "revolute", "parent": "coupler", "child": "rocker", "at": [0.5, 0.3, 0], "axis": [0, 0, 1] },
              "d": { "type": "revolute", "parent": "rocker", "child": "ground", "at": [0.5, 0, 0], "axis": [0, 0, 1] } } })json";

}  // namespace

TEST_CASE("a mass whose force is set every 10 ms moves by the closed form, whatever the integrator") {
  // Explicit methods of order 3 and more are exact on what is cubic in time; CVODE keeps to its tolerance per step.
  struct Method {
    const char* type;
    double tolerance, error;
  };
  for (const Method method : {Method{"rk4", 1e-6, 1e-13},
                              {"dopri5", 1e-6, 1e-13},
                              {"bs32", 1e-6, 1e-13},
                              {"rkf78", 1e-6, 1e-13},
                              {"bdf", 1e-11, 1e-8},
                              {"adams", 1e-11, 1e-8}}) {
    CAPTURE(method.type);
    Simulation simulation(with_integrator(pushed, method.type, method.tolerance));
    const Input push = simulation.input("push");
    Free expected;
    REQUIRE(simulation.start().ok());
    // Adaptive steps lie beyond 15 ms already when the first value is set there.
    REQUIRE(simulation.advance_to(0.015).ok());
    expected.move(0.015, 1, 3);
    check(simulation, expected, method.error);
    CHECK(push.value() == doctest::Approx(1.045));
    for (int k = 0; k < 20; ++k) {
      const double force = 5 * std::cos(2.0 * k), rate = k % 2 ? 40 : 0;
      push.set(force, rate);
      REQUIRE(simulation.advance_to(0.015 + 0.01 * (k + 1)).ok());
      expected.move(0.01, force, rate);
      check(simulation, expected, method.error);
    }
    push.release();
    const double t = simulation.state().t;
    REQUIRE(simulation.advance_to(t + 0.1).ok());
    expected.move(0.1, 1 + 3 * t, 3);
    check(simulation, expected, method.error);
  }
}

TEST_CASE("an input that is set is seen at once, before and after a start") {
  Simulation simulation(model_of(pushed));
  simulation.input("push").set(8);
  Channel acceleration = simulation.channel("block.acceleration.x");
  for (int run = 0; run < 2; ++run) {
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.observe().ok());
    CHECK(acceleration.value() == doctest::Approx(4));
    REQUIRE(simulation.advance_to(1).ok());
    CHECK(simulation.state().q[0] == doctest::Approx(2).epsilon(1e-12));
  }
  simulation.input("push").set(-2);
  REQUIRE(simulation.observe().ok());
  CHECK(acceleration.value() == doctest::Approx(-1));
}

TEST_CASE("simulations of one model have inputs of their own") {
  const std::shared_ptr<const Model> model = model_of(pushed);
  Simulation left(model), right(model);
  REQUIRE(left.start().ok());
  REQUIRE(right.start().ok());
  left.input("push").set(4);
  right.input("push").set(-4);
  REQUIRE(left.advance_to(1).ok());
  REQUIRE(right.advance_to(1).ok());
  CHECK(left.state().q[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(right.state().q[0] == doctest::Approx(-1).epsilon(1e-12));
}

TEST_CASE("an input that is set to what it does already leaves the integrator alone") {
  const std::shared_ptr<const Model> model = model_of(four_bar);
  Simulation once(model), again(model);
  for (Simulation* simulation : {&once, &again}) {
    simulation->input("torque").set(0.5, 0.25);
    REQUIRE(simulation->start().ok());
  }
  for (int k = 1; k <= 8; ++k) {
    REQUIRE(once.advance_to(0.125 * k).ok());
    REQUIRE(again.advance_to(0.125 * k).ok());
    again.input("torque").set(0.5 + 0.25 * 0.125 * k, 0.25);
  }
  CHECK(again.state().q == once.state().q);
  CHECK(again.statistics().evaluations == once.statistics().evaluations);
}

TEST_CASE("a driven joint follows an input with its rate") {
  const std::string driven = R"json({
    "arthron": 1, "name": "driven", "ports": { "place": { "signal": "input" } },
    "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1] } },
    "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0], "motion": "=2*place" } } })json";
  Simulation simulation(model_of(driven));
  Channel position = simulation.channel("slide.position"), velocity = simulation.channel("block.velocity.x");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(0.5).ok());
  simulation.input("place").set(0.1, 0.25);
  REQUIRE(simulation.advance_to(0.7).ok());
  REQUIRE(simulation.observe().ok());
  CHECK(position.value() == doctest::Approx(2 * (0.1 + 0.25 * 0.2)).epsilon(1e-12));
  CHECK(velocity.value() == doctest::Approx(0.5).epsilon(1e-12));
  CHECK_FALSE(is_conservative(simulation.plan()));
}

TEST_CASE("the work of a torque set in steps is the energy of a closed loop, whatever the integrator") {
  for (const char* type : {"rk4", "dopri5", "bdf", "adams"}) {
    CAPTURE(type);
    Simulation simulation(with_integrator(four_bar, type, 1e-11));
    const Input torque = simulation.input("torque");
    Channel angle = simulation.channel("a.position"), kinetic = simulation.channel("energy.kinetic");
    REQUIRE(simulation.start().ok());
    double work = 0, before = 0;
    for (int k = 0; k < 40; ++k) {
      const double moment = 0.4 * std::sin(0.5 * k) + 0.1;
      torque.set(moment);
      REQUIRE(simulation.advance_to(0.02 * (k + 1)).ok());
      REQUIRE(simulation.observe().ok());
      work += moment * (angle.value() - before);
      before = angle.value();
      CHECK(kinetic.value() == doctest::Approx(work).epsilon(1e-7));
      CHECK(closure_error(simulation.plan(), simulation.workspace()) < 1e-12);
    }
    CHECK(std::abs(before) > 0.1);
    CHECK_FALSE(is_conservative(simulation.plan()));
  }
}

TEST_CASE("a loop whose crank is set elsewhere is closed there before it goes on, whatever the integrator") {
  // The crank is driven, and a pendulum keeps the model from standing still.
  std::string driven = four_bar;
  driven.replace(driven.find("\"effort\": \"=torque\""), 19, "\"motion\": \"=torque\"");
  driven.replace(driven.find("\"bodies\": {"), 11,
                 R"("bodies": { "bob": { "mass": 1, "com": [0.3, 0.1, 0], "inertia": [0.01, 0.01, 0.01] },)");
  driven.replace(driven.find("\"joints\": {"), 11, R"("joints": { "pin": { "type": "revolute", "parent": "coupler", "child": "bob",
                                                    "at": [0.25, 0.25, 0], "axis": [0, 0, 1], "initial": { "velocity": 3 } },)");
  const auto pin_after = [&](const char* type) {
    Simulation simulation(with_integrator(driven, type, 1e-11));
    Channel pin = simulation.channel("pin");
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.advance_to(0.1).ok());
    simulation.input("torque").set(0.1, 0.5);
    REQUIRE(simulation.advance_to(0.2).ok());
    REQUIRE(simulation.observe().ok());
    CHECK(closure_error(simulation.plan(), simulation.workspace()) < 1e-12);
    return std::pair(pin.value(0), pin.value(1));
  };
  const auto [angle, rate] = pin_after("dopri5");
  for (const char* type : {"rk4", "bdf", "adams"}) {
    CAPTURE(std::string(type));
    CHECK(pin_after(type).first == doctest::Approx(angle).epsilon(1e-7));
    CHECK(pin_after(type).second == doctest::Approx(rate).epsilon(1e-7));
  }
}

TEST_CASE("an input that the model does not have is named with those it has") {
  Simulation simulation(model_of(pushed)), none(model_of(pendulum));
  CHECK_THROWS_WITH_AS((void)simulation.input("pusch"),
                       "test.json: input\n  found \"pusch\"; expected a signal input of the model (push); did you mean \"push\"?",
                       ModelError);
  CHECK_THROWS_WITH_AS((void)none.input("push"), "test.json: input\n  found \"push\"; expected a signal input of the model, which has none",
                       ModelError);
}

TEST_CASE("a channel is looked up by its path and reads the last observation") {
  Simulation simulation(model_of(pendulum));
  Channel tip = simulation.channel("tip.position"), effort = simulation.channel("hinge.reaction.force.z");
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.observe().ok());
  REQUIRE(tip.columns().size() == 3);
  CHECK(tip.columns()[2].name == "tip.position.z");
  CHECK(tip.value(2) == doctest::Approx(-0.5 * std::cos(2.0)));
  CHECK(tip.values()[0] == doctest::Approx(-0.5 * std::sin(2.0)));
  // Let go from rest at 2 rad: only the part of the weight along the rod is carried.
  CHECK(effort.value() == doctest::Approx(2 * 9.81 * std::cos(2.0) * std::cos(2.0)));
  CHECK_THROWS_WITH_AS((void)simulation.channel("tip.positoin"),
                       "channel\n  found \"tip.positoin\"; expected one of tip.position, tip.velocity; did you mean \"tip.position\"?",
                       ModelError);
}
