#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "simulation/models.hpp"
#include "support/rows.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A four-bar whose coupler has a mass of its own choosing: angle of the crank after 1.5 s, and the largest opening and energy drift.
struct FourBar {
  double crank = 0, opening = 0, drift = 0;
};

FourBar four_bar(const std::string& coupler, const std::string& formulation, const std::string& cut = "") {
  const auto joint = [&](const std::string& name, const std::string& parent, const std::string& child, const std::string& at) {
    return "\"" + name + R"(": {"type": "revolute", "parent": ")" + parent + R"(", "child": ")" + child + R"(", "at": )" + at +
           R"(, "axis": [0, 1, 0])" + (name == cut ? R"(, "cut": true)" : "") + "}";
  };
  const auto model = model_of(R"({"arthron": 1, "name": "four-bar", "bodies": {
        "crank": {"mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.02, 0.02, 0.001]},
        "coupler": {)" + coupler + R"(},
        "rocker": {"mass": 1, "com": [1.1, 0, 0.3], "inertia": [0.03, 0.03, 0.001]}},
      "joints": {)" + joint("a", "ground", "crank", "[0, 0, 0]") +
                                  ", " + joint("b", "crank", "coupler", "[0.1, 0, 0.4]") + ", " +
                                  joint("c", "coupler", "rocker", "[1, 0, 0.6]") + ", " + joint("d", "rocker", "ground", "[1, 0, 0]") +
                                  "}}",
                              [&](SimulationSettings& s) {
                                s.until = 1.5, s.output_step = 0.1, s.formulation = formulation;
                                s.integrator = {"dopri5", 1e-11, 1e-11};
                              });
  const Rows rows = rows_of(model, {"a.position"});
  return {rows.values.back()[0], rows.summary.loop_opening, rows.summary.energy_drift};
}

std::string coupler(double mass) {
  const std::string m = std::to_string(mass * 1e12) + "e-12", I = std::to_string(mass * 1e11) + "e-12";
  return R"("mass": )" + m + R"(, "com": [0.55, 0, 0.5], "inertia": [)" + I + ", " + I + ", " + I + "]";
}

/// A pendulum with a body of a mass of its own choosing on a ball at its end, which slides in a plane of the ground and turns as it likes:
/// angle of the pendulum, velocity and angular velocity of the body after 0.1 s.
std::vector<double> pendulum_with_follower(double mass, const std::string& cut, const std::string& formulation, double tolerance) {
  const auto joint = [&](const std::string& name, const std::string& keys) {
    return '"' + name + "\": {" + keys + (name == cut ? R"(, "cut": true})" : "}");
  };
  const std::string inertia = "[" + std::to_string(0.02 * mass * 1e12) + "e-12, " + std::to_string(0.03 * mass * 1e12) + "e-12, " +
                              std::to_string(0.01 * mass * 1e12) + "e-12]";
  const auto model =
      model_of(R"({"arthron": 1, "name": "follower", "bodies": {
        "upper": {"mass": 1, "com": [0.4, 0.1, 0], "inertia": [0.02, 0.1, 0.1]},
        "lower": {"mass": 2, "com": [1.1, 0.2, -0.1], "inertia": [0.1, 0.02, 0.1]},
        "follower": {"mass": )" +
                   std::to_string(mass * 1e12) + R"(e-12, "com": [1.5, 0.7, 0.2], "inertia": )" + inertia + "}}, \"joints\": {" +
                   joint("a", R"("type": "revolute", "parent": "ground", "child": "upper", "at": [0, 0, 0], "axis": [0.1, 1, 0])") + ", " +
                   joint("b", R"("type": "revolute", "parent": "upper", "child": "lower", "at": [0.8, 0, 0], "axis": [0, 1, 0.3])") + ", " +
                   joint("c", R"("type": "spherical", "parent": "lower", "child": "follower", "at": [1.4, 0.4, 0])") + ", " +
                   joint("d", R"("type": "point_in_plane", "parent": "ground", "child": "follower", "at": [1.6, 0.9, 0.3],
                                  "normal": [0.2, 1, 0.1])") +
                   "}}",
               [&](SimulationSettings& s) {
                 s.until = 0.1, s.output_step = 0.1, s.formulation = formulation;
                 s.integrator = {"dopri5", tolerance, tolerance};
               });
  return rows_of(model, {"a.position", "follower.velocity", "follower.angular_velocity"}).values.back();
}

/// Two light cranks between a base and a platform.
std::vector<double> light_cranks(double mass, const std::string& cut, const std::string& formulation) {
  const std::string light = R"({"mass": )" + std::to_string(mass * 1e12) + R"(e-12, "com": [0.2, 0.1, 0.1], "inertia": [)" +
                            std::to_string(mass * 1e11) + "e-12, " + std::to_string(mass * 1e11) + "e-12, " + std::to_string(mass * 1e11) +
                            "e-12]}";
  const auto hinge = [&](const std::string& name, const std::string& parent, const std::string& child, const std::string& at) {
    return '"' + name + R"(": {"type": "revolute", "parent": ")" + parent + R"(", "child": ")" + child + R"(", "at": )" + at +
           R"(, "axis": [0.6, 0.8, 0])" + (name == cut ? R"(, "cut": true})" : "}");
  };
  const auto model =
      model_of(R"({"arthron": 1, "name": "cranks", "bodies": {
        "base": {"mass": 1.4, "com": [0, 0, 0], "inertia": [0.1, 0.2, 0.15]},
        "platform": {"mass": 0.7, "com": [0.5, 0.1, 0.6], "inertia": [0.05, 0.04, 0.06]}, "left": )" +
                   light + ", \"right\": " + light + R"(}, "joints": {
        "float": {"type": "free", "parent": "ground", "child": "base", "at": [0, 0, 0], "initial": {"velocity": [90, 0, 0, 0.5, 0.3, -1]}}, )" +
                   hinge("a", "base", "left", "[0, 0, 0]") + ", " + hinge("b", "left", "platform", "[0.2, 0, 0.5]") + ", " +
                   hinge("c", "base", "right", "[0.8, -0.6, 0]") + ", " + hinge("d", "right", "platform", "[0.9, -0.5, 0.6]") + "}}",
               [&](SimulationSettings& s) {
                 s.until = 0.2, s.output_step = 0.2, s.formulation = formulation;
                 s.integrator = {"dopri5", 1e-11, 1e-11};
               });
  return rows_of(model, {"platform.angular_velocity", "left.angular_velocity", "right.angular_velocity"}).values.back();
}

double far_between(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Pairs and dependency matrices begin with inverse inertias.
bool begins_with_inverses(const std::string& formulation) { return formulation == "block-module"; }

}  // namespace

TEST_CASE("a light body that moves by itself in a loop has all its digits, wherever the loop is cut") {
  const std::vector<double> heavier = pendulum_with_follower(1e-7, "", "dca", 1e-12);
  for (const std::string& formulation : formulation_names()) {
    if (begins_with_inverses(formulation)) continue;
    for (const char* cut : {"", "a", "b", "c", "d"}) {
      CAPTURE(formulation);
      CAPTURE(cut);
      const std::vector<double> found = pendulum_with_follower(1e-9, cut, formulation, 1e-11);
      // The body moves as it does with a hundred times the mass, but for its share in the motion of the others.
      CHECK(far_between(found, heavier) < 1e-6);
      CHECK(far_between(found, pendulum_with_follower(1e-9, "", "dca", 1e-12)) < 1e-9);
    }
  }
}

TEST_CASE("light cranks between heavy bodies: the same motion in every formulation, wherever they are cut, at 90 m/s") {
  const std::vector<double> expected = light_cranks(1e-6, "", "slm");
  for (const std::string& formulation : formulation_names()) {
    if (begins_with_inverses(formulation)) continue;
    for (const char* cut : {"", "a", "b", "c", "d"}) {
      CAPTURE(formulation);
      CAPTURE(cut);
      CHECK(far_between(light_cranks(1e-9, cut, formulation), expected) < 1e-5);
      CHECK(far_between(light_cranks(1e-9, cut, formulation), light_cranks(1e-9, "", "dca")) < 2e-9);
    }
  }
}

TEST_CASE(
    "a four-bar's motion tends to that with a massless coupler as its coupler gets lighter, in every formulation and wherever it is cut") {
  const FourBar massless = four_bar(R"("mass": 0)", "hdca");
  CHECK(massless.drift < 1e-8);
  CHECK(massless.opening < 1e-9);
  for (const std::string& formulation : formulation_names()) {
    if (formulation == "block-module") continue;  // refuses bodies without mass
    CAPTURE(formulation);
    CHECK(std::abs(four_bar(R"("mass": 0)", formulation).crank - massless.crank) < 1e-8);
  }
  for (const double mass : {1e-3, 1e-6, 1e-9, 1e-12})
    for (const std::string& formulation : formulation_names())
      for (const char* cut : {"", "a", "b", "c", "d"}) {
        CAPTURE(mass);
        CAPTURE(formulation);
        CAPTURE(cut);
        const FourBar found = four_bar(coupler(mass), formulation, cut);
        // The coupler's share in the motion is of the order of its share in the mass.
        CHECK(std::abs(found.crank - massless.crank) < 10 * mass + 1e-8);
        CHECK(found.drift < 1e-8);
        CHECK(found.opening < 1e-9);
      }
}

TEST_CASE("a body without mass whose motion nothing determines is refused by name") {
  Simulation rod(model_of(R"json({ "arthron": 1, "name": "tie",
    "bodies": { "left": { "mass": 1, "com": [0, 0, 0.2], "inertia": [0.02, 0.02, 0.001] }, "tie": { "mass": 0 },
                "right": { "mass": 1, "com": [1, 0, 0.3], "inertia": [0.03, 0.03, 0.001] } },
    "joints": { "a": { "type": "revolute", "parent": "ground", "child": "left", "at": [0, 0, 0], "axis": [0, 1, 0] },
                "b": { "type": "spherical", "parent": "left", "child": "tie", "at": [0, 0, 0.4] },
                "c": { "type": "spherical", "parent": "tie", "child": "right", "at": [1, 0, 0.6] },
                "d": { "type": "revolute", "parent": "ground", "child": "right", "at": [1, 0, 0], "axis": [0, 1, 0] } } })json"));
  const Status status = rod.start();
  CHECK(status.code == Status::Code::singular_joint);
  CHECK(describe(status, rod.plan(), rod.workspace(), 0).find("body \"tie\" has no mass") != std::string::npos);
}

TEST_CASE("two-handle equations refuse a body without mass with its place in the file") {
  for (const bool pair : {false, true}) {
    const auto model = model_of(R"json({ "arthron": 1, "name": "m",
      "bodies": { "link": { "mass": 0 }, "bob": { "mass": 1, "com": [0, 0, -2], "inertia": [1, 1, 1] } },
      "joints": { "a": { "type": "revolute", "parent": "ground", "child": "link", "at": [0, 0, 0], "axis": [0, 1, 0] },
                  "b": { "type": "revolute", "parent": "link", "child": "bob", "at": [0, 0, -1], "axis": [0, 1, 0] } } })json",
                                [&](SimulationSettings& s) { (pair ? s.elimination : s.formulation) = pair ? "pair" : "block-module"; });
    CHECK_THROWS_AS(Simulation{model}, ModelError);
  }
}
