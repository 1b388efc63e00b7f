#include <doctest/doctest.h>

#include "arthron/dynamics/observe.hpp"
#include "models.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A driven arm, a ball on it and a bead on a spring. All that has the unit of a mass, an inertia or a force is multiplied.
std::string tree_of(double factor) {
  Json model = Json::parse(R"json({ "arthron": 1, "name": "tree",
    "joints": { "drive": { "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1], "motion": "=sin(3*t)" },
                "ball": { "type": "spherical", "parent": "arm", "child": "bob", "at": [1, 0, 0], "initial": { "velocity": [1, 2, 3] } },
                "slide": { "type": "prismatic", "parent": "bob", "child": "bead", "at": [1, 0, -1], "axis": [0.6, 0, 0.8] } } })json");
  model["bodies"] = {
      {"arm", {{"mass", 2 * factor}, {"com", {0.5, 0, 0}}, {"inertia", {0.1 * factor, 0.2 * factor, 0.2 * factor}}}},
      {"bob", {{"mass", 3 * factor}, {"com", {1, 0, -0.6}}, {"inertia", {0.3 * factor, 0.3 * factor, 0.1 * factor}}}},
      {"bead", {{"mass", 0.1 * factor}, {"com", {1, 0, -1}}, {"inertia", {0.001 * factor, 0.001 * factor, 0.001 * factor}}}}};
  model["joints"]["slide"]["spring"] = {{"stiffness", 40 * factor}, {"damping", 0.05 * factor}};
  return model.dump();
}

/// A four-bar with a spring across.
std::string loop_of(double factor) {
  Json model = Json::parse(R"json({ "arthron": 1, "name": "loop",
    "joints": { "crank": { "type": "revolute", "parent": "ground", "child": "left", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "velocity": 3 } },
                "elbow": { "type": "revolute", "parent": "left", "child": "coupler", "at": [0, 0, 1], "axis": [0, 1, 0] },
                "wrist": { "type": "revolute", "parent": "coupler", "child": "right", "at": [2, 0, 1.5], "axis": [0, 1, 0] },
                "pivot": { "type": "revolute", "parent": "ground", "child": "right", "at": [2, 0, 0], "axis": [0, 1, 0] } } })json");
  const auto body = [&](double mass, const Json& com) {
    return Json{{"mass", mass * factor}, {"com", com}, {"inertia", {0.1 * mass * factor, 0.1 * mass * factor, 0.1 * mass * factor}}};
  };
  model["bodies"] = {{"left", body(1, {0, 0, 0.5})}, {"coupler", body(2, {1, 0, 1.25})}, {"right", body(0.5, {2, 0, 0.75})}};
  model["forces"]["spring"] = {{"type", "spring_damper"},   {"from", {"ground", {2, 0, 0}}},
                               {"to", {"left", {0, 0, 1}}}, {"stiffness", 30 * factor},
                               {"damping", factor},         {"free_length", 2}};
  return model.dump();
}

struct Outcome {
  std::int64_t accepted, rejected;
  std::vector<double> q;
};

Outcome run(const std::string& text, const std::string& integrator) {
  Simulation simulation(model_of(text, [&](SimulationSettings& s) { s.integrator = {integrator, 1e-6, 1e-6}; }));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(3).ok());
  return {simulation.statistics().accepted, simulation.statistics().rejected, simulation.state().q};
}

}  // namespace

TEST_CASE("masses and forces 1024 times as large: the same steps, bit for bit where no pivots are chosen") {
  for (const auto& text_of : {tree_of, loop_of})
    for (const std::string integrator : {"dopri5", "bs32", "dopri8", "adams", "bdf", "gauss4"}) {
      if (check_integrator_type(integrator)) continue;
      CAPTURE(integrator);
      const Outcome plain = run(text_of(1), integrator);
      CHECK(plain.accepted > 10);
      // A power of two rounds nothing.
      for (const double factor : {1.0 / 1024, 1024.0}) {
        CAPTURE(factor);
        const Outcome other = run(text_of(factor), integrator);
        CHECK(other.accepted == plain.accepted);
        CHECK(other.rejected == plain.rejected);
        // Newton's iteration chooses its pivots by size.
        if (integrator != "bdf") CHECK(other.q == plain.q);
        for (std::size_t i = 0; i < plain.q.size(); ++i) CHECK(std::abs(other.q[i] - plain.q[i]) < 1e-6);
      }
    }
}

TEST_CASE("16-link pendulum over 10 s at tolerance 1e-6 keeps its energy within 1e-3 J") {
  for (const char* formulation : {"hdca", "dca"}) {
    CAPTURE(formulation);
    Model given = load_model(ARTHRON_SOURCE_DIR "/examples/pendulum16/pendulum16.json", builtins());
    given.simulation.formulation = formulation;
    given.simulation.integrator = {"dopri5", 1e-6, 1e-6};
    Simulation simulation(std::make_shared<const Model>(std::move(given)));
    REQUIRE(simulation.start().ok());
    REQUIRE(simulation.observe().ok());
    const auto energy_now = [&] { return energy(simulation.plan(), simulation.workspace()).total(); };
    const double start = energy_now();
    for (int i = 1; i <= 100; ++i) {
      REQUIRE(simulation.advance_to(0.1 * i).ok());
      REQUIRE(simulation.observe().ok());
      CHECK(std::abs(energy_now() - start) < 1e-3);
    }
  }
}
