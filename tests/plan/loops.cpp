#include <doctest/doctest.h>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/plan/loop_blocks.hpp"

using namespace arthron;

namespace {

std::shared_ptr<const Plan> machine(const std::string& name) {
  const std::string file = std::string(ARTHRON_SOURCE_DIR "/examples/") + name + '/' + name + ".json";
  static const Registry registry = builtin_registry();
  return compile(std::make_shared<const Model>(load_model(file, registry)));
}

bool prints(const Plan& plan, const std::string& words) { return describe_blocks(plan).find(words) != std::string::npos; }

using Blocks = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("carpet scraper: blocks of J and of the GICM are those of the subsystem-multiplier paper's equations 26, 31 and 32") {
  const auto plan = machine("carpet_scraper");
  CHECK(loop_blocks(*plan).loop == Blocks{{0, 1}, {1, 2}, {2}});
  CHECK(prints(*plan, "  j8   J  J  .\n  j9   .  J  J\n  j10  .  .  J\n"));
  CHECK(prints(*plan, "  j8   1+2\n  j9   2    2+3\n  j10  .    3    3\n"));
}

TEST_CASE("3-RRR manipulator: blocks of J and of the GICM are those of the paper's equations 37, 42 and 43") {
  const auto plan = machine("three_rrr");
  CHECK(loop_blocks(*plan).loop == Blocks{{0, 1}, {0, 2}});
  CHECK(prints(*plan, "  B2  J  J  .\n  B3  J  .  J\n"));
  CHECK(prints(*plan, "  B2  1+2\n  B3  1    1+3\n"));
}

TEST_CASE("excavator: blocks of J are those of the paper's equation 14, and those of the GICM follow by its equation 25") {
  const auto plan = machine("excavator");
  CHECK(loop_blocks(*plan).loop == Blocks{{0, 1}, {1}, {0, 1}, {0, 2}});
  CHECK(prints(*plan, "  j15  J  J  .\n  j14  .  J  .\n  j5   J  J  .\n  j11  J  .  J\n"));
  CHECK(prints(*plan, "  j15  1+2\n  j14  2    2\n  j5   1+2  2    1+2\n  j11  1    .    1    1+3\n"));
}

TEST_CASE("blocks by subsystem: a corner of a car takes part in its own loops, its body couples them all, and cars do not couple") {
  const auto car = machine("vehicle");
  CHECK(prints(*car, "subsystems: 1 the model, 2 front.left, 3 front.right, 4 front.bar, 5 rear.left, "));
  CHECK(prints(*car, "  front.left.upper_ball   .  J  .  .  .  .  .  .\n"));
  CHECK(prints(*car, "  front.left.rod          .  J  .  .  .  .  .  J\n"));
  CHECK(prints(*car, "  front.left.upper_ball   1+2\n  front.right.upper_ball  1      1+3\n"));
  const auto convoy = machine("convoy");
  CHECK(prints(*convoy, "coupled loops, the first of 64 alike:\nsubsystems: 1 car_0, 2 car_0.front.left,"));
  CHECK(!prints(*convoy, "car_1"));
}

TEST_CASE("the joints around a loop are those of the paper's loop where it crosses no other cut") {
  const auto plan = machine("excavator");
  std::vector<std::string> names;
  for (const int joint : loop_joints(*plan, plan->closures[1])) names.push_back(plan->model->joints[joint].path);
  CHECK(names == std::vector<std::string>{"j14", "j7", "j12", "j13"});
  CHECK(loop_name(*plan, plan->closures[1]) == "stick_rod-stick_barrel-boom-stick");
}
