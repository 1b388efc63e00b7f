#include "support/reference.hpp"

using namespace arthron;

TEST_CASE(
    "16-link pendulum against the quadruple-precision reference: the tip within 1e-8 m over 5 s and 2e-6 m over 10 s at tolerance 1e-12") {
  for (const char* integrator : {"dopri5", "rkf78"}) {
    CAPTURE(integrator);
    const auto errors = test::position_errors("pendulum16", {integrator, 1e-12, 1e-12}, {"tip"}, {5, 10});
    CHECK(errors[0] < 1e-8);
    CHECK(errors[1] < 2e-6);
  }
}
