#include <doctest/doctest.h>

#include <boost/math/special_functions/ellint_1.hpp>

#include "simulation/models.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const IntegratorType& type : integrator_types()) names.emplace_back(type.name);
  return names;
}

RunSummary run_model(const std::shared_ptr<const Model>& model, const RunObserver& observer = {},
                     std::vector<ChannelRequest> requests = {}) {
  Simulation simulation(model);
  ChannelSet channels(simulation.plan(), requests);
  return run(simulation, channels, observer);
}

}  // namespace

TEST_CASE("a pendulum is back where it was let go after the period of the elliptic integral, with every method") {
  // T = 4 sqrt(l/g) K(sin(theta0/2)) for a point mass.
  const double period = 4 * std::sqrt(0.5 / 9.81) * boost::math::ellint_1(std::sin(1.0));
  for (const std::string& method : all_methods()) {
    CAPTURE(method);
    Simulation simulation(model_of(pendulum, [&](SimulationSettings& s) {
      s.until = 3 * period, s.integrator = {method, 1e-8, 1e-8, 2e-4};
    }));
    REQUIRE(simulation.start().ok());
    // Half a swing away it is on the other side, at rest there too.
    REQUIRE(simulation.advance_to(2.5 * period).ok());
    CHECK(simulation.state().q[0] == doctest::Approx(-2).epsilon(1e-5));
    REQUIRE(simulation.advance_to(3 * period).ok());
    CHECK(simulation.state().t == 3 * period);
    CHECK(simulation.state().q[0] == doctest::Approx(2).epsilon(1e-5));
    CHECK(std::abs(simulation.state().p[0]) < 1e-4);
  }
}

TEST_CASE("a gentle swing has the small-angle period") {
  // theta(t) = theta0 cos(sqrt(g/l) t) up to theta0^3/16 of phase error a radian.
  const auto model = model_of(pendulum, [](SimulationSettings& s) { s.until = 1, s.integrator = {"dopri5", 1e-10, 1e-10, 1}; });
  Model gentle = *model;
  gentle.joints[0].initial_position = {1e-4};
  const auto angle = [](double t) { return 1e-4 * std::cos(std::sqrt(9.81 / 0.5) * t); };
  double worst = 0;
  const RunSummary summary =
      run_model(std::make_shared<const Model>(gentle),
                {[&](double t, std::span<const double> row) { worst = std::fmax(worst, std::abs(row[0] - angle(t))); }, {}},
                {{"hinge.position", "", ""}});
  CHECK(summary.rows == 101);
  CHECK(worst < 1e-8);
}

TEST_CASE("the energy of a double pendulum does not drift beyond the tolerance") {
  for (const double tolerance : {1e-6, 1e-9}) {
    const RunSummary summary = run_model(model_of(double_pendulum, [&](SimulationSettings& s) {
      s.integrator = {"dopri5", tolerance, tolerance, 1};
    }));
    CHECK(summary.status.ok());
    CHECK(summary.conservative);
    CHECK(summary.energy_drift < 5000 * tolerance);  // some hundred steps, energies of tens of joules
    CHECK(summary.constraint_error < 1e-12);
    CHECK(summary.rows == 1001);
    CHECK(summary.simulated == 10);
  }
}

TEST_CASE("a tumbling body keeps unit quaternions and its energy with every method") {
  for (const std::string& method : all_methods()) {
    CAPTURE(method);
    const auto model = model_of(tumbling, [&](SimulationSettings& s) { s.until = 10, s.integrator = {method, 1e-7, 1e-7, 1e-3}; });
    double worst_norm = 0;
    const RunSummary summary = run_model(model,
                                         {[&](double, std::span<const double> row) {
                                            double norm2 = 0;
                                            for (const double v : row) norm2 += v * v;
                                            worst_norm = std::fmax(worst_norm, std::abs(norm2 - 1));
                                          },
                                          {}},
                                         {{"box.orientation", "", ""}});
    CHECK(summary.status.ok());
    CHECK(worst_norm < 1e-14);
    CHECK(summary.energy_drift < 1e-4 * summary.energy_start);
  }
}

TEST_CASE("the orientation channel follows two turns of a driven hinge without a change of sign") {
  // Turning about y by theta: quaternion (cos theta/2, 0, sin theta/2, 0), which is -1 after one turn and +1 after two.
  const std::string driven = R"json({ "arthron": 1, "name": "wheel",
    "bodies": { "wheel": { "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1] } },
    "joints": { "axle": { "type": "revolute", "parent": "ground", "child": "wheel", "at": [0, 0, 0], "axis": [0, 1, 0], "motion": "=2*pi*t" } },
    "simulate": { "until": 2 } })json";
  double worst = 0;
  const RunSummary summary = run_model(model_of(driven),
                                       {[&](double t, std::span<const double> row) {
                                          const double half = std::acos(-1.0) * t;
                                          worst = std::fmax(worst, std::abs(row[0] - std::cos(half)) + std::abs(row[2] - std::sin(half)));
                                        },
                                        {}},
                                       {{"wheel.orientation", "", ""}});
  CHECK(summary.status.ok());
  CHECK_FALSE(summary.conservative);
  CHECK(worst < 1e-12);
}

TEST_CASE("rows come at the multiples of the output step and at the end") {
  std::vector<double> times;
  const auto model = model_of(pendulum, [](SimulationSettings& s) { s.until = 0.25, s.output_step = 0.1; });
  (void)run_model(model, {[&](double t, std::span<const double>) { times.push_back(t); }, {}});
  REQUIRE(times.size() == 4);
  CHECK(times[1] == 0.1);
  CHECK(times[2] == 0.2);
  CHECK(times[3] == 0.25);
}

TEST_CASE("a method that does not interpolate meets the output times without losing accuracy") {
  const double period = 4 * std::sqrt(0.5 / 9.81) * boost::math::ellint_1(std::sin(1.0));
  const auto model = model_of(pendulum, [&](SimulationSettings& s) {
    s.until = period, s.output_step = period / 7, s.integrator = {"rkf78", 1e-12, 1e-12, 1};
  });
  std::vector<double> angles;
  (void)run_model(model, {[&](double, std::span<const double> row) { angles.push_back(row[0]); }, {}}, {{"hinge.position", "", ""}});
  REQUIRE(angles.size() == 8);
  // The swing is symmetric in time about its ends.
  for (std::size_t k = 0; k <= 7; ++k) CHECK(std::abs(angles[k] - angles[7 - k]) < 1e-9);
}

TEST_CASE("a run stopped from outside keeps the rows so far") {
  const RunSummary summary = run_model(model_of(pendulum), {{}, [](double t) { return t < 1; }});
  CHECK(summary.status.code == Status::Code::interrupted);
  CHECK(summary.rows >= 100);
  CHECK(summary.simulated < 2);
}

TEST_CASE("an effort that ceases to exist ends the run, names the joint and keeps the rows before it") {
  std::string failing = pendulum;
  failing.replace(failing.find("\"initial\""), 9, "\"effort\": \"=sqrt(0.5 - t)\", \"initial\"");
  for (const std::string& method : all_methods()) {
    CAPTURE(method);
    const RunSummary summary = run_model(model_of(failing, [&](SimulationSettings& s) { s.integrator.type = method; }));
    // The slope of the root is infinite where it ends, so an error-controlled method may stop short of the end by itself.
    const Status::Code code = summary.status.code;
    CHECK((code == Status::Code::not_finite || code == Status::Code::step_too_small));
    CHECK(summary.message.find("\"hinge\"") != std::string::npos);
    CHECK(summary.rows >= 50);
    CHECK(summary.rows <= 51);
    CHECK(summary.simulated == doctest::Approx(0.5).epsilon(0.01));
  }
}

TEST_CASE("two simulations of one model give bitwise equal states") {
  const auto model = model_of(double_pendulum);
  State states[2];
  for (State& state : states) {
    Simulation simulation(model);
    REQUIRE(simulation.start().ok());
    for (int k = 1; k <= 20; ++k) REQUIRE(simulation.advance_to(0.1 * k).ok());
    state = simulation.state();
  }
  CHECK(states[0].q == states[1].q);
  CHECK(states[0].p == states[1].p);
}

TEST_CASE("time does not run backward") {
  Simulation simulation(model_of(pendulum));
  REQUIRE(simulation.start().ok());
  REQUIRE(simulation.advance_to(1).ok());
  CHECK_THROWS_AS((void)simulation.advance_to(0.5), InternalError);
}
