#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "arthron/analysis/handle_reader.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/author_failure.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/schedule/workers.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/checkpoint.hpp"
#include "arthron/simulation/kink_times.hpp"
#include "arthron/simulation/plan_ode.hpp"
#include "arthron/simulation/verdict.hpp"

namespace arthron {

/// How a simulation continues from a checkpoint.
struct Resumption {
  Status status;
  bool exact = false;
};

/// A checkpoint for one subsystem of a model.
struct PartState {
  std::string subsystem;  // path in the model that takes it over
  Checkpoint checkpoint;
};

class Simulation;

/// A signal input of a simulation's model, as Simulation::input looks it up. Setting it takes the same short time for every model.
class Input {
 public:
  /// Takes this value from the present time on, and changes it at this rate [1/s]. Setting the present value and rate makes no corner
  /// in the motion.
  void set(double value, double rate = 0) const;
  /// Follows the default of the model again.
  void release() const;
  /// Its value at the present time.
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
  explicit Simulation(std::shared_ptr<const Model> model, std::int64_t max_steps = IntegratorLimits{}.max_steps, const Grain& grain = {});

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Puts the model into its initial state at time 0. Inputs that have been set stay as they are.
  [[nodiscard]] Status start();
  /// Moves on to t >= state().t. Steps may end beyond t, but never beyond settings().until unless t does. `proceed`, when given, is asked
  /// after every step, by one of the workers where there are several; false ends with Status::interrupted. After a failure the state is
  /// that of the last good step.
  [[nodiscard]] Status advance_to(double t, const std::function<bool()>& proceed = {});
  /// Goes to the state y = [q; p; x] at time t from another integrator; the method restarts there.
  void go_to(double t, std::span<const double> y);
  /// After a step of another integrator to the state y at time t: counts the turns of cut joints.
  void follow(double t, std::span<const double> y) { ode_.follow(t, y.data()); }
  /// Whether the loops can follow what is driven, at the state y at time t: closures_follow().
  [[nodiscard]] Status closures_follow_at(double t, std::span<const double> y);
  /// The signal input of the model of that name. Throws ModelError when there is none.
  [[nodiscard]] Input input(const std::string& name);
  /// The channel of a path such as "front_left.strut.force". Throws ModelError when there is none.
  [[nodiscard]] Channel channel(const std::string& path);
  /// Fills the workspace at the present state, for channels and the functions of observe.hpp; with accelerations and reactions when asked,
  /// or when a channel needs them.
  [[nodiscard]] Status observe(bool accelerations = false);

  /// What observe() fills, for somebody who finds all that by other ways; with cut joints, these are led to the present state first.
  [[nodiscard]] Workspace& workspace_to_fill(bool cut_joints) {
    if (cut_joints) begin_evaluation();
    return *work_;
  }
  /// Some channel() that has been looked up needs accelerations, or coordinates of cut joints.
  [[nodiscard]] bool channels_need_accelerations() const { return channels_need_accelerations_; }
  [[nodiscard]] bool channels_need_cut_joints() const { return channels_need_cut_joints_; }

  /// Handle equations of a subsystem at the present state, one for each body that it hangs on: as mounted, with all that hangs on it, or
  /// alone. Throws ModelError when there is none at this path. Plans for it are made when first asked.
  enum class Handles { mounted, alone };
  [[nodiscard]] Status handles(const std::string& subsystem, Handles how, std::vector<HandleEquations>& equations);

  /// After observe(): Status::came_open or energy_off where loops are open, or the energy has changed since the first observation after
  /// start, resume or restore, by more than the tolerance explains, see Verdict. Runs ask at every row.
  [[nodiscard]] Status judge() { return verdict_.judge(*work_, statistics()); }
  /// Its message with the numbers; "" when all is well.
  [[nodiscard]] const std::string& verdict() const { return verdict_.words(); }

  /// Calls code of component authors, such as channels, outside of the functions here. Exceptions become a status, as in them.
  template <class Call>
  [[nodiscard]] Status guard(const Call& call) {
    return guarded(*work_, call);
  }

  /// All that continuing from here needs. Methods that remember several steps (adams, bdf) restart here, now as after resume, so that
  /// continuing and resuming stay equal bit for bit. The others are not affected.
  [[nodiscard]] Status save(Checkpoint& checkpoint);
  /// Coordinates and velocities of the joints of a subsystem. Throws ModelError when there is none at this path.
  [[nodiscard]] Status save(const std::string& subsystem, Checkpoint& checkpoint);
  /// Goes to a saved state. Exact: from there the simulation continues bit for bit as the saved one does; repeating its last step
  /// proves it. Otherwise, where the model, its settings or the program differ, the integrator restarts at that state; where joints
  /// are cut or driven that were not, at the nearest one. Throws ModelError that names the first joint that does not fit.
  [[nodiscard]] Resumption resume(const Checkpoint& checkpoint);
  /// Gives the joints of subsystems saved coordinates and velocities at the present time. The other joints move only as far as closing
  /// loops around them requires. Exact: all saved values are kept; where loops cannot close so, the nearest state is taken.
  /// Throws ModelError as resume() does.
  [[nodiscard]] Resumption restore(const std::vector<PartState>& parts);

  /// Records from now on which worker does which task of evaluations when, at most so many tasks.
  void record_tasks(int most);
  /// The record, as Taskflow writes it for Chrome's tracing and Perfetto.
  void write_tasks(std::ostream& out) const { workers_->write_record(out); }

  [[nodiscard]] const Model& model() const { return *plan_->model; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] const SimulationSettings& settings() const { return model().simulation; }
  /// The formulation in use: that of the settings, or the one it names for models with a bad state of momenta.
  [[nodiscard]] std::string_view formulation() const { return plan_->formulation->name(); }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Workspace& workspace() const { return *work_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_->statistics(); }
  [[nodiscard]] const IntegratorLimits& limits() const { return limits_; }
  /// Length of the step that the method tries next [s].
  [[nodiscard]] double next_step() const { return integrator_->last_step().h; }
  /// Sizes by which internal states of forces are divided, see PlanOde.
  [[nodiscard]] std::span<const double> state_sizes() const { return ode_.sizes(); }
  /// There are loops, and some joint or ground moves as a function of time.
  [[nodiscard]] bool prescribes() const { return prescribes_; }
  /// Steps end where advancing does, since some input has been set and another may be set there.
  [[nodiscard]] bool steered() const { return steered_; }
  /// The rate of something prescribed jumps somewhere until `settings().until`: steps end there, and the method restarts.
  [[nodiscard]] bool has_kinks() const { return !kinks_.none(); }
  /// The end of advance_to() changes the steps. Otherwise a motion is the same to the last bit for any choice of ends.
  [[nodiscard]] bool steps_end_where_told() const { return steered_ || !integrator_->interpolates(); }

 private:
  friend class Input;
  [[nodiscard]] Status put_at_start();
  [[nodiscard]] Status advance(double t, const std::function<bool()>& proceed);
  [[nodiscard]] Status fill_workspace(bool accelerations);
  /// Whether the loops follow what is driven, after a step.
  [[nodiscard]] Status drives_follow();
  /// The joint that caused a failed step: one that has lost a freedom or ceases to be finite; ok when there is none.
  [[nodiscard]] Status joint_at_fault(const Status& failure);
  [[nodiscard]] Status save_all(Checkpoint& checkpoint);
  [[nodiscard]] Resumption take_up(const Checkpoint& checkpoint);
  [[nodiscard]] Resumption restore_parts(const std::vector<PartState>& parts);
  /// Takes y_ for the state at t.
  void set_state(double t);
  /// Before the workspace is used at the present state.
  void begin_evaluation();
  /// The integrator restarts at state_.
  [[nodiscard]] Status begin();
  /// Evaluations stay between the kinks around t.
  void face_kinks(double t);
  /// From the end of the last step, at a kink, to just after it: momenta stay, velocities may jump.
  [[nodiscard]] Status cross_kink();
  /// Before an input changes a prescribed motion: the momenta that the jump keeps.
  void keep_momenta();
  /// After it: the velocities of these momenta.
  [[nodiscard]] Status take_jump();
  [[nodiscard]] bool repeat_last_step(const Checkpoint& checkpoint);
  [[nodiscard]] std::vector<InputRecord> set_inputs() const;
  void take_inputs(const Checkpoint& checkpoint);
  /// Between steps the interpolation leaves loops slightly open: closes them where possible.
  void close_interpolated();

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workers> workers_;  // only where there are several, or tasks are recorded
  std::unique_ptr<Workspace> work_;
  bool prescribes_;  // there are loops, and some joint or ground moves as a function of time
  KinkTimes kinks_;
  PlanOde ode_;
  IntegratorLimits limits_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::vector<double> y_, dydt_;  // the state in one piece, and its rate
  bool starts_anew_ = false;      // an input or the state has changed since the integrator last began
  bool steered_ = false;          // some input has been set
  bool channels_need_accelerations_ = false, channels_need_cut_joints_ = false;
  Verdict verdict_;
  std::unique_ptr<HandleReader> handles_;                  // once asked for
  double kink_ = std::numeric_limits<double>::infinity();  // the one ahead of the integrator [s]
  std::vector<double> kept_momenta_;                       // from before an input was set, under acceleration-based formulations
};

/// Mistakes in the settings alone: ranges, unknown names, more output rows or steps than anyone can want.
/// Pointers are those of the model file.
[[nodiscard]] std::vector<Diagnostic> check_settings(const SimulationSettings& settings, std::int64_t max_steps);

/// A failure in words, with the names of the model.
[[nodiscard]] std::string describe(const Status& status, const Plan& plan, const Workspace& work, double t);

}  // namespace arthron
