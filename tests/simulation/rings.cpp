#include <doctest/doctest.h>

#include <numbers>

#include "models.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A ring of links of 0.1 kg and about 0.1 m on a wavy circle, hung up at one ball.
std::string ring_of(int links, const std::string& hinges) {
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
  return model.dump();
}

RunSummary run_ring(const std::string& text, const char* formulation, const IntegratorSettings& integrator) {
  Simulation simulation(model_of(
      text, [&](SimulationSettings& s) { s.until = 0.1, s.output_step = 0.02, s.formulation = formulation, s.integrator = integrator; }));
  ChannelSet channels(simulation.plan(), {{"energy", "", ""}});
  return arthron::run(simulation, channels);
}

}  // namespace

TEST_CASE("rings of many light links: as few evaluations under hdca as under dca, and their energy as constant") {
  for (const char* hinges : {"ball", "mixed"})
    for (const int links : {60, 200}) {
      CAPTURE(hinges);
      CAPTURE(links);
      const std::string text = ring_of(links, hinges);
      for (const IntegratorSettings& integrator :
           {IntegratorSettings{"dopri5", 1e-10, 1e-10}, IntegratorSettings{"rk4", 1e-6, 1e-6, 1e-3}}) {
        CAPTURE(integrator.type);
        const RunSummary plain = run_ring(text, "hdca", integrator), other = run_ring(text, "dca", integrator);
        REQUIRE(plain.status.ok());
        REQUIRE(other.status.ok());
        CHECK(static_cast<double>(plain.statistics.evaluations) <= 1.5 * static_cast<double>(other.statistics.evaluations));
        CHECK(plain.energy_drift <= std::fmax(1.5 * other.energy_drift, 1e-12));
        CHECK(plain.energy_drift < 1e-3);
      }
    }
}

TEST_CASE("momenta are integrated where joints carry little more than their momenta move") {
  const auto formulation_of = [](std::shared_ptr<const Model> model) { return std::string(Simulation(std::move(model)).formulation()); };
  CHECK(formulation_of(std::make_shared<const Model>(load_model(ARTHRON_SOURCE_DIR "/examples/pendulum16/pendulum16.json", builtins()))) ==
        "hdca");
  CHECK(formulation_of(model_of(ring_of(6, "ball"))) == "hdca");
  CHECK(formulation_of(model_of(ring_of(200, "ball"))) == "dca");
  // Whatever the units.
  for (const char* other : {"dca", "slm"})
    CHECK(formulation_of(model_of(ring_of(60, "ball"), [&](SimulationSettings& s) { s.formulation = other; })) == other);
}
