#include <doctest/doctest.h>

#include "arthron/core/diagnostic.hpp"
#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

double error_with_step(const std::string& type, double step) {
  Smooth ode;
  const auto integrator = make_integrator(with_step(type, step), {}, ode);
  REQUIRE(integrator->start(0, Smooth::at(0)).ok());
  REQUIRE(walk(*integrator, 2).ok());
  CHECK(integrator->time() == 2);
  return distance(integrator->state(), Smooth::at(2));
}

/// Error in the middle of one step of length h from the exact solution at t = 0.3.
double midstep_error(const std::string& type, double h) {
  Smooth ode;
  IntegratorSettings settings = with_tolerance(type, 1e3);
  settings.step = h;
  const auto integrator = make_integrator(settings, {h, 100}, ode);
  REQUIRE(integrator->start(0.3, Smooth::at(0.3)).ok());
  REQUIRE(integrator->step(10).ok());
  REQUIRE(integrator->time() == doctest::Approx(0.3 + h));
  std::vector<double> y(2);
  REQUIRE(integrator->interpolate(0.3 + h / 2, y).ok());
  return distance(y, Smooth::at(0.3 + h / 2));
}

}  // namespace

TEST_CASE("fixed-step methods converge with their order on a closed-form solution") {
  struct Case {
    const char* type;
    double order;
  };
  for (const auto& [type, order] : {Case{"rk2", 2}, Case{"rk4", 4}, Case{"implicit_midpoint", 2}, Case{"gauss4", 4}}) {
    CAPTURE(type);
    for (const double step : {0.05, 0.025})
      CHECK(std::log2(error_with_step(type, step) / error_with_step(type, step / 2)) == doctest::Approx(order).epsilon(0.2 / order));
  }
}

TEST_CASE("adaptive methods keep the global error within a modest multiple of the tolerance on a closed-form solution") {
  // The problem is contractive or neutral over the range, so errors of some hundred steps add up at most linearly.
  for (const std::string& type : adaptive_methods()) {
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      CAPTURE(type);
      CAPTURE(tolerance);
      Smooth ode;
      const auto integrator = make_integrator(with_tolerance(type, tolerance), {}, ode);
      REQUIRE(integrator->start(0, Smooth::at(0)).ok());
      REQUIRE(walk(*integrator, 10).ok());
      CHECK(integrator->time() == 10);
      CHECK(distance(integrator->state(), Smooth::at(10)) < 200 * tolerance);
    }
  }
}

TEST_CASE("interpolation inside a step has the order of the interpolant on a closed-form solution") {
  // Local error h^5 of the Dormand-Prince interpolant of order 4; h^4 of the cubic through values and slopes.
  struct Case {
    const char* type;
    double order;
  };
  for (const auto& [type, order] : {Case{"dopri5", 5}, Case{"bs32", 4}, Case{"rk4", 4}, Case{"rkf78", 4}, Case{"gauss4", 4}}) {
    CAPTURE(type);
    CHECK(std::log2(midstep_error(type, 0.02) / midstep_error(type, 0.01)) == doctest::Approx(order).epsilon(0.2 / order));
  }
}

TEST_CASE("interpolated values are no worse than ten times the steps where the method offers them") {
  for (const IntegratorType& type : integrator_types()) {
    Smooth ode;
    const auto integrator = make_integrator(IntegratorSettings{std::string(type.name), 1e-7, 1e-7, 1e-3}, {}, ode);
    if (!integrator->interpolates()) continue;
    CAPTURE(type.name);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    double worst = 0, worst_step = 0;
    std::vector<double> y(2);
    for (int k = 1; k <= 400; ++k) {
      const double t = 0.025 * k;
      while (integrator->time() < t) {
        REQUIRE(integrator->step(10).ok());
        worst_step = std::fmax(worst_step, distance(integrator->state(), Smooth::at(integrator->time())));
      }
      REQUIRE(integrator->interpolate(t, y).ok());
      worst = std::fmax(worst, distance(y, Smooth::at(t)));
    }
    CHECK(worst < 10 * std::fmax(worst_step, 1e-7));  // the interpolant's order is one below the step's
  }
}

TEST_CASE("a stiff problem costs bdf far fewer steps than an explicit method") {
  // y' = -1e5 (y - cos t) - sin t, y = cos t: an explicit method of this order must keep h below about 3.3e-5.
  struct Stiff : Ode {
    int size() const override { return 1; }
    Status rhs(double t, const double* y, double* dydt) override {
      dydt[0] = -1e5 * (y[0] - std::cos(t)) - std::sin(t);
      return {};
    }
  } ode;
  const auto explicit_one = make_integrator(with_tolerance("dopri5", 1e-6), {}, ode);
  REQUIRE(explicit_one->start(0, {1}).ok());
  REQUIRE(walk(*explicit_one, 1).ok());
  CHECK(explicit_one->statistics().accepted > 1 / 3.5e-5);
  for (const std::string& type : adaptive_methods()) {
    if (type != "bdf") continue;
    const auto implicit_one = make_integrator(with_tolerance("bdf", 1e-6), {}, ode);
    REQUIRE(implicit_one->start(0, {1}).ok());
    REQUIRE(walk(*implicit_one, 1).ok());
    CHECK(implicit_one->statistics().accepted < 300);
    CHECK(implicit_one->state()[0] == doctest::Approx(std::cos(1)).epsilon(1e-4));
  }
}

TEST_CASE("bdf solves four hundred decoupled decays by its matrix-free solver") {
  // y_i' = -i y_i from 1, closed form exp(-i t).
  struct Decays : Ode {
    int size() const override { return 400; }
    Status rhs(double, const double* y, double* dydt) override {
      for (int i = 0; i < 400; ++i) dydt[i] = -i * y[i];
      return {};
    }
  } ode;
  for (const std::string& type : adaptive_methods()) {
    if (type != "bdf") continue;
    const auto integrator = make_integrator(with_tolerance("bdf", 1e-6), {}, ode);
    REQUIRE(integrator->start(0, std::vector<double>(400, 1.0)).ok());
    REQUIRE(walk(*integrator, 1).ok());
    for (int i = 0; i < 400; ++i) CHECK(std::abs(integrator->state()[i] - std::exp(-i)) < 200e-6);
  }
}

TEST_CASE("an unknown method is refused with the nearest name") {
  Smooth ode;
  try {
    (void)make_integrator(with_tolerance("dopri6", 1e-6), {}, ode);
    FAIL("accepted");
  } catch (const ModelError& error) {
    CHECK(error.diagnostics().front().suggestion == "dopri5");
    CHECK(error.diagnostics().front().pointer == "/simulate/integrator/type");
  }
}
