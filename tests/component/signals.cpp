#include <doctest/doctest.h>

#include "arthron/component/time_function.hpp"

using namespace arthron;

namespace {

const TimeFunction square(Expression::parse("t^2", {"t"}));

TimeFunction three_times(const TimeFunction& signal) { return {Expression::parse("3*signal + t", {"t", "signal"}), {signal}}; }

}  // namespace

TEST_CASE("a function of an input follows what the model says until the input is live, then its line, with exact rates") {
  const TimeFunction function = three_times(TimeFunction::input(1, square));
  CHECK_FALSE(function.is_constant());
  CHECK_FALSE(function.is_measured());
  const Signal signals[] = {{true, 100}, {false, 5, 0.5, 1}}, live[] = {{true, 100}, {true, 5, 0.5, 1}};
  for (const Instant& silent : {Instant(2), Instant(2, signals)}) {
    CHECK(function.value(silent) == 14);
    CHECK(function.sample(silent).rate == 13);
    CHECK(function.sample(silent).acceleration == 6);
  }
  const TimeFunction::Sample sample = function.sample({3, live});
  CHECK(function.value({3, live}) == 3 * (5 + 0.5 * 2) + 3);
  CHECK(sample.value == 3 * (5 + 0.5 * 2) + 3);
  CHECK(sample.rate == 3 * 0.5 + 1);
  CHECK(sample.acceleration == 0);
}

TEST_CASE("a measurement is seen through all that is made of it") {
  const TimeFunction measured = TimeFunction::measurement(0);
  CHECK(measured.is_measured());
  CHECK(three_times(three_times(measured)).is_measured());
  CHECK(TimeFunction::input(1, measured).is_measured());
  CHECK_FALSE(square.is_measured());
  const Signal signals[] = {{true, 4}, {false}};
  CHECK(TimeFunction::input(1, measured).value({2, signals}) == 4);
  CHECK(three_times(measured).sample({2, signals}).rate == 1);
}
