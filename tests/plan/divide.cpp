#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/plan/plan.hpp"

using namespace arthron;

namespace {

const Registry& builtins() {
  static const Registry registry = builtin_registry();
  return registry;
}

std::string example_file(const std::string& name) { return std::string(ARTHRON_SOURCE_DIR) + "/examples/" + name; }

std::shared_ptr<const Plan> plan_of_example(const std::string& file, const Grain& grain = {}) {
  return compile(std::make_shared<const Model>(load_model(example_file(file), builtins())), grain);
}

/// Every body is in one part, parts hang on earlier ones, and what hangs on a body of another part says so.
void check_parts(const Plan& plan) {
  int next = plan.grounds;
  for (int p = 0; p < shared_part(plan); ++p) {
    const PlanPart& part = arthron::part(plan, p);
    CHECK(part.bodies.first == next);
    next = part.bodies.last;
    CHECK(part.carrier < p);
    for (int b = part.bodies.first; b < part.bodies.last; ++b) {
      const int parent = plan.bodies[b].parent;
      CHECK(parent < b);
      if (!part.bodies.holds(parent)) CHECK((part.carrier < 0 ? parent < plan.grounds : parent == part.on));
    }
  }
  CHECK(next == static_cast<int>(plan.bodies.size()));
}

/// Joins one above the other.
int join_height(const Plan& plan, int compound) {
  if (compound < shared_part(plan)) return 0;
  const SegmentJoin& join = plan.joins[compound - shared_part(plan)];
  return 1 + std::max(join_height(plan, join.near), join_height(plan, join.far));
}

}  // namespace

TEST_CASE("a model that takes microseconds is one part") {
  for (const char* file : {"pendulum16/pendulum16.json", "quadruped/quadruped.json", "vehicle/step_steer.json"}) {
    const auto plan = plan_of_example(file);
    check_parts(*plan);
    CHECK(shared_part(*plan) == 1);
    CHECK(plan->joins.empty());
  }
}

TEST_CASE("a rope of 1000 links is a row of parts, joined as a balanced tree") {
  const auto plan = plan_of_example("rope/rope.json");
  check_parts(*plan);
  const int parts = shared_part(*plan);
  CHECK(parts > 8);
  REQUIRE(plan->chains.size() == 1);
  CHECK(plan->chains[0].parts.size() == static_cast<std::size_t>(parts));
  CHECK(static_cast<int>(plan->joins.size()) == parts - 1);
  CHECK(join_height(*plan, parts + static_cast<int>(plan->joins.size()) - 1) == static_cast<int>(std::ceil(std::log2(parts))));
}

TEST_CASE("who asks for folding gets no joins") {
  Model model = load_model(example_file("rope/rope.json"), builtins());
  model.simulation.elimination = "fold";
  const auto plan = compile(std::make_shared<const Model>(std::move(model)));
  check_parts(*plan);
  CHECK(plan->joins.empty());
}

TEST_CASE("a convoy is divided between cars: no loop is shared, and no part waits for another") {
  const auto plan = plan_of_example("convoy/convoy.json");
  check_parts(*plan);
  CHECK(shared_part(*plan) >= 16);
  CHECK(part(*plan, shared_part(*plan)).cuts.size() == 0);
  for (int p = 0; p < shared_part(*plan); ++p) {
    CHECK(part(*plan, p).carrier == -1);
    CHECK(part(*plan, p).cuts.size() % 12 == 0);
  }
}

TEST_CASE("loops that come together on the ground are closed part by part, and between parts the few that are left") {
  // Four-bars side by side: each closes at the crank of the next.
  const int bars = 60;
  std::string json = R"({"arthron": 1, "name": "ladder", "bodies": {)", joints;
  for (int i = 0; i <= bars; ++i) {
    const std::string n = std::to_string(i), x = std::to_string(i), crank = "crank" + n;
    json += (i ? "," : "") + ("\"" + crank + R"(": {"mass": 1, "com": [)" + x + R"(, 0.5, 0], "inertia": [1, 1, 1]})");
    joints += (i ? "," : "") + ("\"A" + n + R"(": {"type": "revolute", "parent": "ground", "child": ")" + crank + R"(", "at": [)" + x +
                                R"(, 0, 0], "axis": [0, 0, 1]})");
    if (i == 0) continue;
    const std::string m = std::to_string(i - 1);
    json += ",\"coupler" + n + R"(": {"mass": 1, "com": [)" + m + R"(.5, 1, 0], "inertia": [1, 1, 1]})";
    joints += ",\"B" + n + R"(": {"type": "revolute", "parent": "crank)" + m + R"(", "child": "coupler)" + n + R"(", "at": [)" + m +
              R"(, 1, 0], "axis": [0, 0, 1]},"C)" + n + R"(": {"type": "revolute", "parent": "crank)" + n + R"(", "child": "coupler)" + n +
              R"(", "at": [)" + x + R"(, 1, 0], "axis": [0, 0, 1], "cut": true})";
  }
  json += R"(}, "joints": {)" + joints + "}}";
  const auto plan = compile(std::make_shared<const Model>(parse_model(json, "ladder.json", builtins())), {8e3, 0});
  check_parts(*plan);
  const int parts = shared_part(*plan);
  REQUIRE(parts > 3);
  CHECK(plan->cuts == bars);
  CHECK(part(*plan, parts).cuts.size() == parts - 1);
  CHECK(static_cast<int>(plan->closure_nodes.back().closures.size()) == parts - 1);
}
