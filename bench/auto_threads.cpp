/// Steps of models of growing size with `threads: auto` and with one thread, in turns in one run: auto should never be slower.
/// Usage: auto_threads [turns]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "machines.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

std::unique_ptr<Simulation> simulation(const Model& of, std::optional<int> threads) {
  Model model = of;
  model.simulation.integrator = {"rk4", 1e-6, 1e-6, 1e-4};
  model.simulation.elimination = "auto";
  model.simulation.until = 1e3, model.simulation.output_step = 1;
  model.simulation.threads = threads;
  auto result = std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model)));
  if (!result->start().ok()) throw std::runtime_error("no start");
  return result;
}

/// Time of so many steps more [ns].
double steps(Simulation& simulation, int count) {
  const auto start = std::chrono::steady_clock::now();
  if (!simulation.advance_to(simulation.state().t + 1e-4 * count).ok()) throw std::runtime_error("no step");
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void report(const char* name, const Model& model, int turns) {
  const auto with_auto = simulation(model, {}), with_one = simulation(model, 1);
  const int count = std::max(4, static_cast<int>(2e6 / (steps(*with_one, 4) / 4)));
  std::vector<double> ratios;
  double one = 1e300;
  for (int i = 0; i < turns; ++i) {
    const double mine = steps(*with_auto, count), theirs = steps(*with_one, count);
    ratios.push_back(mine / theirs), one = std::min(one, theirs / count);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("| %s | %zu | %.1f | %.3f |\n", name, model.bodies.size() - 1, one / 1e3, ratios[ratios.size() / 2]);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const int turns = count > 1 ? std::atoi(arguments[1]) : 41;
  std::printf("| model | bodies | a step on one thread [us] | auto / one thread, time |\n|---|---|---|---|\n");
  const auto example = [&](const char* file) {
    return load_model(std::string(ARTHRON_SOURCE_DIR "/examples/") + file, builtin_registry());
  };
  report("pendulum16", example("pendulum16/pendulum16.json"), turns);
  report("quadruped", example("quadruped/quadruped.json"), turns);
  report("car", example("vehicle/step_steer.json"), turns);
  report("chain", *chain(128), turns);
  report("chain", *chain(512), turns);
  report("binary tree", *binary_tree(255), turns);
  report("binary tree", *binary_tree(511), turns);
  report("ladder of loops", *ladder(20), turns);
  report("ladder of loops", *ladder(100), turns);
  report("rope", *rope(1000), turns);
  report("convoy", example("convoy/convoy.json"), turns);
  return 0;
}
