#include "arthron/topology/graph.hpp"

#include <doctest/doctest.h>

#include <boost/graph/connected_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <set>
#include <thread>

#include "arthron/model/find.hpp"
#include "arthron/model/hierarchy.hpp"
#include "model/loading.hpp"

/// The graph of a Model. Source of truth: the Model's lists.
using namespace arthron;

namespace {

Model model_of(const std::string& file) { return load_model(std::string(ARTHRON_SOURCE_DIR) + "/" + file, testing::builtins()); }

/// Whether `subsystem` is `outer` or lies in it, by the Model's list of them.
bool inside(const Model& model, int subsystem, int outer) {
  while (subsystem > outer) subsystem = model.subsystems[static_cast<std::size_t>(subsystem)].parent;
  return subsystem == outer;
}

/// Joins two outputs of its subsystem, and one of them to the ground.
constexpr const char* held_from_outside = R"json({ "arthron": 1, "name": "whole",
  "bodies": { "x": { "mass": 1, "inertia": [1, 1, 1] } },
  "joints": { "float": { "type": "free", "parent": "ground", "child": "x", "at": [0, 0, 0] },
              "across": { "type": "spherical", "parent": "part.at_a", "child": "part.at_b", "at": [0, 0, 0] } },
  "subsystems": { "part": { "connect": { "near": "x", "far": "ground" }, "use": {
    "ports": { "near": { "mount": true }, "far": { "mount": true },
               "at_a": { "output": "a", "at": [0, 0, 0] }, "at_b": { "output": "b", "at": [0, 0, 0] } },
    "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1] }, "b": { "mass": 1, "inertia": [1, 1, 1] } },
    "joints": { "to_a": { "type": "revolute", "parent": "near", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1] },
                "to_b": { "type": "revolute", "parent": "far", "child": "b", "at": [0, 0, 0], "axis": [0, 0, 1] } } } } } })json";

}  // namespace

TEST_CASE("bodies are vertices and joints are edges, by their numbers in the Model") {
  const Model model = model_of("examples/vehicle/step_steer.json");
  const SystemGraph& graph = model.graph();
  REQUIRE(num_vertices(graph) == model.bodies.size());
  REQUIRE(num_edges(graph) == model.joints.size());
  for (const BodyDescriptor body : boost::make_iterator_range(vertices(graph))) CHECK(graph[body].body.value == static_cast<int>(body));
  for (const JointDescriptor edge : boost::make_iterator_range(edges(graph))) {
    const Joint& joint = model.joints[static_cast<std::size_t>(graph[edge].joint.value)];
    const std::set<int> ends{graph[source(edge, graph)].body.value, graph[target(edge, graph)].body.value};
    CHECK(ends == std::set<int>{joint.parent.value, joint.child.value});
    CHECK(graph[edge].subsystem == joint.subsystem);
  }
}

TEST_CASE("the graph of a subsystem has its bodies, what carries it, and of its own joints all") {
  for (const std::string file : {"examples/vehicle/step_steer.json", "examples/rope/rope.json", "examples/quadruped/quadruped.json"}) {
    CAPTURE(file);
    const Model model = model_of(file);
    for (int s = 0; s < static_cast<int>(model.subsystems.size()); ++s) {
      CAPTURE(model.subsystems[static_cast<std::size_t>(s)].path);
      const SystemGraph& graph = model.graph().subsystem(s);
      std::set<int> expected, ends, joints, found, carriers;
      for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (inside(model, model.bodies[b].subsystem, s)) expected.insert(static_cast<int>(b));
      for (std::size_t j = 0; j < model.joints.size(); ++j)
        if (const Joint& joint = model.joints[j]; inside(model, joint.subsystem, s))
          joints.insert(static_cast<int>(j)), ends.insert({joint.parent.value, joint.child.value});
      const std::vector<int> own_bodies = bodies_of(model, s), own_joints_of = joints_of(model, s);
      CHECK(std::set<int>(own_bodies.begin(), own_bodies.end()) == expected);
      CHECK(std::set<int>(own_joints_of.begin(), own_joints_of.end()) == joints);
      CHECK(std::is_sorted(own_bodies.begin(), own_bodies.end()));
      expected.merge(ends);
      for (const BodyDescriptor body : boost::make_iterator_range(vertices(graph))) found.insert(graph[body].body.value);
      CHECK(found == expected);
      for (const int child : children_of(model, s)) CHECK(model.subsystems[static_cast<std::size_t>(child)].parent == s);
      for (const Force& force : model.forces)
        CHECK(members_of(graph).forces.holds(static_cast<int>(&force - model.forces.data())) == inside(model, force.subsystem, s));
    }
  }
}

TEST_CASE("a joint that another file puts between two bodies of a subsystem is not its own") {
  const Model model = testing::parse(held_from_outside);
  const SystemGraph& part = model.graph().subsystem(1);
  CHECK(num_vertices(part) == 4);
  CHECK(num_edges(part) == 4);  // induced: those of the whole too
  CHECK(joints_of(model, 1).size() == 2);
  CHECK(floating_bodies(model, 1).empty());
  std::vector<int> component(num_vertices(part));
  CHECK(boost::connected_components(part, component.data()) == 1);
  CHECK(boost::connected_components(own_joints(part), component.data()) == 2);
}

TEST_CASE("the lowest subsystem that holds two others") {
  const Model car = model_of("examples/vehicle/vehicle.json");
  const auto common = [&](const std::string& a, const std::string& b) {
    return car.subsystems[static_cast<std::size_t>(car.graph().lowest_common(find_subsystem(car, a), find_subsystem(car, b)))].path;
  };
  CHECK(common("front.left", "front.right") == "front");
  CHECK(common("front.left.strut", "front.left") == "front.left");
  CHECK(common("front", "front.left.strut") == "front");
  CHECK(common("front.left", "rear.left").empty());
  CHECK(common("steering", "steering") == "steering");
}

TEST_CASE("a copy that is changed has a graph of its own, one that is moved takes it along, and threads find the same one") {
  Model model = testing::parse(held_from_outside);
  const ModelGraph* const graph = &model.graph();
  Model copy = model;
  copy.joints.pop_back();
  CHECK(num_edges(copy.graph()) == 3);
  CHECK(num_edges(model.graph()) == 4);
  copy = model;
  CHECK(num_edges(copy.graph()) == 4);
  const Model moved = std::move(model);
  CHECK(&moved.graph() == graph);
  const Model fresh = moved;
  std::vector<const ModelGraph*> found(8);
  std::vector<std::thread> threads;
  for (const ModelGraph*& at : found) threads.emplace_back([&] { at = &fresh.graph(); });
  for (std::thread& thread : threads) thread.join();
  for (const ModelGraph* at : found) CHECK(at == found.front());
}
