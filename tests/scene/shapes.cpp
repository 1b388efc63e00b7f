#include <doctest/doctest.h>

#include <algorithm>

#include "arthron/scene/drawn_shapes.hpp"
#include "arthron/scene/mesh_check.hpp"
#include "model/loading.hpp"
#include "support/folder.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

const std::vector<Shape>& shapes_of(const Model& model, const std::vector<std::vector<Shape>>& drawn, const std::string& path) {
  const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) { return b.path == path; });
  REQUIRE(body != model.bodies.end());
  return drawn[body - model.bodies.begin()];
}

/// A point of a shape, in the model's frame at the drawn position.
Vec3 placed(const Model& model, const std::string& path, const Shape& shape, const Vec3& point) {
  const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) { return b.path == path; });
  return body->frame * (shape.pose * ((shape.inverted ? -1.0 : 1.0) * point));
}

void check_near(const Vec3& a, const Vec3& b) {
  INFO(a.x, " ", a.y, " ", a.z, " against ", b.x, " ", b.y, " ", b.z);
  CHECK(norm(a - b) < 1e-12);
}

/// The two ends of a rod, the one with the smaller x first.
std::pair<Vec3, Vec3> ends(const Model& model, const std::string& path, const Shape& rod) {
  Vec3 a = placed(model, path, rod, {0, 0, rod.length / 2}), b = placed(model, path, rod, {0, 0, -rod.length / 2});
  if (b.x < a.x) std::swap(a, b);
  return {a, b};
}

constexpr auto stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

}  // namespace

TEST_CASE("a body between two joints is drawn as a rod from one to the other") {
  const Model model = parse(file(R"("bodies": {"a": {"mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1]},
                                               "b": {"mass": 1, "com": [1, 0, -0.5], "inertia": [0.1, 0.1, 0.01]}},
    "joints": {"j": {"type": "revolute", "parent": "ground", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0]},
               "k": {"type": "revolute", "parent": "a", "child": "b", "at": [1, 0, 0], "axis": [0, 1, 0]}})"));
  const auto drawn = drawn_shapes(model);
  const auto& shapes = shapes_of(model, drawn, "a");
  REQUIRE(shapes.size() == 1);
  CHECK(shapes[0].kind == Shape::Kind::capsule);
  const auto [from, to] = ends(model, "a", shapes[0]);
  check_near(from, {0, 0, 0});
  check_near(to, {1, 0, 0});
}

TEST_CASE("a body that is held at one place is the box of uniform density with its inertia") {
  // m = 3, edges 0.2, 0.5 and 0.9 along axes turned by 0.4 rad: I = m/12 (b^2 + c^2) and so on, by the closed form.
  const double a = 0.2, b = 0.5, c = 0.9;
  const Model model = parse(file(R"("bodies": {"box": {"type": "box", "size": [0.2, 0.5, 0.9], "mass": 3, "com": [0, 0, 0],
      "frame": {"at": [0.3, 0, 0], "rotation": {"axis": [1, 2, 3], "angle": 0.4}}}},
    "joints": {"j": {"type": "free", "parent": "ground", "child": "box", "at": [0, 0, 0]}})"));
  Model plain = model;
  plain.bodies[1].shapes.reset();
  const auto drawn = drawn_shapes(plain);
  const auto& shapes = shapes_of(plain, drawn, "box");
  REQUIRE(shapes.size() == 1);
  CHECK(shapes[0].kind == Shape::Kind::box);
  std::vector<double> edges = {shapes[0].edges.x, shapes[0].edges.y, shapes[0].edges.z};
  std::sort(edges.begin(), edges.end());
  CHECK(edges[0] == doctest::Approx(a).epsilon(1e-9));
  CHECK(edges[1] == doctest::Approx(b).epsilon(1e-9));
  CHECK(edges[2] == doctest::Approx(c).epsilon(1e-9));
  // Its longest edge lies along the body's own z.
  const Mat3& R = shapes[0].pose.R;
  const Vec3 along = shapes[0].edges.x > 0.8 ? R.c0 : shapes[0].edges.y > 0.8 ? R.c1 : R.c2;
  CHECK(std::abs(along.z) == doctest::Approx(1).epsilon(1e-9));
  CHECK(is_rotation(R));
}

TEST_CASE("a tyre is a disc about its axis, and a contact a ball") {
  const Model model = parse(file(R"("bodies": {"wheel": {"mass": 9, "com": [0, 1, 0.3], "inertia": [0.3, 0.6, 0.3]},
                                               "foot": {"mass": 1, "com": [0, 0, 1], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"j": {"type": "free", "parent": "ground", "child": "wheel", "at": [0, 0, 0]},
               "k": {"type": "free", "parent": "ground", "child": "foot", "at": [0, 0, 0]}},
    "forces": {"tyre": {"type": "tyre", "on": ["wheel", [0, 1, 0.3]], "axis": [0, 1, 0], "radius": 0.31, "stiffness": 2e5, "damping": 100,
                        "longitudinal_stiffness": 8e4, "cornering_stiffness": 6e4, "friction": 1},
               "ball": {"type": "contact", "on": ["foot", [0, 0, 0.9]], "radius": 0.05, "stiffness": 1e5}})"));
  const auto drawn = drawn_shapes(model);
  const auto& wheel = shapes_of(model, drawn, "wheel");
  REQUIRE(!wheel.empty());
  CHECK(wheel[0].kind == Shape::Kind::cylinder);
  CHECK(wheel[0].radius == 0.31);
  CHECK(std::abs(wheel[0].pose.R.c2.y) == doctest::Approx(1));
  check_near(placed(model, "wheel", wheel[0], {}), {0, 1, 0.3});
  const auto& foot = shapes_of(model, drawn, "foot");
  CHECK(std::any_of(foot.begin(), foot.end(), [](const Shape& s) { return s.kind == Shape::Kind::sphere && s.radius == 0.05; }));
}

TEST_CASE("shapes are drawn where the file draws them, turned, moved and as mirror images") {
  // Source of truth: the image of a point under reflection across y, a quarter turn about z and a shift.
  const test::Folder folder;
  folder.write("part.stl", stl);
  const std::string part = folder.write("part.json", R"({"arthron": 1, "name": "part", "ports": {"m": {"mount": true, "required": false}},
    "bodies": {"a": {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [1, 1, 1],
      "shapes": {"mesh": {"type": "mesh", "file": "part.stl", "at": [1, 2, 3], "rotation": {"axis": [1, 1, 0], "angle": 0.5}},
                 "rod": {"type": "capsule", "from": [1, 0, 0], "to": [2, 1, 0], "radius": 0.1}}}},
    "joints": {"j": {"type": "fixed", "parent": "m", "child": "a", "at": [0, 0, 0]}}})");
  const std::string whole = folder.write("whole.json", R"({"arthron": 1, "name": "whole", "subsystems": {
    "image": {"use": "part.json", "mirror": "y", "at": [10, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": "=pi/2"}, "connect": {"m": "ground"}}}})");
  const Model alone = load_model(part, builtins()), used = load_model(whole, builtins());
  const auto here = drawn_shapes(alone), there = drawn_shapes(used);
  const auto& original = shapes_of(alone, here, "a");
  const auto& image = shapes_of(used, there, "image.a");
  REQUIRE(original.size() == 2);
  REQUIRE(image.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    for (const Vec3& point : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.3, 0.2, 0.5}}) {
      if (original[i].kind == Shape::Kind::capsule && point.x + point.y != 0) continue;  // round: only its axis is where it is
      const Vec3 p = placed(alone, "a", original[i], point);
      const Vec3 expected{10 + p.y, p.x, p.z};  // (x, y) -> (x, -y) -> (y, x), a quarter turn of (x, -y)
      check_near(placed(used, "image.a", image[i], point), expected);
    }
}

TEST_CASE("a link begins at its end on the parent, in mirror images too") {
  const std::string part = R"("use": {"ports": {"m": {"mount": true}}, "bodies": {"a": {"mass": 1, "com": [1, 1, 0], "inertia": [1, 1, 1]}},
    "joints": {"rod": {"type": "distance", "parent": "m", "child": "a", "from": [0.2, 0.5, 0], "at": [1, 2, 0.3]}}}, "connect": {"m": "ground"})";
  const Model model = parse(file(R"("subsystems": {"l": {)" + part + R"(}, "r": {"mirror": "y", )" + part + "}}"));
  for (const Joint& joint : model.joints) {
    const Vec3 end = *joint.definition->type().link_end(*joint.definition);
    const double side = joint.mirrored ? -1 : 1;
    check_near(joint.frame * (side * end), {0.2, side * 0.5, 0});
  }
}

TEST_CASE("an empty set of shapes draws nothing") {
  const Model model = parse(file(R"("bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "shapes": {}}},
    "joints": {"j": {"type": "free", "parent": "ground", "child": "a", "at": [0, 0, 0]}})"));
  CHECK(drawn_shapes(model)[1].empty());
}

TEST_CASE("mistakes in shapes are named with their place") {
  const auto shape = [](const std::string& text) {
    return mistakes(file(R"("bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "shapes": {"s": )" + text + R"(}}},
      "joints": {"j": {"type": "free", "parent": "ground", "child": "a", "at": [0, 0, 0]}})"));
  };
  CHECK(shape(R"({"type": "ball", "radius": 1})").find("/bodies/a/shapes/s/type") != std::string::npos);
  CHECK(shape(R"({"type": "sphere", "radius": 0})").find("/bodies/a/shapes/s/radius") != std::string::npos);
  CHECK(shape(R"({"type": "sphere", "radius": 1, "color": "red"})").find("#rrggbb") != std::string::npos);
  CHECK(shape(R"({"type": "capsule", "from": [0, 0, 0], "to": [0, 0, 0], "radius": 1})").find("apart") != std::string::npos);
  CHECK(shape(R"({"type": "mesh", "file": "none.stl"})").find("no such file") != std::string::npos);
  CHECK(shape(R"({"type": "mesh", "file": "none.step"})").find(".stl or .obj") != std::string::npos);
  CHECK(shape(R"({"type": "box", "size": [1, 1, 1], "radius": 1})").find("unknown key \"radius\"") != std::string::npos);
  CHECK(shape(R"({"type": "sphere", "radius": 1})").empty());
  const test::Folder folder;
  folder.write("cut.stl", std::string(200, '\1'));
  const std::string model = folder.write("m.json", file(R"("bodies": {"a": {"mass": 1, "inertia": [1, 1, 1],
    "shapes": {"s": {"type": "mesh", "file": "cut.stl"}}}}, "joints": {"j": {"type": "free", "parent": "ground", "child": "a", "at": [0, 0, 0]}})"));
  CHECK_THROWS_WITH_AS((void)load_model(model, builtins()), doctest::Contains("no STL"), ModelError);
}

TEST_CASE("meshes that cannot be drawn are told by what is wrong with them") {
  CHECK(trouble_with_stl(stl).empty());
  CHECK(trouble_with_stl("solid x\nendsolid x\n").find("without a triangle") != std::string::npos);
  CHECK(trouble_with_stl(std::string(stl).replace(std::string(stl).find("1 0 0"), 5, "1 nan 0")).find("line 5") != std::string::npos);
  std::string binary = std::string("solid of bytes").append(84 - 14, '\0') + std::string(50, '\0');
  binary[80] = 1;
  CHECK(trouble_with_stl(binary).empty());
  CHECK(!trouble_with_stl(binary.substr(0, 120)).empty());
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  CHECK(trouble_with_obj(square + "f 1 2 3 4\n").empty());
  CHECK(trouble_with_obj(square + "f 1/1/1 2//2 -1\n").empty());
  CHECK(trouble_with_obj(square + "f 1 2 9\n").find("line 5") != std::string::npos);
  CHECK(trouble_with_obj(square + "f 1 2\n").find("three corners") != std::string::npos);
  CHECK(trouble_with_obj("v 0 nan 0\nf 1 1 1\n").find("line 1") != std::string::npos);
  CHECK(trouble_with_obj(square).find("without a face") != std::string::npos);
}
