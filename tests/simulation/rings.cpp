#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "models.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A ring of links of 0.1 kg and about 0.1 m on a wavy circle, hung up at one ball.
Json drawn_ring(int links, const std::string& hinges) {
  constexpr double pi = std::numbers::pi;
  const double radius = 0.1 * links / (2 * pi);
  const auto point = [&](int i) {
    const double angle = 2 * pi * (i % links) / links;
    return std::array{radius * (1 - std::cos(angle)), radius * std::sin(angle), -0.2 * radius * std::sin(3 * angle)};
  };
  Json model = {{"arthron", 1}, {"name", "ring"}};
  for (int i = 0; i < links; ++i) {
    const std::array a = point(i), b = point(i + 1);
    const std::string name = "link" + std::to_string(i);
    model["bodies"][name] = {
        {"mass", 0.1}, {"com", {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}}, {"inertia", {1e-4, 1e-4, 1e-4}}};
    const bool ball = i == 0 || hinges == "ball" || i % 3 == 0;
    Json joint = {{"type", ball ? "spherical" : "revolute"}, {"child", name}, {"at", a}};
    joint["parent"] = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    if (!ball) joint["axis"] = {std::sin(1.7 * i), std::cos(2.3 * i), std::sin(0.9 * i + 1)};
    model["joints"]["joint" + std::to_string(i)] = joint;
  }
  model["joints"]["last"] = {{"type", "spherical"}, {"parent", "link" + std::to_string(links - 1)}, {"child", "link0"}, {"at", point(0)}};
  return model;
}

std::string ring_of(int links, const std::string& hinges) { return drawn_ring(links, hinges).dump(); }

/// Links of 1 kg and 1 m in a row on parallel hinges, drawn level.
std::string chain_of(int links) {
  Json model = {{"arthron", 1}, {"name", "chain"}};
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i);
    model["bodies"][name] = {{"mass", 1}, {"com", {i + 0.5, 0, 0}}, {"inertia", {0.01, 1.0 / 12, 1.0 / 12}}};
    model["joints"]["joint" + std::to_string(i)] = {{"type", "revolute"},
                                                    {"parent", i == 0 ? "ground" : "link" + std::to_string(i - 1)},
                                                    {"child", name},
                                                    {"at", {i, 0, 0}},
                                                    {"axis", {0, 1, 0}}};
  }
  return model.dump();
}

/// For 0.1 s.

RunSummary run_of(const std::string& text, const char* formulation, const IntegratorSettings& integrator, double until = 0.1) {
  Simulation simulation(model_of(text, [&](SimulationSettings& s) {
    s.until = until, s.output_step = until / 5, s.formulation = formulation, s.integrator = integrator;
  }));
  ChannelSet channels(simulation.plan(), {{"energy", "", ""}});
  return arthron::run(simulation, channels);
}

/// hdca is as good as dca: evaluations, steps tried in vain, and energy.
void check_against_dca(const std::string& text, const IntegratorSettings& integrator, double until = 0.1) {
  CAPTURE(integrator.type);
  const RunSummary plain = run_of(text, "hdca", integrator, until), other = run_of(text, "dca", integrator, until);
  REQUIRE(plain.status.ok());
  REQUIRE(other.status.ok());
  CHECK(static_cast<double>(plain.statistics.evaluations) <= 1.5 * static_cast<double>(other.statistics.evaluations));
  CHECK(plain.statistics.rejected <= other.statistics.rejected + 3);
  CHECK(plain.energy_drift <= std::fmax(1.5 * other.energy_drift, 1e-12));
  CHECK(plain.energy_drift < 1e-3);
}

std::string formulation_of(
    const std::string& text, const std::function<void(SimulationSettings&)>& change = [](SimulationSettings&) {}) {
  return std::string(Simulation(model_of(text, change)).formulation());
}

}  // namespace

TEST_CASE("rings of light links: as few evaluations under hdca as under dca, and their energy as constant") {
  for (const char* hinges : {"ball", "mixed"})
    for (const int links : {6, 10, 30, 100, 200}) {
      CAPTURE(hinges);
      CAPTURE(links);
      const std::string text = ring_of(links, hinges);
      check_against_dca(text, {"dopri5", 1e-10, 1e-10});
      // Six links keep momenta: of steps that are given the errors are larger, by up to what a third fewer steps make them.
      if (links > 6) check_against_dca(text, {"rk4", 1e-6, 1e-6, 1e-3});
      if (links > 30) continue;
      check_against_dca(text, {"bs32", 1e-6, 1e-6});
      check_against_dca(text, {"dopri8", 1e-12, 1e-12});
    }
}

TEST_CASE("chains of hinges: momenta are as good, however much their joints carry") {
  for (const int links : {4, 16, 40}) {
    CAPTURE(links);
    const std::string text = chain_of(links);
    CHECK(formulation_of(text) == "hdca");
    check_against_dca(text, {"dopri5", 1e-8, 1e-8}, 1);
  }
}

TEST_CASE("on a ground that moves steadily a chain takes about as many evaluations as on one at rest, and moves alike") {
  for (const int links : {1, 2, 4}) {
    CAPTURE(links);
    const auto on_ground_at = [&](double speed) {
      Json model = Json::parse(chain_of(links));
      const std::string x = std::to_string(speed) + "*t", y = std::to_string(-0.7 * speed) + "*t";
      model["grounds"]["carriage"]["motion"] = {{"translation", {"=" + x, "=" + y, 0}}, {"rotation", {0, 0, 0}}};
      model["joints"]["joint0"]["parent"] = "carriage";
      Simulation simulation(model_of(model.dump(), [](SimulationSettings& s) { s.until = 1, s.integrator = {"dopri5", 1e-10, 1e-10}; }));
      REQUIRE(simulation.start().ok());
      REQUIRE(simulation.advance_to(1).ok());
      return std::pair(static_cast<double>(simulation.statistics().evaluations), simulation.state().q);
    };
    const auto [still, at_rest] = on_ground_at(0);
    const auto [fast, moving] = on_ground_at(70);
    CHECK(fast < 1.5 * still);
    // Errors of a step of 1e-10 or less, of some hundred steps.
    for (std::size_t i = 0; i < at_rest.size(); ++i) CHECK(std::abs(moving[i] - at_rest[i]) < 1e-8);
  }
}

TEST_CASE("tolerances near rounding: an error that rounding could explain is no reason for a longer step") {
  const std::string text = ring_of(6, "mixed");
  REQUIRE(formulation_of(text) == "hdca");
  check_against_dca(text, {"dopri5", 1e-12, 1e-12}, 0.3);
}

TEST_CASE("whether momenta are integrated follows from what joints carry, at the tolerance asked for") {
  const auto at = [](double tolerance, const char* method = "dopri5") {
    return [=](SimulationSettings& s) { s.integrator = {method, tolerance, tolerance}; };
  };
  CHECK(formulation_of(ring_of(6, "mixed")) == "hdca");
  CHECK(formulation_of(ring_of(10, "mixed")) == "dca");
  // Rounding of momenta is 1e-10 of the velocities of a chain of a hundred links.
  CHECK(formulation_of(chain_of(100), at(1e-6)) == "hdca");
  CHECK(formulation_of(chain_of(100), at(1e-11)) == "dca");
  CHECK(formulation_of(ring_of(200, "ball"), at(1e-6, "gauss4")) == "hdca");
  for (const char* other : {"dca", "slm"})
    CHECK(formulation_of(ring_of(60, "ball"), [&](SimulationSettings& s) { s.formulation = other; }) == other);
}

TEST_CASE("whether momenta are integrated depends on no unit of mass, no rows and no velocity of the whole") {
  for (const int links : {6, 10, 15}) {
    CAPTURE(links);
    Json floating = drawn_ring(links, "mixed");
    floating["joints"]["joint0"]["type"] = "free";
    const std::string expected = formulation_of(floating.dump());
    Json heavy = floating, fast = floating;
    for (Json& body : heavy["bodies"]) {
      body["mass"] = 1e6 * body["mass"].get<double>();
      for (Json& moment : body["inertia"]) moment = 1e6 * moment.get<double>();
    }
    fast["joints"]["joint0"]["initial"] = {{"velocity", {90, 0, 30, 0, 0, 0}}};
    CHECK(formulation_of(heavy.dump()) == expected);
    CHECK(formulation_of(fast.dump()) == expected);
    CHECK(formulation_of(floating.dump(), [](SimulationSettings& s) { s.output_step = 1e-4; }) == expected);
  }
}
