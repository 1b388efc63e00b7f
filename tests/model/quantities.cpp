#include <doctest/doctest.h>

#include <numbers>

#include "model/loading.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

double value_of(const Model& model, const std::string& path) {
  for (const Parameter& candidate : model.parameters)
    if (candidate.path == path) return candidate.value;
  FAIL("no parameter " << path);
  return 0;
}

const Parameter& parameter_of(const Model& model, const std::string& path) {
  for (const Parameter& candidate : model.parameters)
    if (candidate.path == path) return candidate;
  throw std::runtime_error("no parameter " + path);
}

bool tells(const std::string& report, const std::string& what) {
  if (report.find(what) != std::string::npos) return true;
  MESSAGE(report);
  return false;
}

/// The pendulum with parameters, and a marker at each of the places.
std::string pendulum_with(const std::string& parameters, const std::string& more = "") {
  return pendulum(R"("parameters": {)" + parameters + "}" + (more.empty() ? "" : ", " + more));
}

Vec3 marked(const std::string& parameters, const std::string& place, const std::vector<ParameterOverride>& overrides = {}) {
  const Model model = parse(pendulum_with(parameters, R"("markers": {"tip": {"body": "arm", "at": )" + place + "}}"), overrides);
  return model.markers.front().handle.point;
}

bool same_vector(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

TEST_CASE("a hardpoint is one parameter with a unit, three numbers of the model, and a point") {
  const std::string ball = R"("ball": {"value": [10, 700, 180.5], "unit": "mm"})";
  const Model model = parse(pendulum_with(ball));
  REQUIRE(model.parameters.size() == 3);
  CHECK(value_of(model, "ball.x") == 0.01);
  CHECK(value_of(model, "ball.y") == 0.7);
  CHECK(value_of(model, "ball.z") == 0.1805);
  CHECK(parameter_of(model, "ball.y").unit() == "m");
  CHECK(same_vector(marked(ball, R"("ball")"), {0.01, 0.7, 0.1805}));
  CHECK(same_vector(marked(ball, R"("=ball + [0, 0, 9.5 mm]")"), {0.01, 0.7, 0.19}));
  CHECK(same_vector(marked(ball, R"(["=ball.y", "=2*ball.x", "3 cm"])"), {0.7, 0.02, 0.03}));
  CHECK(same_vector(marked(R"("ball": [1, 2, 3])", R"("ball")"), {1, 2, 3}));
}

TEST_CASE("a point is replaced whole or by components, in SI") {
  const std::string ball = R"("ball": {"value": [10, 700, 180], "unit": "mm"})";
  CHECK(same_vector(marked(ball, R"("ball")", {{"ball.z", 0.185}}), {0.01, 0.7, 0.185}));
  CHECK(same_vector(marked(ball, R"("ball")", {{"ball.x", 1}, {"ball.y", 2}, {"ball.z", 3}}), {1, 2, 3}));
  CHECK(tells(mistakes(pendulum_with(ball), {{"ball", 1}}), "--set ball\n  found one number; expected a vector [x, y, z]"));
  CHECK(tells(mistakes(pendulum_with(ball), {{"ball.w", 1}}), "did you mean \"ball.x\"?"));
}

TEST_CASE("parameters that are vectors use one another in any order") {
  const std::string three = R"j("mid": "=0.5*(a + b)", "b": "=mirror(a, [0, 1, 0]) + [2, 0, 0]", "a": [0, 1, 2])j";
  CHECK(same_vector(marked(three, R"("mid")"), {1, 0, 2}));
  CHECK(marked(three + R"j(, "length": "=norm(a - b)")j", R"(["=length", 0, 0])").x == doctest::Approx(std::sqrt(8.0)).epsilon(1e-15));
  CHECK(tells(mistakes(pendulum_with(R"("a": "=b + [1, 0, 0]", "b": "=2*a")")), "found a -> b -> a"));
}

TEST_CASE("vectors stand wherever three numbers do") {
  const Model model = parse(file(R"j(
    "parameters": {"I": {"value": [1, 2, 2.5], "unit": "kg m^2"}, "down": {"value": [0, 0, -2], "unit": "m/s^2"}, "n": {"value": [0, 2, 0], "unit": "1"},
                   "pull": {"value": [1, 2, 3], "unit": "kN"}},
    "gravity": "=down",
    "bodies": {"arm": {"mass": "500 g", "com": "=[1, 2, 3]/2", "inertia": "=I"}},
    "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": "=unit(n)"
}
},
    "forces": {"f": {"type": "force", "on": ["arm", [0, 0, 0]], "force": "=t*pull"}})j"));
  CHECK(same_vector(model.gravity, {0, 0, -2}));
  CHECK(model.bodies[1].mass == 0.5);
  CHECK(same_vector(model.bodies[1].com, {0.5, 1, 1.5}));
  CHECK(model.bodies[1].inertia.zz == 2.5);
}

TEST_CASE("numbers with units are SI inside and checked for their dimension") {
  const auto arm = [](const std::string& mass) {
    return file(R"("bodies": {"arm": {"mass": )" + mass + R"(, "inertia": [1, 1, 1]}},
    "joints": {"j": {"type": "free", "parent": "ground", "child": "arm", "at": [0, 0, 0]}})");
  };
  CHECK(parse(arm(R"("2.5 t")")).bodies[1].mass == 2500);
  CHECK(mistakes(arm(R"("25 N/mm")")) ==
        "m.json:1: /bodies/arm/mass\n  found \"25 N/mm\", a stiffness in N/m; expected a number in kg, >= 0 and <= 1e+12");
  CHECK(tells(mistakes(arm(R"("2 kgg")")), "found \"2 kgg\", where \"kgg\" is no unit; expected a number in kg, >= 0 and <= 1e+12, as in"));
  CHECK(tells(mistakes(arm(R"("2 kgg")")), "did you mean \"kg\"?"));
  CHECK(tells(mistakes(arm(R"("-2 kg")")), "found \"-2 kg\", which is -2; expected"));
  const auto speed = [](const std::string& value) {
    return pendulum(R"("parameters": {"v": {"value": )" + value + R"(, "unit": "m/s", "range": [0, "200 km/h"]}})");
  };
  CHECK(value_of(parse(speed("\"90 km/h\"")), "v") == doctest::Approx(25).epsilon(1e-15));
  CHECK(tells(mistakes(speed("\"90 kg\"")), "found \"90 kg\", a mass in kg; expected a number in m/s"));
  CHECK(tells(mistakes(speed("60")), "/parameters/v\n  found 60; expected a number in m/s, >= 0 and <= 55.5"));
}

TEST_CASE("freedoms have units of their own") {
  const auto joint = [](const std::string& type, const std::string& position) {
    return arm_with_joints(R"("j": {"type": ")" + type + R"(", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1],
                            "initial": {"position": )" +
                           position + "}}");
  };
  CHECK(parse(joint("revolute", R"("30 deg")")).joints[0].initial_position[0] == doctest::Approx(std::numbers::pi / 6).epsilon(1e-15));
  CHECK(parse(joint("prismatic", R"("30 mm")")).joints[0].initial_position[0] == 0.03);
  CHECK(tells(mistakes(joint("revolute", R"("30 mm")")), "found \"30 mm\", a length in m; expected a number in rad"));
  const std::vector<double> both = parse(joint("cylindrical", R"(["2 cm", "90 deg"])")).joints[0].initial_position;
  CHECK(both[0] == 0.02);
  CHECK(both[1] == doctest::Approx(std::numbers::pi / 2).epsilon(1e-15));
  CHECK(tells(mistakes(joint("cylindrical", R"(["90 deg", "2 cm"])")),
              "/initial/position/0\n  found \"90 deg\", an angle in rad; expected a number in m"));
}

TEST_CASE("a file may say the units of its bare numbers") {
  const auto model = [](const std::string& units, const std::string& more) {
    return file(units + R"("bodies": {"arm": {"mass": 2, "com": [100, 0, 0], "inertia": [1, 2, 3]}},
      "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "arm", "at": [0, 50, 0], "axis": [0, 1, 0], "initial": {"position": 30},
                           "spring": {"stiffness": 4}}})" +
                more);
  };
  const Model read = parse(model(
      R"("units": {"length": "mm", "angle": "deg"}, )",
      R"(, "parameters": {"tip": [1, 2, "3 m"], "rest": {"value": 5, "unit": "kN"}}, "markers": {"m": {"body": "arm", "at": "=tip + [1, 0, 0]"}})"));
  CHECK(same_vector(read.bodies[1].com, {0.1, 0, 0}));
  CHECK(read.joints[0].frame.p.y == 0.05);
  CHECK(read.joints[0].initial_position[0] == doctest::Approx(std::numbers::pi / 6).epsilon(1e-15));
  CHECK(read.joints[0].stiffness[0] == 4);
  CHECK(value_of(read, "tip.x") == 0.001);
  CHECK(value_of(read, "tip.z") == 3);
  CHECK(value_of(read, "rest") == 5000);
  // Expressions compute in SI.
  CHECK(read.markers[0].handle.point.x == 1.001);
  CHECK(tells(mistakes(model(R"("units": {"length": "mm"}, )", R"(, "parameters": {"track": 1500})")),
              "/parameters/track\n  found 1500, a number without unit in a file that says \"units\""));
  CHECK(tells(mistakes(model(R"("units": {"length": "kg"}, )", "")), "/units/length\n  found \"kg\"; expected a unit of length: m, or mm"));
  CHECK(tells(mistakes(model(R"("units": {"lenght": "mm"}, )", "")), "did you mean \"length\"?"));
}

TEST_CASE("units belong to a file, whoever uses it") {
  const auto used = [](const std::string& parameters) {
    return file(R"("units": {"length": "mm"}, "subsystems": {"a": {"at": [1000, 0, 0], "use": {
      "parameters": {"p": [0, 0, 5], "k": {"value": 3, "unit": "N/mm"}}, "bodies": {"b": {"mass": 1, "com": [0, 0, 7], "inertia": [1, 1, 1]}},
      "joints": {"j": {"type": "free", "parent": "ground", "child": "b", "at": "p"}}}, "parameters": {)" +
                parameters + "}}}");
  };
  const Model model = parse(used(R"("p": [1, 2, "3 m"], "k": "4 N/m")"));
  CHECK(model.bodies[1].com.x == 1);
  CHECK(model.bodies[1].com.z == 0.007);
  CHECK(value_of(model, "a.p.x") == 0.001);
  CHECK(value_of(model, "a.p.z") == 3);
  CHECK(value_of(model, "a.k") == 4);
  CHECK(value_of(parse(used(R"("p.y": 9)")), "a.p.y") == 0.009);
  CHECK(value_of(parse(used(R"("p.y": 9)")), "a.p.z") == 0.005);
  CHECK(tells(mistakes(used(R"("k": "4 kg")")), "/subsystems/a/parameters/k\n  found a number in kg; expected a number in N/m"));
  CHECK(tells(mistakes(used(R"("p": 4)")), "/subsystems/a/parameters/p\n  found one number; expected a vector [x, y, z]"));
  CHECK(tells(mistakes(used(R"("k": [1, 2, 3])")), "/subsystems/a/parameters/k\n  found a vector; expected one number"));
  CHECK(tells(mistakes(used(R"("k.x": 1)")), "/subsystems/a/parameters/k.x\n  found a component; expected \"k\", which is no vector"));
}

TEST_CASE("a mirrored subsystem has the mirror images of its points") {
  const auto side = [](const std::string& mirror) {
    return parse(file(R"("subsystems": {"a": {)" + mirror + R"("use": {"parameters": {"p": {"value": [1, 2, 3], "unit": "mm"}},
      "bodies": {"b": {"mass": 1, "com": "p", "inertia": [1, 1, 1]}},
      "joints": {"j": {"type": "free", "parent": "ground", "child": "b", "at": "=p + [0, 1 mm, 0]"}}}}})"));
  };
  const Model left = side(""), right = side(R"("mirror": "y", )");
  CHECK(same_vector(right.bodies[1].com, {left.bodies[1].com.x, -left.bodies[1].com.y, left.bodies[1].com.z}));
  CHECK(right.joints[0].frame.p.y == -left.joints[0].frame.p.y);
  CHECK(value_of(right, "a.p.y") == value_of(left, "a.p.y"));
}

TEST_CASE("words that are no unit are for readers, misspelt units are mistakes") {
  const Model model = parse(pendulum_with(R"("angle": {"value": 90, "unit": "degrees"})"));
  CHECK(value_of(model, "angle") == 90);
  CHECK(parameter_of(model, "angle").unit() == "degrees");
  CHECK(tells(mistakes(pendulum_with(R"("p": {"value": 3, "unit": "N/mmm"})")), "did you mean \""));
}

TEST_CASE("one mistake in a vector gives one message") {
  const std::string report = mistakes(pendulum_with(R"("a": ["=nothing", 0, 0], "b": "=2*a", "c": "=b.x")", R"("gravity": "=b")"));
  CHECK(report == "m.json:2: /parameters/a/0\n  found \"=nothing\"; expected a number; the expression has the unknown name \"nothing\"");
}

TEST_CASE("names that came with vectors may be parameters of older files") {
  CHECK(value_of(parse(pendulum_with(R"("unit": 3, "norm": "=2*unit")")), "norm") == 6);
}
