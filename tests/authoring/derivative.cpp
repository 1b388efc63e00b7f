#include "arthron/authoring/derivative.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace arthron;

TEST_CASE("derivative: that of a smooth function is right to 1e-11, and so is its uncertainty") {
  for (const double x : {-3.0, -0.4, 0.0, 0.7, 5.0}) {
    const Derivative found = derivative([&](double t) { return std::vector<double>{std::sin(3 * (x + t)), std::exp(0.5 * (x + t))}; });
    const double error = std::max(std::abs(found.value[0] - 3 * std::cos(3 * x)), std::abs(found.value[1] - 0.5 * std::exp(0.5 * x)));
    CHECK(error < 1e-11);
    CHECK(found.uncertainty < 1e-11);
  }
}

TEST_CASE("derivative: a kink within the widest step leaves it to the narrow steps") {
  const Derivative found = derivative([](double t) { return std::vector<double>{t < 0.004 ? std::sin(t) : 7 * t}; });
  CHECK(found.value[0] == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("derivative: narrow steps decide wherever the kink is, also where the wide ones agree to the last digit") {
  for (double kink = 0.019; kink > 0.0006; kink *= 0.9) {
    CAPTURE(kink);
    const Derivative found = derivative([&](double t) { return std::vector<double>{t < kink ? t : 7 * t, 2 * t}; });
    CHECK(std::abs(found.value[0] - 1) < 1e-11);
    CHECK(std::abs(found.value[1] - 2) < 1e-11);
    CHECK(found.uncertainty < 1e-11);
  }
}

TEST_CASE("derivative: where there is none the uncertainty says so") {
  CHECK(derivative([](double t) { return std::vector<double>{std::abs(t) + (t > 0 ? 1.0 : 0.0)}; }).uncertainty > 0.1);
  CHECK(std::isnan(derivative([](double) { return std::vector<double>{std::nan("")}; }).value[0]));
}
