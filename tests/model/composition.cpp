#include <doctest/doctest.h>

#include <cmath>

#include "model/loading.hpp"
#include "support/folder.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

/// An arm on a mount, with something of every kind of port.
const std::string corner = R"({
  "arthron": 1, "name": "corner", "gravity": [1, 2, 3],
  "parameters": { "length": 0.5, "rate": { "value": 100, "unit": "N m/rad", "range": [0, 1000] } },
  "points": { "pivot": [0, 0.2, 0], "tip": [0, "=0.2+length", 0] },
  "ports": {
    "chassis": { "mount": true },
    "hub": { "output": "arm", "at": "tip", "axis": [0, 1, 0] },
    "drive": { "signal": "input", "default": 2 },
    "height": { "signal": "output", "channel": "arm.position.z" }
  },
  "bodies": { "arm": { "mass": 2, "com": "tip", "inertia": [0.1, 0.2, 0.25, 0.01, 0.02, 0.03] } },
  "joints": { "hinge": { "type": "revolute", "parent": "chassis", "child": "arm", "at": "pivot", "axis": [1, 0, 0],
                         "spring": { "stiffness": "=rate" }, "effort": "=drive+t" } },
  "markers": { "end": { "body": "arm", "at": "tip" } },
  "simulate": { "until": 3 }
})";

std::string car(const std::string& subsystems, const std::string& sections = "") {
  return file(R"("bodies": {"body": {"mass": 9, "inertia": [1, 1, 1]}},
                 "joints": {"float": {"type": "free", "parent": "ground", "child": "body", "at": [0, 0, 0]}},
                 "subsystems": {)" +
              subsystems + "}" + (sections.empty() ? "" : ", " + sections));
}

Model load(const test::Folder& folder, const std::string& text) { return load_model(folder.write("car.json", text), builtins()); }

const Port& port(const Model& model, const std::string& path) {
  for (const Port& candidate : model.ports)
    if (candidate.path == path) return candidate;
  throw std::runtime_error("no port " + path);
}

double distance(const Vec3& a, const Vec3& b) { return norm(a - b); }

constexpr auto corner_at_front = R"("front": {"use": "corner.json", "at": [1, 0, 0], "connect": {"chassis": "body"}})";

}  // namespace

TEST_CASE("a used file is part of the model under its path") {
  const test::Folder folder;
  folder.write("corner.json", corner);
  const Model model = load(folder, car(corner_at_front));
  CHECK(model.gravity == Vec3{0, 0, -9.81});
  CHECK(model.simulation.until == 10);
  REQUIRE(model.subsystems.size() == 2);
  CHECK(model.subsystems[1].path == "front");
  CHECK(model.subsystems[1].name == "corner");
  CHECK(model.subsystems[1].parent == 0);
  CHECK(model.files.size() == 2);
  CHECK(body(model, "front.arm").com == Vec3{1, 0.7, 0});
  CHECK(body(model, "front.arm").subsystem == 1);
  REQUIRE(model.joints.size() == 2);
  CHECK(model.joints[1].path == "front.hinge");
  CHECK(model.bodies[model.joints[1].parent.value].path == "body");
  CHECK(model.joints[1].effort.at(0).value(0.5) == 2.5);
  CHECK(model.parameters[0].path == "front.length");
  CHECK(model.markers[0].path == "front.end");
  CHECK(port(model, "front.chassis").connected);
  CHECK_FALSE(port(model, "front.hub").connected);
  CHECK(port(model, "front.hub").at == Vec3{1, 0.7, 0});
  CHECK(port(model, "front.height").channel == "front.arm.position.z");
}

TEST_CASE("a file runs alone with its mount as a ground, and is parsed once for all its instances") {
  const test::Folder folder;
  folder.write("corner.json", corner);
  const Model alone = load_model(folder.file("corner.json"), builtins());
  CHECK(body(alone, "chassis").ground);
  CHECK_FALSE(port(alone, "chassis").connected);
  CHECK(alone.simulation.until == 3);
  const Model four = load(folder, car(R"("c": {"repeat": 4, "use": "./corner.json", "at": ["=i", 0, 0], "connect": {"chassis": "body"}})"));
  CHECK(four.files.size() == 2);
  CHECK(body(four, "c_3.arm").com == Vec3{3, 0.7, 0});
}

TEST_CASE("parameters are given by expressions over the enclosing ones, and by the command line") {
  const test::Folder folder;
  folder.write("corner.json", corner);
  const std::string text = car(R"("c": {"repeat": 2, "index": "k", "use": "corner.json", "parameters": {"rate": "=stiff + k*stiff"},
                                        "connect": {"chassis": "body"}})",
                               R"("parameters": {"stiff": 7})");
  const std::string path = folder.write("car.json", text);
  const Model model = load_model(path, builtins());
  CHECK(model.joints[1].stiffness.at(0) == 7);
  CHECK(model.joints[2].stiffness.at(0) == 14);
  const Model set = load_model(path, builtins(), {{"c_1.rate", 5}, {"stiff", 3}});
  CHECK(set.joints[1].stiffness.at(0) == 3);
  CHECK(set.joints[2].stiffness.at(0) == 5);
}

TEST_CASE("a mirror image is drawn mirrored") {
  const test::Folder folder;
  folder.write("corner.json", corner);
  const Model model =
      load(folder, car(R"("right": {"use": "corner.json", "at": [1, 0, 0], "mirror": "y", "connect": {"chassis": "body"}})"));
  const Body& arm = body(model, "right.arm");
  CHECK(arm.com == Vec3{1, -0.7, 0});
  CHECK(arm.inertia == Sym3{0.1, 0.2, 0.25, -0.01, 0.02, -0.03});
  CHECK(port(model, "right.hub").axis == Vec3{0, -1, 0});
  CHECK(model.joints[1].mirrored);
  CHECK(model.joints[1].frame.p == Vec3{1, -0.2, 0});
  CHECK(arm.frame.R == Mat3::identity());
}

TEST_CASE("outputs are bodies, points and directions of the enclosing file, mounts and outputs are passed on") {
  const test::Folder folder;
  folder.write("parts/corner.json", corner);
  folder.write("axle.json", file(R"("ports": {"frame": {"mount": true}, "wheel": {"output": "c.hub"},
                                             "steer": {"signal": "input", "default": 5}},
                                    "subsystems": {"c": {"use": "parts/corner.json", "at": [0, 0, 1], "mirror": "y",
                                                         "connect": {"chassis": "frame", "drive": "steer"}}})"));
  const Model model = load(folder, car(R"("a": {"use": "axle.json", "at": [2, 0, 0], "connect": {"frame": "body", "steer": "=10*t"}},
                                          "w": {"use": {"ports": {"hub": {"mount": true}}, "bodies": {"rim": {"mass": 1, "inertia": [1, 1, 1]}},
                                                        "joints": {"spin": {"type": "fixed", "parent": "hub", "child": "rim", "at": [0, 0, 0]}}},
                                                "at": "a.wheel", "connect": {"hub": "a.wheel"}})",
                                       R"("forces": {"f": {"type": "force", "on": ["a.wheel", "a.wheel"], "force": [1, 0, 0]}})"));
  CHECK(body(model, "a.c.arm").com == Vec3{2, -0.7, 1});
  CHECK(body(model, "w.rim").com == Vec3{2, -0.7, 1});
  CHECK(model.joints[1].path == "a.c.hinge");
  CHECK(model.bodies[model.joints[1].parent.value].path == "body");
  CHECK(model.joints[1].effort.at(0).value(0.5) == doctest::Approx(5.5));
  CHECK(model.joints[1].effort.at(0).sample(0.5).rate == doctest::Approx(11));
  CHECK(model.bodies[model.joints[2].parent.value].path == "a.c.arm");
  CHECK(port(model, "a.wheel").axis == Vec3{0, -1, 0});
  CHECK(port(model, "a.wheel").connected);
  CHECK(model.subsystems[2].path == "a.c");
  CHECK(model.subsystems[2].parent == 1);
  CHECK(distance(model.forces[0].definition->handles().at(0).point, {2, -0.7, 1}) == 0);
}

TEST_CASE("a mount that need not be connected is a fixed ground at its place") {
  const test::Folder folder;
  std::string text = corner;
  text.replace(text.find("\"mount\": true"), 13, "\"mount\": true, \"required\": false");
  folder.write("corner.json", text);
  const Model model = load(folder, car(R"("front": {"use": "corner.json", "at": [1, 0, 0]})"));
  CHECK(body(model, "front.chassis").ground);
  CHECK(body(model, "front.chassis").frame.p == Vec3{1, 0, 0});
}
