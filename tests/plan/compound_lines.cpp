#include "arthron/plan/compound_lines.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "arthron/plan/elimination_tree.hpp"
#include "support/loaded.hpp"

/// The compound tree as users see it. Source of truth: the Plan's bodies, closures and parts, counted one by one.
using namespace arthron;

namespace {

std::shared_ptr<const Plan> plan_told_of(const std::string& file, const std::string& elimination = "auto") {
  Model model = load_model(ARTHRON_SOURCE_DIR "/examples/" + file, test::builtins());
  model.simulation.elimination = elimination;
  return compile(std::make_shared<const Model>(std::move(model)));
}

struct Told {
  std::shared_ptr<const Plan> plan;
  CompoundTree tree;
  std::vector<CompoundLine> lines;

  explicit Told(const std::string& file, const std::string& elimination = "auto")
      : plan(plan_told_of(file, elimination)), tree(compound_tree(*plan)), lines(compound_lines(*plan, tree)) {}

  [[nodiscard]] const CompoundNode& node(const CompoundLine& line) const { return tree.nodes[line.node]; }
  /// How many compounds of the tree a line stands for.
  [[nodiscard]] int multiplicity(const CompoundLine& line) const {
    int times = line.times;
    for (int above = line.above; above >= 0; above = lines[above].above) times *= lines[above].in_a_row ? 1 : lines[above].times;
    return times;
  }
  template <class Count>
  [[nodiscard]] double sum(Count count) const {
    return std::accumulate(lines.begin(), lines.end(), 0.0,
                           [&](double all, const CompoundLine& line) { return all + multiplicity(line) * count(node(line)); });
  }
};

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("the lines of the compound tree stand for every body, every closure row and all of the cost") {
  for (const char* file : {"vehicle/step_steer.json", "convoy/convoy.json", "rope/rope.json", "block_module_car/block_module_car.json",
                           "quadruped/quadruped.json", "fourbar_ladder/fourbar_ladder.json"}) {
    CAPTURE(file);
    const Told told(file);
    const Plan& plan = *told.plan;
    int rows = 0;
    for (const PlanClosure& closure : plan.closures) rows += closure.rows;
    double cost = 0;
    for (const CompoundNode& node : told.tree.nodes) cost += node.cost;
    CHECK(told.sum([](const CompoundNode& node) { return static_cast<double>(node.bodies.size()); }) ==
          static_cast<double>(plan.bodies.size()) - plan.grounds);
    CHECK(told.sum([](const CompoundNode& node) { return node.rows_closed; }) == rows);
    CHECK(told.sum([](const CompoundNode& node) { return node.cost; }) == doctest::Approx(cost).epsilon(1e-12));
  }
}

TEST_CASE("alike compounds stand once, cars of a convoy as well as links of a rope") {
  const Told convoy("convoy/convoy.json"), rope("rope/rope.json");
  REQUIRE(convoy.lines.size() > 1);
  CHECK(convoy.lines[1].name == "car_0 ... car_63 (x 64)");
  CHECK(convoy.lines.size() < 12);
  CHECK(rope.lines.size() == rope.plan->parts.size() - 1);
  for (const CompoundLine& line : rope.lines) CHECK((line.above < 0 || line.edge == CompoundNode::Edge::joined));
}

TEST_CASE("check's table tells how compounds are assembled and where loops are closed, in no more than two screens") {
  const std::string car = describe_compounds(*plan_told_of("vehicle/vehicle.json"));
  CHECK(has(car, "carried by front.left.upright"));
  CHECK(has(car, "merged on body"));
  CHECK(has(car, "closes upper_ball; passes on "));
  CHECK(has(car, "closes front.left.rod, front.right.rod\n"));
  for (const char* elimination : {"auto", "pair", "fold"}) {
    CAPTURE(elimination);
    const std::string rope = describe_compounds(*plan_told_of("rope/rope.json", elimination));
    CHECK(std::count(rope.begin(), rope.end(), '\n') < 70);
  }
}

TEST_CASE("the elimination tree is drawn with every line, and with every join where its compounds are drawn") {
  for (const char* file : {"rope/rope.json", "vehicle/vehicle.json", "convoy/convoy.json"}) {
    CAPTURE(file);
    const Told told(file);
    const std::string dot = elimination_tree(*told.plan);
    for (std::size_t i = 0; i < told.lines.size(); ++i) {
      CHECK(has(dot, "compound" + std::to_string(i) + " [label="));
      CHECK(has(dot, "<b>" + told.lines[i].name + "</b>"));
    }
    for (std::size_t j = 0; j < told.plan->joins.size(); ++j) CHECK(has(dot, "join" + std::to_string(j) + " [label="));
  }
}
