#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "arthron/components/builtins.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"

using namespace arthron;

namespace {

std::string text_of(const std::string& body, const std::string& sections = "") {
  return R"({"arthron": 1, "name": "m", "points": {"p": [1, 2, 3], "q": [1, 2, 5]},)" + sections + "\n\"bodies\": {\"b\": {" + body +
         R"(}}, "joints": {"j": {"type": "free", "parent": "ground", "child": "b", "at": [0, 0, 0]}}})";
}

Body body_of(const std::string& body, const Registry& registry = builtin_registry()) {
  return parse_model(text_of(body), "m.json", registry).bodies.at(1);
}

std::string refused(const std::string& body, const Registry& registry = builtin_registry()) {
  try {
    (void)parse_model(text_of(body), "m.json", registry);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

void check_inertia(const Body& body, const Sym3& I) {
  const double scale = 1e-14 * (I.xx + I.yy + I.zz);
  CHECK(std::abs(body.inertia.xx - I.xx) < scale);
  CHECK(std::abs(body.inertia.yy - I.yy) < scale);
  CHECK(std::abs(body.inertia.zz - I.zz) < scale);
  CHECK(std::abs(body.inertia.xy - I.xy) < scale);
  CHECK(std::abs(body.inertia.xz - I.xz) < scale);
  CHECK(std::abs(body.inertia.yz - I.yz) < scale);
}

constexpr double pi = std::numbers::pi;

/// A type that says nonsense, by its key.
struct Nonsense {
  static constexpr std::string_view type = "acme/nonsense";
  std::string what;
  static Nonsense parse(const JsonReader& in) { return {in.choice({"what"}, {"mass", "com", "inertia", "exception"})}; }
  [[nodiscard]] BodyProperties properties() const {
    if (what == "exception") throw std::runtime_error("no such luck");
    return {what == "mass" ? 0.0 : 1.0, {what == "com" ? std::nan("") : 0.0, 0, 0}, {1, 1, what == "inertia" ? 3.0 : 1.0, 0, 0, 0}};
  }
};
struct Framed {
  static constexpr std::string_view type = "acme/framed";
  static Framed parse(const JsonReader& in) { return (void)in.number({"frame"}), Framed(); }
  [[nodiscard]] BodyProperties properties() const { return {}; }
};

}  // namespace

TEST_CASE("a box has the inertia of the closed form") {
  const Body box = body_of(R"("type": "box", "size": [1, 2, 3], "density": 2, "com": "p")");
  CHECK(box.mass == 12);
  CHECK(box.com == Vec3{1, 2, 3});
  check_inertia(box, {13, 10, 5, 0, 0, 0});
  check_inertia(body_of(R"("type": "box", "size": 2, "mass": 3)"), {2, 2, 2, 0, 0, 0});
}

TEST_CASE("a sphere has the inertia of the closed form") {
  const Body ball = body_of(R"("type": "sphere", "radius": 0.5, "density": 6)");
  CHECK(ball.mass == doctest::Approx(pi).epsilon(1e-15));
  check_inertia(ball, {0.1 * pi, 0.1 * pi, 0.1 * pi, 0, 0, 0});
}

TEST_CASE("a cylinder has the inertia of the closed form, wherever its axis points") {
  const double axial = 4 * 0.25 / 2;
  const auto across = [](double length) { return 4 * (3 * 0.25 + length * length) / 12; };
  const Body rod = body_of(R"("type": "cylinder", "from": "p", "to": "q", "radius": 0.5, "mass": 4)");
  CHECK(rod.com == Vec3{1, 2, 4});
  check_inertia(rod, {across(2), across(2), axial, 0, 0, 0});
  // Along (1, 1, 0): the mean of both moments in x and y, half their difference between them.
  const double c = across(std::sqrt(2.0)), mean = (axial + c) / 2, half = (axial - c) / 2;
  check_inertia(body_of(R"("type": "cylinder", "from": [0, 0, 0], "to": [1, 1, 0], "radius": 0.5, "mass": 4)"),
                {mean, mean, c, half, 0, 0});
}

TEST_CASE("a tube is the cylinder less its bore") {
  const auto cylinder = [](const std::string& more) {
    return body_of(R"("type": "cylinder", "from": [0, 0, 0], "to": [0, 2, 0], "density": 3, )" + more);
  };
  const Body tube = cylinder(R"("radius": 0.5, "inner_radius": 0.4)"), whole = cylinder(R"("radius": 0.5)"),
             bore = cylinder(R"("radius": 0.4)");
  CHECK(tube.mass == doctest::Approx(whole.mass - bore.mass).epsilon(1e-14));
  const Sym3 &a = whole.inertia, &b = bore.inertia;
  check_inertia(tube, {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz});
}

TEST_CASE("a shape is drawn in its body's frame, and points keep their places") {
  const std::string frame = R"("frame": {"at": [1, 2, 0], "rotation": {"axis": [0, 0, 1], "angle": "=90*deg"}}, )";
  const Body box = body_of(frame + R"("type": "box", "size": [1, 2, 3], "density": 2, "com": [1, 0, 0])");
  check_inertia(box, {10, 13, 5, 0, 0, 0});
  CHECK(norm(box.com - Vec3{1, 3, 0}) < 1e-15);
  const Body rod = body_of(frame + R"("type": "cylinder", "from": "p", "to": "q", "radius": 0.5, "mass": 4)");
  CHECK(norm(rod.com - Vec3{1, 2, 4}) < 1e-15);
  check_inertia(rod, {4 * (3 * 0.25 + 4) / 12, 4 * (3 * 0.25 + 4) / 12, 0.5, 0, 0, 0});
}

TEST_CASE("mistakes in a body of a type are told at its keys") {
  CHECK(refused(R"("type": "spere", "radius": 1, "mass": 1)") ==
        "m.json:2: /bodies/b/type\n  found \"spere\"; expected a body type; did you mean \"sphere\"?");
  CHECK(refused(R"("type": "box", "size": 1)") == "m.json:2: /bodies/b\n  found neither a mass nor a density; expected one of the two");
  CHECK(refused(R"("type": "box", "size": 1, "mass": 1, "density": 1)") ==
        "m.json:2: /bodies/b/density\n  found a density beside a mass; expected one of the two");
  CHECK(refused(R"("type": "box", "size": 1, "mass": 1, "inertia": [1, 1, 1])") ==
        "m.json:2: /bodies/b/inertia\n  found the unknown key \"inertia\"; expected one of com, density, initial, shapes");
  CHECK(refused(R"("type": "cylinder", "from": "p", "to": "p", "radius": 1, "mass": 1)") ==
        "m.json:2: /bodies/b/to\n  found an end at the place of the other; expected ends at least 1e-9 m apart");
  CHECK(refused(R"("type": "cylinder", "from": "p", "to": "q", "radius": 1, "inner_radius": 1, "mass": 1)") ==
        "m.json:2: /bodies/b/inner_radius\n  found a bore as wide as the cylinder; expected less than the radius");
}

TEST_CASE("nonsense of a body type is told with its name, and an exception is no crash") {
  Registry registry = builtin_registry();
  registry.add_body<Nonsense>();
  const auto told = [&](const std::string& what) { return refused(R"("type": "acme/nonsense", "what": ")" + what + '"', registry); };
  CHECK(told("mass") ==
        "m.json:2: /bodies/b\n  found a mass of 0 by the type \"acme/nonsense\"; expected a number in kg, >= 1e-12 and <= 1e+12");
  CHECK(told("com") ==
        "m.json:2: /bodies/b\n  found numbers that are not finite by the type \"acme/nonsense\"; expected a centre of mass and an inertia");
  CHECK(told("inertia").starts_with(
      "m.json:2: /bodies/b\n  found principal moments (3, 1, 1) by the type \"acme/nonsense\"; expected each <="));
  CHECK(told("exception") ==
        "m.json:2: /bodies/b/type\n  found \"acme/nonsense\", whose parse() or properties() throws: no such luck; expected a type that "
        "throws nothing");
  CHECK_THROWS_AS(registry.add_body<Framed>(), InternalError);
}
