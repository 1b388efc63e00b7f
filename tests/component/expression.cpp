#include "arthron/component/expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include "arthron/component/time_function.hpp"
#include "arthron/component/used_names.hpp"

using namespace arthron;

namespace {

double value(const std::string& text) { return Expression::parse(text, {}).evaluate<double>(nullptr); }

std::string mistake(const std::string& text) {
  try {
    (void)Expression::parse(text, {"t"});
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

/// A few roundings of numbers of this size.
doctest::Approx near(double expected) { return doctest::Approx(expected).epsilon(100 * std::numeric_limits<double>::epsilon()); }

}  // namespace

TEST_CASE("operators bind as in mathematics") {
  CHECK(value("1+2*3") == 7);
  CHECK(value("(1+2)*3") == 9);
  CHECK(value("7-2-1") == 4);
  CHECK(value("8/4/2") == 1);
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2^2") == -4);
  CHECK(value("2^-1") == 0.5);
  CHECK(value("2*-3") == -6);
  CHECK(value("+3") == 3);
  CHECK(value("1e-3 + .5 + 2.") == near(2.501));
}

TEST_CASE("comparisons and logic give 0 or 1") {
  CHECK(value("1 < 2") == 1);
  CHECK(value("2 <= 1") == 0);
  CHECK(value("2 > 1 && 1 >= 1") == 1);
  CHECK(value("1 == 2 || 1 != 1") == 0);
  CHECK(value("!(1 == 2)") == 1);
  CHECK(value("if(1 < 2, 10, 20)") == 10);
  CHECK(value("if(1 > 2, 10, 20)") == 20);
}

TEST_CASE("functions and constants have the values of the standard library") {
  CHECK(value("sin(0.3)+cos(0.4)+tan(0.5)") == near(std::sin(0.3) + std::cos(0.4) + std::tan(0.5)));
  CHECK(value("asin(0.3)+acos(0.4)+atan(0.5)+atan2(1,-2)") == near(std::asin(0.3) + std::acos(0.4) + std::atan(0.5) + std::atan2(1, -2)));
  CHECK(value("sinh(0.3)+cosh(0.4)+tanh(0.5)") == near(std::sinh(0.3) + std::cosh(0.4) + std::tanh(0.5)));
  CHECK(value("exp(1)") == near(std::numbers::e));
  CHECK(value("log(e)+ln(e)+log10(1000)") == near(5));
  CHECK(value("sqrt(9)+abs(-2)+sign(-3)") == 4);
  CHECK(value("min(3,1,2)+max(3,1,2)") == 4);
  CHECK(value("180*deg") == near(std::numbers::pi));
  CHECK(value("pi") == std::numbers::pi);
}

TEST_CASE("step is a cubic between two levels") {
  CHECK(value("step(-1, 0, 2, 1, 4)") == 2);
  CHECK(value("step(0.5, 0, 2, 1, 4)") == 3);
  CHECK(value("step(0.25, 0, 0, 1, 1)") == near(0.25 * 0.25 * (3 - 0.5)));
  CHECK(value("step(9, 0, 2, 1, 4)") == 4);
}

TEST_CASE("variables are taken in the order of their names") {
  const Expression expression = Expression::parse("a - 2*c", {"a", "b", "c"});
  const double values[] = {10, 20, 3};
  CHECK(expression.evaluate(values) == 4);
  CHECK(expression.used_variables() == std::vector<int>{0, 2});
  CHECK_FALSE(expression.is_constant());
  CHECK(Expression::parse("2*x", {}, {{"x", 21}}).evaluate<double>(nullptr) == 42);
  CHECK(Expression::parse("2*x", {}, {{"x", 21}}).is_constant());
  CHECK(Expression::constant(5).evaluate<double>(nullptr) == 5);
}

TEST_CASE("derivatives are those of the closed forms") {
  struct Case {
    const char* text;
    double (*value)(double);
    double (*rate)(double);
    double (*acceleration)(double);
  };
  const Case cases[] = {
      {"sin(2*t)", [](double t) { return std::sin(2 * t); }, [](double t) { return 2 * std::cos(2 * t); },
       [](double t) { return -4 * std::sin(2 * t); }},
      {"exp(-t)*t", [](double t) { return std::exp(-t) * t; }, [](double t) { return std::exp(-t) * (1 - t); },
       [](double t) { return std::exp(-t) * (t - 2); }},
      {"t^3", [](double t) { return t * t * t; }, [](double t) { return 3 * t * t; }, [](double t) { return 6 * t; }},
      {"(1+t)^-2", [](double t) { return std::pow(1 + t, -2); }, [](double t) { return -2 * std::pow(1 + t, -3); },
       [](double t) { return 6 * std::pow(1 + t, -4); }},
      {"(1+t)^1.5", [](double t) { return std::pow(1 + t, 1.5); }, [](double t) { return 1.5 * std::sqrt(1 + t); },
       [](double t) { return 0.75 / std::sqrt(1 + t); }},
      {"2^t", [](double t) { return std::exp2(t); }, [](double t) { return std::numbers::ln2 * std::exp2(t); },
       [](double t) { return std::numbers::ln2 * std::numbers::ln2 * std::exp2(t); }},
      {"log10(1+t)", [](double t) { return std::log10(1 + t); }, [](double t) { return 1 / ((1 + t) * std::numbers::ln10); },
       [](double t) { return -1 / ((1 + t) * (1 + t) * std::numbers::ln10); }},
      {"atan2(t, 1)", [](double t) { return std::atan(t); }, [](double t) { return 1 / (1 + t * t); },
       [](double t) { return -2 * t / ((1 + t * t) * (1 + t * t)); }},
      {"step(t,0,0,2,1)",
       [](double t) {
         const double s = t / 2;
         return s * s * (3 - 2 * s);
       },
       [](double t) {
         const double s = t / 2;
         return 3 * s * (1 - s);
       },
       [](double t) { return 1.5 * (1 - t); }},
      {"if(t < 1, t^2, 2*t - 1)", [](double t) { return t < 1 ? t * t : 2 * t - 1; }, [](double t) { return t < 1 ? 2 * t : 2; },
       [](double t) { return t < 1 ? 2. : 0.; }},
      {"min(t, 1) + max(t, 1) + abs(-t)", [](double t) { return 2 * t + 1; }, [](double) { return 2.; }, [](double) { return 0.; }},
  };
  for (const Case& c : cases)
    for (const double t : {0.25, 0.7, 1.5}) {
      CAPTURE(c.text);
      const TimeFunction::Sample sample = TimeFunction(Expression::parse(c.text, {"t"})).sample(t);
      CHECK(sample.value == near(c.value(t)));
      CHECK(sample.rate == near(c.rate(t)));
      CHECK(sample.acceleration == near(c.acceleration(t)));
    }
}

TEST_CASE("integer powers have derivatives at zero and below") {
  const TimeFunction square(Expression::parse("t^2", {"t"})), cube(Expression::parse("(t-1)^3", {"t"}));
  CHECK(square.sample(0).value == 0);
  CHECK(square.sample(0).rate == 0);
  CHECK(square.sample(0).acceleration == 2);
  CHECK(cube.sample(0).value == -1);
  CHECK(cube.sample(0).rate == 3);
  CHECK(cube.sample(0).acceleration == -6);
}

TEST_CASE("other powers have at zero the derivatives that their exponent leaves them") {
  // (c t^m)^n = c^n t^(m n): value, rate and acceleration vanish at 0 for m n > 2.
  for (const char* text : {"t^2.5", "3*t^2.5 - t^2.1", "(t^2)^1.5", "(1 - cos(t))^1.25"}) {
    CAPTURE(text);
    const TimeFunction::Sample start = TimeFunction(Expression::parse(text, {"t"})).sample(0);
    CHECK(start.value == 0);
    CHECK(start.rate == 0);
    CHECK(start.acceleration == 0);
  }
  const TimeFunction::Sample later = TimeFunction(Expression::parse("t^2.5", {"t"})).sample(4);
  CHECK(later.value == near(32));
  CHECK(later.rate == near(20));
  CHECK(later.acceleration == near(7.5));
  // The acceleration of t^1.5 is not finite at 0, and nothing else is made of it.
  CHECK_FALSE(std::isfinite(TimeFunction(Expression::parse("t^1.5", {"t"})).sample(0).acceleration));
}

TEST_CASE("mistakes are named in words") {
  CHECK(mistake("t+") == "it ends too early");
  CHECK(mistake("") == "empty");
  CHECK(mistake("(t") == "missing \")\"");
  CHECK(mistake("t*$") == "unexpected \"$\"");
  CHECK(mistake("2**t") == "unexpected \"*t\" (a power is written ^, as in 2^t)");
  CHECK(mistake("t t") == "unexpected \"t\" (a product is written *, as in 2*t)");
  CHECK(mistake("sin(1,2)") == "too many arguments for \"sin\"");
  CHECK(mistake("atan2(1)") == "too few arguments for \"atan2\"");
  CHECK(mistake("1,2") == "unexpected \",\": one value is wanted");
  CHECK(mistake("track/2") == "unknown name \"track\"");
  CHECK(mistake("sinn(2)") == "unknown name \"sinn\"");
  CHECK(mistake("1e999") == "number out of range: 1e999");
  CHECK(mistake("t < 1 ? 2 : 3") == "instead of ?: write if(condition, value, other value)");
  CHECK(mistake("t = 3") != "");
  CHECK(mistake("\"t\"") != "");
}

TEST_CASE("a syntax error has its place, an unknown name its token") {
  try {
    (void)Expression::parse("1 + $", {});
    FAIL("accepted");
  } catch (const ExpressionError& error) {
    CHECK(error.position() == 5);
    CHECK(error.token() == "");
  }
  try {
    (void)Expression::parse("1 + trak", {});
    FAIL("accepted");
  } catch (const ExpressionError& error) {
    CHECK(error.token() == "trak");
  }
}

TEST_CASE("expressions that are too long are refused, those of constants are not") {
  std::string constant = "1", varying = "t";
  for (int i = 0; i < Expression::max_operations; ++i) constant += "+1", varying += "+t";
  CHECK(value(constant) == 1 + Expression::max_operations);
  CHECK(mistake(varying) == "too long: more than 128 operations");
  CHECK(mistake(std::string(100000, '(') + "t") != "");
}

TEST_CASE("names are found in expressions of any length") {
  std::string text = "b";
  for (int i = 0; i < Expression::max_operations; ++i) text += "+a";
  CHECK(used_names(text, {"a", "c", "b"}) == std::vector<int>{0, 2});
  CHECK(used_names(text, {"c", "b"}) == std::vector<int>{1});
  CHECK(used_names("2*(a.x + 5 mm) - 1e-3*sin(b", {"mm", "x", "b", "a", "e"}) == std::vector<int>{2, 3});
}

TEST_CASE("threads parse at the same time without meeting") {
  std::vector<double> results(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([i, &results] {
      for (int k = 0; k < 50; ++k) results[i] = value("sqrt(" + std::to_string(i * i) + ")+1");
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) CHECK(results[i] == static_cast<double>(i) + 1);
}
