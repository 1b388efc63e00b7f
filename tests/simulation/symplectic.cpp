#include <doctest/doctest.h>

#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/simulation/plan_ode.hpp"
#include "arthron/simulation/simulation.hpp"
#include "support/loaded.hpp"

/// Sources of truth: the energy of conservative models, and dopri5 at a tolerance far below the errors looked at.
using namespace arthron;

namespace {

const std::string open_model = ARTHRON_SOURCE_DIR "/examples/double_pendulum/double_pendulum.json";
const std::string closed_model = ARTHRON_SOURCE_DIR "/examples/loop4/loop4.json";
const std::string spatial_loop = ARTHRON_SOURCE_DIR "/examples/rssr/rssr.json";

class Machine {
 public:
  Machine(const std::string& file, const IntegratorSettings& settings)
      : plan_(compile(std::make_shared<const Model>(load_model(file, test::builtins())))),
        work_(make_workspace(*plan_)),
        ode_(*plan_, *work_, {}),
        integrator_(make_integrator(settings, {}, ode_)) {
    State state;
    REQUIRE(initial_state(*plan_, *work_, state).ok());
    ode_.start_cuts(0);
    state.q.insert(state.q.end(), state.p.begin(), state.p.end());
    REQUIRE(integrator_->start(0, state.q).ok());
  }

  void step() { REQUIRE(integrator_->step(1e9).ok()); }
  /// Coordinates and velocities, which say more than momenta: of these, impulses in loops are no part.
  [[nodiscard]] std::vector<double> motion_at(double t) {
    while (integrator_->time() < t) REQUIRE(integrator_->step(t).ok());
    solve();
    std::vector<double> motion(integrator_->state().begin(), integrator_->state().begin() + plan_->nq);
    motion.insert(motion.end(), work_->u.begin(), work_->u.begin() + plan_->nu);
    return motion;
  }
  [[nodiscard]] double energy() {
    solve();
    return arthron::energy(*plan_, *work_).total();
  }
  [[nodiscard]] double opening() {
    solve();
    find_openings(*plan_, *work_);
    return closure_error(*plan_, *work_);
  }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_->statistics(); }

 private:
  void solve() {
    const double* const y = integrator_->state().data();
    ode_.begin_evaluation(integrator_->time(), y);
    REQUIRE(solve_velocities(*plan_, integrator_->time(), y, y + plan_->nq, *work_).ok());
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workspace> work_;
  PlanOde ode_;
  std::unique_ptr<Integrator> integrator_;
};

IntegratorSettings with_step(const std::string& type, double step) { return {type, 1e-6, 1e-6, step}; }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Largest energy errors of the first tenth of the steps and of the others, every twentieth step looked at.
struct Course {
  double early = 0, late = 0, evaluations = 0;
};
Course course(const std::string& file, const std::string& type, double step, int steps) {
  Machine machine(file, with_step(type, step));
  const double start = machine.energy();
  Course result;
  for (int i = 1; i <= steps; ++i) {
    machine.step();
    if (i % 20 != 0) continue;
    double& largest = i <= steps / 10 ? result.early : result.late;
    largest = std::fmax(largest, std::abs(machine.energy() - start));
  }
  result.evaluations = static_cast<double>(machine.statistics().evaluations);
  return result;
}

void check_bounded(const std::string& file, const std::string& type, double step, int steps) {
  CAPTURE(file);
  CAPTURE(type);
  const Course symplectic = course(file, type, step, steps);
  CHECK(symplectic.late < 2 * symplectic.early);
  // As many evaluations a second; a quarter of the time is enough to see errors grow in proportion to time.
  const double cost = symplectic.evaluations / steps;
  const Course explicit_one = course(file, "rk4", 4 * step / cost, static_cast<int>(steps * cost / 16));
  CHECK(explicit_one.evaluations == doctest::Approx(symplectic.evaluations / 4).epsilon(0.01));
  CHECK(explicit_one.late > 5 * explicit_one.early);
}

}  // namespace

TEST_CASE("implicit midpoint and gauss4 converge with orders 2 and 4, loops or not") {
  struct Case {
    const std::string& file;
    double until, step;
  };
  for (const auto& [file, until, step] : {Case{open_model, 0.8, 0.01}, Case{closed_model, 0.8, 0.02}, Case{spatial_loop, 0.4, 0.005}}) {
    CAPTURE(file);
    const std::vector<double> truth = Machine(file, {"dopri5", 1e-13, 1e-13}).motion_at(until);
    for (const auto& [type, order] : {std::pair{"implicit_midpoint", 2.0}, std::pair{"gauss4", 4.0}}) {
      CAPTURE(type);
      const double coarse = distance(Machine(file, with_step(type, step)).motion_at(until), truth);
      const double fine = distance(Machine(file, with_step(type, step / 2)).motion_at(until), truth);
      CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.2 / order));
    }
  }
}

TEST_CASE("energy stays bounded over 1e5 steps without loops, and drifts with rk4 of the same cost") {
  check_bounded(open_model, "implicit_midpoint", 0.005, 100000);
  check_bounded(open_model, "gauss4", 0.005, 100000);
}

TEST_CASE("energy stays bounded over 1e5 steps with a loop, and drifts with rk4 of the same cost") {
  check_bounded(closed_model, "implicit_midpoint", 0.02, 100000);
}

TEST_CASE("gauss4 keeps the energy of loops in a plane and in space, and the loops closed") {
  for (const auto& [file, step] : {std::pair{closed_model, 0.02}, std::pair{spatial_loop, 0.002}}) {
    CAPTURE(file);
    const Course gauss = course(file, "gauss4", step, 5000);
    CHECK(gauss.late < 2 * gauss.early);
    Machine machine(file, with_step("gauss4", step));
    for (int i = 0; i < 100; ++i) {
      machine.step();
      REQUIRE(machine.opening() < 1e-14);
    }
  }
}

TEST_CASE("a step that is far too long fails with the joint that kept the iteration from converging") {
  for (const std::string& file : {open_model, closed_model})
    for (const char* type : {"implicit_midpoint", "gauss4"}) {
      CAPTURE(file);
      CAPTURE(type);
      Model model = load_model(file, test::builtins());
      const auto plan = compile(std::make_shared<const Model>(std::move(model)));
      const auto work = make_workspace(*plan);
      PlanOde ode(*plan, *work, {});
      State state;
      REQUIRE(initial_state(*plan, *work, state).ok());
      ode.start_cuts(0);
      state.q.insert(state.q.end(), state.p.begin(), state.p.end());
      const auto integrator = make_integrator(with_step(type, 5), {}, ode);
      REQUIRE(integrator->start(0, state.q).ok());
      Status status;
      for (int i = 0; i < 20 && status.ok(); ++i) status = integrator->step(1e9);
      REQUIRE(status.code == Status::Code::step_too_small);
      REQUIRE(status.element >= 0);
      CHECK(plan->joints[status.element].closure < 0);
    }
}

TEST_CASE("a failure of the iteration asks for shorter steps, not for a looser tolerance") {
  Model model = load_model(open_model, test::builtins());
  model.simulation.integrator = with_step("gauss4", 5);
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  REQUIRE(simulation.start().ok());
  const Status status = simulation.advance_to(20);
  REQUIRE(status.code == Status::Code::step_too_small);
  const std::string words = describe(status, simulation.plan(), simulation.workspace(), simulation.state().t);
  CHECK(words.find("shorter steps") != std::string::npos);
  CHECK(words.find("tolerance") == std::string::npos);
}
