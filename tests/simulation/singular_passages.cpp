#include <doctest/doctest.h>

#include "arthron/dynamics/velocity_state.hpp"
#include "arthron/simulation/plan_ode.hpp"
#include "models.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// So many parallelograms of 1 m and 1 kg side by side, upright, with 1 rad/s: examples/fourbar_ladder. Its one freedom is the pendulum
/// theta'' = k sin(theta), k = 3 g (3 N + 1) / (2 (4 N + 1)); whenever the cranks are horizontal every closure loses a row.
std::string ladder_of(int loops) {
  const Json slender = {1.0 / 12, 0.001, 1.0 / 12}, lying = {0.001, 1.0 / 12, 1.0 / 12};
  Json model = {{"arthron", 1}, {"name", "ladder"}, {"gravity", {0, -9.81, 0}}};
  const auto hinge = [&](const std::string& name, const std::string& parent, const std::string& child, double x, double y, double speed) {
    model["joints"][name] = {{"type", "revolute"}, {"parent", parent},  {"child", child},
                             {"at", {x, y, 0}},    {"axis", {0, 0, 1}}, {"initial", {{"velocity", speed}}}};
  };
  for (int i = 0; i <= loops; ++i) {
    const std::string number = std::to_string(i), crank = "crank" + number, coupler = "coupler" + number;
    model["bodies"][crank] = {{"mass", 1}, {"com", {i, 0.5, 0}}, {"inertia", slender}};
    hinge("foot" + number, "ground", crank, i, 0, -1);
    if (i == loops) break;
    model["bodies"][coupler] = {{"mass", 1}, {"com", {i + 0.5, 1, 0}}, {"inertia", lying}};
    hinge("left" + number, crank, coupler, i, 1, 1);
    hinge("right" + number, "crank" + std::to_string(i + 1), coupler, i + 1, 1, 0);
  }
  return model.dump();
}

RunSummary run_ladder(int loops, const char* method, double tolerance) {
  Simulation simulation(model_of(ladder_of(loops), [&](SimulationSettings& s) {
    s.until = 10, s.output_step = 0.1, s.integrator = {method, tolerance, tolerance};
  }));
  ChannelSet channels(simulation.plan(), {{"energy", "", ""}});
  return arthron::run(simulation, channels);
}

}  // namespace

TEST_CASE("parallelograms through ten singular positions: a tighter tolerance keeps energy better, without steps tried in vain") {
  for (const int loops : {2, 40})
    for (const char* method : {"dopri5", "dopri8"}) {
      CAPTURE(loops);
      CAPTURE(method);
      double before = 1;
      for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
        CAPTURE(tolerance);
        const RunSummary summary = run_ladder(loops, method, tolerance);
        REQUIRE(summary.status.ok());
        CHECK(summary.energy_drift < before);
        CHECK(summary.statistics.rejected < 50);
        before = summary.energy_drift;
      }
      CHECK(before < (loops == 2 ? 1e-9 : 1e-7));
    }
}

TEST_CASE("parallelograms through ten singular positions: methods with a history get through, the better the tighter the tolerance") {
  for (const int loops : {2, 10})
    for (const char* method : {"adams", "bdf"}) {
      if (check_integrator_type(method)) continue;
      double before = 1;
      for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-9}) {
        CAPTURE(loops);
        CAPTURE(method);
        CAPTURE(tolerance);
        const RunSummary summary = run_ladder(loops, method, tolerance);
        REQUIRE(summary.status.ok());
        CHECK(summary.energy_drift < before);
        CHECK(summary.energy_drift < 1e4 * tolerance * loops);
        CHECK(summary.statistics.evaluations < 50000);
        before = summary.energy_drift;
      }
    }
}

TEST_CASE("parallelograms through ten singular positions: methods with a history get through at tight tolerances") {
  for (const char* method : {"adams", "bdf"}) {
    if (check_integrator_type(method)) continue;
    CAPTURE(method);
    const RunSummary summary = run_ladder(2, method, 1e-10);
    REQUIRE(summary.status.ok());
    CHECK(summary.energy_drift < 1e-6);
    CHECK(summary.statistics.evaluations < 50000);
  }
}

TEST_CASE("bdf remembers closed loops: projection disturbs its history under no formulation") {
  if (check_integrator_type("bdf")) return;
  const auto evaluations = [](const char* formulation, const char* method) {
    Model model = example_model("three_rrr");
    model.simulation.until = 5, model.simulation.formulation = formulation, model.simulation.integrator = {method, 1e-9, 1e-9};
    Simulation simulation(std::make_shared<const Model>(std::move(model)));
    ChannelSet channels(simulation.plan(), {{"energy", "", ""}});
    const RunSummary summary = arthron::run(simulation, channels);
    REQUIRE(summary.status.ok());
    return static_cast<double>(summary.statistics.evaluations);
  };
  CHECK(evaluations("dca", "bdf") < 1.5 * evaluations("hdca", "bdf"));
}

TEST_CASE("a difference of positions that projection takes away is no error of a step, one along the motion is") {
  Simulation simulation(model_of(ladder_of(2), [](SimulationSettings& s) { s.integrator = {"dopri5", 1e-12, 1e-12}; }));
  REQUIRE(simulation.start().ok());
  // Cranks 0.03 rad from a singular position: there a crank that is ahead by 1e-9 rad turns velocities by 3e-8.
  REQUIRE(simulation.advance_to(0.706).ok());
  const Plan& plan = simulation.plan();
  const std::unique_ptr<Workspace> work = make_workspace(plan);
  PlanOde ode(plan, *work, {true, true, 0, false, 1e-12, 1e-12});
  std::copy(simulation.state().q.begin(), simulation.state().q.end(), work->q.begin());
  ode.start_cuts(0);
  std::vector<double> y, rates(ode.size());
  ode.write(simulation.state(), y);
  const auto measured = [&](const std::vector<double>& coordinates) {
    REQUIRE(ode.rhs(0, y.data(), rates.data()).ok());
    std::vector<double> error(y.size(), 0.0), sizes = y;
    std::copy(coordinates.begin(), coordinates.end(), error.begin());
    REQUIRE(ode.measure(0, y.data(), error.data(), sizes.data()).ok());
    double largest = 0;
    for (const double e : error) largest = std::max(largest, std::abs(e));
    return largest;
  };
  // Along the motion all coordinates change in proportion to their rates.
  REQUIRE(ode.rhs(0, y.data(), rates.data()).ok());
  std::vector<double> along(rates.begin(), rates.begin() + plan.nq);
  for (double& v : along) v *= 1e-9;
  CHECK(measured(along) > 1e-9);
  // Across it, with no kinetic energy in common: what is left of a crank's turn when the motion is taken from it.
  std::vector<double> momenta(plan.nu), across(plan.nq, 0.0);
  REQUIRE(momenta_of_velocities(plan, 0, y.data(), rates.data(), momenta.data(), *work).ok());
  double energy = 0;
  for (int i = 0; i < plan.nq; ++i) energy += rates[i] * momenta[i];
  across[0] = 1e-9;
  for (int i = 0; i < plan.nq; ++i) across[i] -= 1e-9 * momenta[0] / energy * rates[i];
  CHECK(measured(across) < 1e-13);
}
