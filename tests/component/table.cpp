#include "arthron/component/table.hpp"

#include <doctest/doctest.h>
#include <math.h>  // pchip.hpp of Boost 1.74 wants isnan in the global namespace

#include <boost/math/interpolators/pchip.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "arthron/component/time_function.hpp"

using namespace arthron;

namespace {

const std::vector<double> x{-1, 0, 0.5, 2, 3}, y{-4, 0, 1, 1, 5};

doctest::Approx close_to(double expected) { return doctest::Approx(expected).epsilon(1e-13); }

}  // namespace

TEST_CASE("a linear table joins its points by lines") {
  const Table table(x, y, Table::Interpolation::linear);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(table.at(x[i]).value == close_to(y[i]));
  CHECK(table.at(0.25).value == close_to(0.5));
  CHECK(table.at(0.25).slope == close_to(2));
  CHECK(table.at(0.25).curvature == 0);
}

TEST_CASE("a smooth table is the PCHIP curve of Boost between its ends") {
  const Table table(x, y, Table::Interpolation::smooth);
  const boost::math::interpolators::pchip curve{std::vector<double>(x), std::vector<double>(y)};
  for (double at = -1; at <= 3; at += 0.01) {
    CHECK(table.at(at).value == doctest::Approx(curve(at)).epsilon(1e-12));
    CHECK(table.at(at).slope == doctest::Approx(curve.prime(at)).epsilon(1e-11));
  }
}

TEST_CASE("the curvature of a smooth table is the finite difference of its slope") {
  const Table table(x, y, Table::Interpolation::smooth);
  const double h = 1e-6;  // rounding eps/h and truncation zero: slopes are quadratic
  for (const double at : {-0.5, 0.2, 1.0, 2.7})
    CHECK(table.at(at).curvature == doctest::Approx((table.at(at + h).slope - table.at(at - h).slope) / (2 * h)).epsilon(1e-8));
}

TEST_CASE("beyond its ends a table goes on straight") {
  for (const auto interpolation : {Table::Interpolation::linear, Table::Interpolation::smooth}) {
    const Table table(x, y, interpolation);
    CHECK(table.at(-2).value == close_to(-8));
    CHECK(table.at(-2).slope == close_to(4));
    CHECK(table.at(5).value == close_to(13));
    CHECK(table.at(5).curvature == 0);
  }
}

TEST_CASE("the integral of a table is that of numerical quadrature") {
  for (const auto interpolation : {Table::Interpolation::linear, Table::Interpolation::smooth}) {
    const Table table(x, y, interpolation);
    for (const double to : {-3.0, -0.7, 0.0, 0.3, 1.5, 2.5, 4.0}) {
      // Piece by piece: the rule is exact for cubics.
      double expected = 0, from = 0;
      const auto add = [&](double until) {
        expected +=
            boost::math::quadrature::gauss_kronrod<double, 15>::integrate([&](double at) { return table.at(at).value; }, from, until, 0);
        from = until;
      };
      if (to > 0)
        for (const double knot : x) {
          if (knot > 0 && knot < to) add(knot);
        }
      else if (to < -1)
        add(-1);
      add(to);
      CHECK(table.integral(to) == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("two points make a line, smooth or not") {
  const Table table({0, 2}, {1, 5}, Table::Interpolation::smooth);
  CHECK(table.at(1).value == close_to(3));
  CHECK(table.at(1).slope == close_to(2));
  CHECK(table.at(1).curvature == close_to(0));
}

TEST_CASE("an empty table is zero") {
  const Table table;
  CHECK(table.empty());
  CHECK(table.at(1).value == 0);
  CHECK(table.integral(1) == 0);
}

TEST_CASE("a time function of a table has the table's slope and curvature as rate and acceleration") {
  const Table table(x, y, Table::Interpolation::smooth);
  const TimeFunction function(table);
  CHECK(function.value(0.3) == table.at(0.3).value);
  CHECK(function.sample(0.3).rate == table.at(0.3).slope);
  CHECK(function.sample(0.3).acceleration == table.at(0.3).curvature);
}

TEST_CASE("a constant function of time is known as one") {
  CHECK(TimeFunction(3.0).is_constant());
  CHECK(TimeFunction(Expression::parse("2*pi", {"t"})).is_constant());
  CHECK_FALSE(TimeFunction(Expression::parse("2*t", {"t"})).is_constant());
  CHECK(TimeFunction(3.0).sample(1).value == 3);
  CHECK(TimeFunction(3.0).sample(1).rate == 0);
  CHECK(TimeFunction().value(1) == 0);
}
