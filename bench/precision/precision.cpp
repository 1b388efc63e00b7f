/// What accuracy costs: one system through all our formulations and methods, and Simbody's methods, at many tolerances or steps.
/// Usage: precision CASE: rows of CSV on stdout. precision --list: the cases.
/// A row without numbers is a run that gave none; its last cell tells why. Times are medians; errors are the largest distance of any point
/// from where it should be at ten moments of the run.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "../paper_runs.hpp"
#include "../peers/run.hpp"
#include "../peers/translate.hpp"
#include "../thread_clock.hpp"
#include "cases.hpp"

using namespace arthron;
using namespace arthron::precision;
using peers::Run, peers::Sample;

namespace {

class OurRun final : public Run {
 public:
  explicit OurRun(std::shared_ptr<const Model> model) : simulation_(std::move(model)), keeps_energy_(is_conservative(simulation_.plan())) {
    demand(simulation_.start());
  }
  void advance(double t, double deadline) override {
    constexpr int between_looks_at_clock = 64;
    int steps = 0;
    bool late = false;
    const Status status =
        simulation_.advance_to(t, [&] { return ++steps % between_looks_at_clock != 0 || !(late = bench::thread_seconds() > deadline); });
    if (late) throw peers::TookTooLong();
    demand(status);
  }
  [[nodiscard]] Sample sample() override {
    demand(simulation_.observe());
    Sample sample{{},
                  keeps_energy_ ? energy(simulation_.plan(), simulation_.workspace()).total() : std::numeric_limits<double>::quiet_NaN()};
    for (std::size_t i = 0; i < simulation_.model().markers.size(); ++i) {
      const Vec3 p = marker_state(simulation_.plan(), simulation_.workspace(), static_cast<int>(i)).position;
      sample.points.push_back({p.x, p.y, p.z});
    }
    return sample;
  }
  [[nodiscard]] long long evaluations() const override { return simulation_.statistics().evaluations; }

 private:
  void demand(const Status& status) const {
    if (!status.ok()) throw std::runtime_error(describe(status, simulation_.plan(), simulation_.workspace(), simulation_.state().t));
  }

  Simulation simulation_;
  bool keeps_energy_;
};

using Maker = std::function<std::unique_ptr<Run>()>;

std::shared_ptr<const Model> with(Model model, double until, const std::string& formulation, const IntegratorSettings& integrator) {
  model.simulation.until = until, model.simulation.threads = 1;
  model.simulation.formulation = formulation, model.simulation.integrator = integrator;
  return std::make_shared<const Model>(std::move(model));
}

/// What a whole run gave.
struct Outcome {
  double seconds = 0, energy_error = 0;
  long long evaluations = 0;
  Course course{};
};

Outcome whole(const Maker& make, const std::vector<double>& times, double longest) {
  const std::unique_ptr<Run> run = make();
  const double energy = run->sample().energy;
  Outcome outcome;
  for (const double t : times) {
    const double start = bench::thread_seconds();
    run->advance(t, start + longest - outcome.seconds);
    outcome.seconds += bench::thread_seconds() - start;
    Sample sample = run->sample();
    outcome.energy_error = std::isnan(sample.energy) ? sample.energy : std::max(outcome.energy_error, std::abs(sample.energy - energy));
    outcome.course.push_back(std::move(sample.points));
  }
  outcome.evaluations = run->evaluations();
  return outcome;
}

double largest_distance(const Course& a, const Course& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      const peers::Vector apart = peers::along(a[i][k], -1, b[i][k]);
      const double distance = std::sqrt(peers::product(apart, apart));
      most = std::isfinite(distance) ? std::max(most, distance) : HUGE_VAL;
    }
  return most;
}

/// Simbody with the SUNDIALS that it brings, which is not ours; none where it is not installed.
const peers::SimbodyRuns* simbody_runs() {
#ifdef ARTHRON_SIMBODY_RUNS
  void* const library = dlopen(ARTHRON_SIMBODY_RUNS, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void* const offer = library ? dlsym(library, peers::SimbodyRuns::symbol) : nullptr;
  if (!offer) throw std::runtime_error(dlerror());
  return &reinterpret_cast<peers::SimbodyRuns::Offer>(offer)();
#else
  return nullptr;
#endif
}

/// Does something in a process of its own, for libraries that abort; true when it comes to its end.
bool in_child(const std::function<void()>& task) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stderr)) std::_Exit(1);  // rows tell what went wrong
    task();
    std::fflush(stdout);
    std::_Exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

/// A case while it is measured.
class Diagram {
 public:
  explicit Diagram(const Case& given) : case_(given), model_(given.model()), times_(looks(given)) {
    truth_ = given.reference ? given.reference(times_) : whole(ours("hdca", {"dopri5", 1e-14, 1e-14}), times_, HUGE_VAL).course;
  }

  void measure_ours() {
    const std::vector<double> tolerances = decades(2, 13);
    std::vector<double> steps{0.04};
    while (steps.size() < 12) steps.push_back(steps.back() / 2);
    for (const char* formulation : {"hdca", "dca", "sslm", "slm", "block-module"})
      for (const IntegratorType& type : integrator_types()) {
        const std::string name(type.name);
        // Beside hdca those that are best there, or most used.
        if (std::string(formulation) != "hdca" && name != "dopri5" && name != "rkf78" && name != "adams" && name != "rk4") continue;
        series("Arthron", formulation, name, type.fixed_step ? steps : tolerances, case_.longest, [&](double setting) {
          return type.fixed_step ? ours(formulation, {name, 1e-6, 1e-6, setting}) : ours(formulation, {name, setting, setting});
        });
      }
  }

  void measure_simbody(const peers::SimbodyRuns& runs) {
    const auto model = std::make_shared<const Model>(model_);
    Simulation simulation(model);
    if (!simulation.start().ok() || !simulation.observe(true).ok()) throw std::runtime_error("no initial state");
    const peers::Mechanism mechanism = peers::mechanism(simulation.plan());
    const peers::Motion start = peers::motion(simulation.plan(), simulation.workspace());
    std::vector<peers::Point> points;
    for (const Marker& marker : model_.markers) {
      const Vec3 p = marker.handle.point;
      const Plan& plan = simulation.plan();
      points.push_back({plan.body_of[marker.handle.body.value] - plan.grounds, {p.x, p.y, p.z}});
    }
    for (const std::string& integrator : runs.integrators) {
      const auto with_accuracy = [&](double accuracy) -> Maker {
        return [&, accuracy] { return runs.make(mechanism, start, points, integrator, accuracy); };
      };
      if (!in_child([&] { series("Simbody", "", integrator, decades(1, 12), case_.longest_of_simbody, with_accuracy); }))
        print_failure("Simbody", "", integrator, "", "aborts");
    }
  }

 private:
  /// 10^-first, ..., 10^-last.
  static std::vector<double> decades(int first, int last) {
    std::vector<double> list;
    for (int digits = first; digits <= last; ++digits) list.push_back(std::pow(10.0, -digits));
    return list;
  }

  [[nodiscard]] Maker ours(const std::string& formulation, const IntegratorSettings& integrator) const {
    return [model = with(model_, case_.until, formulation, integrator)] { return std::make_unique<OurRun>(model); };
  }

  void print_setting(const char* engine, const char* formulation, const std::string& integrator, const char* setting) const {
    std::printf("%s,%s,%s,%s,%s,", case_.name.c_str(), engine, formulation, integrator.c_str(), setting);
  }
  void print_failure(const char* engine, const char* formulation, const std::string& integrator, const char* setting,
                     std::string word) const {
    std::replace_if(
        word.begin(), word.end(), [](char c) { return c == ',' || c == '\n' || c == '"'; }, ';');
    print_setting(engine, formulation, integrator, setting);
    std::printf(",,,,%s\n", word.c_str());
  }

  /// One method at ever tighter settings, until runs take too long.
  void series(const char* engine, const char* formulation, const std::string& integrator, const std::vector<double>& settings,
              double longest, const std::function<Maker(double)>& with_setting) const {
    constexpr double enough = 0.03;  // processor time on a number [s]
    constexpr double growth = 1.4;   // of time from a setting to the next, at least
    bool any = false;
    for (const double value : settings) {
      char setting[32];
      std::snprintf(setting, sizeof setting, "%.3g", value);
      try {
        const Maker make = with_setting(value);
        const Outcome first = whole(make, times_, longest);
        std::vector<double> seconds{first.seconds};
        for (double spent = first.seconds; spent < enough; spent += seconds.back()) seconds.push_back(whole(make, times_, longest).seconds);
        print_setting(engine, formulation, integrator, setting);
        std::printf("%.4g,%lld,%.3g,%.3g,\n", bench::median(seconds), first.evaluations, largest_distance(first.course, truth_),
                    first.energy_error);
        std::fflush(stdout);
        any = true;
        if (growth * first.seconds > longest) return;
      } catch (const peers::TookTooLong& error) {
        if (!any) print_failure(engine, formulation, integrator, setting, error.what());
        return;
      } catch (const std::exception& error) {
        print_failure(engine, formulation, integrator, setting, error.what());
      }
    }
  }

  const Case& case_;
  Model model_;
  std::vector<double> times_;
  Course truth_;
};

}  // namespace

int main(int count, char** arguments) try {
  if (count != 2) return std::fprintf(stderr, "usage: precision CASE | --list\n"), 2;
  const std::string name = arguments[1];
  if (name == "--list") {
    for (const Case& c : cases()) std::printf("%s\n", c.name.c_str());
    return 0;
  }
  const auto found = std::find_if(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; });
  if (found == cases().end()) return std::fprintf(stderr, "precision: no case %s; precision --list has them\n", name.c_str()), 2;
  Diagram diagram(*found);
  std::printf("case,engine,formulation,integrator,tolerance or step [s],processor [s],evaluations,error [m],energy error [J],word\n");
  diagram.measure_ours();
  const peers::SimbodyRuns* const simbody = found->simbody ? simbody_runs() : nullptr;
  if (simbody) diagram.measure_simbody(*simbody);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "precision: %s\n", error.what());
  return 1;
}
