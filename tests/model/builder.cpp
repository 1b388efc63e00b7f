#include "arthron/model/builder.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "arthron/model/find.hpp"
#include "model/loading.hpp"
#include "support/folder.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

std::string refused(const ModelBuilder& builder, const std::string& folder = "") {
  try {
    (void)builder.build(builtins(), folder);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

ModelBuilder arm() {
  ModelBuilder builder("arm");
  builder.parameter("length", 2).point("tip", {"=length", 0, 0});
  builder.body("rod").mass(3).com({"=length/2", 0, 0}).inertia({0.1, 1, 1});
  builder.joint("hinge", "revolute").parent("ground").child("rod").at({0, 0, 0}).axis({0, 1, 0}).set("initial", {{"position", 0.5}});
  builder.force("wind", "force").on("rod", "tip").set("force", {"=10*sin(t)", 0, 0});
  builder.marker("end", "rod").at("tip");
  return builder;
}

constexpr auto arm_text = R"json({ "arthron": 1, "name": "arm",
  "parameters": { "length": 2 }, "points": { "tip": ["=length", 0, 0] },
  "bodies": { "rod": { "mass": 3, "com": ["=length/2", 0, 0], "inertia": [0.1, 1, 1] } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0], "initial": { "position": 0.5 } } },
  "forces": { "wind": { "type": "force", "on": ["rod", "tip"], "force": ["=10*sin(t)", 0, 0] } },
  "markers": { "end": { "body": "rod", "at": "tip" } } })json";

}  // namespace

TEST_CASE("what is built in code is what a file would say") { CHECK(arm().json() == Json::parse(arm_text)); }

TEST_CASE("a built model is read like a file, with the parameters given to it") {
  const Model model = arm().build(builtins(), "", {{"length", 4}});
  CHECK(model.name == "arm");
  CHECK(model.bodies[find_body(model, "rod").value].com == Vec3{2, 0, 0});
  CHECK(model.joints[find_joint(model, "hinge").value].initial_position.at(0) == 0.5);
  CHECK(model.forces[find_force(model, "wind")].definition->handles().at(0).point == Vec3{4, 0, 0});
  CHECK(model.markers[find_marker(model, "end")].handle.point == Vec3{4, 0, 0});
}

TEST_CASE("a path that names nothing of its kind is told the nearest that does") {
  const Model model = arm().build(builtins());
  CHECK_THROWS_WITH_AS((void)find_joint(model, "hing"),
                       "arm: joint\n  found \"hing\"; expected the path of a joint; did you mean \"hinge\"?", ModelError);
  CHECK_THROWS_AS((void)find_body(model, "hinge"), ModelError);
}

TEST_CASE("builders, files and definitions are subsystems of one another, mirrored, repeated and connected") {
  const test::Folder folder;
  ModelBuilder corner("corner");
  corner.mount("chassis");
  corner.output("hub", "arm").at({0, 0.7, 0}).axis({0, 1, 0});
  corner.signal_input("torque").set("default", 1);
  corner.signal_output("height", "arm.position.z");
  corner.body("arm").mass(2).com({0, 0.5, 0}).inertia({0.1, 0.1, 0.1});
  corner.joint("pivot", "revolute").parent("chassis").child("arm").at({0, 0.2, 0}).axis({1, 0, 0}).effort("=torque");
  corner.save(folder.file("corner.json"));

  ModelBuilder car("car");
  car.body("body").mass(100).inertia({10, 10, 10});
  car.joint("float", "free").parent("ground").child("body").at({0, 0, 0});
  car.signal_input("drive");
  car.use("front_left", "corner.json").at({1, 0, 0}).connect("chassis", "body").connect("torque", "drive");
  car.use("front_right", corner).at({1, 0, 0}).mirror('y').connect("chassis", "body").connect("torque", "=2*drive");
  car.use("rear", corner.json()).repeat(2, "k").at({"=-k", 0, 0}).connect("chassis", "body");
  const Model model = car.build(builtins(), folder.file(""));
  REQUIRE(model.subsystems.size() == 5);
  CHECK(model.bodies[find_body(model, "front_left.arm").value].com == Vec3{1, 0.5, 0});
  CHECK(model.bodies[find_body(model, "front_right.arm").value].com == Vec3{1, -0.5, 0});
  CHECK(model.bodies[find_body(model, "rear_1.arm").value].com == Vec3{-1, 0.5, 0});
  CHECK(model.joints[find_joint(model, "rear_0.pivot").value].effort.at(0).value(0) == 1);

  // Saved beside the file it uses, it is the same model.
  car.save(folder.file("car.json"));
  const Model again = load_model(folder.file("car.json"), builtins());
  REQUIRE(again.bodies.size() == model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) CHECK(again.bodies[b].com == model.bodies[b].com);
  CHECK_THROWS_AS(car.save(folder.file("nowhere/car.json")), ModelError);
}

TEST_CASE("a file can be changed in code") {
  const test::Folder folder;
  folder.write("arm.json", arm_text);
  ModelBuilder changed = ModelBuilder::from_file(folder.file("arm.json"));
  changed.body("rod").mass(7);
  changed.joint("hinge").set("spring", {{"stiffness", 5}});
  changed.json()["forces"].erase("wind");
  const Model model = changed.build(builtins());
  CHECK(model.bodies[1].mass == 7);
  CHECK(model.bodies[1].com == Vec3{1, 0, 0});
  CHECK(model.joints[0].stiffness.at(0) == 5);
  CHECK(model.forces.empty());
  CHECK_THROWS_AS((void)ModelBuilder::from_file(folder.file("leg.json")), ModelError);
  folder.write("broken.json", "{");
  CHECK_THROWS_AS((void)ModelBuilder::from_file(folder.file("broken.json")), ModelError);
}

TEST_CASE("a definition stays in hand while others are made") {
  ModelBuilder builder("m");
  auto first = builder.body("first");
  for (int i = 0; i < 100; ++i) builder.body("b" + std::to_string(i)).mass(i);
  first.mass(5);
  CHECK(builder.json()["bodies"]["first"]["mass"] == 5);
}

TEST_CASE("mistakes of a built model are named by the model and by JSON pointers, all at once") {
  ModelBuilder builder = arm();
  builder.body("rod").mass(-1);
  builder.joint("hinge").set("typ", "x");
  builder.joint("hinge", "revolut");
  builder.body("lost").mass(1).inertia({1, 1, 1});
  builder.joint("weld", "fixed").parent("rod").child("losst").at({0, 0, 0});
  CHECK(refused(builder) ==
        "arm: /bodies/rod/mass\n"
        "  found -1; expected a number in kg, >= 0 and <= 1e+12\n"
        "arm: /joints/hinge/type\n"
        "  found \"revolut\"; expected a joint type; did you mean \"revolute\"?\n"
        "arm: /joints/weld/child\n"
        "  found \"losst\"; expected the name of a body, ground or mount; did you mean \"lost\"?");
  ModelBuilder alone("alone");
  alone.body("rock").mass(1).inertia({1, 1, 1});
  CHECK(refused(alone).find("alone: /bodies/rock\n  found a body without a joint") == 0);
  alone.joint("float", "free").parent("ground").child("rock").at({0, std::nan(""), 0});
  CHECK(refused(alone).find("alone: /joints/float/at/1") == 0);
  ModelBuilder unnamed("x");
  unnamed.json() = Json::array();
  CHECK(refused(unnamed).find("expected an object") != std::string::npos);
}

TEST_CASE("a built model finds no files but those of its folder") {
  const test::Folder folder;
  folder.write("parts/arm.json", arm_text);
  ModelBuilder builder("m");
  builder.use("a", "arm.json");
  CHECK(refused(builder, folder.file("parts")) == "");
  CHECK(refused(builder, folder.file("")).find("/subsystems/a/use\n  found \"arm.json\", no such file") != std::string::npos);
}
