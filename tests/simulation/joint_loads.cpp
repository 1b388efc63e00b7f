#include <doctest/doctest.h>

#include <array>
#include <numbers>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A block of 2 kg on a rail, without gravity.
std::string block(const std::string& keys) {
  return R"({"arthron": 1, "name": "block", "gravity": [0, 0, 0], "bodies": {"block": {"mass": 2, "inertia": [1, 1, 1]}},
             "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "block", "at": [0, 0, 0], "axis": [1, 0, 0], )" +
         keys + "}}}";
}

struct Motion {
  double position = 0, velocity = 0;
};

Motion at(Simulation& simulation, double t) {
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
  // Of the first freedom, where there are several.
  std::array<double, 6> position{}, velocity{};
  joint_position(simulation.plan(), simulation.workspace(), {0}, position.data());
  joint_velocity(simulation.plan(), simulation.workspace(), {0}, velocity.data());
  return {position[0], velocity[0]};
}

}  // namespace

TEST_CASE("elastic stop: the block stays in it for half a period of mass and spring, and leaves as fast as it came") {
  // Touches at t = 0.5, is deepest a quarter period later at v sqrt(m/k), and is back at the stop after half a period.
  Simulation simulation = tight(block(R"("limits": {"lower": -1, "upper": 1, "stiffness": 5000}, "initial": {"velocity": 2})"), 3);
  REQUIRE(simulation.start().ok());
  const double root = std::sqrt(2.0 / 5000), deepest = 0.5 + std::numbers::pi / 2 * root, out = 0.5 + std::numbers::pi * root;
  CHECK(at(simulation, deepest).position == doctest::Approx(1 + 2 * root).epsilon(1e-8));
  CHECK(energy(simulation.plan(), simulation.workspace()).potential == doctest::Approx(4).epsilon(1e-7));
  const Motion back = at(simulation, out + 0.5);
  CHECK(std::abs(back.position) < 1e-7);
  CHECK(back.velocity == doctest::Approx(-2).epsilon(1e-8));
  // The lower stop next.
  CHECK(at(simulation, out + 1 + std::numbers::pi * root + 0.1).velocity == doctest::Approx(2).epsilon(1e-7));
  CHECK(is_conservative(simulation.plan()));
}

TEST_CASE("damped stop: the speeds before and after obey Hunt and Crossley's integral, and it never pulls") {
  // m v dv/dx = -k x (1 + c v) gives  c v - log(1 + c v) = -c w - log(1 - c w)  for the speeds v in and w out.
  Simulation simulation = tight(block(R"("limits": {"upper": 1, "stiffness": 5000, "damping": 0.4}, "initial": {"velocity": 2})"), 3);
  REQUIRE(simulation.start().ok());
  const double c = 0.4, v = 2, w = -at(simulation, 1.5).velocity;
  CHECK(w < v);
  CHECK(c * v - std::log(1 + c * v) == doctest::Approx(-c * w - std::log(1 - c * w)).epsilon(1e-7));
  CHECK_FALSE(is_conservative(simulation.plan()));
}

TEST_CASE("dry friction: the block slows down as the regularised law integrates") {
  // m u' = -F tanh(u/s) gives sinh(u/s) = sinh(u0/s) exp(-F t / (m s)).
  Simulation simulation = tight(block(R"("friction": {"effort": 3, "speed": 0.1}, "initial": {"velocity": 1})"), 2);
  REQUIRE(simulation.start().ok());
  for (const double t : {0.1, 0.5, 0.66, 0.8}) {
    CAPTURE(t);
    CHECK(std::sinh(at(simulation, t).velocity / 0.1) == doctest::Approx(std::sinh(1 / 0.1) * std::exp(-3 * t / (2 * 0.1))).epsilon(1e-6));
  }
  CHECK_FALSE(is_conservative(simulation.plan()));
  // Breaking away takes the static effort, sliding fast the other.
  Loaded slow = Loaded::text(
      block(R"("friction": {"effort": 3, "static_effort": 5, "speed": 1e-3, "stribeck_speed": 1}, "initial": {"velocity": 0.1})"));
  REQUIRE(slow.accelerate().ok());
  CHECK(slow.work->udot[0] == doctest::Approx(-(3 + 2 * std::exp(-0.01)) / 2).epsilon(1e-12));
}

TEST_CASE("drive: a step of the target is the response of mass, spring and damper; its effort is held within its bound") {
  // m x'' + d x' + k x = k: x = 1 - exp(-a t) (cos(b t) + a/b sin(b t)), a = d/2m, b = sqrt(k/m - a^2).
  Simulation simulation = tight(block(R"("drive": {"target": 1, "stiffness": 50, "damping": 4})"), 2);
  REQUIRE(simulation.start().ok());
  const double a = 1, b = std::sqrt(25 - a * a);
  for (const double t : {0.2, 0.7, 2.0})
    CHECK(at(simulation, t).position == doctest::Approx(1 - std::exp(-a * t) * (std::cos(b * t) + a / b * std::sin(b * t))).epsilon(1e-8));
  CHECK_FALSE(is_conservative(simulation.plan()));

  Simulation bounded = tight(block(R"("drive": {"target": 10, "stiffness": 1000, "damping": 10, "max_effort": 4})"), 2);
  REQUIRE(bounded.start().ok());
  CHECK(at(bounded, 1).position == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("drive: a moving target's own rate is followed without lag by the damping, unless another rate is wanted") {
  // With x = target at all times neither term acts.
  Loaded follows = Loaded::text(block(R"("drive": {"target": "=0.5*t", "stiffness": 50, "damping": 4}, "initial": {"velocity": 0.5})"));
  REQUIRE(follows.accelerate().ok());
  CHECK(follows.work->udot[0] == 0);
  Loaded told = Loaded::text(block(R"("drive": {"target_rate": 2, "damping": 4}, "initial": {"velocity": 0.5})"));
  REQUIRE(told.accelerate().ok());
  CHECK(told.work->udot[0] == 4 * (2 - 0.5) / 2);
}

TEST_CASE("every joint type: springs and stops along all its coordinates keep the energy of a tumbling body") {
  for (const auto& [name, type] : builtins().joints()) {
    if (type->nu() == 0) continue;
    for (const bool reversed : {false, true}) {
      CAPTURE(name);
      CAPTURE(reversed);
      RandomModel random(builtins(), 3);
      const auto list = [&](double low, double high) {
        Json values = Json::array();
        for (int i = 0; i < type->nu(); ++i) values.push_back(random.number(low, high));
        return values;
      };
      Json joint = random.keys_of(*type, 0);
      joint["parent"] = reversed ? "body" : "ground", joint["child"] = reversed ? "ground" : "body", joint["at"] = {0, 0, 0};
      joint["spring"] = {{"stiffness", list(5, 20)}, {"rest", list(-0.2, 0.2)}};
      joint["limits"] = {{"lower", list(-0.4, -0.3)}, {"upper", list(0.2, 0.3)}, {"stiffness", list(20, 50)}};
      joint["initial"] = {{"position", list(-0.3, 0.3)}, {"velocity", list(-0.5, 0.5)}};
      const Json model{{"arthron", 1},
                       {"name", "held"},
                       {"gravity", {1, 0, -2}},
                       {"bodies", {{"body", {{"mass", 1}, {"com", {0.1, 0.2, 0.1}}, {"inertia", {0.3, 0.4, 0.5}}}}}},
                       {"joints", {{"joint", joint}}}};
      Simulation simulation = tight(model.dump(), 3);
      REQUIRE(simulation.start().ok());
      REQUIRE(simulation.observe().ok());
      CHECK(is_conservative(simulation.plan()));
      const double start = energy(simulation.plan(), simulation.workspace()).total();
      (void)at(simulation, 3);
      // Some hundred steps at 1e-11, with kinks in the third derivative of energy at every touch of a stop.
      CHECK(energy(simulation.plan(), simulation.workspace()).total() == doctest::Approx(start).epsilon(1e-7));
    }
  }
}

TEST_CASE("springs, stops, friction and drives act in a cut joint as they do in the tree") {
  // A four-bar with a loaded joint, opened there or at the opposite corner.
  const auto fourbar = [](bool cut_loaded) {
    const std::string loads =
        R"("spring": {"stiffness": 20, "damping": 1, "rest": 0.2}, "limits": {"upper": -0.1, "stiffness": 500, "damping": 0.2},
                                 "friction": {"effort": 2, "speed": 0.5},
                                 "drive": {"target": "=1+t", "stiffness": 30, "damping": 2, "max_effort": 25}, "effort": 3)";
    return R"({"arthron": 1, "name": "fourbar",
      "bodies": {"crank": {"mass": 1, "com": [0, 0, 0.1], "inertia": [0.01, 0.01, 0.01]},
                 "coupler": {"mass": 2, "com": [0.3, 0, 0.3], "inertia": [0.05, 0.05, 0.05]},
                 "rocker": {"mass": 1.5, "com": [0.6, 0, 0.2], "inertia": [0.02, 0.02, 0.02]}},
      "joints": {"a": {"type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 1, 0]},
                 "b": {"type": "revolute", "parent": "crank", "child": "coupler", "at": [0, 0, 0.2], "axis": [0, 1, 0], "cut": )" +
           std::string(cut_loaded ? "false" : "true") +
           R"(},
                 "c": {"type": "revolute", "parent": "coupler", "child": "rocker", "at": [0.6, 0, 0.4], "axis": [0, 1, 0], "cut": )" +
           std::string(cut_loaded ? "true" : "false") + ", " + loads + R"(},
                 "d": {"type": "revolute", "parent": "ground", "child": "rocker", "at": [0.6, 0, 0], "axis": [0, 1, 0], "cut": false}}})";
  };
  Simulation tree = tight(fourbar(false), 1), cut = tight(fourbar(true), 1);
  for (Simulation* simulation : {&tree, &cut}) REQUIRE(simulation->start().ok());
  CHECK(tree.plan().joints[2].closure < 0);
  CHECK(cut.plan().joints[2].closure >= 0);
  for (const double t : {0.0, 0.2, 0.5, 1.0}) {
    CAPTURE(t);
    const Motion one = at(tree, t), other = at(cut, t);
    CHECK(one.position == doctest::Approx(other.position).epsilon(1e-7));
    CHECK(one.velocity == doctest::Approx(other.velocity).epsilon(1e-7));
    CHECK(energy(tree.plan(), tree.workspace()).potential == doctest::Approx(energy(cut.plan(), cut.workspace()).potential).epsilon(1e-7));
  }
}
