#include <doctest/doctest.h>

#include "models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::string corner(const std::string& name) { return ARTHRON_SOURCE_DIR "/tests/data/corners/" + name + ".json"; }

struct CornerRun {
  Status status;
  IntegratorStatistics statistics;
  State state;
};

CornerRun run_corner(const std::string& name, double until, const IntegratorSettings& integrator,
                     const std::vector<ParameterOverride>& parameters = {}, std::int64_t max_steps = 1'000'000) {
  Model model = load_model(corner(name), builtins(), parameters);
  model.simulation.until = until, model.simulation.output_step = until, model.simulation.integrator = integrator;
  Simulation simulation(std::make_shared<const Model>(std::move(model)), max_steps);
  Status status = simulation.start();
  if (status.ok()) status = simulation.advance_to(until);
  return {status, simulation.statistics(), simulation.state()};
}

}  // namespace

TEST_CASE("a four-bar of 1 m and one of 1 cm under as much less gravity move alike, and take as many evaluations") {
  for (const char* method : {"adams", "bdf", "dopri5", "dopri8"}) {
    if (check_integrator_type(method)) continue;
    CAPTURE(method);
    const auto with_length = [&](double length) { return run_corner("fourbar_scaled", 2, {method, 1e-8, 1e-8}, {{"L", length}}); };
    const CornerRun large = with_length(1), small = with_length(0.01);
    REQUIRE(large.status.ok());
    REQUIRE(small.status.ok());
    // All coordinates are angles; errors of 1e-8 a step add up over some hundred of them.
    for (std::size_t i = 0; i < large.state.q.size(); ++i) CHECK(std::abs(large.state.q[i] - small.state.q[i]) < 1e-5);
    const double ratio = static_cast<double>(small.statistics.evaluations) / static_cast<double>(large.statistics.evaluations);
    CHECK(ratio == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("a loop at rest under a preload is as little work for methods that remember as for others") {
  for (const char* method : {"dopri5", "adams", "bdf"}) {
    if (check_integrator_type(method)) continue;
    CAPTURE(method);
    const CornerRun outcome = run_corner("adams_stalls", 0.5, {method, 1e-6, 1e-6}, {}, 3000);
    CHECK(outcome.status.ok());
    CHECK(outcome.statistics.accepted < 300);
  }
}

TEST_CASE("a pendulum drawn to rounding where it is horizontal falls as one drawn exactly") {
  for (const char* method : {"dopri5", "bs32", "dopri8"}) {
    CAPTURE(method);
    const CornerRun outcome = run_corner("start_at_rounding", 0.1, {method, 1e-11, 1e-11});
    REQUIRE(outcome.status.ok());
    // u^2 / 2 (I + m l^2) = m g l sin q
    const double q = outcome.state.q[0], u = outcome.state.p[0] / 0.7;
    CHECK(u * u / 2 * 0.7 == doctest::Approx(2 * 9.81 * 0.5 * std::sin(q)).epsilon(1e-8));
    CHECK(q == doctest::Approx(0.5 * 9.81 / 0.7 * 0.01).epsilon(1e-2));
  }
}

TEST_CASE("steps of any length get past a position in which an opening cannot be closed to rounding") {
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    CAPTURE(step);
    CHECK(run_corner("gauss4_gives_up", 0.5, {"gauss4", 1e-6, 1e-6, step}).status.ok());
  }
}

TEST_CASE("a four-bar of 10 nm moves as one of 1 m: momenta are small against themselves alone") {
  for (const char* method : {"dopri5", "dopri8"})
    for (const double tolerance : {1e-8, 1e-10}) {
      CAPTURE(method);
      CAPTURE(tolerance);
      const auto with_length = [&](double length) {
        return run_corner("fourbar_scaled", 2, {method, tolerance, tolerance}, {{"L", length}});
      };
      const CornerRun large = with_length(1), small = with_length(1e-8);
      REQUIRE(large.status.ok());
      REQUIRE(small.status.ok());
      // The same numbers but for powers of the length, and rounding.
      CHECK(small.statistics.evaluations == large.statistics.evaluations);
      for (std::size_t i = 0; i < large.state.q.size(); ++i) CHECK(std::abs(large.state.q[i] - small.state.q[i]) < 1e-11);
    }
}
