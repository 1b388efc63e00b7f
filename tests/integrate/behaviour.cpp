#include <doctest/doctest.h>

#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

constexpr int failing_element = 7;

/// y' = 1, but nothing beyond y = wall.
struct Wall : Ode {
  double wall;
  bool by_nan;
  Wall(double w, bool nan) : wall(w), by_nan(nan) {}
  int size() const override { return 1; }
  int element_of(int) const override { return failing_element; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = y[0] > wall ? std::nan("") : 1;
    return y[0] > wall && !by_nan ? Status{Status::Code::singular_joint, failing_element} : Status{};
  }
};

/// y' = -1000 y with a domain |y| < 1.5: long trial steps leave it, the solution does not.
struct NarrowDomain : Ode {
  int size() const override { return 1; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = -1000 * y[0];
    return std::abs(y[0]) < 1.5 ? Status{} : Status{Status::Code::not_finite, 0};
  }
};

/// Turns on the unit circle; the hook brings the state back onto it.
struct Circle : Ode {
  bool hook = true, idle_hook = false;
  int size() const override { return 2; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = -y[1], dydt[1] = y[0];
    return {};
  }
  bool after_step(double, double* y) override {
    if (idle_hook) return true;
    if (!hook) return false;
    const double r = std::hypot(y[0], y[1]);
    y[0] /= r, y[1] /= r;
    return true;
  }
};

}  // namespace

TEST_CASE("a right-hand side that fails ahead stops adaptive methods at the wall with its own status") {
  for (const std::string& type : adaptive_methods()) {
    for (const bool by_nan : {false, true}) {
      CAPTURE(type);
      Wall ode(1, by_nan);
      const auto integrator = make_integrator(with_tolerance(type, 1e-6), {}, ode);
      REQUIRE(integrator->start(0, {0}).ok());
      const Status status = walk(*integrator, 10);
      CHECK(status.code == (by_nan ? Status::Code::not_finite : Status::Code::singular_joint));
      CHECK(status.element == failing_element);
      CHECK(integrator->time() <= 1 + 1e-9);
      CHECK(integrator->time() > 0.5);
      CHECK(integrator->statistics().rejected > 0);
    }
  }
}

TEST_CASE("fixed-step methods stop at the first failure") {
  for (const char* type : {"rk2", "rk4", "implicit_midpoint", "gauss4"}) {
    Wall ode(1, true);
    const auto integrator = make_integrator(with_step(type, 0.01), {}, ode);
    REQUIRE(integrator->start(0, {0}).ok());
    CHECK(walk(*integrator, 10).code == Status::Code::not_finite);
    CHECK(integrator->time() == doctest::Approx(1).epsilon(0.011));
  }
}

TEST_CASE("a failure in a trial step is only a rejected step") {
  for (const std::string& type : adaptive_methods()) {
    CAPTURE(type);
    NarrowDomain ode;
    const auto integrator = make_integrator(with_tolerance(type, 1e-6), {}, ode);
    REQUIRE(integrator->start(0, {1}).ok());
    REQUIRE(walk(*integrator, 0.1).ok());
    CHECK(std::abs(integrator->state()[0]) < 1e-4);  // closed form exp(-100)
  }
}

TEST_CASE("a failure at the start is reported at the start") {
  for (const IntegratorType& type : integrator_types()) {
    Wall ode(-1, true);
    const auto integrator = make_integrator(with_tolerance(std::string(type.name), 1e-6), {}, ode);
    CHECK(integrator->start(0, {0}).code == Status::Code::not_finite);
  }
}

TEST_CASE("the number of steps is bounded") {
  for (const IntegratorType& type : integrator_types()) {
    CAPTURE(type.name);
    Smooth ode;
    const auto integrator = make_integrator({std::string(type.name), 1e-12, 1e-12, 1e-6}, {1e-4, 50}, ode);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    CHECK(walk(*integrator, 10).code == Status::Code::too_many_steps);
    CHECK(integrator->statistics().accepted + integrator->statistics().rejected >= 50);
    CHECK(integrator->statistics().accepted + integrator->statistics().rejected < 60);
  }
}

TEST_CASE("no adaptive step is longer than the longest allowed") {
  for (const std::string& type : adaptive_methods()) {
    CAPTURE(type);
    Smooth ode;
    const auto integrator = make_integrator(with_tolerance(type, 1e-2), {0.01, 10000}, ode);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    while (integrator->time() < 1) {
      REQUIRE(integrator->step(1).ok());
      CHECK(integrator->statistics().last_step <= 0.010011);
    }
  }
}

TEST_CASE("evaluations are counted, and number what the methods' stages say") {
  struct Case {
    const char* type;
    int at_start, per_try, per_step;
  };
  // Dormand-Prince and Bogacki-Shampine reuse the last stage as the next first one; fixed steps leave the rate at their end to who needs
  // it.
  for (const auto& [type, at_start, per_try, per_step] :
       {Case{"rk2", 0, 1, 1}, Case{"rk4", 0, 3, 1}, Case{"dopri5", 2, 6, 0}, Case{"bs32", 2, 3, 0}, Case{"rkf78", 2, 12, 1}}) {
    CAPTURE(type);
    Smooth ode;
    const auto integrator = make_integrator({type, 1e-6, 1e-6, 0.01}, {}, ode);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    REQUIRE(walk(*integrator, 3).ok());
    const IntegratorStatistics& s = integrator->statistics();
    CHECK(s.evaluations == at_start + per_try * (s.accepted + s.rejected) + per_step * s.accepted);
    CHECK(s.evaluations == ode.calls);
  }
  for (const std::string& type : adaptive_methods()) {
    Smooth ode;
    const auto integrator = make_integrator(with_tolerance(type, 1e-6), {}, ode);
    REQUIRE(integrator->start(0, Smooth::at(0)).ok());
    REQUIRE(walk(*integrator, 3).ok());
    CHECK(integrator->statistics().evaluations == ode.calls);
    CHECK(integrator->statistics().accepted > 0);
  }
}

TEST_CASE("fixed steps fall on their grid without drift and end exactly at the limit") {
  Smooth ode;
  const auto integrator = make_integrator(with_step("rk4", 0.1), {}, ode);
  REQUIRE(integrator->start(0, Smooth::at(0)).ok());
  REQUIRE(walk(*integrator, 100).ok());
  CHECK(integrator->time() == 100);
  CHECK(integrator->statistics().accepted == 1000);
  REQUIRE(walk(*integrator, 100.25).ok());
  CHECK(integrator->statistics().accepted == 1003);
  CHECK(integrator->time() == 100.25);
}

TEST_CASE("every step starts from a state the hook has corrected: the distance from the manifold stays that of one step") {
  for (const IntegratorType& type : integrator_types()) {
    CAPTURE(type.name);
    Circle ode;
    const auto integrator = make_integrator({std::string(type.name), 1e-5, 1e-5, 0.01}, {}, ode);
    REQUIRE(integrator->start(0, {1, 0}).ok());
    std::vector<double> end(2);
    while (integrator->time() < 20) {
      REQUIRE(integrator->step(20).ok());
      CHECK(std::abs(std::hypot(integrator->state()[0], integrator->state()[1]) - 1) < 1e-4);  // ten tolerances
      REQUIRE(integrator->interpolate(integrator->time(), end).ok());
      CHECK(end == integrator->state());
    }
    CHECK(distance(integrator->state(), {std::cos(20), std::sin(20)}) < 1e-2);
  }
}

TEST_CASE("a hook that changes nothing costs no evaluation") {
  std::int64_t evaluations[2];
  for (const bool idle : {false, true}) {
    Circle ode;
    ode.hook = false, ode.idle_hook = idle;
    const auto integrator = make_integrator(with_tolerance("dopri5", 1e-6), {}, ode);
    REQUIRE(integrator->start(0, {1, 0}).ok());
    REQUIRE(walk(*integrator, 10).ok());
    evaluations[idle] = integrator->statistics().evaluations;
  }
  CHECK(evaluations[0] == evaluations[1]);
}

TEST_CASE("an Ode without states walks to the end") {
  struct Nothing : Ode {
    int size() const override { return 0; }
    Status rhs(double, const double*, double*) override { return {}; }
  } ode;
  for (const IntegratorType& type : integrator_types()) {
    CAPTURE(type.name);
    const auto integrator = make_integrator({std::string(type.name), 1e-6, 1e-6, 0.1}, {}, ode);
    REQUIRE(integrator->start(0, {}).ok());
    CHECK(walk(*integrator, 10).ok());
    CHECK(integrator->time() == 10);
  }
}
