#include <doctest/doctest.h>

#include "integrate/problems.hpp"
#include "support/allocations.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE("fixed-step and explicit methods allocate nothing after start") {
  for (const char* type : {"rk2", "rk4", "bs32", "dopri5", "rkf78", "implicit_midpoint", "gauss4"}) {
    CAPTURE(type);
    Smooth ode;
    const auto integrator = make_integrator({type, 1e-6, 1e-6, 0.01}, {}, ode);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    std::vector<double> y(2);
    const long before = allocations;
    Status status;
    while (status.ok() && integrator->time() < 5) {
      status = integrator->step(5);
      if (status.ok()) status = integrator->interpolate(0.5 * (integrator->step_start() + integrator->time()), y);
    }
    CHECK(allocations == before);
    CHECK(status.ok());
  }
}
