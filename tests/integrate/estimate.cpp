#include <doctest/doctest.h>

#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A sum over time alone: y' = 20 cos(20 t) exp(-t / 2) - sin(20 t) exp(-t / 2) / 2, y = sin(20 t) exp(-t / 2).
struct Quadrature : Ode {
  int size() const override { return 1; }
  Status rhs(double t, const double*, double* dydt) override {
    dydt[0] = (20 * std::cos(20 * t) - std::sin(20 * t) / 2) * std::exp(-t / 2);
    return {};
  }
};

/// A pendulum that hangs on a point moved by 0.5 sin(7 t), of two links that turn over: chaotic, so that errors grow.
struct Shaken : Ode {
  int size() const override { return 4; }
  Status rhs(double t, const double* y, double* dydt) override {
    // Point masses 1 and 1 at the ends of links of 1 m, angles from the vertical.
    const double g = 9.81 + 0.5 * 49 * std::sin(7 * t), difference = y[0] - y[1], s = std::sin(difference), c = std::cos(difference);
    const double f0 = -2 * g * std::sin(y[0]) - s * y[3] * y[3], f1 = -g * std::sin(y[1]) + s * y[2] * y[2];
    const double determinant = 2 - c * c;
    dydt[0] = y[2], dydt[1] = y[3];
    dydt[2] = (f0 - c * f1) / determinant, dydt[3] = (2 * f1 - c * f0) / determinant;
    return {};
  }
};

template <class Problem>
std::vector<double> end_of(const std::string& type, double tolerance, const std::vector<double>& start, double until) {
  Problem ode;
  const auto integrator = make_integrator(with_tolerance(type, tolerance), {}, ode);
  REQUIRE(integrator->start(0, start).ok());
  REQUIRE(walk(*integrator, until).ok());
  return integrator->state();
}

}  // namespace

TEST_CASE("what depends on time alone is integrated to the tolerance by every adaptive method: closed form") {
  for (const std::string& type : adaptive_methods())
    for (const double tolerance : {1e-5, 1e-8}) {
      CAPTURE(type);
      CAPTURE(tolerance);
      const double exact = std::sin(200.0) * std::exp(-5.0);
      // Some hundred steps, whose errors add up at most.
      CHECK(std::abs(end_of<Quadrature>(type, tolerance, {0}, 10)[0] - exact) < 100 * tolerance);
    }
}

TEST_CASE(
    "the method of order 8 is no less accurate than that of order 5 at equal tolerance, on one chaotic motion; others scatter by up to 10 "
    "either way") {
  const std::vector<double> start{1, 0.5, 0, 0};
  const std::vector<double> reference = end_of<Shaken>("dopri8", 1e-14, start, 4);
  REQUIRE(distance(reference, end_of<Shaken>("dopri5", 1e-13, start, 4)) < 1e-8);
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    CAPTURE(tolerance);
    // A factor of two: errors of single runs scatter by as much.
    CHECK(distance(end_of<Shaken>("dopri8", tolerance, start, 4), reference) <
          2 * distance(end_of<Shaken>("dopri5", tolerance, start, 4), reference));
  }
}
