#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "simulation/models.hpp"

/// Turns of cut joints. Sources of truth: closed forms of mechanisms that move as one; the same mechanism cut elsewhere; the same
/// simulation without a break.
using namespace arthron;
using namespace arthron::test;

namespace {

constexpr double lead_of_screw = 0.01 / (2 * std::numbers::pi);

/// A shaft on a hinge, a nut on a slide and a screw between them, which is cut. One of the first two is driven.
std::string screw_drive(const std::string& shaft, const std::string& nut) {
  const auto drive = [](const std::string& motion) { return motion.empty() ? "" : R"(, "motion": ")" + motion + '"'; };
  return R"json({ "arthron": 1, "name": "screw drive", "gravity": [0, 0, 0],
  "bodies": {
    "shaft": {"mass": 1, "com": [0, 0, 0], "inertia": [0.01, 0.01, 0.01]},
    "nut": {"mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0.01, 0.01]} },
  "joints": {
    "turn": {"type": "revolute", "parent": "ground", "child": "shaft", "at": [0, 0, 0], "axis": [1, 0, 0])json" +
         drive(shaft) + R"json(},
    "slide": {"type": "prismatic", "parent": "ground", "child": "nut", "at": [0.1, 0, 0], "axis": [1, 0, 0])json" +
         drive(nut) + R"json(},
    "screw": {"type": "screw", "parent": "shaft", "child": "nut", "at": [0.1, 0, 0], "axis": [1, 0, 0], "pitch": 0.01, "cut": true} } })json";
}

/// A parallelogram on a driven crank `l`: the bar between its cranks keeps its axes, so that l and r turn forward by as much as t turns
/// back, and u forward.
std::string parallelogram(const std::string& motion, const std::string& cut,
                          const std::string& u = R"("type": "revolute", "axis": [0, 0, 1])") {
  const auto joint = [&](const std::string& name, const std::string& sides, const std::string& rest) {
    return '"' + name + R"(": {)" + sides + ", " + rest + (name == cut ? R"(, "cut": true})" : R"(, "cut": false})");
  };
  const std::string hinge = R"("type": "revolute", "axis": [0, 0, 1])", spring = R"(, "spring": {"stiffness": 1})";
  return R"json({ "arthron": 1, "name": "parallelogram", "gravity": [0, 0, 0],
  "bodies": {
    "a": {"mass": 1, "com": [0.5, 0, 0], "inertia": [0.1, 0.1, 0.1]},
    "b": {"mass": 1, "com": [1, 1, 0], "inertia": [0.1, 0.1, 0.1]},
    "c": {"mass": 1, "com": [0.5, 2, 0], "inertia": [0.1, 0.1, 0.1]} },
  "joints": {)json" +
         joint("l", R"("parent": "ground", "child": "a", "at": [0, 0, 0])", hinge + R"(, "motion": ")" + motion + '"') + ",\n" +
         joint("t", R"("parent": "a", "child": "b", "at": [1, 0, 0])", hinge + spring) + ",\n" +
         joint("u", R"("parent": "b", "child": "c", "at": [1, 2, 0])", u) + ",\n" +
         joint("r", R"("parent": "ground", "child": "c", "at": [0, 2, 0])", hinge + spring) + "} }";
}

double position_at(Simulation& simulation, const std::string& channel, double t) {
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
  return simulation.channel(channel).value();
}

double opening_of(const Simulation& simulation) { return closure_error(simulation.plan(), simulation.workspace()); }

}  // namespace

TEST_CASE("a cut screw keeps its 119 turns at any output step, under every formulation") {
  for (const std::string& formulation : formulation_names())
    for (const double output_step : {0.5, 0.05, 0.01}) {
      CAPTURE(formulation);
      CAPTURE(output_step);
      Simulation simulation(model_of(screw_drive("=30*t*t", ""), [&](SimulationSettings& settings) {
        settings.formulation = formulation, settings.output_step = output_step, settings.until = 5;
      }));
      REQUIRE(simulation.start().ok());
      // Slides are integrated to the tolerance, or follow from the turns once a step is projected.
      CHECK(position_at(simulation, "slide.position", 5) == doctest::Approx(-750 * lead_of_screw).epsilon(1e-8));
      CHECK(simulation.channel("screw.position").value() == doctest::Approx(-750).epsilon(1e-8));
      CHECK(opening_of(simulation) < 1e-9);
    }
}

TEST_CASE("a cut screw keeps its turns with every method, in steps that turn it more than once") {
  for (const IntegratorType& type : integrator_types()) {
    CAPTURE(type.name);
    // Constant accelerations, which every method but rk2's neighbours of order 1 integrates exactly: up to 37 turns in a step of 0.5 s.
    Simulation simulation(model_of(screw_drive("=60*t*t", ""), [&](SimulationSettings& settings) {
      settings.integrator = {std::string(type.name), 1e-6, 1e-6, 0.5};
      settings.output_step = 0.5, settings.until = 4;
    }));
    REQUIRE(simulation.start().ok());
    CHECK(position_at(simulation, "slide.position", 4) == doctest::Approx(-960 * lead_of_screw).epsilon(1e-5));
    CHECK(opening_of(simulation) < 1e-9);
  }
}

TEST_CASE("a shaft that its nut drives through a cut screw stays with it") {
  for (const std::string& formulation : formulation_names())
    for (const double output_step : {0.5, 0.02}) {
      CAPTURE(formulation);
      CAPTURE(output_step);
      Simulation simulation(model_of(screw_drive("", "=0.2*sin(3*t)"), [&](SimulationSettings& settings) {
        settings.formulation = formulation, settings.output_step = output_step, settings.until = 5;
      }));
      REQUIRE(simulation.start().ok());
      for (const double t : {1.3, 5.0}) {
        CHECK(position_at(simulation, "turn.position", t) == doctest::Approx(-0.2 * std::sin(3 * t) / lead_of_screw).epsilon(1e-7));
        CHECK(opening_of(simulation) < 1e-9);
      }
    }
}

TEST_CASE("positions of a loop's joints depend neither on which of them is cut nor on the output step") {
  // Steady, and to and fro several times between two rows.
  for (const auto& [motion, turned] : {std::pair<std::string, double>{"=50*t", 100}, {"=12*sin(37*t)", 12 * std::sin(74.0)}})
    for (const std::string cut : {"l", "t", "u", "r"})
      for (const double output_step : {0.5, 0.05}) {
        CAPTURE(motion);
        CAPTURE(cut);
        CAPTURE(output_step);
        Simulation simulation(model_of(parallelogram(motion, cut),
                                       [&](SimulationSettings& settings) { settings.output_step = output_step, settings.until = 2; }));
        REQUIRE(simulation.start().ok());
        CHECK(position_at(simulation, "u.position", 2) == doctest::Approx(turned).epsilon(1e-6));
        CHECK(simulation.channel("l.position").value() == doctest::Approx(turned).epsilon(1e-6));
        CHECK(simulation.channel("t.position").value() == doctest::Approx(-turned).epsilon(1e-6));
        CHECK(simulation.channel("r.position").value() == doctest::Approx(turned).epsilon(1e-6));
      }
}

TEST_CASE("cut joints of every type that turns count their turns") {
  const std::array<std::pair<std::string, std::string>, 4> types{{
      {R"("type": "cylindrical", "axis": [0, 0, 1])", "u.position.1"},
      {R"("type": "planar", "normal": [0, 0, 1])", "u.position.2"},
      {R"("type": "expression", "rz": "=2*q")", "u.position"},
      {R"("type": "universal", "axis": [0, 0, 1], "axis2": [1, 0, 0])", "u.position.0"},
  }};
  for (const auto& [type, channel] : types) {
    CAPTURE(type);
    for (const double output_step : {0.5, 0.01}) {
      CAPTURE(output_step);
      Simulation simulation(model_of(parallelogram("=50*t", "u", type),
                                     [&](SimulationSettings& settings) { settings.output_step = output_step, settings.until = 2; }));
      REQUIRE(simulation.start().ok());
      REQUIRE(simulation.advance_to(2).ok());
      REQUIRE(simulation.observe().ok());
      // Angles about parallel axes add up, whatever the joints do.
      const auto angle = [&](const char* joint) { return simulation.channel(joint).value(); };
      const double turned = angle("r.position") - angle("l.position") - angle("t.position"),
                   factor = type.find("2*q") == std::string::npos ? 1 : 0.5;
      CHECK(std::abs(turned) > 50);
      CHECK(simulation.channel(channel).value() == doctest::Approx(factor * turned).epsilon(1e-9));
    }
  }
}

TEST_CASE("a shaft behind a universal joint turns as far wherever the loop is cut") {
  // Bent by beta, pins across one another: tan(out) = cos(beta) tan(in).
  const double beta = 0.5, in = 100, wrapped = std::atan2(std::cos(beta) * std::sin(in), std::cos(in));
  const double out = in + std::remainder(wrapped - in, 2 * std::numbers::pi);
  const auto shafts = [&](const std::string& cut, const std::string& load) {
    const auto keys = [&](const std::string& joint) -> std::string { return joint == cut ? R"(, "cut": true)" : R"(, "cut": false)"; };
    const std::string c = std::to_string(std::cos(beta)), s = std::to_string(std::sin(beta));
    return R"json({ "arthron": 1, "name": "shafts", "gravity": [0, 0, 0],
      "bodies": {
        "first": {"mass": 1, "com": [-0.5, 0, 0], "inertia": [0.1, 0.1, 0.1]},
        "second": {"mass": 1, "com": [0.5, 0.2, 0], "inertia": [0.1, 0.1, 0.1]} },
      "joints": {
        "in": {"type": "revolute", "parent": "ground", "child": "first", "at": [0, 0, 0], "axis": [1, 0, 0], "motion": "=50*t")json" +
           keys("in") + R"json(},
        "pins": {"type": "universal", "parent": "first", "child": "second", "at": [0, 0, 0], "axis": [0, 0, 1], "axis2": [-)json" +
           s + ", " + c + ", 0]" + keys("pins") + R"json(},
        "out": {"type": "revolute", "parent": "ground", "child": "second", "at": [0, 0, 0], "axis": [)json" +
           c + ", " + s + ", 0]" + keys("out") + load + "} } }";
  };
  for (const std::string load : {"", R"(, "spring": {"stiffness": 1})"})
    for (const std::string cut : {"in", "pins", "out"})
      for (const double output_step : {0.5, 0.01}) {
        CAPTURE(load);
        CAPTURE(cut);
        CAPTURE(output_step);
        Simulation simulation(
            model_of(shafts(cut, load), [&](SimulationSettings& settings) { settings.output_step = output_step, settings.until = 2; }));
        REQUIRE(simulation.start().ok());
        // The axes are given to six digits.
        CHECK(position_at(simulation, "out.position", 2) == doctest::Approx(out).epsilon(1e-5));
        CHECK(opening_of(simulation) < 1e-9);
      }
}

TEST_CASE("what a cut joint's position is depends not on who looked before") {
  const auto model = model_of(parallelogram("=50*t", "u"), [](SimulationSettings& settings) { settings.until = 2; });
  Simulation often(model), once(model);
  REQUIRE(often.start().ok());
  REQUIRE(once.start().ok());
  double last = 0;
  for (int row = 1; row <= 100; ++row) last = position_at(often, "u.position", 0.02 * row);
  CHECK(last == position_at(once, "u.position", 2));
}

TEST_CASE("resuming in the midst of turns goes on bit for bit, with every method") {
  for (const std::string& text : {screw_drive("=30*t*t", ""), parallelogram("=50*t", "u")})
    for (const IntegratorType& type : integrator_types()) {
      CAPTURE(type.name);
      // A parallelogram is singular twice a turn, where methods with a history start again and again: minutes of it prove nothing more.
      const bool keeps_history = type.name == "adams" || type.name == "bdf";
      if (keeps_history && text.find("screw") == std::string::npos) continue;
      const auto model = model_of(text, [&](SimulationSettings& settings) {
        settings.integrator = {std::string(type.name), 1e-7, 1e-7, 2e-3};
        settings.output_step = 0.1, settings.until = 2;
      });
      const std::string channel = text.find("screw") == std::string::npos ? "u.position" : "screw.position";
      Simulation whole(model), later(model);
      REQUIRE(whole.start().ok());
      REQUIRE(whole.advance_to(0.9).ok());
      Checkpoint checkpoint;
      REQUIRE(whole.save(checkpoint).ok());
      const std::string saved = to_text(checkpoint);
      const Resumption resumption = later.resume(parse_checkpoint(saved, "state.json"));
      REQUIRE(resumption.status.ok());
      CHECK(resumption.exact);
      CHECK(position_at(later, channel, 2) == position_at(whole, channel, 2));
      CHECK(later.state().q == whole.state().q);
      CHECK(later.state().p == whole.state().p);
      // As programs wrote it that did not know turns.
      auto json = nlohmann::json::parse(saved);
      json["arthron_checkpoint"] = 2, json["integrator"]["cut_coordinates"] = nlohmann::json::array();
      Simulation old(model);
      REQUIRE(old.resume(parse_checkpoint(json.dump(), "state.json")).status.ok());
      CHECK(position_at(old, channel, 2) == doctest::Approx(position_at(whole, channel, 2)).epsilon(1e-5));
    }
}

TEST_CASE("a joint cut between two grounds follows the turns of the one that moves") {
  const std::string text = R"json({ "arthron": 1, "name": "turntable", "gravity": [0, 0, 0],
    "grounds": { "table": {"motion": {"translation": [0, 0, 0], "rotation": [0, 0, "=50*t"]}} },
    "bodies": { "b": {"mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1]} },
    "joints": {
      "on": {"type": "revolute", "parent": "table", "child": "b", "at": [0, 0, 0], "axis": [0, 0, 1], "motion": "=1*t"},
      "under": {"type": "revolute", "parent": "ground", "child": "b", "at": [0, 0, 0], "axis": [0, 0, 1], "cut": true} } })json";
  for (const double output_step : {0.5, 0.01}) {
    Simulation simulation(model_of(text, [&](SimulationSettings& settings) { settings.output_step = output_step, settings.until = 2; }));
    REQUIRE(simulation.start().ok());
    CHECK(position_at(simulation, "under.position", 2) == doctest::Approx(102).epsilon(1e-9));
  }
}
