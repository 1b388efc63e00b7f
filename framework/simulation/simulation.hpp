#pragma once
#include <functional>
#include <memory>
#include <string>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/plan_ode.hpp"

namespace arthron {

class Simulation;

/// A signal input of a simulation's model, as Simulation::input looks it up. Setting it takes the same short time for every model.
class Input {
 public:
  /// Takes this value from the present time on; with a rate [1/s] it goes on from it in a straight line. What it does
  /// already makes no corner in the motion.
  void set(double value, double rate = 0) const;
  /// Follows the default of the model again.
  void release() const;
  /// What it is at the present time.
  [[nodiscard]] double value() const;

 private:
  friend class Simulation;
  Input(Simulation& simulation, std::size_t number) : simulation_(&simulation), number_(number) {}
  Simulation* simulation_;
  std::size_t number_;
};

/// A model in motion: its Plan, the State it is in, and the integrator that moves it, as `model->simulation` says.
class Simulation {
 public:
  /// Throws ModelError for settings or structures that cannot be computed. At most `max_steps` steps are tried in all.
  explicit Simulation(std::shared_ptr<const Model> model, std::int64_t max_steps = IntegratorLimits{}.max_steps);

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Puts the model into its initial state at time 0. Inputs that have been set stay as they are.
  [[nodiscard]] Status start();
  /// Moves on to t >= state().t. Steps may end beyond t, but never beyond settings().until unless t does. `proceed`, when given, is asked
  /// after every step; false ends with Status::interrupted. After a failure the state is that of the last good step.
  [[nodiscard]] Status advance_to(double t, const std::function<bool()>& proceed = {});
  /// The signal input of the model of that name. Throws ModelError when there is none.
  [[nodiscard]] Input input(const std::string& name);
  /// What a path names, such as "front_left.strut.force". Throws ModelError when that is nothing.
  [[nodiscard]] Channel channel(const std::string& path);
  /// Fills the workspace at the present state, for channels and the functions of observe.hpp; with accelerations and reactions when asked,
  /// or when a channel needs them.
  [[nodiscard]] Status observe(bool accelerations = false);

  [[nodiscard]] const Model& model() const { return *plan_->model; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] const SimulationSettings& settings() const { return model().simulation; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Workspace& workspace() const { return *work_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_->statistics(); }

 private:
  friend class Input;
  /// The set input makes a corner in the motion: the integrator begins anew at the present state.
  [[nodiscard]] Status restart();
  void set_state(double t);
  /// Between steps the state is only as closed as the interpolation is exact; where it cannot be closed it stays so.
  void close_interpolated();

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Parallel> workers_;  // only where the plan pairs and more than one was asked for
  std::unique_ptr<Workspace> work_;
  bool prescribes_;  // there are loops, and some joint or ground moves as a function of time
  PlanOde ode_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::vector<double> y_, dydt_;  // the state in one piece, and its rate
  bool input_changed_ = false;    // since the integrator last began
  bool steered_ = false;          // some input has been set: steps end where advancing does, since another may be set there
  bool channels_need_accelerations_ = false;
};

/// Mistakes in the settings alone: ranges, unknown names, more output rows or steps than anyone can want.
/// Pointers are those of the model file.
[[nodiscard]] std::vector<Diagnostic> check_settings(const SimulationSettings& settings, std::int64_t max_steps);

/// A failure in words, with the names of the model.
[[nodiscard]] std::string describe(const Status& status, const Plan& plan, const Workspace& work, double t);

}  // namespace arthron
