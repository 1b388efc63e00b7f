#include "arthron/study/reduction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace arthron;
using Kind = Reduction::Kind;

namespace {

/// The number of 3 sin(2 pi t) - 1 over one period, in rows of unequal distance.
double of_sine(Kind kind) {
  Reduction reduction(kind);
  constexpr int rows = 4000;
  for (int i = 0; i <= rows; ++i) {
    const double s = static_cast<double>(i) / rows, t = s * s * (3 - 2 * s);
    reduction.take(t, 3 * std::sin(2 * std::numbers::pi * t) - 1);
  }
  return reduction.result();
}

}  // namespace

TEST_CASE("reductions of a sine are those of the closed form") {
  constexpr double sampling = 1e-5;  // (largest distance of rows)^2 times the curvature
  CHECK(of_sine(Kind::initial) == -1);
  CHECK(of_sine(Kind::final) == doctest::Approx(-1));
  CHECK(of_sine(Kind::min) == doctest::Approx(-4).epsilon(sampling));
  CHECK(of_sine(Kind::max) == doctest::Approx(2).epsilon(sampling));
  CHECK(of_sine(Kind::range) == doctest::Approx(6).epsilon(sampling));
  CHECK(of_sine(Kind::abs_max) == doctest::Approx(4).epsilon(sampling));
  CHECK(of_sine(Kind::time_of_max) == doctest::Approx(0.25).epsilon(2e-3));
  CHECK(of_sine(Kind::time_of_min) == doctest::Approx(0.75).epsilon(2e-3));
  CHECK(of_sine(Kind::mean) == doctest::Approx(-1).epsilon(sampling));
  CHECK(of_sine(Kind::rms) == doctest::Approx(std::sqrt(4.5 + 1)).epsilon(sampling));
}

TEST_CASE("a straight line between two rows is reduced exactly; one row is its own mean; none is no number") {
  for (const Kind kind : {Kind::mean, Kind::rms}) {
    Reduction line(kind), point(kind);
    line.take(1, -3), line.take(3, 3);
    point.take(1, -3);
    CHECK(line.result() == doctest::Approx(kind == Kind::mean ? 0 : std::sqrt(3)));
    CHECK(point.result() == (kind == Kind::mean ? -3 : 3));
    CHECK(std::isnan(Reduction(kind).result()));
  }
}

TEST_CASE("times have seconds, all other reductions the unit of the channel") {
  CHECK(Reduction::unit(Kind::time_of_max, "m") == "s");
  CHECK(Reduction::unit(Kind::rms, "m") == "m");
}
