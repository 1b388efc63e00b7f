#include "support/reference.hpp"

using namespace arthron;

namespace {

const IntegratorSettings tight{"dopri5", 1e-12, 1e-12};

/// Largest error of a marker over the first `until` seconds [m].
double error(const std::string& example, const test::Followed& followed, double until, const IntegratorSettings& integrator = tight) {
  return test::position_errors(example, integrator, followed, {until}).front();
}

}  // namespace

TEST_CASE("Planar loops of spatial revolutes against quadruple precision: their middle joints within 1e-9 m over 10 s at tolerance 1e-12") {
  CHECK(error("loop4", {"K"}, 10) < 1e-9);
  CHECK(error("loop8", {"K"}, 10) < 1e-9);
  CHECK(error("double_loop", {"K", 1}, 10) < 1e-9);
  CHECK(error("double_loop", {"K2", 5}, 10) < 1e-9);
}

TEST_CASE("3-RRR manipulator against quadruple precision: the platform within 1e-8 m over 2 s at tolerance 1e-12") {
  CHECK(error("three_rrr", {"P"}, 2) < 1e-8);
}

TEST_CASE("Spatial four-bar against maximal coordinates: both ball joints within 1e-9 m over 2 s at tolerance 1e-12") {
  CHECK(error("rssr", {"P", 1, 3}, 2) < 1e-9);
  CHECK(error("rssr", {"Q", 4, 3}, 2) < 1e-9);
}

TEST_CASE("Four-bar ladder against its exact reduction to one freedom: within 1e-6 m over 10 s and ten singular positions") {
  CHECK(error("fourbar_ladder", {"B0"}, 10, {"rk4", 1e-6, 1e-6, 1e-3}) < 1e-6);
  CHECK(error("fourbar_ladder", {"B0"}, 10, {"rk4", 1e-6, 1e-6, 8e-4}) < 1e-6);
  CHECK(error("fourbar_ladder", {"B0"}, 10) < 1e-6);
}

TEST_CASE("Four-bar ladder through singular positions: the error follows the tolerance of every adaptive method") {
  // Factor 1e4: the drift of ten seconds, of 36 J, in units of the tolerance of one step.
  for (const char* method : {"dopri5", "rkf78", "bs32"})
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      CAPTURE(method);
      CAPTURE(tolerance);
      CHECK(error("fourbar_ladder", {"B0"}, 10, {method, tolerance, tolerance}) < 1e4 * tolerance);
    }
}
