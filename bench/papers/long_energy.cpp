/// Energy over a million steps: symplectic methods beside rk4 and dopri5 that evaluate as often as gauss4, on an open chain, a loop in a
/// plane and a loop in space; beside gauss4 whose loops are only corrected after every step, too. Writes FOLDER/long-energy-<model>.csv:
/// the largest |E - E0| since the row before, rows spaced evenly on a logarithmic scale, and prints the largest of each decade as a table.
/// Usage: long_energy FOLDER [steps [model...]]; bench/papers/all draws them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/plan_ode.hpp"

using namespace arthron;

namespace {

/// A PlanOde whose closures are left to the corrections after steps.
struct CorrectedOnly : Ode {
  PlanOde& ode;
  explicit CorrectedOnly(PlanOde& plan_ode) : ode(plan_ode) {}
  int size() const override { return ode.size(); }
  Status rhs(double t, const double* y, double* dydt) override { return ode.rhs(t, y, dydt); }
  bool after_step(double t, double* y) override { return ode.after_step(t, y); }
  std::span<double> memory() override { return ode.memory(); }
};

/// A model at its start, and what integrates it.
class Machine {
 public:
  Machine(const std::string& file, const IntegratorSettings& settings, bool corrected_only)
      : plan_(compile(std::make_shared<const Model>(load_model(file, registry())))),
        work_(make_workspace(*plan_)),
        ode_(*plan_, *work_, {}),
        corrected_(ode_),
        integrator_(make_integrator(settings, {}, corrected_only ? static_cast<Ode&>(corrected_) : ode_)) {
    State state;
    require(initial_state(*plan_, *work_, state));
    ode_.start_cuts(0);
    state.q.insert(state.q.end(), state.p.begin(), state.p.end());
    require(integrator_->start(0, state.q));
  }

  void step(double limit) { require(integrator_->step(limit)); }
  [[nodiscard]] double time() const { return integrator_->time(); }
  [[nodiscard]] double evaluations() const { return static_cast<double>(integrator_->statistics().evaluations); }
  [[nodiscard]] double energy() {
    const double* const y = integrator_->state().data();
    ode_.begin_evaluation(time(), y);
    require(solve_velocities(*plan_, time(), y, y + plan_->nq, *work_));
    return arthron::energy(*plan_, *work_).total();
  }

 private:
  static const Registry& registry() {
    static const Registry types = builtin_registry();
    return types;
  }
  static void require(const Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "stopped with code %d at element %d\n", static_cast<int>(status.code), status.element);
    std::exit(1);
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workspace> work_;
  PlanOde ode_;
  CorrectedOnly corrected_;
  std::unique_ptr<Integrator> integrator_;
};

struct Method {
  std::string name;
  IntegratorSettings settings;
  bool corrected_only = false;
};

struct Course {
  std::vector<double> envelope;         // per row
  double evaluations = 0, seconds = 0;  // of processor time
};

Course follow(const std::string& file, const Method& method, const std::vector<double>& rows) {
  const std::clock_t start = std::clock();
  Machine machine(file, method.settings, method.corrected_only);
  const double at_start = machine.energy();
  Course course;
  for (const double row : rows) {
    double largest = 0;
    while (machine.time() < row * (1 - 1e-12)) {
      machine.step(rows.back());
      largest = std::fmax(largest, std::abs(machine.energy() - at_start));
    }
    course.envelope.push_back(largest);
  }
  course.evaluations = machine.evaluations();
  course.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return course;
}

double evaluations_until(const std::string& file, const Method& method, double end) { return follow(file, method, {end}).evaluations; }

/// The tolerance at which dopri5 evaluates as often.
double matching_tolerance(const std::string& file, double end, double evaluations) {
  double loose = -3, tight = -14;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (loose + tight), tolerance = std::pow(10, middle);
    (evaluations_until(file, {"", {"dopri5", tolerance, tolerance}}, end) > evaluations ? tight : loose) = middle;
  }
  return std::pow(10, loose);
}

void compare(const std::string& folder, const std::string& name, bool loops, double h, double steps) {
  const std::string file = std::string(ARTHRON_SOURCE_DIR "/examples/") + name + "/" + name + ".json";
  const auto with_step = [](const char* type, double step) { return IntegratorSettings{type, 1e-6, 1e-6, step}; };
  std::vector<Method> methods = {{"implicit midpoint", with_step("implicit_midpoint", h)}, {"gauss4", with_step("gauss4", h)}};
  const double trial = 2000 * h, cost = evaluations_until(file, methods[1], trial), tolerance = matching_tolerance(file, trial, cost);
  methods.push_back({"rk4", with_step("rk4", 4 * trial / cost)});
  methods.push_back({"dopri5", {"dopri5", tolerance, tolerance}});
  if (loops) methods.push_back({"gauss4 corrected after steps", with_step("gauss4", h), true});

  constexpr double rows_per_decade = 20;
  std::vector<double> times;
  for (int i = 0; i <= rows_per_decade * (std::log10(steps) - 1); ++i)
    times.push_back(h * std::round(std::pow(10, 1 + i / rows_per_decade)));
  std::vector<Course> courses;
  std::printf("%s, %g steps of %g s\n| method, step or tolerance | evaluations per %g s | processor time [s] |", name.c_str(), steps, h, h);
  for (double decade = 100; decade <= steps; decade *= 10) std::printf(" to %.0e |", decade);
  std::printf("\n");
  for (const Method& method : methods) {
    courses.push_back(follow(file, method, times));
    std::printf("| %s, %.3g | %.1f | %.0f |", method.name.c_str(),
                method.name == "dopri5" ? method.settings.relative_tolerance : method.settings.step, courses.back().evaluations / steps,
                courses.back().seconds);
    double largest = 0, decade = 100;
    for (std::size_t i = 0; i < times.size(); ++i) {
      largest = std::fmax(largest, courses.back().envelope[i]);
      if (times[i] < h * decade * (1 - 1e-9)) continue;
      std::printf(" %.1e |", largest);
      largest = 0, decade *= 10;
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  std::FILE* const out = std::fopen((folder + "/long-energy-" + name + ".csv").c_str(), "w");
  if (!out) std::exit(1);
  std::fprintf(out, "step,time [s]");
  for (const Method& method : methods) std::fprintf(out, ",%s [J]", method.name.c_str());
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::fprintf(out, "\n%.0f,%.9g", times[i] / h, times[i]);
    for (const Course& course : courses) std::fprintf(out, ",%.6g", course.envelope[i]);
  }
  std::fprintf(out, "\n");
  std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: long_energy FOLDER [steps [model...]]\n"), 1;
  const double steps = argc > 2 ? std::atof(argv[2]) : 1e6;
  const auto wanted = [&](const char* model) { return argc < 4 || std::find(argv + 3, argv + argc, std::string(model)) != argv + argc; };
  if (wanted("double_pendulum")) compare(argv[1], "double_pendulum", false, 0.005, steps);
  if (wanted("loop4")) compare(argv[1], "loop4", true, 0.02, steps);
  if (wanted("rssr")) compare(argv[1], "rssr", true, 0.002, steps);
}
