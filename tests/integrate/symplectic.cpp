#include <doctest/doctest.h>

#include "integrate/problems.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// A pendulum, q'' = -sin q: its energy p^2/2 - cos q is the source of truth.
struct Pendulum : Ode {
  int size() const override { return 2; }
  int element_of(int entry) const override { return 10 + entry; }
  Status rhs(double, const double* y, double* dydt) override {
    dydt[0] = y[1], dydt[1] = -std::sin(y[0]);
    return {};
  }
  static double energy(const std::vector<double>& y) { return 0.5 * y[1] * y[1] - std::cos(y[0]); }
};

/// A mass point in the plane, kept on the unit circle without weight: it turns steadily. y = [x, y, px, py], g = (x^2 + y^2 - 1) / 2.
/// rhs is Hamilton's of H = (x py - y px)^2 / (2 (x^2 + y^2)).
struct Whirl : Ode, Constraints {
  int size() const override { return 4; }
  Status rhs(double, const double* y, double* dydt) override {
    const double r2 = y[0] * y[0] + y[1] * y[1], turn = (y[0] * y[3] - y[1] * y[2]) / r2;
    dydt[0] = -turn * y[1], dydt[1] = turn * y[0];
    dydt[2] = turn * (turn * y[0] - y[3]), dydt[3] = turn * (turn * y[1] + y[2]);
    return {};
  }
  Constraints* constraints() override { return this; }
  int openings() const override { return 1; }
  Status free_rhs(double, const double* y, double* dydt) override {
    dydt[0] = y[2], dydt[1] = y[3], dydt[2] = dydt[3] = 0;
    return {};
  }
  void opening(double, const double* y, double* g) override { g[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1); }
  Status impulse(double, const double* y, double* rate, double* dy) override {
    const double factor = rate[0] / (y[0] * y[0] + y[1] * y[1]);
    dy[0] = dy[1] = 0, dy[2] = factor * y[0], dy[3] = factor * y[1];
    return {};
  }
  Status settle(double t, double* y) override {
    double rate = -(y[0] * y[2] + y[1] * y[3]);
    double dy[4];
    const Status status = impulse(t, y, &rate, dy);
    y[2] += dy[2], y[3] += dy[3];
    return status;
  }
  static std::vector<double> at(double t) { return {std::cos(t), std::sin(t), -std::sin(t), std::cos(t)}; }
};

const std::vector<std::pair<std::string, double>> methods = {{"implicit_midpoint", 2}, {"gauss4", 4}};

double whirl_error(const std::string& type, double step) {
  Whirl ode;
  const auto integrator = make_integrator(with_step(type, step), {}, ode);
  REQUIRE(integrator->start(0, Whirl::at(0)).ok());
  REQUIRE(walk(*integrator, 2).ok());
  return distance(integrator->state(), Whirl::at(2));
}

double whirl_midstep_error(const std::string& type, double h) {
  Whirl ode;
  const auto integrator = make_integrator(with_step(type, h), {}, ode);
  REQUIRE(integrator->start(0, Whirl::at(0)).ok());
  REQUIRE(integrator->step(10).ok());
  std::vector<double> y(4);
  REQUIRE(integrator->interpolate(h / 2, y).ok());
  // Impulses across the circle say nothing.
  const double spin = y[0] * y[3] - y[1] * y[2];
  return distance({y[0], y[1], spin}, {std::cos(h / 2), std::sin(h / 2), 1});
}

}  // namespace

TEST_CASE("a linear oscillator keeps its energy to rounding, as quadratic invariants of Gauss's methods do") {
  struct Oscillator : Ode {
    int size() const override { return 2; }
    Status rhs(double, const double* y, double* dydt) override {
      dydt[0] = y[1], dydt[1] = -y[0];
      return {};
    }
  } ode;
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    const auto integrator = make_integrator(with_step(type, 0.2), {}, ode);
    REQUIRE(integrator->start(0, {1, 0}).ok());
    REQUIRE(walk(*integrator, 20000).ok());
    const std::vector<double>& y = integrator->state();
    // Half a unit in the last place a step, adding up as a random walk over 1e5 steps, ten times.
    CHECK(std::abs(y[0] * y[0] + y[1] * y[1] - 1) < 10 * std::sqrt(1e5) * 1.1e-16);
  }
}

TEST_CASE("the energy of a pendulum stays within its first bound over 1e5 steps, and drifts with rk4") {
  struct Bound {
    double first, last;
  };
  const auto largest_errors = [](const std::string& type, double step) {
    Pendulum ode;
    const auto integrator = make_integrator(with_step(type, step), {}, ode);
    const std::vector<double> start = {2.5, 0};
    REQUIRE(integrator->start(0, start).ok());
    Bound bound{};
    const int steps = 100000;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(integrator->step(1e9).ok());
      double& largest = i < steps / 100 ? bound.first : bound.last;
      largest = std::fmax(largest, std::abs(Pendulum::energy(integrator->state()) - Pendulum::energy(start)));
    }
    return bound;
  };
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    const Bound bound = largest_errors(type, 0.1);
    CHECK(bound.first > 1e-9);
    CHECK(bound.last < 1.01 * bound.first);
  }
  const Bound explicit_one = largest_errors("rk4", 0.1);
  CHECK(explicit_one.last > 50 * explicit_one.first);
}

TEST_CASE("constraints are met to rounding, with the order of the method, and so is the energy") {
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    for (const double step : {0.1, 0.05})
      CHECK(std::log2(whirl_error(type, step) / whirl_error(type, step / 2)) == doctest::Approx(order).epsilon(0.2 / order));
    Whirl ode;
    const auto integrator = make_integrator(with_step(type, 0.1), {}, ode);
    REQUIRE(integrator->start(0, Whirl::at(0)).ok());
    for (int i = 0; i < 10000; ++i) {
      REQUIRE(integrator->step(1e9).ok());
      const std::vector<double>& y = integrator->state();
      REQUIRE(std::abs(y[0] * y[0] + y[1] * y[1] - 1) < 1e-14);
      REQUIRE(std::abs(y[0] * y[2] + y[1] * y[3]) < 1e-14);
      REQUIRE(std::abs(y[2] * y[2] + y[3] * y[3] - 1) < 1e-11);  // by symmetry every step does the same
    }
  }
}

TEST_CASE("interpolation knows the pull of constraints") {
  // Local error h^4 of the cubic through values and slopes; of order 2 the step's own h^3.
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    const double expected = order == 2 ? 3 : 4;
    CHECK(std::log2(whirl_midstep_error(type, 0.1) / whirl_midstep_error(type, 0.05)) == doctest::Approx(expected).epsilon(0.2 / expected));
  }
}

TEST_CASE("a step too long for the iteration fails with the state that kept it from converging") {
  // Second oscillator: 1e4 rad/s at steps of 0.1 s.
  struct Stiff : Ode {
    int size() const override { return 4; }
    int element_of(int entry) const override { return 10 + entry; }
    Status rhs(double, const double* y, double* dydt) override {
      dydt[0] = y[1], dydt[1] = -y[0], dydt[2] = y[3], dydt[3] = -1e8 * std::sin(y[2]);
      return {};
    }
  };
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    Stiff ode;
    const auto integrator = make_integrator(with_step(type, 0.1), {}, ode);
    REQUIRE(integrator->start(0, {1, 0, 1, 0}).ok());
    const Status status = integrator->step(10);
    CHECK(status.code == Status::Code::step_too_small);
    CHECK(status.element == 13);
    CHECK(integrator->time() == 0);
    CHECK(integrator->statistics().rejected == 1);
    CHECK(integrator->statistics().accepted == 0);
    const auto short_steps = make_integrator(with_step(type, 1e-5), {}, ode);
    REQUIRE(short_steps->start(0, {1, 0, 1, 0}).ok());
    CHECK(walk(*short_steps, 1e-3).ok());
  }
}

TEST_CASE("acceleration solves stiff linear problems that plain iteration runs away from") {
  // Closed form exp(-l t) for l h = 20, beside one that is not stiff; Gauss's value is the Pade approximant of it.
  struct Decays : Ode {
    int size() const override { return 2; }
    Status rhs(double, const double* y, double* dydt) override {
      dydt[0] = -200 * y[0], dydt[1] = -y[1];
      return {};
    }
  } ode;
  const auto pade = [](const std::string& type, double z) {
    return type == "gauss4" ? (1 + z / 2 + z * z / 12) / (1 - z / 2 + z * z / 12) : (1 + z / 2) / (1 - z / 2);
  };
  for (const auto& [type, order] : methods) {
    CAPTURE(type);
    const auto integrator = make_integrator(with_step(type, 0.1), {}, ode);
    REQUIRE(integrator->start(0, {1, 1}).ok());
    REQUIRE(integrator->step(10).ok());
    CHECK(integrator->state()[0] == doctest::Approx(pade(type, -20)).epsilon(1e-11));
    CHECK(integrator->state()[1] == doctest::Approx(pade(type, -0.1)).epsilon(1e-11));
  }
}

TEST_CASE("a step is taken again bit for bit from its record, a limited one and the first too") {
  for (const auto& [type, order] : methods)
    for (const double limit : {0.2, 3.1, 3.14}) {
      CAPTURE(type);
      CAPTURE(limit);
      Pendulum ode;
      const auto whole = make_integrator(with_step(type, 0.1), {}, ode), again = make_integrator(with_step(type, 0.1), {}, ode);
      REQUIRE(whole->start(0, {2, 0.1}).ok());
      REQUIRE(walk(*whole, limit).ok());
      const StepRecord record = whole->last_step();
      REQUIRE(again->repeat(record).ok());
      while (again->time() < whole->time()) REQUIRE(again->step(record.limit).ok());
      CHECK(again->state() == whole->state());
      for (Integrator* integrator : {whole.get(), again.get()}) {
        integrator->reopen();
        REQUIRE(walk(*integrator, 5).ok());
      }
      CHECK(again->state() == whole->state());
      CHECK(again->statistics().evaluations == whole->statistics().evaluations);
    }
}
