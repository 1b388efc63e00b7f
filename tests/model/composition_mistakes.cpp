#include <doctest/doctest.h>

#include "model/loading.hpp"
#include "support/folder.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

constexpr auto plain_corner = R"({
  "arthron": 1, "name": "corner",
  "parameters": { "rate": { "value": 100, "range": [0, 1000] }, "length": 1 },
  "ports": { "chassis": { "mount": true }, "hub": { "output": "arm", "at": [0, 1, 0] }, "steer": { "signal": "input" } },
  "bodies": { "arm": { "mass": 2, "com": [0, 1, 0], "inertia": [1, 1, 1] } },
  "joints": { "hinge": { "type": "revolute", "parent": "chassis", "child": "arm", "at": [0, 0, 0], "axis": [1, 0, 0] } }
})";

/// A car with one corner, used as `keys` say; the entry is in line 6.
std::string car_with(const std::string& keys, const std::string& sections = "") {
  return R"({
  "arthron": 1, "name": "car",
  "parameters": { "stiff": 10, "zero": 0 },
  "bodies": { "body": { "mass": 9, "inertia": [1, 1, 1] } },
  "subsystems": {
    "front": { )" +
         keys + R"( } },
  "joints": { "float": { "type": "free", "parent": "ground", "child": "body", "at": [0, 0, 0] } })" +
         (sections.empty() ? "" : ", " + sections) + "\n}";
}

/// The report on a car beside corner.json, without the name of the folder.
std::string report(const std::string& text, const std::string& other = plain_corner) {
  const test::Folder folder;
  folder.write("corner.json", other);
  try {
    (void)load_model(folder.write("car.json", text), builtins());
  } catch (const ModelError& error) {
    std::string words = error.what();
    for (auto at = words.find(folder.file("")); at != std::string::npos; at = words.find(folder.file("")))
      words.erase(at, folder.file("").size());
    return words;
  }
  return "";
}

const std::string good = R"("use": "corner.json", "connect": { "chassis": "body" })";

}  // namespace

TEST_CASE("a good composition has no mistakes") { CHECK(report(car_with(good)) == ""); }

TEST_CASE("a misspelt port is named with the ports there are") {
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chasis": "body", "chassis": "body" })")) ==
        "car.json:6: /subsystems/front/connect/chasis\n"
        "  found \"chasis\"; expected a mount or signal input of corner.json (chassis, steer); did you mean \"chassis\"?");
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "bod" })")) ==
        "car.json:6: /subsystems/front/connect/chassis\n"
        "  found \"bod\"; expected the name of a body, ground or mount, or subsystem.port for an output; did you mean \"body\"?");
  CHECK(
      report(car_with(good, R"("markers": { "m": { "body": "front.hob", "at": [0, 0, 0] } })")) ==
      "car.json:7: /markers/m/body\n"
      "  found \"front.hob\"; expected the name of a body, ground or mount, or subsystem.port for an output; did you mean \"front.hub\"?");
}

TEST_CASE("a required mount left open is asked for") {
  CHECK(report(car_with(R"("use": "corner.json")")) ==
        "car.json:6: /subsystems/front/connect\n"
        "  found nothing for the mount \"chassis\" of corner.json; expected a body or an output of a subsystem: "
        "\"connect\": { \"chassis\": \"body\" }; did you mean \"body\"?");
}

TEST_CASE("a port of the wrong kind is told from the right ones") {
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "hub": "body" })")) ==
        "car.json:6: /subsystems/front/connect/hub\n"
        "  found \"hub\", an output of corner.json; expected a mount or a signal input; outputs are used by their names; "
        "did you mean \"front.hub\"?");
  CHECK(report(car_with(good, R"("markers": { "m": { "body": "front.chassis", "at": [0, 0, 0] } })")) ==
        "car.json:7: /markers/m/body\n"
        "  found \"front.chassis\", a mount of corner.json; expected the name of a body, ground or mount, or subsystem.port for an output; "
        "did you mean \"body\"?");
  CHECK(report(car_with(good, R"("markers": { "m": { "body": "front.arm", "at": [0, 0, 0] } })")) ==
        "car.json:7: /markers/m/body\n"
        "  found \"front.arm\", a body within a subsystem, which is reached through outputs only; expected the name of a body, ground or "
        "mount, "
        "or subsystem.port for an output; did you mean \"front.hub\"?");
}

TEST_CASE("a parameter out of range is refused where it is given") {
  CHECK(report(car_with(good + R"(, "parameters": { "rate": "=stiff*200" })")) ==
        "car.json:6: /subsystems/front/parameters/rate\n"
        "  found 2000; expected a number, >= 0 and <= 1000, as the range in corner.json says; did you mean \"1000\"?");
}

TEST_CASE("an unknown parameter is named with those there are") {
  CHECK(report(car_with(good + R"(, "parameters": { "rat": 3 })")) ==
        "car.json:6: /subsystems/front/parameters/rat\n"
        "  found \"rat\"; expected a parameter of corner.json (rate, length); did you mean \"rate\"?");
}

TEST_CASE("what is no parameter cannot be overridden") {
  CHECK(report(car_with(good + R"(, "parameters": { "arm": 3 })")) ==
        "car.json:6: /subsystems/front/parameters/arm\n"
        "  found \"arm\", which is no parameter but /bodies/arm of corner.json; expected a parameter of corner.json (rate, length)");
}

TEST_CASE("a circle of files is shown with all of them") {
  const std::string loop = R"({ "arthron": 1, "name": "corner", "subsystems": { "c": { "use": "car.json" } } })";
  CHECK(report(car_with(R"("use": "corner.json")"), loop) ==
        "corner.json:1: /subsystems/c/use, used as front\n"
        "  found \"car.json\", which comes back to itself: car.json -> corner.json -> car.json; expected files that do not use themselves");
}

TEST_CASE("a missing file is named with the nearest there is") {
  CHECK(report(car_with(R"("use": "corne.json", "connect": { "chassis": "body" })",
                        R"("markers": { "m": { "body": "front.hub", "at": [0, 0, 0] } })")) ==
        "car.json:6: /subsystems/front/use\n"
        "  found \"corne.json\", no such file; expected the name of a file, relative to this one; did you mean \"corner.json\"?");
}

TEST_CASE("a bad expression is shown where it stands") {
  CHECK(report(car_with(good + R"(, "parameters": { "rate": "=stif*2" })")) ==
        "car.json:6: /subsystems/front/parameters/rate\n"
        "  found \"=stif*2\"; expected a number; the expression has the unknown name \"stif\"; did you mean \"stiff\"?");
}

TEST_CASE("a division by zero is called so") {
  CHECK(report(car_with(good + R"(, "parameters": { "rate": "=stiff/zero" })")) ==
        "car.json:6: /subsystems/front/parameters/rate\n"
        "  found \"=stiff/zero\", a division by zero (stiff = 10, zero = 0); expected a number (at most 1e+20 in size)");
}

TEST_CASE("a name given twice is told who has it") {
  CHECK(report(car_with(good, R"("markers": { "front": { "body": "body", "at": [0, 0, 0] } })")) ==
        "car.json:7: /markers/front\n"
        "  found \"front\"; expected another name: /subsystems/front has it, and results are named by it; did you mean \"front_2\"?");
}

TEST_CASE("what is named for one side cannot be mirrored to the other") {
  std::string sided = plain_corner;
  for (auto at = sided.find("\"arm\""); at != std::string::npos; at = sided.find("\"arm\"", at + 1)) sided.replace(at, 5, "\"left_arm\"");
  CHECK(report(car_with(good + R"(, "mirror": "y")"), sided) ==
        "car.json:6: /subsystems/front/mirror\n"
        "  found \"y\", the mirror image of /bodies/left_arm of corner.json, a name for one side only; expected names without left or "
        "right in "
        "what is mirrored; did you mean \"arm\"?");
  CHECK(report(car_with(good + R"(, "mirror": "x")"), sided) == "");
  CHECK(report(car_with(good), sided) == "");
}

TEST_CASE("a mistake within a used file names the file and its instances, once") {
  std::string heavy = plain_corner;
  heavy.replace(heavy.find("\"mass\": 2"), 9, "\"mass\": -2");
  const std::string two = car_with(good, "").insert(car_with(good, "").find("\"front\""), "\"rear\": { " + good + " }, ");
  CHECK(report(two, heavy) ==
        "corner.json:5: /bodies/arm/mass, used as rear, front\n"
        "  found -2; expected a number in kg, >= 0 and <= 1e+12");
}

TEST_CASE("mounts cannot carry themselves") {
  const std::string plate = R"("use": { "ports": { "base": { "mount": true }, "top": { "output": "base", "at": [0, 0, 0] } } })";
  CHECK(report(car_with(plate + R"(, "connect": { "base": "front.top" })")) ==
        "car.json:6: /subsystems/front/connect/base\n"
        "  found \"front.top\", which is carried by this very mount; expected a body, or an output of another subsystem");
}

TEST_CASE("signals are connected to functions of time or to signals") {
  CHECK(report(car_with(R"x("use": "corner.json", "connect": { "chassis": "body", "steer": "=0.1*sin(t)" })x")) == "");
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "steer": "whel" })",
                        R"("ports": { "wheel": { "signal": "input" } })")) ==
        "car.json:6: /subsystems/front/connect/steer\n"
        "  found \"whel\"; expected a number, an expression of t, a table, a signal of this file, or subsystem.port for a signal output; "
        "did you mean \"wheel\"?");
}

TEST_CASE("a signal is no body, and a body no signal") {
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "steer": "body" })")) ==
        "car.json:6: /subsystems/front/connect/steer\n"
        "  found \"body\", which is no signal but a body; expected a number, an expression of t, a table, a signal of this file, or "
        "subsystem.port for a signal output");
  const std::string sensor =
      R"(, "rear": { "use": { "ports": { "base": { "mount": true }, "tilt": { "signal": "output", "channel": "x" } } },
                                            "connect": { "base": "body" } })";
  CHECK(
      report(car_with(R"("use": "corner.json", "connect": { "chassis": "rear.tilt" } })" + sensor.substr(0, sensor.size() - 2))) ==
      "car.json:6: /subsystems/front/connect/chassis\n"
      "  found \"rear.tilt\", a signal output of car.json; expected the name of a body, ground or mount, or subsystem.port for an output");
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "steer": "rear.titl" } })" +
                        sensor.substr(0, sensor.size() - 2))) ==
        "car.json:6: /subsystems/front/connect/steer\n"
        "  found \"rear.titl\"; expected a number, an expression of t, a table, a signal of this file, or subsystem.port for a signal "
        "output; "
        "did you mean \"rear.tilt\"?");
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "steer": "rear.base" } })" +
                        sensor.substr(0, sensor.size() - 2)))
            .find("found \"rear.base\", a mount of car.json; expected a number") != std::string::npos);
  CHECK(report(car_with(R"("use": "corner.json", "connect": { "chassis": "body", "steer": "rear.tilt" } })" +
                        sensor.substr(0, sensor.size() - 2))) == "");
}

TEST_CASE("a number that only time knows is not a size") {
  CHECK(
      report(car_with(good, R"("ports": { "wheel": { "signal": "input" } }, "gravity": [0, 0, "=wheel"])")) ==
      "car.json:7: /gravity/2\n"
      "  found \"=wheel\"; expected a number; the expression has the unknown name \"wheel\": a signal is known in functions of time only");
}

TEST_CASE("repetition is bounded and its number needs a name of its own") {
  CHECK(report(car_with(good + R"(, "repeat": 0)")).find("/subsystems/front/repeat\n  found 0; expected a number, >= 1 and <= 10000") !=
        std::string::npos);
  CHECK(report(car_with(good + R"(, "repeat": 2, "index": "stiff")")).find("another name: a parameter has it") != std::string::npos);
  CHECK(report(car_with(good + R"(, "index": "k")")).find("none without \"repeat\"") != std::string::npos);
}
