#include <doctest/doctest.h>

#include <cmath>

#include "simulation/models.hpp"
#include "support/random_model.hpp"
#include "support/rows.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

using Json = nlohmann::ordered_json;

/// All formulations, and the other elimination.
const std::vector<std::string> ways = [] {
  std::vector<std::string> names = formulation_names();
  names.emplace_back("pair");
  return names;
}();

/// Pose and velocity of a body at the end of a short run, all to tolerances far below what is compared: a curve's third derivative jumps at
/// its points, and steps across them are off by a hundred tolerances.
std::vector<double> state_at_end(const Json& model, const std::string& way, const std::string& body, double until) {
  const auto loaded = test::model_of(model.dump(), [&](SimulationSettings& s) {
    s.until = s.output_step = until;
    s.integrator = {"dopri5", 1e-12, 1e-12};
    if (way == "pair")
      s.elimination = way;
    else
      s.formulation = way;
  });
  return rows_of(loaded, {body + ".position", body + ".orientation", body + ".velocity", body + ".angular_velocity"}).values.back();
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// An arm on a base that tumbles freely, or on the ground.
Json arm_on(bool tumbling) {
  Json model = Json::parse(R"json({ "arthron": 1, "name": "arm",
    "bodies": { "arm": { "mass": 1, "com": [0.5, 0.1, 0.3], "inertia": [0.1, 0.12, 0.15] } } })json");
  if (tumbling) {
    model["bodies"]["base"] = {{"mass", 5}, {"com", {0, 0, 0}}, {"inertia", {1, 1.2, 1.4}}};
    model["joints"]["float"] = Json::parse(R"json({ "type": "free", "parent": "ground", "child": "base", "at": [0, 0, 0],
      "initial": { "velocity": [1, 2, 0, 0.7, 0.4, -0.5] } })json");
  }
  return model;
}

/// The same arm with one joint, and with both.
void check_second_adds_nothing(bool tumbling, Json first, Json second) {
  first["parent"] = second["parent"] = tumbling ? "base" : "ground";
  first["child"] = second["child"] = "arm";
  Json once = arm_on(tumbling), twice = arm_on(tumbling);
  once["joints"]["first"] = twice["joints"]["first"] = first;
  twice["joints"]["second"] = second;
  CAPTURE(twice.dump());
  const std::vector<double> expected = state_at_end(once, "hdca", "arm", 0.2);
  for (const std::string& way : ways) {
    CAPTURE(way);
    CHECK(difference(state_at_end(twice, way, "arm", 0.2), expected) < 1e-9);
  }
}

}  // namespace

TEST_CASE("every joint type given twice between two bodies moves as given once, on the ground and on a body that tumbles") {
  for (const auto& [name, type] : builtins().joints()) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      RandomKeys random(seed);
      Json keys = random.keys_of(*type, 0);
      for (const char* key : {"motion", "spring", "limits", "friction", "drive", "effort", "initial", "cut"}) keys.erase(key);
      keys["at"] = {0.1, -0.2, 0.3};
      for (const bool tumbling : {false, true}) check_second_adds_nothing(tumbling, keys, keys);
    }
  }
}

TEST_CASE("a second joint elsewhere that repeats what the first one holds changes no motion") {
  struct Pair {
    const char *first, *second;
  };
  // Axes in general directions, so that no number is zero; second points on the first joint's axis, or anywhere where it has a plane.
  const Pair pairs[] = {
      {R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})",
       R"({"type": "revolute", "at": [0.1, 0.4, 0.15], "axis": [1, 2, 0.5]})"},
      {R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})",
       R"({"type": "cylindrical", "at": [0.1, 0.4, 0.15], "axis": [1, 2, 0.5]})"},
      {R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})", R"({"type": "spherical", "at": [0.1, 0.4, 0.15]})"},
      {R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})",
       R"({"type": "point_on_line", "at": [0.1, 0.4, 0.15], "axis": [1, 2, 0.5]})"},
      {R"({"type": "prismatic", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})",
       R"({"type": "prismatic", "at": [0.7, -0.4, 0.3], "axis": [1, 2, 0.5]})"},
      {R"({"type": "cylindrical", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})",
       R"({"type": "cylindrical", "at": [0.1, 0.4, 0.15], "axis": [1, 2, 0.5]})"},
      {R"({"type": "planar", "at": [0, 0.2, 0.1], "normal": [1, 2, 3]})",
       R"({"type": "planar", "at": [0.1, 0.3, 0.2], "normal": [1, 2, 3]})"},
  };
  for (const Pair& pair : pairs)
    for (const bool tumbling : {false, true}) {
      check_second_adds_nothing(tumbling, Json::parse(pair.first), Json::parse(pair.second));
      check_second_adds_nothing(tumbling, Json::parse(pair.second), Json::parse(pair.second));
    }
}

TEST_CASE("two hinges far along one axis, and hinges drawn to six digits, are one hinge") {
  const Json hinge = Json::parse(R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [1, 2, 0.5]})");
  check_second_adds_nothing(true, hinge, Json::parse(R"({"type": "revolute", "at": [300, 600.2, 150.1], "axis": [1, 2, 0.5]})"));
  check_second_adds_nothing(false, hinge,
                            Json::parse(R"({"type": "revolute", "at": [0, 0.2, 0.1], "axis": [0.436436, 0.872872, 0.218218]})"));
}

TEST_CASE("a door on two hinges with a lock is a part of its base, and what else holds it is redundant") {
  // The lock turns about another axis: door and base become one body, whose second hinge to the ground repeats the first.
  Json model = Json::parse(R"json({ "arthron": 1, "name": "locked",
    "bodies": { "base": { "mass": 2, "com": [0.3, 0, 0], "inertia": [0.1, 0.2, 0.3] },
                "door": { "mass": 1, "com": [0.5, 0.4, 0.2], "inertia": [0.1, 0.12, 0.15] } },
    "joints": { "stand": { "type": "revolute", "parent": "ground", "child": "base", "at": [0, 0, 0], "axis": [1, 2, 0.5] },
                "hinge": { "type": "fixed", "parent": "base", "child": "door", "at": [0.5, 0, 0] } } })json");
  const std::vector<double> expected = state_at_end(model, "hdca", "door", 0.3);
  model["joints"]["hinge"] =
      Json::parse(R"({"type": "revolute", "parent": "base", "child": "door", "at": [0.5, 0, 0], "axis": [0, 0.3, 1], "cut": false})");
  model["joints"]["lock"] =
      Json::parse(R"({"type": "revolute", "parent": "base", "child": "door", "at": [0.5, 0.4, 0.2], "axis": [1, 0, 1]})");
  model["joints"]["again"] =
      Json::parse(R"({"type": "revolute", "parent": "ground", "child": "door", "at": [0.2, 0.4, 0.1], "axis": [1, 2, 0.5]})");
  for (const std::string& way : ways) {
    CAPTURE(way);
    CHECK(difference(state_at_end(model, way, "door", 0.3), expected) < 1e-9);
  }
}
