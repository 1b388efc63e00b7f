#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/observe.hpp"
#include "support/closed_graph.hpp"
#include "support/formulations.hpp"
#include "support/subsystems.hpp"

/// Elimination by subsystems. Sources of truth: a dense solution of all equations at once, and folding.
using namespace arthron;
using namespace arthron::test;

namespace {

std::shared_ptr<const Plan> planned(Model model, const std::string& elimination, const Grain& grain = {}) {
  model.simulation.elimination = elimination;
  return compile(std::make_shared<const Model>(std::move(model)), grain);
}

/// Velocities and accelerations of all bodies, in the Model's order.
std::vector<Spatial6> motions(const Plan& plan, const Workspace& work) {
  std::vector<Spatial6> list;
  for (const int b : plan.body_of)
    if (b >= plan.grounds) list.emplace_back(work.body[b].V), list.emplace_back(work.A[b]);
  return list;
}

/// At the state of another plan of the same model.
std::vector<Spatial6> motions_at(const Plan& from, const State& state, const Plan& plan) {
  const std::unique_ptr<Workspace> work = make_workspace(plan);
  State own;
  REQUIRE(initial_state(plan, *work, own).ok());
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint &there = from.joints[j], &here = plan.joints[j];
    if (here.closure >= 0 || here.driven) continue;
    std::copy_n(state.q.begin() + there.q, here.nq, own.q.begin() + here.q);
    std::copy_n(state.p.begin() + there.u, here.nu, own.p.begin() + here.u);
  }
  REQUIRE(evaluate_accelerations(plan, own.t, own.q.data(), own.p.data(), *work).ok());
  return motions(plan, *work);
}

/// Velocities relative to the largest, accelerations too.
double difference(const std::vector<Spatial6>& a, const std::vector<Spatial6>& b) {
  double worst = 0;
  for (const std::size_t kind : {0u, 1u}) {
    double scale = 1, largest = 0;
    for (std::size_t i = kind; i < a.size(); i += 2) {
      const Spatial6 d = a[i] - b[i];
      scale = std::max({scale, norm(a[i].linear), norm(a[i].angular)});
      const double here = std::max(norm(d.linear), norm(d.angular));
      if (!(here <= largest)) largest = here;
    }
    if (!(largest / scale <= worst)) worst = largest / scale;
  }
  return worst;
}

struct Seen {
  int joined = 0, closed = 0, closed_below = 0, open_rows = 0;
  void look_at(const Plan& plan) {
    for (const ModuleJoin& join : plan.modules.joins) {
      const ClosureNode& node = plan.closure_nodes[join.node];
      joined += join.near >= 0 ? 1 : 0, closed += node.eliminated;
      closed_below += join.subsystem > 0 ? node.eliminated : 0;
      open_rows = std::max(open_rows, node.open().rows);
    }
  }
};

}  // namespace

TEST_CASE("random mechanisms of nested subsystems: by subsystems, every formulation finds what the dense oracle does") {
  Seen seen;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Json json = seed % 3 == 0 ? RandomModel(builtins(), seed).tree(4 + static_cast<int>(seed % 20))
                              : closed_graph(seed, 5 + static_cast<int>(seed % 12), 1 + static_cast<int>(seed % 5));
    if (seed % 7 == 1) couple(json, seed);
    const Model model = in_subsystems(parse_model(json.dump(), "test.json", builtins()), seed, 1 + static_cast<int>(seed % 6));
    seen.look_at(*planned(model, "modular"));
    check_formulations(model, seed, [](Model given) { return compile(std::make_shared<const Model>(std::move(given))); });
  }
  CHECK(seen.joined > 100);
  CHECK(seen.closed > 20);
  CHECK(seen.closed_below > 0);
  CHECK(seen.open_rows > 12);
}

TEST_CASE("random mechanisms: auto, folding, pairs and subsystems have the same velocities and accelerations") {
  double worst = 0;
  for (unsigned seed = 101; seed <= 140; ++seed) {
    CAPTURE(seed);
    const Json json = closed_graph(seed, 5 + static_cast<int>(seed % 12), static_cast<int>(seed % 5));
    const Model model = in_subsystems(parse_model(json.dump(), "test.json", builtins()), seed, 1 + static_cast<int>(seed % 6));
    const auto fold = planned(model, "fold");
    const std::unique_ptr<Workspace> work = make_workspace(*fold);
    State state;
    REQUIRE(initial_state(*fold, *work, state).ok());
    for (std::size_t i = 0; i < state.p.size(); ++i) state.p[i] += std::sin(static_cast<double>(i) + seed);
    REQUIRE(evaluate_accelerations(*fold, state.t, state.q.data(), state.p.data(), *work).ok());
    const std::vector<Spatial6> truth = motions(*fold, *work);
    for (const char* elimination : {"auto", "pair", "modular"}) {
      CAPTURE(elimination);
      const double found = difference(truth, motions_at(*fold, state, *planned(model, elimination)));
      CHECK(found < 1e-11);
      worst = std::max(worst, found);
    }
    CHECK(difference(truth, motions_at(*fold, state, *planned(model, "modular", fine_grain))) < 1e-11);
  }
  MESSAGE("largest difference: " << worst);
}
