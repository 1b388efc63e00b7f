#include <doctest/doctest.h>

#include "model/loading.hpp"

using namespace arthron;
using namespace arthron::testing;

namespace {

bool says(const std::string& report, const std::string& what) {
  if (report.find(what) != std::string::npos) return true;
  MESSAGE(report);
  return false;
}

std::size_t count(const std::string& report) {
  std::size_t n = 0;
  for (auto place = report.find("found "); place != std::string::npos; place = report.find("found ", place + 1)) ++n;
  return n;
}

/// Keys of the joint "hinge" besides where and what it connects.
std::string hinge(const std::string& type, const std::string& keys) {
  return arm_with_joints(R"("hinge": {"type": ")" + type + R"(", "parent": "ground", "child": "arm", "at": [0, 0, 0])" +
                         (keys.empty() ? "" : ", " + keys) + "}");
}

std::string arm(const std::string& keys) {
  return file(R"("bodies": {"arm": {)" + keys +
              R"(}}, "joints": {"j": {"type": "free", "parent": "ground", "child": "arm", "at": [0, 0, 0]}})");
}

}  // namespace

TEST_CASE("all mistakes of a file are reported at once, in the order of its lines") {
  const std::string report = mistakes(R"({
  "arthron": 1, "name": "m",
  "bodies": {
    "arm": { "mass": -1, "inertia": [0.1, 0.02, 0.02] } },
  "joints": {
    "hinge": { "type": "revolut", "parent": "grond", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0] } },
  "simulate": { "untl": 3 }
})");
  CHECK(report ==
        "m.json:4: /bodies/arm/mass\n"
        "  found -1; expected a number in kg, >= 0 and <= 1e+12\n"
        "m.json:4: /bodies/arm/inertia\n"
        "  found principal moments (0.1, 0.02, 0.02); expected each <= the sum of the other two (kg m^2): no rigid body has these\n"
        "m.json:6: /joints/hinge/type\n"
        "  found \"revolut\"; expected a joint type; did you mean \"revolute\"?\n"
        "m.json:6: /joints/hinge/parent\n"
        "  found \"grond\"; expected the name of a body, ground or mount; did you mean \"ground\"?\n"
        "m.json:7: /simulate/untl\n"
        "  found the unknown key \"untl\"; expected no such key here; did you mean \"until\"?");
}

TEST_CASE("what every file needs is asked for") {
  CHECK(says(mistakes("{}"), "/arthron\n  found nothing; expected \"arthron\", version of this language"));
  CHECK(says(mistakes("{}"), "/name\n  found nothing"));
  CHECK(says(mistakes(R"({"arthron": 2, "name": "m"})"), "/arthron\n  found 2; expected 1"));
  CHECK(says(mistakes("[1, 2]"), "m.json:1: /\n  found [1,2]; expected an object"));
  CHECK(says(mistakes("{ nonsense"), "m.json:1: /\n"));
  CHECK(mistakes(file("")) == "");
}

TEST_CASE("unknown sections are named") {
  CHECK(says(mistakes(pendulum(R"("force": {})")), "did you mean \"forces\"?"));
  CHECK(says(mistakes(pendulum(R"("bodies": {})")), "found the key \"bodies\" again"));
}

TEST_CASE("names are checked") {
  CHECK(says(mistakes(pendulum(R"("markers": {"2nd": {"body": "arm", "at": [0, 0, 0]}})")),
             "/markers/2nd\n  found \"2nd\"; expected a name of letters"));
  CHECK(says(mistakes(pendulum(R"("markers": {"a b": {"body": "arm", "at": [0, 0, 0]}})")), "/markers/a b\n"));
  CHECK(says(mistakes(pendulum(R"("markers": {"arm": {"body": "arm", "at": [0, 0, 0]}})")), "/bodies/arm has it"));
  CHECK(says(mistakes(pendulum(R"("grounds": {"ground": {}})")), "taken by the program"));
  CHECK(says(mistakes(pendulum(R"("parameters": {"sin": 1})")), "in expressions this one means something else"));
  CHECK(says(mistakes(pendulum(R"("parameters": {"t": 1})")), "in expressions this one means something else"));
}

TEST_CASE("bodies must be physical") {
  CHECK(says(mistakes(arm(R"("mass": 0, "inertia": [1, 1, 1])")), "/bodies/arm/inertia\n  found an inertia of a body without mass"));
  CHECK(says(mistakes(arm(R"("mass": 1e30, "inertia": [1, 1, 1])")), "/bodies/arm/mass\n"));
  CHECK(says(mistakes(arm(R"("mass": 1, "inertia": [1, 1, 0])")), "each > 0"));
  CHECK(says(mistakes(arm(R"("mass": 1, "inertia": [1, 1, -1])")), "each > 0"));
  CHECK(says(mistakes(arm(R"("mass": 1, "inertia": [1, 1, 1, 5, 0, 0])")), "each > 0"));
  CHECK(says(mistakes(arm(R"("mass": 1, "inertia": [1, 1])")), "[Ixx, Iyy, Izz] or"));
  CHECK(says(mistakes(arm(R"("mass": 1, "inertia": [1, 1, 3])")), "principal moments (3, 1, 1); expected each <="));
  CHECK(says(mistakes(arm(R"("inertia": [1, 1, 1])")), "/bodies/arm/mass\n  found nothing; expected \"mass\", mass [kg]"));
  CHECK(mistakes(arm(R"("mass": 1, "inertia": [1, 1, 2])")) == "");
}

TEST_CASE("joints must connect two bodies, one of which moves") {
  CHECK(says(mistakes(arm_with_joints(R"("j": {"type": "fixed", "parent": "arm", "child": "arm", "at": [0, 0, 0]})")),
             "a body other than the parent"));
  CHECK(says(mistakes(arm_with_joints(R"("j": {"type": "free", "parent": "ground", "child": "arm", "at": [0, 0, 0]},
                                         "k": {"type": "fixed", "parent": "ground", "child": "wall", "at": [0, 0, 0]})",
                                      R"("grounds": {"wall": {}})")),
             "both are grounds or mounts"));
  CHECK(says(mistakes(arm_with_joints(R"("j": {"type": "fixed", "parent": "ground", "child": "amr", "at": [0, 0, 0]})")),
             "did you mean \"arm\"?"));
}

TEST_CASE("a body without a joint is told how to float") {
  const std::string report = mistakes(arm_with_joints(""));
  CHECK(says(report, "/bodies/arm\n  found a body without a joint"));
  CHECK(says(report, "\"type\": \"free\", \"parent\": \"ground\", \"child\": \"arm\""));
}

TEST_CASE("loads of a joint that contradict themselves or say nothing are refused") {
  const auto loaded = [](const std::string& loads) { return mistakes(hinge("revolute", R"("axis": [0, 0, 1], )" + loads)); };
  CHECK(says(loaded(R"("limits": {"lower": 1, "upper": 0, "stiffness": 1})"),
             "/joints/hinge/limits/upper\n  found a limit below the lower one"));
  CHECK(says(loaded(R"("limits": {"stiffness": 1})"), "found neither lower nor upper"));
  CHECK(says(loaded(R"("limits": {"lower": 1})"), "/joints/hinge/limits/stiffness\n  found nothing"));
  CHECK(says(loaded(R"("friction": {"speed": 1})"), "/joints/hinge/friction/effort\n  found nothing"));
  CHECK(says(loaded(R"("drive": {"target": "=t"})"), "found neither stiffness nor damping"));
  CHECK(says(loaded(R"("motion": "=t", "drive": {"damping": 1})"), "the joint moves as its \"motion\" says"));
}

TEST_CASE("what a joint's type does not allow is refused") {
  CHECK(says(mistakes(hinge("fixed", R"("spring": {"stiffness": 1})")),
             "/joints/hinge/spring\n  found \"spring\"; expected none: this joint has no freedom"));
  CHECK(says(mistakes(hinge("spherical", R"("spring": {"stiffness": [1, 2]})")), "/joints/hinge/spring/stiffness\n"));
  CHECK(says(mistakes(hinge("distance", R"("from": [0, 0, 0])")), "/joints/hinge/from\n  found the place of \"at\""));
  CHECK(says(mistakes(hinge("constant_velocity", R"("axis": [0, 0, 1], "axis2": [0, 0, -1])")), "a shaft not bent back on itself"));
  CHECK(says(mistakes(hinge("revolute", R"("axis": [0, 0, 1], "spring": {"stiffness": -1})")), "a number in N m/rad, >= 0"));
  CHECK(says(mistakes(hinge("spherical", R"("initial": {"position": 1})")), "expected a list of 3"));
  CHECK(says(mistakes(hinge("revolute", R"("axis": [0, 0, 1], "motion": "=t", "initial": {"position": 1})")),
             "the joint moves as its \"motion\" says"));
  CHECK(says(mistakes(hinge("revolute", R"x("axis": [0, 0, 1], "motion": "=sqrt(t)")x")), "finite velocity and acceleration at t = 0"));
  CHECK(says(mistakes(hinge("revolute", R"("axis": [0, 0, 0])")), "a direction"));
  CHECK(says(mistakes(hinge("revolute", "")), "/joints/hinge/axis\n  found nothing"));
  CHECK(says(mistakes(hinge("revolute", R"("axis": [0, 0, 1], "pitch": 3)")), "the unknown key \"pitch\""));
}

TEST_CASE("cycles are shown as round trips") {
  CHECK(says(mistakes(pendulum(R"("parameters": {"a": "=b", "b": "=c", "c": "=a", "d": "=a"})")),
             "found a -> b -> c -> a; expected parameters that do not depend"));
  CHECK(says(mistakes(pendulum(R"("parameters": {"a": "=a"})")), "found a -> a"));
  const std::string loop = mistakes(
      file(R"("bodies": {"b": {"mass": 1, "inertia": [1, 1, 1], "frame": {"at": "p"}}}, "points": {"p": {"in": "b", "at": [0, 0, 0]}},
    "joints": {"j": {"type": "free", "parent": "ground", "child": "b", "at": "p"}})"));
  CHECK(says(loop, "found point p -> frame of b -> point p"));
  CHECK(count(loop) == 1);
}

TEST_CASE("one mistake gives one message") {
  CHECK(count(mistakes(pendulum(R"x("parameters": {"a": "=nothing", "b": "=a", "c": "=sqrt(b)"}, "gravity": [0, 0, "=c"])x"))) == 1);
  CHECK(count(mistakes(
            pendulum(R"("points": {"p": [0, 0]}, "markers": {"m1": {"body": "arm", "at": "p"}, "m2": {"body": "arm", "at": "p"}})"))) == 1);
  CHECK(count(mistakes(arm(R"("mas": 1, "inertia": [1, 1, 1])"))) == 1);
  CHECK(count(mistakes(hinge("universal", R"("axis": [0, 0, 0], "axis2": [0, 0, 0])"))) == 2);
  CHECK(count(mistakes(
            file(R"("bodies": {"arm": 3}, "joints": {"j": {"type": "free", "parent": "ground", "child": "arm", "at": [0, 0, 0]}})"))) == 1);
}

TEST_CASE("a frame to write in must exist") {
  CHECK(says(mistakes(pendulum(R"("markers": {"m1": {"body": "arm", "in": "arm", "at": [0, 0, 0]}})")),
             "expected a body that has a \"frame\", or a ground"));
}

TEST_CASE("ports are mounts or outputs") {
  CHECK(says(mistakes(pendulum(R"("ports": {"p": {}})")), "neither a mount nor an output nor a signal"));
  CHECK(says(mistakes(pendulum(R"("ports": {"p": {"mount": true, "output": "arm"}})")), "a port is a mount, an output or a signal"));
  CHECK(says(mistakes(pendulum(R"("ports": {"p": {"mount": false}})")), "expected true"));
}

TEST_CASE("settings are bounded") {
  CHECK(says(mistakes(pendulum(R"("simulate": {"until": -1})")), "/simulate/until\n"));
  CHECK(says(mistakes(pendulum(R"("simulate": {"until": 1e9, "output": {"step": 1e-9}})")), "rows of results"));
  CHECK(says(mistakes(pendulum(R"("simulate": {"integrator": {"type": "rk45"}})")), "did you mean \"rk4\"?"));
  CHECK(says(mistakes(pendulum(R"("simulate": {"integrator": {"tolerance": 0}})")), ">= 1e-15 and <= 1"));
  CHECK(says(mistakes(pendulum(R"("simulate": {"threads": 0})")), "/simulate/threads\n"));
  CHECK(says(mistakes(pendulum(R"("simulate": {"threads": 1.5})")), "a whole number"));
}

TEST_CASE("overrides are checked like parameters") {
  const std::string model = pendulum(R"("parameters": {"track": {"value": 1, "range": [0, 2]}})");
  CHECK(mistakes(model, {{"trak", 1}}) ==
        "--set trak\n  found \"trak\"; expected a parameter of the model: track; did you mean \"track\"?");
  CHECK(mistakes(model, {{"track", 3}}) == "--set track\n  found 3; expected a number, >= 0 and <= 2");
  CHECK(says(mistakes(pendulum(R"("parameters": {"track": {"value": 5, "range": [0, 2]}})")),
             "/parameters/track\n  found 5; expected a number, >= 0 and <= 2"));
}

TEST_CASE("couplings name joints with one freedom each") {
  const auto coupled = [](const std::string& terms) { return mistakes(pendulum(R"("couplings": {"gear": {"terms": )" + terms + "}}")); };
  CHECK(says(coupled(R"({"hing": 1, "hinge": -1})"), "/couplings/gear/terms/hing\n  found \"hing\"; expected a joint with one freedom"));
  CHECK(says(coupled(R"({"hing": 1, "hinge": -1})"), "did you mean \"hinge\"?"));
  CHECK(says(coupled(R"({"hinge": 0})"), "found 0; expected a factor other than zero"));
  CHECK(says(coupled(R"({"hinge": 1})"), "/couplings/gear/terms\n  found 1 of them; expected at least two joints to couple"));
}
