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

/// Two loops, each drawn three times.
inline Json repeated_loops(unsigned seed) {
  Json model = closed_graph(seed, 6 + static_cast<int>(seed % 9), 2);
  for (int k = 0; k < 2; ++k) {
    const Json loop = model["joints"]["loop" + std::to_string(k)];
    for (const char* name : {"copy", "third"}) model["joints"][name + std::to_string(k)] = loop;
  }
  return model;
}

inline Json link(double x0, double y0, double x1, double y1) {
  return {{"mass", 1.5}, {"com", {(x0 + x1) / 2, (y0 + y1) / 2, 0.02}}, {"inertia", {0.05, 0.06, 0.08}}};
}

/// Parallel cranks of 3D hinges on one coupler: the loops of the third and later ones are redundant because of the others alone.
inline Json parallel_cranks(int cranks) {
  Json model{{"arthron", 1}, {"name", "cranks"}, {"gravity", {0, -9.81, 0.3}}};
  model["bodies"]["coupler"] = link(0.3, 0.8, 0.3 + cranks - 1, 0.8);
  for (int i = 0; i < cranks; ++i) {
    const std::string crank = "c" + std::to_string(i);
    model["bodies"][crank] = link(i, 0, i + 0.3, 0.8);
    model["joints"]["foot" + std::to_string(i)] = {
        {"type", "revolute"}, {"parent", "ground"}, {"child", crank}, {"at", {i, 0, 0}}, {"axis", {0, 0, 1}}};
    model["joints"]["top" + std::to_string(i)] = {
        {"type", "revolute"}, {"parent", crank}, {"child", "coupler"}, {"at", {i + 0.3, 0.8, 0}}, {"axis", {0, 0, 1}}};
    if (i > 0) model["joints"]["top" + std::to_string(i)]["cut"] = true;
  }
  model["joints"]["foot0"]["initial"] = {{"velocity", 2}};
  return model;
}

}  // namespace arthron::test
