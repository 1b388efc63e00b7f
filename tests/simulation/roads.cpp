#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "simulation/models.hpp"

/// Tyres and contacts on roads that are not flat, or not at rest, against what is conserved there.
using namespace arthron;
using namespace arthron::test;

namespace {

Simulation corner_model(const std::string& name, const std::vector<ParameterOverride>& overrides = {}) {
  return Simulation(
      std::make_shared<const Model>(load_model(ARTHRON_SOURCE_DIR "/tests/data/corners/" + name + ".json", builtins(), overrides)));
}

double whole_energy(Simulation& simulation) {
  REQUIRE(simulation.observe().ok());
  return energy(simulation.plan(), simulation.workspace()).total();
}

/// Largest change of the energy, looked at every 50 ms.
double energy_drift(Simulation& simulation, double until) {
  REQUIRE(simulation.start().ok());
  const double start = whole_energy(simulation);
  double drift = 0;
  for (int i = 1; i <= 20 * until; ++i) {
    REQUIRE(simulation.advance_to(0.05 * i).ok());
    drift = std::max(drift, std::abs(whole_energy(simulation) - start));
  }
  return drift;
}

template <std::size_t n>
std::array<double, n> reported(Simulation& simulation) {
  REQUIRE(simulation.observe().ok());
  std::array<double, n> values{};
  force_measure(simulation.plan(), simulation.workspace(), 0, values.data());
  return values;
}

}  // namespace

TEST_CASE("a tyre and a sphere without friction and damping keep their energy on waves, through jumps and landings") {
  // Each step is right to 1e-10 of positions and velocities, with forces of 2e4 N at 4 m/s and some 1e4 steps: 1e-3 J is what tolerance
  // explains in the worst case, of 3300 J.
  for (const char* name : {"tyre_curve", "contact_curve"}) {
    CAPTURE(name);
    Simulation simulation = corner_model(name);
    CHECK(energy_drift(simulation, 10) < 1e-3);
  }
}

TEST_CASE("a sphere keeps its energy in valleys that curve nearly as sharply as itself") {
  // Waves of 50 mm on 1 m have the curvature 1.974 / m at their bottoms: times the radius 0.59, and 0.96. 1 kg at 1.5 m/s.
  for (const double radius : {0.3, 0.486}) {
    CAPTURE(radius);
    Simulation simulation = corner_model("ball_curve", {{"r", radius}});
    CHECK(energy_drift(simulation, 3) < 1e-6);
  }
}

TEST_CASE("a locked wheel that moves with a heaving slope does not slip, and neither does a block that is lifted with one") {
  Simulation wheel = corner_model("heave_slope_tyre");
  REQUIRE(wheel.start().ok());
  // A slope of 0.1: pressed by stiffness times what the radius exceeds the distance to the plane, 0.3 / sqrt(1.01).
  const double load = 2e5 * (0.315 - 0.3 / std::sqrt(1.01));
  for (int i = 1; i <= 10; ++i) {
    REQUIRE(wheel.advance_to(0.1 * i).ok());
    const auto [normal, longitudinal, lateral, torque, slip, slip_angle, deflection, camber] = reported<8>(wheel);
    CHECK(normal == doctest::Approx(load).epsilon(1e-9));
    CHECK(std::abs(longitudinal) < 1e-6);
    CHECK(std::abs(slip) < 1e-11);
  }
  Simulation block = corner_model("slope_lift");
  REQUIRE(block.start().ok());
  for (int i = 1; i <= 10; ++i) {
    REQUIRE(block.advance_to(0.1 * i).ok());
    const auto [normal, friction, depth, slip] = reported<4>(block);
    // A millimetre under a plane at 45 degrees.
    CHECK(normal == doctest::Approx(1e5 * 1e-3 / std::sqrt(2)).epsilon(1e-9));
    CHECK(std::abs(friction) + slip < 1e-9);
  }
}
