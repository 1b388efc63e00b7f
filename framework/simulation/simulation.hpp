#pragma once
#include <functional>
#include <memory>
#include <string>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/simulation/plan_ode.hpp"

namespace arthron {

/// A model in motion: its Plan, the State it is in, and the integrator that moves it, as `model->simulation` says.
class Simulation {
 public:
  /// Throws ModelError for settings or structures that cannot be computed. At most `max_steps` steps are tried in all.
  explicit Simulation(std::shared_ptr<const Model> model, std::int64_t max_steps = IntegratorLimits{}.max_steps);

  /// Puts the model into its initial state at time 0.
  [[nodiscard]] Status start();
  /// Moves on to t >= state().t. Steps may end beyond t, but never beyond settings().until unless t does. `proceed`, when given, is asked
  /// after every step; false ends with Status::interrupted. After a failure the state is that of the last good step.
  [[nodiscard]] Status advance_to(double t, const std::function<bool()>& proceed = {});
  /// Fills the workspace at the present state, for the functions of observe.hpp; with accelerations and reactions when asked.
  [[nodiscard]] Status observe(bool accelerations = false);

  [[nodiscard]] const Model& model() const { return *plan_->model; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] const SimulationSettings& settings() const { return model().simulation; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Workspace& workspace() const { return *work_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_->statistics(); }

 private:
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
};

/// Mistakes in the settings alone: ranges, unknown names, more output rows or steps than anyone can want.
/// Pointers are those of the model file.
[[nodiscard]] std::vector<Diagnostic> check_settings(const SimulationSettings& settings, std::int64_t max_steps);

/// A failure in words, with the names of the model.
[[nodiscard]] std::string describe(const Status& status, const Plan& plan, const Workspace& work, double t);

}  // namespace arthron
