#include "arthron/model/hierarchy.hpp"

#include <doctest/doctest.h>

#include "arthron/model/find.hpp"
#include "model/loading.hpp"

/// Subsystems of a model, what crosses their ports, and each as a model of its own. Source of truth: the same file, loaded alone.
using namespace arthron;

namespace {

const std::string root = ARTHRON_SOURCE_DIR;
Model loaded(const std::string& file) { return load_model(root + "/" + file, testing::builtins()); }

std::vector<std::string> ports_of_joint(const Model& model, const std::string& path, bool child) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints)
    if (joint.path == path)
      for (const int p : crossed_ports(model, child ? joint.child_port : joint.parent_port)) names.push_back(model.ports[p].path);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an attachment knows every port between it and its body") {
  const Model model = loaded("examples/vehicle/vehicle.json");
  CHECK(ports_of_joint(model, "front.left.lower", false) == Names{"front.left.chassis", "front.chassis"});
  CHECK(ports_of_joint(model, "front.left.lower", true).empty());
  CHECK(ports_of_joint(model, "front.left.rod", false) == Names{"front.left.rack", "front.rack", "steering.rack"});
  CHECK(ports_of_joint(model, "rear.left.rod", false) == Names{"rear.left.rack", "rear.rack"});
  CHECK(ports_of_joint(model, "front_left.spin", false) == Names{"front_left.hub", "front.hub_left", "front.left.hub"});
  for (const Force& force : model.forces) {
    if (force.path != "rear.right.strut.spring") continue;
    CHECK(model.ports[force.handles.at(0).port].path == "rear.right.strut.top");
    CHECK(crossed_ports(model, force.handles.at(0).port).size() == 3);
    CHECK(crossed_ports(model, force.handles.at(1).port).size() == 1);
  }
}

TEST_CASE("a subsystem taken out of a model and put back into its own frame is its file loaded alone, mirror images too") {
  const Model axle = loaded("subsystems/double_wishbone/double_wishbone_axle.json"),
              file = loaded("subsystems/double_wishbone/double_wishbone.json");
  const Model car = loaded("examples/vehicle/vehicle.json");
  for (const auto& [whole, path] : {std::pair{&axle, "left"}, std::pair{&axle, "right"}, std::pair{&car, "rear.right"}}) {
    CAPTURE(path);
    const int s = find_subsystem(*whole, path);
    const Model taken = placed(alone(*whole, s).model, inverse(whole->subsystems[s].placement));
    REQUIRE(taken.bodies.size() == file.bodies.size());
    REQUIRE(taken.joints.size() == file.joints.size());
    REQUIRE(taken.forces.size() == file.forces.size());
    for (std::size_t b = 0; b < file.bodies.size(); ++b) {
      CHECK(taken.bodies[b].path == file.bodies[b].path);
      CHECK(taken.bodies[b].ground == file.bodies[b].ground);
      if (b == 0) continue;  // the one ground of the whole is not the file's
      if (!file.bodies[b].ground) CHECK(norm(taken.bodies[b].com - file.bodies[b].com) < 1e-14);
      CHECK(norm(taken.bodies[b].frame.p - file.bodies[b].frame.p) < 1e-14);
      CHECK(norm(taken.bodies[b].frame.R.c0 - file.bodies[b].frame.R.c0) < 1e-14);
      CHECK(std::abs(taken.bodies[b].inertia.xx - file.bodies[b].inertia.xx) < 1e-14);
    }
    for (std::size_t j = 0; j < file.joints.size(); ++j) {
      const Joint &a = taken.joints[j], &b = file.joints[j];
      CHECK(a.path == b.path);
      CHECK(a.parent == b.parent);
      CHECK(a.child == b.child);
      CHECK(a.parent_port == b.parent_port);
      CHECK(a.mirrored == b.mirrored);
      CHECK(norm(a.frame.p - b.frame.p) < 1e-14);
      CHECK(norm(a.frame.R.c2 - b.frame.R.c2) < 1e-14);
    }
    for (std::size_t p = 0; p < file.ports.size(); ++p) {
      CHECK(taken.ports[p].path == file.ports[p].path);
      CHECK(taken.ports[p].body == file.ports[p].body);
      CHECK(taken.ports[p].through == file.ports[p].through);
      CHECK(norm(taken.ports[p].at - file.ports[p].at) < 1e-14);
    }
    CHECK(norm(taken.gravity - file.gravity) < 1e-14);
    CHECK(taken.forces.front().handles.at(0).body == file.forces.front().handles.at(0).body);
  }
}

TEST_CASE("what no joint of a subsystem holds floats: one body of each part that hangs together") {
  const Model model = testing::parse(R"json({ "arthron": 1, "name": "whole",
    "joints": { "to_a": { "type": "free", "parent": "ground", "child": "part.at_a", "at": [0, 0, 0] },
                "to_c": { "type": "free", "parent": "ground", "child": "part.at_c", "at": [0, 0, 0] } },
    "subsystems": { "part": { "use": {
      "ports": { "at_a": { "output": "a", "at": [0, 0, 0] }, "at_c": { "output": "c", "at": [0, 0, 0] } },
      "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1] }, "b": { "mass": 1, "inertia": [1, 1, 1] },
                  "c": { "mass": 1, "inertia": [1, 1, 1] }, "d": { "mass": 1, "inertia": [1, 1, 1] } },
      "joints": { "ab": { "type": "fixed", "parent": "b", "child": "a", "at": [0, 0, 0] },
                  "hold_d": { "type": "fixed", "parent": "ground", "child": "d", "at": [0, 0, 0] } } } } } })json");
  const Alone part = alone(model, 1);
  std::vector<std::string> names;
  for (const int body : part.floats) names.push_back(part.model.bodies[body].path);
  CHECK(names == Names{"a", "c"});
}
