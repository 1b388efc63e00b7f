#pragma once
#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

/// Runs of the examples that stand for the papers' mechanisms, and what they cost.
namespace arthron::bench {

inline std::string example_file(const std::string& folder, const std::string& name) {
  return ARTHRON_SOURCE_DIR "/examples/" + folder + "/" + name + ".json";
}

/// An example with other settings, on one worker.
inline std::shared_ptr<const Model> example(const std::string& name, const std::function<void(SimulationSettings&)>& set) {
  Model model = load_model(example_file(name, name), builtin_registry());
  model.simulation.threads = 1;
  set(model.simulation);
  return std::make_shared<const Model>(std::move(model));
}

inline void demand(const Status& status, const char* what) {
  if (!status.ok()) throw std::runtime_error(what);
}

/// Time of this process on the processor [s].
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What a run cost: processor time [s] and evaluations of the right-hand side.
struct Cost {
  double seconds = 1e300;
  std::int64_t evaluations = 0;
};

/// The whole run without output rows.
inline Cost run_cost(const std::shared_ptr<const Model>& model) {
  Simulation simulation(model);
  demand(simulation.start(), "a run that does not start");
  const double start = processor_seconds();
  demand(simulation.advance_to(model->simulation.until), "a run that does not end");
  return {processor_seconds() - start, simulation.statistics().evaluations};
}

/// The cheapest of several runs of each kind, taken in turns so that whatever else the machine does meets all alike: at least `least_turns`
/// and until `budget` seconds are spent.
inline std::vector<Cost> cheapest(const std::vector<std::function<Cost()>>& kinds, double budget, int least_turns = 3) {
  std::vector<Cost> best(kinds.size());
  const double start = processor_seconds();
  for (int turn = 0; turn < least_turns || processor_seconds() - start < budget; ++turn)
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Cost cost = kinds[k]();
      best[k] = {std::min(best[k].seconds, cost.seconds), cost.evaluations};
    }
  return best;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// A model's right-hand side at states along its motion.
class AlongMotion {
 public:
  AlongMotion(const std::shared_ptr<const Model>& model, int states)
      : plan_(compile(model)), work_(make_workspace(*plan_)), ode_(*plan_, *work_, {}), dydt_(ode_.size()) {
    State first;
    demand(initial_state(*plan_, *work_, first), "no initial state");
    ode_.start_cuts(0);
    Simulation simulation(model);
    demand(simulation.start(), "a run that does not start");
    for (int i = 0; i < states; ++i) {
      demand(simulation.advance_to(model->simulation.until * i / states), "a run that does not end");
      const State& state = simulation.state();
      std::vector<double>& y = states_.emplace_back(state.q);
      y.insert(y.end(), state.p.begin(), state.p.end());
      times_.push_back(state.t);
    }
  }
  /// Mean time of an evaluation, each state once [s].
  double seconds() {
    const double start = processor_seconds();
    for (std::size_t i = 0; i < states_.size(); ++i) demand(ode_.rhs(times_[i], states_[i].data(), dydt_.data()), "evaluation failed");
    return (processor_seconds() - start) / static_cast<double>(states_.size());
  }

 private:
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workspace> work_;
  PlanOde ode_;
  std::vector<double> times_, dydt_;
  std::vector<std::vector<double>> states_;
};

}  // namespace arthron::bench
