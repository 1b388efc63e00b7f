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

std::shared_ptr<const Plan> plan_of(const Json& json, const std::string& elimination = "auto") {
  Model model = parse_model(json.dump(), "plan.json", builtin_registry());
  model.simulation.elimination = elimination;
  return compile(std::make_shared<const Model>(std::move(model)));
}

/// Levels of joins above a compound's bodies.
int height(const Plan& plan, int compound) {
  const int number = compound - shared_part(plan);
  if (number < 0) return 0;
  const SegmentJoin& join = plan.joins[number];
  return 1 + std::max(height(plan, join.near), height(plan, join.far));
}

}  // namespace

TEST_CASE("a chain of 64 in pairs is one row whose elimination tree is log2(64) high") {
  const auto plan = plan_of(chain(64), "pair");
  REQUIRE(plan->chains.size() == 1);
  CHECK(plan->chains[0].parts.size() == 64);
  CHECK(plan->joins.size() == 63);
  CHECK(height(*plan, shared_part(*plan) + 62) == 6);
}

TEST_CASE("in pairs, branches are joined before the row that carries them") {
  Json model = chain(4);
  for (const char* name : {"l1", "l2"}) model["bodies"][name] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
  model["joints"]["k1"] = hinge("b1", "l1");
  model["joints"]["k2"] = hinge("l1", "l2");
  const auto plan = plan_of(model, "pair");
  CHECK(shared_part(*plan) == 6);
  REQUIRE(plan->chains.size() == 2);
  // Parts are assembled from the last to the first: everything a join or a part waits for is done before.
  std::vector<bool> done(shared_part(*plan) + plan->joins.size(), false);
  for (int p = shared_part(*plan); p-- > 0;) {
    const PlanPart& own = part(*plan, p);
    CHECK(own.bodies.size() == 1);
    for (const int carried : own.carried) CHECK(done[carried]);
    done[p] = true;
    for (const SegmentChain& chain : plan->chains) {
      if (chain.parts.front() != p) continue;
      for (int j = chain.joins.first; j < chain.joins.last; ++j) {
        CHECK(done[plan->joins[j].near]);
        CHECK(done[plan->joins[j].far]);
        done[shared_part(*plan) + j] = true;
      }
    }
  }
  CHECK(std::all_of(done.begin(), done.end(), [](bool value) { return value; }));
}

TEST_CASE("in pairs, what a loop runs through is carried, and the rest joined") {
  Json model = chain(8);
  model["joints"]["closing"] = hinge("b3", "ground");
  const auto plan = plan_of(model, "pair");
  REQUIRE(plan->closures.size() == 1);
  for (const PlanBody& body : plan->bodies) CHECK((!body.on_chain || body.node < 0));
  // b4 to b7 hang on the loop.
  REQUIRE(plan->chains.size() == 1);
  CHECK(plan->chains[0].parts.size() == 4);
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
