#include <doctest/doctest.h>

#include "model/loading.hpp"

using namespace arthron;
using namespace arthron::testing;

/// What people write who are new to the language, and what they are told.
namespace {

/// The pendulum, with what is wrong in place of one of its lines.
std::string model_with(const std::string& right, const std::string& wrong) {
  std::string text = R"({
  "arthron": 1, "name": "m",
  "parameters": { "track": 1.5, "ball": { "value": [10, 700, 180], "unit": "mm" } },
  "bodies": { "arm": { "mass": 2, "com": [1, 0, 0], "inertia": [1, 2, 3] } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "arm", "at": "ball", "axis": [0, 1, 0],
                         "effort": 0, "initial": { "position": 0 } } },
  "forces": { "spring": { "type": "spring_damper", "from": ["ground", [0, 0, 1]], "to": ["arm", "ball"], "stiffness": 100 } },
  "simulate": { "until": 1 }
})";
  const std::size_t place = text.find(right);
  REQUIRE(place != std::string::npos);
  return text.replace(place, right.size(), wrong);
}

std::string report_on(const std::string& right, const std::string& wrong) { return mistakes(model_with(right, wrong)); }

}  // namespace

TEST_CASE("the model that the mistakes are made in has none") { CHECK(report_on("\"m\"", "\"m\"") == ""); }

TEST_CASE("mistakes of JSON are named for what they are") {
  CHECK(report_on("\"name\": \"m\"", "'name': 'm'") ==
        "m.json:2: /arthron\n  found a single quote; expected double quotes: JSON knows no others");
  CHECK(report_on("\"name\": \"m\"", "name: \"m\"") ==
        "m.json:2: /arthron\n  found a name without quotes; expected names in double quotes");
  CHECK(report_on("\"track\": 1.5, ", "\"track\": 1.5 ") ==
        "m.json:3: /parameters/track\n  found no comma before \"\\\"ball\\\"\"; expected a comma between two values");
  CHECK(report_on("[0, 1, 0]", "[0 1 0]") ==
        "m.json:5: /joints/hinge/axis/1\n  found no comma before \"1\"; expected a comma between two values");
  CHECK(report_on("\"mass\": 2,", "\"mass\": .5,") ==
        "m.json:4: /bodies/arm/mass\n  found a number that begins with a point; expected a digit before the point, as in 0.5");
  CHECK(report_on("\"mass\": 2,", "\"mass\": +2,") == "m.json:4: /bodies/arm/mass\n  found a plus sign; expected a number without it");
  CHECK(
      report_on("\"mass\": 2,", "\"mass\": NaN,") ==
      "m.json:4: /bodies/arm/mass\n  found a word that JSON does not know; expected true, false, null, a number, or text in double quotes");
  CHECK(report_on("\"mass\": 2,", "\"mass\": 2, /* kg") == "m.json:4: /\n  found a comment without an end; expected */ behind it");
  CHECK(report_on("\"mass\": 2,", "\"mass\": 2, // kg\n") == "");
  CHECK(report_on("\"until\": 1 }", "\"until\": 1, },") == "");
  CHECK(report_on("\"mass\": 2,", "\"mass\": 2, \"mass\": 3,") ==
        "m.json:4: /bodies/arm/mass\n  found the key \"mass\" again; expected each key once; the first one is in line 4");
}

TEST_CASE("mistakes of expressions come with what to write instead") {
  CHECK(report_on("\"effort\": 0", "\"effort\": \"=2**t\"") ==
        "m.json:6: /joints/hinge/effort\n  found \"=2**t\"; expected a number in N m, an expression of t or {\"table\": [[t, value], "
        "...]}; unexpected \"*t\" (a power "
        "is written ^, as in 2^t) at character 4");
  CHECK(report_on("\"effort\": 0", "\"effort\": \"=2 t\"") ==
        "m.json:6: /joints/hinge/effort\n  found \"=2 t\"; expected a number in N m, an expression of t or {\"table\": [[t, value], ...]}; "
        "unexpected \"t\" (a product "
        "is written *, as in 2*t) at character 4");
  CHECK(report_on("\"mass\": 2,", "\"mass\": \"2*track\",") ==
        "m.json:4: /bodies/arm/mass\n  found \"2*track\"; expected a number in kg, >= 0 and <= 1e+12 or an expression \"=...\"");
  CHECK(report_on("\"mass\": 2,", "\"mass\": \"=2*trak\",") ==
        "m.json:4: /bodies/arm/mass\n  found \"=2*trak\"; expected a number in kg, >= 0 and <= 1e+12; the expression has the unknown name "
        "\"trak\"; did you mean "
        "\"track\"?");
  CHECK(report_on("\"mass\": 2,", "\"mass\": \"=2*t\",") ==
        "m.json:4: /bodies/arm/mass\n  found \"=2*t\"; expected a number in kg, >= 0 and <= 1e+12; the expression has the unknown name "
        "\"t\": time is known in "
        "functions of time only");
  CHECK(report_on("\"mass\": 2,", "\"mass\": \"=track > 1 ? 2 : 3\",") ==
        "m.json:4: /bodies/arm/mass\n  found \"=track > 1 ? 2 : 3\"; expected a number in kg, >= 0 and <= 1e+12; instead of ?: write "
        "if(condition, value, other "
        "value)");
  CHECK(report_on("\"mass\": 2,", "\"mass\": \"=1/(track - 1.5)\",") ==
        "m.json:4: /bodies/arm/mass\n  found \"=1/(track - 1.5)\", a division by zero (track = 1.5); expected a number in kg, >= 0 and <= "
        "1e+12 (at most 1e+20 in "
        "size)");
}

TEST_CASE("mistakes of units say what is measured") {
  CHECK(report_on("\"stiffness\": 100", "\"stiffness\": \"100 N\"") ==
        "m.json:7: /forces/spring/stiffness\n  found \"100 N\", a force in N; expected a number in N/m, >= 0");
  CHECK(report_on("\"stiffness\": 100", "\"stiffness\": \"25 Nn/mm\"") ==
        "m.json:7: /forces/spring/stiffness\n  found \"25 Nn/mm\", where \"Nn\" is no unit; expected a number in N/m, >= 0, as in \"25 "
        "N/mm\"; did "
        "you mean \"N\"?");
  CHECK(report_on("\"position\": 0", "\"position\": \"30deg\"") == "");
  CHECK(report_on("\"position\": 0", "\"position\": \"=30*mm\"") ==
        "m.json:6: /joints/hinge/initial/position\n  found \"=30*mm\"; expected a number in rad; the expression has the unknown name "
        "\"mm\": a unit stands behind a "
        "number, as in 5 mm");
  CHECK(report_on("\"position\": 0", "\"position\": \"30 mm\"") ==
        "m.json:6: /joints/hinge/initial/position\n  found \"30 mm\", a length in m; expected a number in rad");
}

TEST_CASE("mistakes of vectors say which part is meant") {
  CHECK(report_on("[0, 1, 0]", "[0, 1]") ==
        "m.json:5: /joints/hinge/axis\n  found [0,1], two components; expected a direction: [x, y, z] of any length > 0, or [\"from "
        "point\", \"to point\"]");
  CHECK(report_on("[0, 1, 0]", "[0, 0, 0]") ==
        "m.json:5: /joints/hinge/axis\n  found [0,0,0]; expected a direction: [x, y, z] of any length > 0, or [\"from point\", \"to "
        "point\"]");
  CHECK(report_on("\"at\": \"ball\"", "\"at\": \"=ball*ball\"") ==
        "m.json:5: /joints/hinge/at\n  found \"=ball*ball\"; expected a point: [x, y, z] in m or the name of a point; vectors have two "
        "products: write dot(a, b) or "
        "cross(a, b)");
  CHECK(
      report_on("\"mass\": 2,", "\"mass\": \"=ball\",") ==
      "m.json:4: /bodies/arm/mass\n  found \"=ball\", a vector; expected a number in kg, >= 0 and <= 1e+12 (.x, .y and .z are components)");
  CHECK(report_on("\"at\": \"ball\"", "\"at\": \"bal\"") ==
        "m.json:5: /joints/hinge/at\n  found \"bal\"; expected a point: [x, y, z] in m or the name of a point; did you mean \"ball\"?");
  CHECK(report_on("\"at\": \"ball\"", "\"at\": \"=[1, 2]\"") ==
        "m.json:5: /joints/hinge/at\n  found \"=[1, 2]\"; expected a point: [x, y, z] in m or the name of a point; a vector has three "
        "components [x, y, z], not 2 at "
        "character 2");
}

TEST_CASE("misspelt names come with the nearest one") {
  CHECK(report_on("\"revolute\"", "\"revolut\"") ==
        "m.json:5: /joints/hinge/type\n  found \"revolut\"; expected a joint type; did you mean \"revolute\"?");
  CHECK(report_on("\"child\": \"arm\"", "\"child\": \"amr\"") ==
        "m.json:5: /joints/hinge/child\n  found \"amr\"; expected the name of a body, ground or mount; did you mean \"arm\"?");
  CHECK(report_on("\"stiffness\"", "\"stifness\"") ==
        "m.json:7: /forces/spring/stifness\n  found the unknown key \"stifness\"; expected no such key here; did you mean \"stiffness\"?");
  CHECK(report_on("\"until\"", "\"untill\"") ==
        "m.json:8: /simulate/untill\n  found the unknown key \"untill\"; expected no such key here; did you mean \"until\"?");
  CHECK(mistakes(model_with("\"m\"", "\"m\""), {{"trak", 1}}) ==
        "--set trak\n  found \"trak\"; expected a parameter of the model: track, ball.x, ball.y, ball.z; did you mean \"track\"?");
  CHECK(mistakes(model_with("\"m\"", "\"m\""), {{"ball.q", 1}}) ==
        "--set ball.q\n  found \"ball.q\"; expected a parameter of the model: track, ball.x, ball.y, ball.z; did you mean \"ball.x\"?");
}
