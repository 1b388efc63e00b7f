#include "arthron/model/hierarchy.hpp"

#include <doctest/doctest.h>

#include <set>

#include "arthron/model/find.hpp"
#include "arthron/plan/subsystem_tree.hpp"
#include "model/loading.hpp"

/// The hierarchy a Plan keeps. Source of truth: the plan of the same file alone.
using namespace arthron;

namespace {

using Names = std::set<std::string>;

std::shared_ptr<const Plan> planned(const std::string& file) {
  return compile(std::make_shared<const Model>(load_model(std::string(ARTHRON_SOURCE_DIR) + "/" + file, testing::builtins())));
}

/// Joints at which the own loops of a subsystem are cut, by their names in its file.
Names cuts(const Plan& plan, const std::string& path) {
  Names names;
  for (const int c : plan.subsystems[find_subsystem(*plan.model, path)].loops) {
    const int joint = plan.closures[c].joint;
    if (joint >= 0) names.insert(plan.model->joints[joint].path.substr(path.empty() ? 0 : path.size() + 1));
  }
  return names;
}

}  // namespace

TEST_CASE("a file is cut alike wherever it is used") {
  for (const std::string name : {"double_wishbone", "macpherson", "five_link", "trailing_arm"}) {
    CAPTURE(name);
    const Names alone = cuts(*planned("subsystems/" + name + "/" + name + ".json"), "");
    const auto axle = planned("subsystems/" + name + "/" + name + "_axle.json");
    CHECK(cuts(*axle, "left") == alone);
    CHECK(cuts(*axle, "right") == alone);
  }
  const Names corner = cuts(*planned("subsystems/double_wishbone/double_wishbone.json"), "");
  CHECK(corner == Names{"rod", "upper_ball"});
  const auto car = planned("examples/vehicle/vehicle.json");
  for (const std::string path : {"front.left", "front.right", "rear.left", "rear.right"}) CHECK(cuts(*car, path) == corner);
}

TEST_CASE("where nothing is said, a file is cut as it is alone, not where the nearest way to the ground would have it") {
  // A chain of three from one mount to the other: alone it is cut in its middle. In the whole the first mount is the ground and the other
  // three bodies away, where a search from the ground would reach all of the chain from the first mount.
  const std::string chain = R"({ "ports": { "near": { "mount": true }, "far": { "mount": true } },
    "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1] }, "b": { "mass": 1, "inertia": [1, 1, 1] }, "c": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "to_a": { "type": "spherical", "parent": "near", "child": "a", "at": [0, 0, 0] },
                "ab": { "type": "spherical", "parent": "a", "child": "b", "at": [1, 0, 0] },
                "bc": { "type": "spherical", "parent": "b", "child": "c", "at": [2, 0, 0] },
                "to_c": { "type": "spherical", "parent": "far", "child": "c", "at": [3, 0, 0] } } })";
  const auto plan = compile(std::make_shared<const Model>(testing::parse(R"({ "arthron": 1, "name": "whole",
    "bodies": { "x": { "mass": 1, "inertia": [1, 1, 1] }, "y": { "mass": 1, "inertia": [1, 1, 1] }, "z": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "to_x": { "type": "revolute", "parent": "ground", "child": "x", "at": [5, 0, 0], "axis": [0, 0, 1] },
                "xy": { "type": "revolute", "parent": "x", "child": "y", "at": [6, 0, 0], "axis": [0, 0, 1] },
                "yz": { "type": "revolute", "parent": "y", "child": "z", "at": [7, 0, 0], "axis": [0, 0, 1] } },
    "subsystems": { "chain": { "use": )" + chain + R"(, "connect": { "near": "ground", "far": "z" } } } })")));
  const std::string file = chain.substr(0, 1) + R"( "arthron": 1, "name": "chain",)" + chain.substr(1);
  const Names alone = cuts(*compile(std::make_shared<const Model>(testing::parse(file))), "");
  CHECK(alone == Names{"bc"});
  CHECK(cuts(*plan, "chain") == alone);
}

TEST_CASE("a loop from mount to mount is its file's own, and closes in the subsystem that holds all its joints") {
  const auto car = planned("examples/vehicle/vehicle.json");
  const auto closes = [&](const std::string& path) {
    Names names;
    for (const int c : car->subsystems[find_subsystem(*car->model, path)].closes)
      if (const int joint = car->closures[c].joint; joint >= 0) names.insert(car->model->joints[joint].path);
    return names;
  };
  CHECK(closes("front.left") == Names{"front.left.upper_ball"});
  // The rack of the front axle slides in the steering: these loops close in the car. At the rear the body carries both mounts.
  CHECK(closes("").contains("front.left.rod"));
  CHECK(closes("rear.left") == Names{"rear.left.upper_ball", "rear.left.rod"});
  const auto passed_on = [&](const std::string& path) {
    Names names;
    for (const int c : car->subsystems[find_subsystem(*car->model, path)].passes_on)
      names.insert(car->model->joints[car->closures[c].joint].path);
    return names;
  };
  CHECK(passed_on("front.left") == Names{"front.left.rod", "front.bar.left_link"});
  CHECK(passed_on("front") == Names{"front.left.rod", "front.right.rod"});
  CHECK(passed_on("steering") == Names{"front.left.rod", "front.right.rod"});
  CHECK(passed_on("").empty());
}

TEST_CASE("the tree of subsystems has those that are alike once, by file, parameters, connections and loops") {
  const auto plan = planned("examples/convoy/convoy.json");
  const std::vector<AlikeSubsystems> tree = subsystem_tree(*plan), car = subsystem_tree(*planned("examples/vehicle/vehicle.json"));
  CHECK(tree.front().members == children_of(*plan->model, 0));
  CHECK(names_of(*plan->model, tree.front()) == "car_0 ... car_63 (x 64)");
  CHECK(tree.size() == 1 + car.size());
  for (const AlikeSubsystems& alike : car) CHECK(alike.members.size() == 1);  // mirror images are none, nor do the axles carry the same
  const int corner = find_subsystem(*plan->model, "car_0.front.left"), other = find_subsystem(*plan->model, "car_9.front.left");
  CHECK(describe_rows(*plan, plan->subsystems[corner].closes, corner) == "3 rows (upper_ball)");
  CHECK(stand_ins(*plan)[other] == corner);
  const auto rope = planned("examples/rope/rope.json");
  std::size_t bodies = 0;
  for (const AlikeSubsystems& alike : subsystem_tree(*rope))
    if (alike.depth == 0) bodies += alike.members.size() * rope->subsystems[alike.first()].bodies.size();
  CHECK(bodies == rope->subsystems.front().bodies.size());
  CHECK(subsystem_tree(*rope).size() < 20);
}

TEST_CASE("subsystems hold their bodies, joints and forces, nested ones included") {
  const auto car = planned("examples/vehicle/vehicle.json");
  const int front = find_subsystem(*car->model, "front");
  CHECK(car->subsystems[front].bodies.size() == 2 * 3 + 2);
  CHECK(children_of(*car->model, front).size() == 3);
  CHECK(members_of(*car->model, front).forces.size() >= 8);
  CHECK(car->subsystems.front().bodies.size() == car->bodies.size() - static_cast<std::size_t>(car->grounds));
}

TEST_CASE("the loop of two parts that carry each other belongs to neither of them") {
  const auto part = [](const std::string& carrier) {
    return R"({ "use": { "ports": { "mount": { "mount": true }, "out": { "output": "b", "at": [0, 0, 0] } },
      "bodies": { "b": { "mass": 1, "inertia": [1, 1, 1] } },
      "joints": { "j": { "type": "spherical", "parent": "mount", "child": "b", "at": [0, 0, 0] } } },
      "connect": { "mount": ")" +
           carrier + R"(" } })";
  };
  const auto plan = compile(std::make_shared<const Model>(parse_model(
      R"({ "arthron": 1, "name": "circle",
           "joints": { "hold": { "type": "revolute", "parent": "ground", "child": "one.out", "at": [1, 0, 0], "axis": [0, 0, 1] } },
           "subsystems": { "one": )" +
          part("two.out") + R"(, "two": )" + part("one.out") + " } }",
      "circle.json", testing::builtins())));
  CHECK(plan->cuts == 1);
  CHECK(plan->subsystems.front().loops.size() == 1);
  CHECK(plan->subsystems[1].loops.empty());
}

TEST_CASE("handles that a port counts are on its body, however a model is divided") {
  constexpr Grain fine{300, 0};
  const auto model = std::make_shared<const Model>(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", testing::builtins()));
  const auto plan = compile(model, fine);
  REQUIRE(plan->parts.size() > 2);
  int counted = 0;
  for (const PlanPort& port : plan->ports)
    for (const PlanAttachment& attachment : port.attachments) {
      if (attachment.handle < 0) continue;
      CHECK(plan->handles[attachment.handle].body == port.body);
      ++counted;
    }
  CHECK(counted > 0);
}
