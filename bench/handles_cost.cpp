// handles_cost [MODEL]: what an evaluation by subsystems costs beside folding, and what it costs to read the handle equations of all
// subsystems off an evaluation; medians of 1000 in turns, one worker, branches one by one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "arthron/analysis/handles.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/model/load.hpp"

namespace {

using namespace arthron;
using Clock = std::chrono::steady_clock;

struct Way {
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Workspace> work;
  State state;
  std::vector<double> qdot, pdot;

  Way(const Model& model, const char* elimination) {
    Model own = model;
    own.simulation.elimination = elimination;
    plan = compile(std::make_shared<const Model>(std::move(own)));
    work = make_workspace(*plan);
    if (!initial_state(*plan, *work, state).ok()) throw std::runtime_error("no initial state");
    qdot.resize(state.q.size()), pdot.resize(state.p.size());
  }
  void evaluate() {
    if (!arthron::evaluate(*plan, 0, state.q.data(), state.p.data(), qdot.data(), pdot.data(), *work).ok())
      throw std::runtime_error("no rates");
  }
};

double microseconds(const std::function<void()>& call) {
  const auto start = Clock::now();
  call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  const std::string file = count > 1 ? arguments[1] : ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json";
  const Model model = load_model(file, builtin_registry());
  Way folded(model, "fold"), modular(model, "modular");
  MountedHandles handles(*folded.plan);
  std::vector<double> fold, joined, mounted, alone;
  for (int i = 0; i < 1000; ++i) {
    fold.push_back(microseconds([&] { folded.evaluate(); }));
    joined.push_back(microseconds([&] { modular.evaluate(); }));
    mounted.push_back(microseconds([&] { handles.read(*folded.work); }));
    alone.push_back(microseconds([&] {
      for (int s = 1; s < std::ssize(model.subsystems); ++s) (void)handles_alone(*modular.plan, s, *modular.work);
    }));
  }
  const double one = median(fold);
  std::printf("folding %.1f us, by subsystems %.1f us (%.2f times)\n", one, median(joined), median(joined) / one);
  std::printf("reading the handle equations of %d subsystems: as mounted %.2f us (%.0f %% of folding), alone, with names, %.1f us\n",
              static_cast<int>(model.subsystems.size()) - 1, median(mounted), 100 * median(mounted) / one, median(alone));
}
