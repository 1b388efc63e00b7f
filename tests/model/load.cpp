#include "arthron/model/load.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "model/loading.hpp"
#include "support/full_model.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

constexpr double pi = std::numbers::pi;

/// Largest difference of the components.
double largest_difference(const Vec3& a, const Vec3& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

std::string what_load_says(const std::string& path) {
  try {
    (void)load_model(path, builtins());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a model holds what the file says") {
  const Model model = parse(full_model);
  CHECK(model.name == "bench");
  CHECK(model.gravity == Vec3{0, 0, -9.81});
  REQUIRE(model.bodies.size() == 17);
  CHECK(model.bodies[0].path == "ground");
  CHECK(model.bodies[0].ground);
  CHECK(model.joints.size() == 13);
  CHECK(model.forces.size() == 6);
  CHECK(model.markers.size() == 2);
  CHECK(model.ports.size() == 12);
  CHECK(model.files == std::vector<std::string>{"m.json"});
  CHECK(body(model, "arm").mass == 2);
  CHECK(body(model, "arm").com == Vec3{0, 0.1, 0.2});
  CHECK(body(model, "arm").inertia == Sym3{0.02, 0.02, 0.01, 0, 0, 0});
  CHECK(body(model, "arm").source->line == 22);
  CHECK(body(model, "arm").source->pointer == "/bodies/arm");
}

TEST_CASE("a joint holds what the file says") {
  const Model model = parse(full_model);
  const Joint& hinge = model.joints[0];
  CHECK(hinge.path == "pivot_joint");
  CHECK(model.bodies[hinge.parent.value].path == "chassis");
  CHECK(model.bodies[hinge.child.value].path == "arm");
  CHECK(hinge.definition->type().name() == "revolute");
  CHECK(largest_difference(hinge.frame.p, {0, 0, 0.7}) < 1e-15);
  CHECK(hinge.stiffness.at(0) == doctest::Approx(35000));
  CHECK(hinge.damping == std::vector<double>{1});
  CHECK(hinge.rest == std::vector<double>{0.1});
  CHECK(hinge.effort.at(0).value(1) == std::sin(1.0));
  CHECK(hinge.initial_position.at(0) == doctest::Approx(pi / 6));
  CHECK(hinge.initial_velocity == std::vector<double>{1});
  CHECK(model.joints[1].motion.size() == 2);
  CHECK(model.joints[1].motion[1].value(1) == doctest::Approx(0.2));
  CHECK(model.joints[3].stiffness == std::vector<double>{100, 1});
  CHECK(model.joints[3].damping == std::vector<double>{0.5, 0.5});
  CHECK(model.joints[4].stiffness == std::vector<double>{3, 3, 3});
}

TEST_CASE("the simulation section is read, and has defaults") {
  const SimulationSettings settings = parse(full_model).simulation;
  CHECK(settings.until == 2);
  CHECK(settings.integrator.type == "bdf");
  CHECK(settings.integrator.relative_tolerance == 1e-8);
  CHECK(settings.integrator.absolute_tolerance == 1e-10);
  CHECK(settings.output_step == 0.01);
  CHECK(settings.channels == std::vector<std::string>{"end.position", "strut.force"});
  CHECK(settings.elimination == "fold");
  CHECK(settings.threads == 2);
  const SimulationSettings defaults = parse(pendulum()).simulation;
  CHECK(defaults.until == 10);
  CHECK(defaults.integrator.type == "dopri5");
  CHECK(defaults.channels.empty());
}

TEST_CASE("a body with a frame has its geometry there") {
  // z' = y, y' = -z turned by 90 degrees about x, then seen from (1, 2, 3).
  const Model model = parse(file(R"("bodies": {"b": {"mass": 1, "com": [0, 0, 1], "inertia": [1, 2, 3],
                                              "frame": {"at": [1, 2, 3], "rotation": {"axis": [1, 0, 0], "angle": "=-90*deg"}}}},
                                    "joints": {"j": {"type": "revolute", "parent": "ground", "child": "b", "in": "b", "at": [0, 0, 2], "axis": [0, 0, 1]}},
                                    "markers": {"tip": {"body": "b", "in": "b", "at": [0, 0, 4]}},
                                    "points": {"end": {"in": "b", "at": [0, 1, 0]}}, "ports": {"out": {"output": "b", "at": "end"}})"));
  const Body& b = body(model, "b");
  CHECK(largest_difference(b.com, {1, 3, 3}) < 1e-15);
  CHECK(b.inertia.xx == doctest::Approx(1));
  CHECK(b.inertia.yy == doctest::Approx(3));
  CHECK(b.inertia.zz == doctest::Approx(2));
  CHECK(largest_difference(b.frame.p, {1, 2, 3}) == 0);
  CHECK(largest_difference(model.joints[0].frame.p, {1, 4, 3}) < 1e-15);
  CHECK(largest_difference(model.joints[0].frame.R.c2, {0, 1, 0}) < 1e-15);
  CHECK(largest_difference(model.markers[0].handle.point, {1, 6, 3}) < 1e-15);
  CHECK(largest_difference(model.ports[0].at, {1, 2, 2}) < 1e-15);
}

TEST_CASE("frames may build on one another in any order") {
  const Model model = parse(file(R"("bodies": {
    "c": {"mass": 1, "inertia": [1, 1, 1], "frame": {"in": "b", "at": [1, 0, 0]}},
    "b": {"mass": 1, "inertia": [1, 1, 1], "frame": {"in": "a", "at": [1, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": "=90*deg"}}},
    "a": {"mass": 1, "inertia": [1, 1, 1], "frame": {"at": "p", "rotation": {"axis": [0, 0, 1], "angle": "=90*deg"}}}},
    "points": {"p": {"in": "rig", "at": [1, 0, 0]}}, "grounds": {"rig": {"frame": {"at": [10, 0, 0]}}},
    "joints": {"j1": {"type": "free", "parent": "ground", "child": "a", "at": [0, 0, 0]},
               "j2": {"type": "free", "parent": "ground", "child": "b", "at": [0, 0, 0]},
               "j3": {"type": "free", "parent": "ground", "child": "c", "at": [0, 0, 0]}})"));
  CHECK(largest_difference(body(model, "a").frame.p, {11, 0, 0}) < 1e-14);
  CHECK(largest_difference(body(model, "b").frame.p, {11, 1, 0}) < 1e-14);
  CHECK(largest_difference(body(model, "c").frame.p, {10, 1, 0}) < 1e-14);
}

TEST_CASE("a body without a frame reports its centre of mass") {
  const Model model = parse(pendulum());
  CHECK(body(model, "arm").frame.p == Vec3{1, 0, 0});
  CHECK(body(model, "arm").frame.R == Mat3::identity());
}

TEST_CASE("grounds stand still or move about the origin of their frame") {
  const Model model = parse(full_model);
  CHECK_FALSE(body(model, "wall").motion);
  CHECK(body(model, "wall").frame.p == Vec3{1, 0, 0});
  REQUIRE(body(model, "shaker").motion);
  CHECK(body(model, "shaker").motion->translation.at(2).value(0.25) == doctest::Approx(0.01));
  CHECK(body(model, "shaker").motion->rotation.at(2).value(2) == doctest::Approx(0.2));
}

TEST_CASE("a mount left open is a fixed ground of the port's name") {
  const Model model = parse(full_model);
  CHECK(body(model, "chassis").ground);
  CHECK(model.ports[0].kind == Port::Kind::mount);
  CHECK_FALSE(model.ports[0].required);
  CHECK(model.bodies[model.ports[0].body.value].path == "chassis");
  CHECK(model.ports[1].kind == Port::Kind::output);
}

TEST_CASE("parameters may use one another in any order") {
  const Model model =
      parse(pendulum(R"("parameters": {"a": "=b+1", "b": "=2*c", "c": 3, "d": {"value": "=a^2", "unit": "m", "range": [0, 100]}})"));
  REQUIRE(model.parameters.size() == 4);
  CHECK(model.parameters[0].value == 7);
  CHECK(model.parameters[3].value == 49);
  CHECK(model.parameters[3].unit() == "m");
}

TEST_CASE("parameters find one another in expressions of any length") {
  std::string sum = "=b";
  for (int i = 0; i < 200; ++i) sum += "+b";
  const Model model = parse(pendulum(R"("parameters": {"a": ")" + sum + R"(", "b": 2})"));
  CHECK(model.parameters[0].value == 402);
}

TEST_CASE("an override replaces a parameter before expressions are evaluated") {
  const Model model = parse(pendulum(R"("parameters": {"a": "=b+1", "b": 2})"), {{"b", 10}});
  CHECK(model.parameters[0].value == 11);
  CHECK(model.parameters[1].value == 10);
}

TEST_CASE("files that cannot be read are named") {
  const std::string folder = std::filesystem::temp_directory_path() / "arthron_load_test";
  std::filesystem::create_directories(folder);
  CHECK(what_load_says(folder + "/none.json") == folder + "/none.json\n  found no such file; expected a model file (JSON)");
  CHECK(what_load_says(folder) == folder + "\n  found a directory; expected a model file (JSON)");
  std::ofstream(folder + "/empty.json").close();
  CHECK(what_load_says(folder + "/empty.json") == folder + "/empty.json:1: /\n  found an empty file; expected a JSON object");
  std::ofstream(folder + "/good.json") << full_model;
  CHECK(load_model(folder + "/good.json", builtins()).name == "bench");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a chain of thousands of frames and parameters, written backwards, needs no deep stack") {
  std::string bodies, joints, parameters;
  constexpr int n = 3000;
  for (int i = n; i > 0; --i) {
    const std::string name = "b" + std::to_string(i), previous = i == 1 ? "ground" : "b" + std::to_string(i - 1);
    bodies += (bodies.empty() ? "\"" : ", \"") + name + R"(": {"mass": 1, "inertia": [1, 1, 1], "frame": {"in": ")" + previous +
              R"(", "at": [1, 0, 0]}})";
    joints += (joints.empty() ? "\"j" : ", \"j") + std::to_string(i) + R"(": {"type": "revolute", "parent": ")" + previous +
              R"(", "child": ")" + name + R"(", "in": ")" + name + R"(", "at": [0, 0, 0], "axis": [0, 0, 1]})";
    parameters +=
        (parameters.empty() ? "\"p" : ", \"p") + std::to_string(i) + (i == 1 ? "\": 1" : "\": \"=p" + std::to_string(i - 1) + " + 1\"");
  }
  const Model model = parse(file("\"bodies\": {" + bodies + "}, \"joints\": {" + joints + "}, \"parameters\": {" + parameters + "}"));
  CHECK(body(model, "b3000").frame.p == Vec3{n, 0, 0});
  CHECK(model.parameters[0].value == n);
}
