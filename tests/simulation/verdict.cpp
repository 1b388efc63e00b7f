#include "arthron/simulation/verdict.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "simulation/models.hpp"

/// Source of truth: states that are put out of place by a known amount, and methods known to be unstable.
using namespace arthron;
using namespace arthron::test;

namespace {

/// A four-bar that swings under gravity; cranks of 1 m.
constexpr auto four_bar = R"json({
  "arthron": 1, "name": "four_bar",
  "bodies": { "crank": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1] },
              "coupler": { "mass": 1, "com": [1.5, 0, -0.1], "inertia": [0.01, 0.1, 0.1] },
              "rocker": { "mass": 1, "com": [2, 0, -0.6], "inertia": [0.1, 0.1, 0.01] } },
  "joints": { "a": { "type": "revolute", "parent": "ground", "child": "crank", "at": [0, 0, 0], "axis": [0, 1, 0] },
              "b": { "type": "revolute", "parent": "crank", "child": "coupler", "at": [1, 0, 0], "axis": [0, 1, 0] },
              "c": { "type": "revolute", "parent": "coupler", "child": "rocker", "at": [2, 0, -0.2], "axis": [0, 1, 0] },
              "d": { "type": "revolute", "parent": "ground", "child": "rocker", "at": [2, 0, -1], "axis": [0, 1, 0], "cut": true } } })json";

/// The state in one piece.
std::vector<double> in_one_piece(const State& state) {
  std::vector<double> y = state.q;
  y.insert(y.end(), state.p.begin(), state.p.end());
  return y;
}

Status judged(Simulation& simulation) {
  REQUIRE(simulation.observe().ok());
  return simulation.judge();
}

RunSummary run_of(const std::shared_ptr<const Model>& model) {
  Simulation simulation(model);
  ChannelSet channels(simulation.plan(), {});
  return run(simulation, channels);
}

/// A mass on a spring, sqrt(k/m) = 100 1/s, with 0.5 J, in steps of a fixed length and a row for each.
RunSummary run_of_spring(const std::string& method, double step) {
  return run_of(model_of(R"json({ "arthron": 1, "name": "spring", "gravity": [0, 0, 0],
    "bodies": { "b": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "j": { "type": "prismatic", "parent": "ground", "child": "b", "at": [0, 0, 0], "axis": [1, 0, 0],
                       "spring": { "stiffness": 1e4 }, "initial": { "velocity": 1 } } } })json",
                         [&](SimulationSettings& s) {
                           s.until = 3, s.output_step = step, s.integrator = {method, 1e-6, 1e-6, step};
                         }));
}

}  // namespace

TEST_CASE("a loop that is open by more than the tolerance is told with joint, bodies, gap and time") {
  Simulation simulation(model_of(four_bar));
  REQUIRE(simulation.start().ok());
  CHECK(judged(simulation).ok());
  REQUIRE(simulation.advance_to(0.1).ok());
  CHECK(judged(simulation).ok());
  // The rocker, whose foot is cut, turns by 1e-4 rad about its head 0.8 m above it.
  std::vector<double> y = in_one_piece(simulation.state());
  y[2] += 1e-4;
  simulation.go_to(0.2, y);
  const Status status = judged(simulation);
  CHECK(status.code == Status::Code::came_open);
  const std::string words = describe(status, simulation.plan(), simulation.workspace(), simulation.state().t);
  CHECK(words.find("joint \"d\" between \"ground\" and \"rocker\"") == 0);
  CHECK(words.find("open by 0.08 mm") != std::string::npos);
  CHECK(words.find("t = 0.2 s") != std::string::npos);
  CHECK(simulation.verdict().find("rows up to t = 0.1 s are sound") != std::string::npos);
}

TEST_CASE("a loop tolerance is a tolerance") {
  Simulation simulation(model_of(four_bar, [](SimulationSettings& s) { s.loops.tolerance = 1e-3; }));
  REQUIRE(simulation.start().ok());
  std::vector<double> y = in_one_piece(simulation.state());
  y[2] += 1e-4;
  simulation.go_to(0.1, y);
  CHECK(judged(simulation).ok());
  y[2] += 1e-2;
  simulation.go_to(0.1, y);
  CHECK(judged(simulation).code == Status::Code::came_open);
}

TEST_CASE("energy that nothing adds is told, and what the tolerance explains is not") {
  Simulation simulation(model_of(double_pendulum, [](SimulationSettings& s) { s.integrator = {"dopri5", 1e-9, 1e-9, 1}; }));
  REQUIRE(simulation.start().ok());
  CHECK(judged(simulation).ok());
  REQUIRE(simulation.advance_to(0.4).ok());
  CHECK(judged(simulation).ok());
  const std::vector<double> sound = in_one_piece(simulation.state());
  for (const double part : {1e-9, 1e-2}) {
    std::vector<double> y = sound;
    for (std::size_t i = 2; i < y.size(); ++i) y[i] *= 1 + part;
    simulation.go_to(0.5, y);
    const Status status = judged(simulation);
    CHECK(status.code == (part > 1e-5 ? Status::Code::energy_off : Status::Code::ok));
  }
  CHECK(simulation.verdict().find("it has changed by ") == 0);
}

TEST_CASE("energy may be taken by the joints, but not added") {
  std::string damped = double_pendulum;
  damped.replace(damped.find("\"axis\""), 0, "\"spring\": { \"damping\": 1 }, ");
  Simulation simulation(model_of(damped));
  REQUIRE(simulation.start().ok());
  CHECK(judged(simulation).ok());
  REQUIRE(simulation.advance_to(1).ok());
  CHECK(judged(simulation).ok());
  std::vector<double> y = in_one_piece(simulation.state());
  for (std::size_t i = 2; i < y.size(); ++i) y[i] *= 10;
  simulation.go_to(1.1, y);
  CHECK(judged(simulation).code == Status::Code::energy_off);
}

TEST_CASE("a run with unstable fixed steps ends where its energy goes astray, and keeps its rows") {
  // Explicit midpoint steps grow by |1 + i z - z^2/2| = sqrt(1 + z^4/4) = 1.4 each at z = 1.4.
  const RunSummary summary = run_of_spring("rk2", 0.014);
  CHECK(summary.status.code == Status::Code::energy_off);
  CHECK(summary.simulated == doctest::Approx(0.014));
  CHECK(summary.rows == 2);
  CHECK(summary.message.find("the energy is wrong although nothing in the model adds or takes any at t = 0.0") == 0);
}

TEST_CASE("a run with fixed steps ends where a tenth of its energy is lost, however slowly it went") {
  // A step of rk4 leaves 1 - z^6/72 + z^8/576 of the energy: at z = 1 nine of them leave less than 0.9, at z = 0.5 some 500.
  for (const double z : {0.5, 1.0}) {
    CAPTURE(z);
    const double left = 1 - std::pow(z, 6) / 72 + std::pow(z, 8) / 576, step = 0.01 * z;
    const double steps = std::ceil(std::log(0.9) / std::log(left));
    const RunSummary summary = run_of_spring("rk4", step);
    CHECK(summary.status.code == Status::Code::energy_off);
    CHECK(summary.simulated == doctest::Approx(steps * step));
  }
  CHECK(run_of_spring("rk4", 0.001).status.ok());
}

TEST_CASE("honest runs of every method are sound, tight and loose") {
  for (const char* text : {double_pendulum, tumbling, pendulum, four_bar})
    for (const IntegratorType& type : integrator_types())
      for (const char* formulation : {"hdca", "slm"})
        for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
          if (tolerance != 1e-6 && type.fixed_step) continue;
          CAPTURE(text);
          CAPTURE(type.name);
          CAPTURE(formulation);
          CAPTURE(tolerance);
          const RunSummary summary = run_of(model_of(text, [&](SimulationSettings& s) {
            s.until = 3, s.formulation = formulation, s.integrator = {std::string(type.name), tolerance, tolerance, 2e-3};
          }));
          CAPTURE(summary.message);
          CHECK(summary.status.ok());
        }
}
