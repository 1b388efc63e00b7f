#include "arthron/plan/compound_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "arthron/model/find.hpp"
#include "arthron/model/hierarchy.hpp"
#include "model/loading.hpp"
#include "support/loaded.hpp"

/// The compound tree of a Plan. Source of truth: the Model's hierarchy and the Plan's tree of bodies, from which it is read off.
using namespace arthron;

namespace {

std::shared_ptr<const Plan> compiled(const std::string& file, const Grain& grain = {}, const std::string& elimination = "auto") {
  Model model = load_model(std::string(ARTHRON_SOURCE_DIR) + "/" + file, testing::builtins());
  model.simulation.elimination = elimination;
  return compile(std::make_shared<const Model>(std::move(model)), grain);
}

/// "front.left on front, merged": a node by its subsystem, what it is assembled into and how.
std::set<std::string> words(const Plan& plan) {
  std::set<std::string> all;
  const CompoundTree tree = compound_tree(plan);
  const std::vector<CompoundNode>& nodes = tree.nodes;
  const auto path = [&](const CompoundNode& node) { return plan.model->subsystems[node.subsystem].path; };
  for (const CompoundNode& node : nodes) {
    if (node.carrier < 0) continue;
    const char* how[] = {"carried", "joined", "merged"};
    all.insert(path(node) + " on " + path(nodes[node.carrier]) + ", " + how[static_cast<int>(node.edge)] + ", " +
               std::to_string(node.bodies.size()) + " bodies, closes " + std::to_string(node.rows_closed) + ", passes on " +
               std::to_string(node.rows_passed));
  }
  return all;
}

}  // namespace

TEST_CASE(
    "every body is in one node, with those of its subsystem, and every closure is closed once, where all it acts on has come together") {
  for (const char* file : {"examples/vehicle/vehicle.json", "examples/convoy/convoy.json", "examples/rope/rope.json",
                           "examples/fourbar_ladder/fourbar_ladder.json", "subsystems/five_link/five_link_axle.json"}) {
    if (!std::filesystem::exists(std::string(ARTHRON_SOURCE_DIR) + "/" + file)) continue;
    for (const Grain& grain : {Grain{}, test::fine_grain}) {
      CAPTURE(file);
      const auto plan = compiled(file, grain);
      const CompoundTree tree = compound_tree(*plan);
      const std::vector<int> home = subsystem_of_bodies(*plan);
      std::vector<int> times(plan->bodies.size(), 0), closed(plan->closures.size(), 0);
      int wrong = 0;
      for (int n = 0; n < std::ssize(tree.nodes); ++n) {
        const CompoundNode& node = tree.nodes[n];
        wrong += n > 0 && (node.carrier < 0 || node.carrier >= n) ? 1 : 0;
        for (const int b : node.bodies) {
          ++times[b];
          const int parent = plan->bodies[b].parent;
          const bool inside = parent >= plan->grounds && tree.of_body[parent] == n;
          const bool hangs = parent < plan->grounds ? node.on < 0 : parent == node.on;
          wrong += home[b] != node.subsystem || plan->part_of_body[b] != node.part || !(inside || hangs) ? 1 : 0;
        }
        // What a node hangs on is in its carrier, or, where it is merged, what the carrier hangs on too.
        if (node.edge == CompoundNode::Edge::merged)
          wrong += tree.nodes[node.carrier].on != node.on ||
                   plan->model->subsystems[node.subsystem].parent != tree.nodes[node.carrier].subsystem;
        else if (node.on >= 0)
          wrong += tree.of_body[node.on] != node.carrier ? 1 : 0;
        int rows = 0;
        for (const int c : node.closes) {
          ++closed[c], rows += plan->closures[c].rows;
          for (const int b : bodies_of_closure(*plan, c))
            wrong += b == node.on || (b < plan->grounds ? node.on < 0 : tree.within(tree.of_body[b], n)) ? 0 : 1;
          wrong += lies_within(*plan->model, lowest_subsystem(*plan, c), node.subsystem) ? 0 : 1;
        }
        wrong += rows != node.rows_closed ? 1 : 0;
      }
      CHECK(wrong == 0);
      CHECK(std::count(times.begin() + plan->grounds, times.end(), 1) == std::ssize(times) - plan->grounds);
      CHECK(std::count(closed.begin(), closed.end(), 1) == std::ssize(closed));
    }
  }
}

TEST_CASE("corners of a car are put together on the chassis by their axle, and wheels are carried by what their corner says") {
  const auto plan = compiled("examples/vehicle/vehicle.json");
  const std::set<std::string> found = words(*plan);
  // The upper ball joint holds three directions; the axle has the droplinks between its corners and its bar, the car the rods to the rack.
  for (const char* line : {"front on , carried, 0 bodies", "front.left on front, merged, 3 bodies, closes 3, passes on 2",
                           "front.bar on front, merged, 2 bodies", "front_left on front.left, carried, 1 bodies, closes 0, passes on 0"})
    CHECK(std::any_of(found.begin(), found.end(), [&](const std::string& known) { return known.starts_with(line); }));
  CHECK(found.size() == 13);
}
