#include <doctest/doctest.h>

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

}  // namespace

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
