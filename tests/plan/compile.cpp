#include <doctest/doctest.h>

#include <algorithm>

#include "arthron/components/builtins.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"
#include "arthron/plan/plan.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using arthron::test::Json;

namespace {

Json hinge(const std::string& parent, const std::string& child) {
  return {{"type", "revolute"}, {"parent", parent}, {"child", child}, {"at", {0, 0, 0}}, {"axis", {0, 0, 1}}};
}

Json chain(int bodies) {
  Json model{{"arthron", 1}, {"name", "chain"}};
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    model["bodies"][name] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
    model["joints"]["j" + std::to_string(i)] = hinge(i == 0 ? "ground" : "b" + std::to_string(i - 1), name);
  }
  return model;
}

std::shared_ptr<const Plan> plan_of(const Json& json) {
  return compile(std::make_shared<const Model>(parse_model(json.dump(), "plan.json", builtin_registry())));
}

/// Levels of assembly above a compound's bodies.
int height(const Plan& plan, int compound) {
  const int node = compound - static_cast<int>(plan.bodies.size());
  if (node < 0) return 0;
  const PairNode& pair = plan.nodes[node];
  return 1 + std::max(height(plan, pair.near), height(plan, pair.far));
}

}  // namespace

TEST_CASE("a chain of 64 is one path whose elimination tree is log2(64) high") {
  const auto plan = plan_of(chain(64));
  REQUIRE(plan->paths.size() == 1);
  CHECK(plan->nodes.size() == 63);
  CHECK(height(*plan, plan->paths[0].root) == 6);
}

TEST_CASE("branches fold before the path that carries them") {
  Json model = chain(4);
  for (const char* name : {"l1", "l2"}) model["bodies"][name] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
  model["joints"]["k1"] = hinge("b1", "l1");
  model["joints"]["k2"] = hinge("l1", "l2");
  const auto plan = plan_of(model);
  REQUIRE(plan->paths.size() == 2);
  // Level by level, everything a piece of work waits for is done before.
  std::vector<bool> done(plan->bodies.size() + plan->nodes.size(), false), folded(plan->paths.size(), false);
  for (const PairLevel& level : plan->pair_levels) {
    for (const int b : level.bodies)
      for (const int s : plan->carried_paths[b]) CHECK(folded[s]);
    for (const int n : level.nodes) {
      CHECK(done[plan->nodes[n].near]);
      CHECK(done[plan->nodes[n].far]);
    }
    for (const int s : level.paths) CHECK(done[plan->paths[s].root]);
    for (const int b : level.bodies) done[b] = true;
    for (const int n : level.nodes) done[plan->bodies.size() + n] = true;
    for (const int s : level.paths) folded[s] = true;
  }
}

TEST_CASE("driven joints come after the free ones, so that the state is a prefix") {
  Json model = chain(3);
  model["joints"]["j0"]["motion"] = "=t";
  const auto plan = plan_of(model);
  CHECK(plan->nu == 2);
  CHECK(plan->nu_all == 3);
  CHECK(plan->joints[0].u == 2);
}

TEST_CASE("a body without a path to ground is refused by name") {
  Json model = chain(3);
  for (const char* name : {"x", "y"}) model["bodies"][name] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
  model["joints"]["island"] = hinge("x", "y");
  try {
    plan_of(model);
    FAIL("compiled");
  } catch (const ModelError& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.diagnostics()[0].pointer == "/bodies/x");
    CHECK(std::string(error.what()).find("no path of joints to a ground") != std::string::npos);
  }
}

TEST_CASE("a loop is cut where it is farthest from the ground, or where the model says") {
  Json model = chain(4);
  model["joints"]["closing"] = hinge("b3", "ground");
  const auto cut_of = [](const Json& json) {
    const auto plan = plan_of(json);
    REQUIRE(plan->closures.size() == 1);
    return plan->model->joints[plan->closures[0].joint].path;
  };
  CHECK(cut_of(model) == "j2");
  model["joints"]["closing"]["cut"] = true;
  CHECK(cut_of(model) == "closing");
  model["joints"]["closing"]["cut"] = false;
  model["joints"]["j2"]["cut"] = false;
  CHECK(cut_of(model) != "j2");
  CHECK(cut_of(model) != "closing");
}
