#include <doctest/doctest.h>

#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// Free fall: y0' = y1, y1' = -g.
struct Fall : Ode {
  static constexpr double g = 9.81;
  int size() const override { return 2; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = y[1], dydt[1] = -g;
    return {};
  }
};

}  // namespace

TEST_CASE("a motion that begins at rest, next to zero, is integrated wherever it ends: closed form of a fall") {
  for (const char* type : {"dopri5", "bs32", "dopri8"})
    for (const double tolerance : {1e-6, 1e-11})
      for (const double start : {0.0, 3e-16, 1e-12, 1e-8})
        for (const double until : {0.1, 1000.0}) {
          CAPTURE(type);
          CAPTURE(tolerance);
          CAPTURE(start);
          CAPTURE(until);
          Fall ode;
          const auto integrator = make_integrator(with_tolerance(type, tolerance), {}, ode);
          REQUIRE(integrator->start(0, {start, 0}).ok());
          // Searching for the first step is cheaper than growing into it, fivefold a step.
          CHECK(integrator->statistics().evaluations <= 10);
          REQUIRE(walk(*integrator, until).ok());
          // Methods of order 2 and more are exact but for rounding.
          const double height = start - Fall::g / 2 * until * until;
          CHECK(std::abs(integrator->state()[0] - height) <= 1e-13 * std::abs(height) + tolerance);
          CHECK(integrator->statistics().accepted < 30);
        }
}
