#include "arthron/integrate/step_length.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

struct Rotation : Ode {
  int size() const override { return 2; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = -y[1], dydt[1] = y[0];
    return {};
  }
};

}  // namespace

TEST_CASE("the next step makes an error of the known order 0.8^order tolerances") {
  for (const int order : {3, 5, 8})
    for (const double error : {0.4, 0.9, 1.1, 3.0}) {
      const double ratio = next_step_length(2, error, order, 5) / 2;
      CHECK(error * std::pow(ratio, order) == doctest::Approx(std::pow(0.8, order)));
    }
}

TEST_CASE("the next step is neither shorter than a fifth nor longer than told") {
  constexpr double failed = std::numeric_limits<double>::infinity();
  CHECK(next_step_length(1, failed, 5, 1) == 0.2);
  CHECK(next_step_length(1, 0, 5, 5) == 5);
  CHECK(next_step_length(1, 1e-9, 5, 1) == 1);
}

TEST_CASE("no step of a uniform rotation is rejected") {
  // Its error is of nearly the same size in every step, and a margin of 0.8^order is left.
  for (const char* type : {"dopri5", "bs32", "rkf78"})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      CAPTURE(type);
      CAPTURE(tolerance);
      Rotation ode;
      const auto integrator = make_integrator(with_tolerance(type, tolerance), {}, ode);
      REQUIRE(integrator->start(0, {1, 0}).ok());
      REQUIRE(walk(*integrator, 30).ok());
      CHECK(integrator->statistics().accepted > 10);
      CHECK(integrator->statistics().rejected == 0);
    }
}
