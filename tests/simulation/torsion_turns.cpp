#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "simulation/models.hpp"

/// Torsion springs that are wound up over several turns. Sources of truth: the closed form of an oscillator, its energy, and the same
/// simulation without a break.
using namespace arthron;
using namespace arthron::test;

namespace {

/// An inertia of 1 kg m^2 on a spring of 4 N m/rad: 2 rad/s, from `start` rad at `speed` rad/s.
std::string oscillator(double rest, double start, double speed, const std::string& keys = "") {
  return R"json({ "arthron": 1, "name": "oscillator", "gravity": [0, 0, 0],
    "bodies": { "b": {"mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1]} },
    "joints": { "h": {"type": "revolute", "parent": "ground", "child": "b", "at": [0, 0, 0], "axis": [0, 0, 1],
                      "initial": {"position": )json" +
         std::to_string(start) + R"json(, "velocity": )json" + std::to_string(speed) + R"json(}} },
    "forces": { "s": {"type": "torsion_spring", "from": ["ground", [0, 0, 0]], "to": ["b", [0, 0, 0]], "axis": [0, 0, 1], "stiffness": 4,
                      "rest_angle": )json" +
         std::to_string(rest) + keys + "} } }";
}

double angle_at(Simulation& simulation, const std::string& channel, double t) {
  REQUIRE(simulation.advance_to(t).ok());
  REQUIRE(simulation.observe().ok());
  return simulation.channel(channel).value();
}

}  // namespace

TEST_CASE("a torsion spring wound up over several turns is the oscillator that it is, with every method and formulation") {
  for (const std::string& formulation : formulation_names())
    for (const IntegratorType& type : integrator_types()) {
      CAPTURE(formulation);
      CAPTURE(type.name);
      // Swings over 40 rad to either side: more than six turns.
      Simulation simulation(model_of(oscillator(4, 0, 80), [&](SimulationSettings& settings) {
        settings.formulation = formulation, settings.integrator = {std::string(type.name), 1e-9, 1e-9, 1e-3}, settings.until = 3;
      }));
      REQUIRE(simulation.start().ok());
      REQUIRE(simulation.observe().ok());
      const double before = energy(simulation.plan(), simulation.workspace()).total();
      CHECK(before == doctest::Approx(3200 + 32));
      // The phase of rk2 is off by (w h)^2 / 6 of itself, that of the implicit midpoint rule by half as much: up to w t = 6 rad, of 40 rad.
      const bool second_order = type.name == "rk2" || type.name == "implicit_midpoint";
      for (const double t : {0.7, 3.0}) {
        const double error = second_order ? 2 * t * 2e-3 * 2e-3 / 6 * 40 / 10 : 1e-7;
        const double expected = 4 - 4 * std::cos(2 * t) + 40 * std::sin(2 * t);
        CHECK(angle_at(simulation, "h.position", t) == doctest::Approx(expected).epsilon(error));
        CHECK(simulation.channel("s.angle").value() == doctest::Approx(expected).epsilon(error));
        CHECK(energy(simulation.plan(), simulation.workspace()).total() == doctest::Approx(before).epsilon(error));
      }
    }
}

TEST_CASE("a torsion spring knows the turn it starts in when told") {
  // From 5 rad: nearest to no turn at all 5 - 2 pi, nearest to 6 rad 5.
  Simulation untold(model_of(oscillator(0, 5, 0))), told(model_of(oscillator(0, 5, 0, R"(, "start_angle": 6)")));
  for (Simulation* simulation : {&untold, &told}) REQUIRE(simulation->start().ok());
  CHECK(angle_at(untold, "s.angle", 0) == doctest::Approx(5 - 2 * std::acos(-1.0)));
  CHECK(angle_at(told, "s.angle", 0) == doctest::Approx(5));
  CHECK(angle_at(told, "s.angle", 2) == doctest::Approx(5 * std::cos(4.0)).epsilon(1e-6));
}

TEST_CASE("a spring that is wound up goes on bit for bit from a checkpoint") {
  const auto model = model_of(oscillator(4, 0, 80), [](SimulationSettings& settings) { settings.until = 3; });
  Simulation whole(model), later(model);
  REQUIRE(whole.start().ok());
  REQUIRE(whole.advance_to(0.8).ok());
  Checkpoint checkpoint;
  REQUIRE(whole.save(checkpoint).ok());
  const Resumption resumption = later.resume(parse_checkpoint(to_text(checkpoint), "state.json"));
  REQUIRE(resumption.status.ok());
  CHECK(resumption.exact);
  CHECK(angle_at(later, "s.angle", 3) == angle_at(whole, "s.angle", 3));
}

TEST_CASE("a torsion spring in a drawing that is a mirror image winds up as its mirror image does") {
  const std::string whole = oscillator(4, 0, 80), part = '{' + whole.substr(whole.find("\"bodies\""));
  const std::string text = R"json({ "arthron": 1, "name": "two", "gravity": [0, 0, 0], "subsystems": {
    "left": {"use": )json" +
                           part + R"json(}, "right": {"use": )json" + part + R"json(, "mirror": "y", "at": [0, 3, 0]} } })json";
  Simulation simulation(model_of(text, [](SimulationSettings& settings) { settings.until = 2; }));
  REQUIRE(simulation.start().ok());
  const double left = angle_at(simulation, "left.s.angle", 1.9);
  CHECK(std::abs(left) > 4 * std::numbers::pi);  // two turns
  CHECK(simulation.channel("right.s.angle").value() == doctest::Approx(left).epsilon(1e-9));
  CHECK(simulation.channel("right.h.position").value() == doctest::Approx(left).epsilon(1e-9));
}
