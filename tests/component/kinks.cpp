#include "arthron/component/kinks.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace arthron;

namespace {

TimeFunction of_time(const char* text) { return TimeFunction(Expression::parse(text, {"t"})); }

void check_kinks(const TimeFunction& function, const std::vector<double>& expected, double until = 10) {
  const std::vector<Kink> found = kinks(function, 0, until);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].time == doctest::Approx(expected[i]).epsilon(1e-14));
    CHECK(found[i].before < found[i].after);
    CHECK(found[i].after - found[i].before < 1e-14 * expected[i]);
  }
}

}  // namespace

TEST_CASE("a linear table has a kink where its slope changes, a smooth one has none") {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{0, 0, 1, 2, 0};
  check_kinks(TimeFunction(Table(x, y, Table::Interpolation::linear)), {1, 3});
  check_kinks(TimeFunction(Table(x, y, Table::Interpolation::linear)), {1}, 2.5);
  check_kinks(TimeFunction(Table(x, y, Table::Interpolation::smooth)), {});
}

TEST_CASE("an expression has its kinks where it takes another side with another slope") {
  check_kinks(of_time("if(t < 1, 0, t - 1)"), {1});
  check_kinks(of_time("if(t <= 1, 0, t - 1)"), {1});
  check_kinks(of_time("max(0, t - 0.3) - max(0, t - 0.3001)"), {0.3, 0.3001});
  check_kinks(of_time("abs(t - 2.5)"), {2.5});
  check_kinks(of_time("(t > 4)*(t - 4)"), {4});
  check_kinks(of_time("min(3*t, 4)"), {4.0 / 3});
  check_kinks(of_time("abs(sin(t))"), {std::acos(-1), 2 * std::acos(-1), 3 * std::acos(-1)});
  check_kinks(of_time("sin(t)"), {});
}

TEST_CASE("sides that meet smoothly, or have no part in the value, are no kink") {
  check_kinks(of_time("step(t, 1, 0, 2, 1)"), {});
  check_kinks(of_time("if(t < 1, t^2, 2*t - 1)"), {});
  check_kinks(of_time("t + 0*abs(t - 1)"), {});
}

TEST_CASE("either side of a kink is the smooth function of that side") {
  const TimeFunction function = of_time("abs(t - 1)");
  const std::vector<Kink> found = kinks(function, 0, 2);
  REQUIRE(found.size() == 1);
  CHECK(function.sample(found[0].before).rate == -1);
  CHECK(function.sample(found[0].after).rate == 1);
}

TEST_CASE("kinks of signals are kinks of what is composed of them") {
  const TimeFunction ramp(Table({0, 1, 2}, {0, 0, 1}, Table::Interpolation::linear));
  check_kinks(TimeFunction(Expression::parse("2*s + t", {"t", "s"}), {ramp}), {1});
  check_kinks(TimeFunction(Expression::parse("max(s, 0.5)", {"t", "s"}), {ramp}), {1.5});
}
