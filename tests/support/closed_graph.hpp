#pragma once
#include <array>
#include <string>
#include <vector>

#include "support/loaded.hpp"
#include "support/random_model.hpp"

/// Random models with closed loops and couplings.
namespace arthron::test {

/// A random tree with `loops` more joints between bodies of it, of types that leave at least three directions free: cut, reversed, some
/// loaded. Drawn closed, so every loop closes at the start.
inline Json closed_graph(unsigned seed, int bodies, int loops) {
  RandomModel random(builtins(), seed);
  Json model = random.tree(bodies);
  for (auto& [name, joint] : model["joints"].items()) {
    joint.erase("initial"), joint.erase("motion");
    if (joint["type"] == "fixed") joint["type"] = "spherical";
  }
  model["grounds"]["shaker"].erase("motion");
  for (int k = 0; k < loops; ++k) {
    const char* type =
        std::array{"spherical", "distance", "planar", "point_in_plane", "free", "point_on_line"}[(seed + static_cast<unsigned>(k)) % 6];
    Json joint = random.keys_of(*builtins().joint(type), 0);
    const int a = random.integer(0, bodies - 2);
    joint["parent"] = random.chance(0.2) ? "ground" : "b" + std::to_string(a);
    joint["child"] = "b" + std::to_string(random.integer(a + 1, bodies - 1));
    joint["at"] = random.vector(1);
    joint["cut"] = true;
    if (random.chance(0.5)) joint["spring"] = {{"stiffness", 3}, {"damping", 0.5}};
    model["joints"]["loop" + std::to_string(k)] = joint;
  }
  return model;
}

/// Couples a third of the tree's plain freedoms with the next one: gears along and across branches.
inline void couple(Json& model, unsigned seed) {
  RandomModel random(builtins(), seed);
  std::vector<std::string> freedoms;
  for (const auto& [name, joint] : model["joints"].items()) {
    const JointType& type = *builtins().joint(joint["type"].get<std::string>());
    if (type.nq() != type.nu() || joint.contains("cut") || joint.contains("motion")) continue;
    for (int i = 1; i <= type.nu(); ++i) freedoms.push_back(type.nu() == 1 ? name : name + ":" + std::to_string(i));
  }
  for (std::size_t i = 0; i + 1 < freedoms.size(); i += 3)
    model["couplings"]["gear" + std::to_string(i)]["terms"] = {{freedoms[i], random.number(0.5, 2)},
                                                               {freedoms[i + 1], random.number(-2, -0.5)}};
}

/// A closed graph with a driven tree joint in a coupling and a driven cut joint.
inline Json driven_graph(unsigned seed) {
  Json model = closed_graph(seed, 8 + static_cast<int>(seed % 7), 1);
  Json& joints = model["joints"];
  // Both drives are zero at the start, where the loop is drawn closed, but moving; b6 floats, so that its drive can be followed.
  const Json j2 = joints["j2"], j3 = joints["j3"];
  joints["j2"] = {{"type", "revolute"}, {"parent", j2["parent"]}, {"child", j2["child"]},
                  {"at", j2["at"]},     {"axis", {0, 3, 4}},      {"motion", "=0.4*sin(t)+0.1*t^2"}};
  joints["j3"] = {{"type", "prismatic"}, {"parent", j3["parent"]}, {"child", j3["child"]}, {"at", j3["at"]}, {"axis", {1, 2, 2}}};
  joints["j6"] = {{"type", "free"}, {"parent", "ground"}, {"child", "b6"}, {"at", {0, 0, 0}}};
  joints["loop0"] = {{"type", "prismatic"}, {"parent", "b1"},           {"child", "b6"}, {"at", {0.1, 0.2, 0.3}}, {"axis", {1, 0, 1}},
                     {"cut", true},         {"motion", "=0.2*sin(2*t)"}};
  model["couplings"]["follower"]["terms"] = {{"j2", 0.7}, {"j3", -1.1}};
  return model;
}

}  // namespace arthron::test
