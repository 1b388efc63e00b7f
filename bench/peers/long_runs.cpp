/// Whole runs of ours on one core: processor time without output, and the largest error of the energy where nothing takes any.
/// Usage: long_runs [REPEATS]: rows of CSV on stdout, the median of the times (5).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "../thread_clock.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/simulation/simulation.hpp"
#include "systems.hpp"

using namespace arthron;
using namespace arthron::peers;

namespace {

void demand(const Status& status, const char* what) {
  if (!status.ok()) throw std::runtime_error(what);
}

/// Largest |E - E0| of a run, looked at every 0.02 s; NaN where energy comes and goes.
double energy_error(const std::shared_ptr<const Model>& model) {
  Simulation simulation(model);
  if (!is_conservative(simulation.plan())) return NAN;
  demand(simulation.start(), "a run that does not start");
  const auto energy = [&] {
    demand(simulation.observe(), "a state without energy");
    return arthron::energy(simulation.plan(), simulation.workspace()).total();
  };
  const double start = energy(), until = model->simulation.until;
  double most = 0;
  for (int i = 1; 0.02 * i < until + 0.01; ++i) {
    demand(simulation.advance_to(std::min(0.02 * i, until)), "a run that does not end");
    most = std::max(most, std::abs(energy() - start));
  }
  return most;
}

/// A run under one method: type, and its step [s] or tolerance.
void run(const char* name, Model given, const char* type, double setting, double until, int repeats) {
  IntegratorSettings& integrator = given.simulation.integrator;
  integrator.type = type;
  integrator.step = integrator.relative_tolerance = integrator.absolute_tolerance = setting;
  given.simulation.until = until;
  given.simulation.threads = 1;
  const auto model = std::make_shared<const Model>(std::move(given));
  std::vector<double> times;
  std::int64_t evaluations = 0;
  for (int r = 0; r < repeats; ++r) {
    Simulation simulation(model);
    demand(simulation.start(), "a run that does not start");
    const double start = bench::thread_seconds();
    demand(simulation.advance_to(until), "a run that does not end");
    times.push_back(bench::thread_seconds() - start);
    evaluations = simulation.statistics().evaluations;
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2], spread = times.back() - times.front();
  std::printf("%s,%s,%g,%g,%.4g,%.2g,%lld,%.4g,%.2g\n", name, type, setting, until, median, spread, static_cast<long long>(evaluations),
              until / median, energy_error(model));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) try {
  const int repeats = count > 1 ? std::max(1, std::atoi(arguments[1])) : 5;
  std::printf("run,integrator,step or tolerance,seconds,processor seconds,spread,evaluations,times real time,energy error [J]\n");
  for (const double tolerance : {1e-6, 4e-7}) run("pendulum of 16", example("pendulum16"), "dopri5", tolerance, 10, repeats);
  for (const int n : {2, 40}) {
    const std::string name = "four-bars N = " + std::to_string(n);
    run(name.c_str(), four_bars(n), "rk4", 1e-3, 10, repeats);
    for (const double step : {2e-3, 3e-3, 4e-3, 5e-3}) run(name.c_str(), four_bars(n), "rk4", step, 10, repeats);
    for (const double tolerance : {1e-7, 1e-9}) run(name.c_str(), four_bars(n), "dopri5", tolerance, 10, repeats);
    for (const double tolerance : {1e-7, 1e-9}) run(name.c_str(), four_bars(n), "rkf78", tolerance, 10, repeats);
  }
  run("vehicle", example("vehicle"), "rk4", 1e-3, 10, repeats);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "long_runs: %s\n", error.what());
  return 1;
}
