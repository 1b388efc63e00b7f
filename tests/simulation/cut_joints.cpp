#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

/// Loops whose cut joints turn far, whose drives contradict one another, or whose ground could move.
using namespace arthron;
using namespace arthron::test;

namespace {

/// A nut on a slide, moved by a screw on a driven rotor; the planner cuts the screw.
constexpr auto lead_screw = R"json({ "arthron": 1, "name": "lead",
  "bodies": {
    "rotor": {"mass": 1, "com": [0, 0, 0], "inertia": [0.05, 0.05, 0.05]},
    "nut": {"mass": 2, "com": [0.5, 0, 0], "inertia": [0.02, 0.03, 0.04]} },
  "joints": {
    "r": {"type": "revolute", "parent": "ground", "child": "rotor", "at": [0, 0, 0], "axis": [1, 0, 0], "motion": "=10*t"},
    "p": {"type": "prismatic", "parent": "ground", "child": "nut", "at": [0.5, 0, 0], "axis": [1, 0, 0], "spring": {"stiffness": 100, "damping": 0}},
    "s": {"type": "screw", "parent": "rotor", "child": "nut", "at": [0.5, 0, 0], "axis": [1, 0, 0], "pitch": 0.1} } })json";

/// Two hinged bodies with a link between them, which is cut.
constexpr auto linked_arms = R"json({ "arthron": 1, "name": "dist",
  "bodies": {
    "rotor": {"mass": 1, "com": [0, 0.1, 0.1], "inertia": [0.02, 0.03, 0.04]},
    "arm": {"mass": 2, "com": [0.8, 0.2, 0], "inertia": [0.02, 0.03, 0.04]} },
  "joints": {
    "R": {"type": "revolute", "parent": "ground", "child": "rotor", "at": [0, 0, 0], "axis": [1, 0, 0], "initial": {"velocity": 2, "keep": true}},
    "Q": {"type": "revolute", "parent": "ground", "child": "arm", "at": [0.8, 0, 0], "axis": [0.2, 0, 1]},
    "L": {"type": "distance", "parent": "rotor", "child": "arm", "from": [0, 0.2, 0.2], "at": [0.8, 0.4, 0]} } })json";

/// A four-bar on a ground whose motion is no motion.
constexpr auto resting_ground = R"json({ "arthron": 1, "name": "fbz",
  "bodies": {
    "crank": {"mass": 1, "com": [0, 0, 0.15], "inertia": [0.02, 0.03, 0.04]},
    "coupler": {"mass": 2, "com": [0.5, 0, 0.45], "inertia": [0.02, 0.03, 0.04]},
    "rocker": {"mass": 1.5, "com": [1, 0, 0.3], "inertia": [0.02, 0.03, 0.04]} },
  "joints": {
    "A": {"type": "revolute", "parent": "plat", "child": "crank", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": {"velocity": 3, "keep": true}},
    "B": {"type": "revolute", "parent": "crank", "child": "coupler", "at": [0, 0, 0.3], "axis": [0, 1, 0]},
    "C": {"type": "revolute", "parent": "coupler", "child": "rocker", "at": [1, 0, 0.6], "axis": [0, 1, 0]},
    "D": {"type": "revolute", "parent": "plat", "child": "rocker", "at": [1, 0, 0], "axis": [0, 1, 0]} },
  "grounds": {
    "plat": {"frame": {"at": [0.3, 0.1, 0]}, "motion": {"translation": [0, 0, 0], "rotation": [0, 0, 0]}} } })json";

/// Two driven cranks on one bar, moved apart.
constexpr auto contradiction = R"json({ "arthron": 1, "name": "contra",
  "bodies": {
    "c0": {"mass": 1, "com": [0, 0, 0.25], "inertia": [0.02, 0.03, 0.04]},
    "c1": {"mass": 1, "com": [1, 0, 0.25], "inertia": [0.02, 0.03, 0.04]},
    "c2": {"mass": 1, "com": [2, 0, 0.25], "inertia": [0.02, 0.03, 0.04]},
    "bar": {"mass": 4, "com": [1, 0, 0.5], "inertia": [0.1, 1, 1]} },
  "joints": {
    "g0": {"type": "revolute", "parent": "ground", "child": "c0", "at": [0, 0, 0], "axis": [0, 1, 0], "motion": "=0.5*sin(3*t)"},
    "t0": {"type": "revolute", "parent": "c0", "child": "bar", "at": [0, 0, 0.5], "axis": [0, 1, 0]},
    "g1": {"type": "revolute", "parent": "ground", "child": "c1", "at": [1, 0, 0], "axis": [0, 1, 0], "motion": "=0.5*sin(3*t)+0.2*step(t,0.3,0,0.5,1)"},
    "t1": {"type": "revolute", "parent": "c1", "child": "bar", "at": [1, 0, 0.5], "axis": [0, 1, 0]},
    "g2": {"type": "revolute", "parent": "ground", "child": "c2", "at": [2, 0, 0], "axis": [0, 1, 0]},
    "t2": {"type": "revolute", "parent": "c2", "child": "bar", "at": [2, 0, 0.5], "axis": [0, 1, 0]} } })json";

std::unique_ptr<Simulation> started(const char* text, const std::function<void(SimulationSettings&)>& change) {
  auto simulation = std::make_unique<Simulation>(model_of(text, change));
  REQUIRE(simulation->start().ok());
  return simulation;
}

}  // namespace

TEST_CASE("A cut screw that turns nearly five times follows its turns in steps of any length, under every formulation") {
  for (const std::string& formulation : formulation_names())
    for (const double output_step : {0.05, 1.0})
      for (const bool project : {true, false}) {
        CAPTURE(formulation);
        CAPTURE(output_step);
        CAPTURE(project);
        const auto simulation = started(lead_screw, [&](SimulationSettings& settings) {
          settings.formulation = formulation;
          settings.output_step = output_step;
          settings.loops.project = project;
        });
        Channel nut = simulation->channel("p.position"), effort = simulation->channel("r.effort"),
                screw = simulation->channel("s.position");
        REQUIRE(simulation->advance_to(3).ok());
        REQUIRE(simulation->observe().ok());
        const double lead = 0.1 / (2 * std::numbers::pi), moved = -30 * lead;
        CHECK(nut.value() == doctest::Approx(moved).epsilon(1e-6));
        CHECK(effort.value() == doctest::Approx(-100 * moved * lead).epsilon(1e-6));
        CHECK(std::abs(screw.value()) == doctest::Approx(30).epsilon(1e-6));
      }
}

TEST_CASE("A link between two arms is stepped symplectically for long: what no impulse can do does not pile up") {
  const auto simulation = started(linked_arms, [](SimulationSettings& settings) { settings.integrator = {"gauss4", 1e-6, 1e-6, 0.01}; });
  REQUIRE(simulation->observe().ok());
  const double before = energy(simulation->plan(), simulation->workspace()).total();
  REQUIRE(simulation->advance_to(60).ok());
  REQUIRE(simulation->observe().ok());
  CHECK(std::abs(energy(simulation->plan(), simulation->workspace()).total() - before) < 1e-6);
}

TEST_CASE("Errors of velocities at a loose tolerance are not taken for drives that contradict one another") {
  for (const std::string& formulation : formulation_names()) {
    CAPTURE(formulation);
    const auto simulation = started(resting_ground, [&](SimulationSettings& settings) {
      settings.formulation = formulation;
      settings.integrator = {"dopri5", 1e-3, 1e-3};
    });
    CHECK(simulation->advance_to(1).ok());
  }
}

TEST_CASE("Drives that contradict one another are refused under every formulation, whether loops are stabilised or not") {
  for (const std::string& formulation : formulation_names())
    for (const bool project : {true, false}) {
      CAPTURE(formulation);
      CAPTURE(project);
      Simulation simulation(model_of(contradiction, [&](SimulationSettings& settings) {
        settings.formulation = formulation;
        settings.loops.project = project;
      }));
      Status status = simulation.start();
      if (status.ok()) status = simulation.advance_to(1);
      CHECK(status.code == Status::Code::contradictory_drives);
    }
}

TEST_CASE("a drive that a loop follows is followed with methods that remember steps too, whose states are projected after them") {
  constexpr auto driven = R"json({ "arthron": 1, "name": "driven",
  "bodies": {
    "crank": {"mass": 1, "com": [0, 0, 0.15], "inertia": [0.02, 0.03, 0.04]},
    "coupler": {"mass": 2, "com": [0.5, 0, 0.45], "inertia": [0.02, 0.03, 0.04]},
    "rocker": {"mass": 1.5, "com": [1, 0, 0.3], "inertia": [0.02, 0.03, 0.04]} },
  "joints": {
    "A": {"type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 1, 0], "motion": "=8*sin(t)"},
    "B": {"type": "revolute", "parent": "crank", "child": "coupler", "at": [0, 0, 0.3], "axis": [0, 1, 0]},
    "C": {"type": "revolute", "parent": "coupler", "child": "rocker", "at": [1, 0, 0.6], "axis": [0, 1, 0]},
    "D": {"type": "revolute", "parent": "ground", "child": "rocker", "at": [1, 0, 0], "axis": [0, 1, 0]} } })json";
  const auto angle = [&](const char* formulation, const char* method) {
    Simulation simulation(model_of(driven, [&](SimulationSettings& s) {
      s.formulation = formulation, s.until = 0.2, s.integrator = {method, 1e-8, 1e-8};
    }));
    REQUIRE(simulation.start().ok());
    CAPTURE(formulation);
    CAPTURE(method);
    CHECK(simulation.advance_to(0.2).ok());
    CHECK(simulation.state().t == 0.2);
    double q = 0;
    joint_position(simulation.plan(), simulation.workspace(), {3}, &q);
    return q;
  };
  const double expected = angle("hdca", "dopri5");
  for (const char* formulation : {"dca", "slm", "sslm", "block-module"})
    for (const char* method : {"dopri5", "adams", "bdf"}) CHECK(angle(formulation, method) == doctest::Approx(expected).epsilon(1e-5));
}
