#include "arthron/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/velocity_state.hpp"
#include "arthron/model/find.hpp"
#include "arthron/schedule/extent.hpp"
#include "arthron/schedule/share_out.hpp"
#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/state_choice.hpp"

namespace arthron {
namespace {

/// No adaptive step spans more output rows than this, so that a model at rest does not step over a short pulse.
constexpr double rows_per_step = 10;

/// Independence of a joint's columns below which it has lost a freedom at the start, and below which it is to blame when a computation
/// fails.
constexpr double lost = 1e-10, nearly_lost = 1e-3;

std::shared_ptr<const Plan> checked_plan(std::shared_ptr<const Model> model, std::int64_t max_steps, const Grain& grain) {
  if (std::vector<Diagnostic> mistakes = check_settings(model->simulation, max_steps); !mistakes.empty()) {
    for (Diagnostic& mistake : mistakes) mistake.file = model->files.empty() ? "" : model->files.front();
    throw ModelError(std::move(mistakes));
  }
  auto plan = compile(std::move(model), grain);
  connect_sensors(*plan);
  choose_state(*plan);
  return plan;
}

/// True when some joint or ground moves as a function of time.
bool prescribes_motion(const Plan& plan) {
  return !plan.driven_joints.empty() || std::any_of(plan.ground.begin(), plan.ground.end(), [](const PlanGround& g) { return g.motion; });
}

/// Sharing has to be worth it: where the tasks wait for one another, or are few, one worker is as fast.
int worker_count(std::optional<int> threads, const Plan& plan, const Workspace& work) {
  constexpr double worthwhile = 1.3;
  const TaskGraph* const tasks = plan.formulation->tasks(work);
  if (!tasks) return 1;
  const TaskGraph& program = *tasks;
  if (threads) return program.tasks.size() > 1 ? *threads : 1;
  const Extent extent = expected_extent(program);
  const double cores = available_cores(), at_most = std::ceil(std::max(extent.work, 1.0) / std::max(extent.span, 1.0));
  const int count = static_cast<int>(std::min(cores, at_most));
  return expected_speed_up(program, expected_costs(program), count) < worthwhile ? 1 : count;
}

bool keeps_history(const SimulationSettings& settings) { return settings.integrator.type == "adams" || settings.integrator.type == "bdf"; }

PlanOde::Upkeep upkeep(const SimulationSettings& settings) {
  return {settings.loops.reanchor,
          settings.loops.project,
          settings.loops.tolerance,
          keeps_history(settings),
          settings.integrator.absolute_tolerance,
          settings.integrator.relative_tolerance};
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, std::int64_t max_steps, const Grain& grain)
    : plan_(checked_plan(std::move(model), max_steps, grain)),
      work_(make_workspace(*plan_)),
      prescribes_(!plan_->closures.empty() && prescribes_motion(*plan_)),
      kinks_(*plan_->model, settings().until),
      ode_(*plan_, *work_, upkeep(settings())),
      limits_{rows_per_step * settings().output_step, max_steps},
      integrator_(make_integrator(settings().integrator, limits_, ode_)),
      y_(ode_.size()),
      dydt_(y_.size()),
      verdict_(*plan_) {
  if (const int count = worker_count(settings().threads, *plan_, *work_); count > 1) workers_ = std::make_unique<Workers>(count);
  work_->parallel = workers_.get();
}

void Simulation::record_tasks(int most) {
  if (!workers_) workers_ = std::make_unique<Workers>(1);
  work_->parallel = workers_.get();
  workers_->record(most);
}

Status Simulation::start() {
  return guard([&] { return put_at_start(); });
}

Status Simulation::put_at_start() {
  for (Signal& signal : work_->signals) signal.since = 0;
  starts_anew_ = false, kept_momenta_.clear();
  verdict_.begin();
  face_kinks(0);
  ode_.disturb();
  const Status status = initial_state(*plan_, *work_, state_);
  if (const Status joints = freedoms_are_independent(*plan_, *work_, lost); !joints.ok()) return joints;
  if (!status.ok()) return status;
  const std::vector<Joint>& joints = model().joints;
  const bool keeps = std::any_of(joints.begin(), joints.end(), [](const Joint& joint) { return joint.keep; });
  if (const Status follow = prescribes_ || keeps ? closures_follow(*plan_, *work_) : Status{}; !follow.ok()) return follow;
  return begin();
}

void Simulation::face_kinks(double t) {
  const auto [before, ahead] = kinks_.around(t);
  kink_ = ahead.time;
  ode_.stay_within(before.after, ahead.before);
}

Status Simulation::cross_kink() {
  const bool jumps = !plan_->formulation->integrates_momenta();
  y_ = integrator_->state();
  set_state(kink_);
  begin_evaluation();
  std::vector<double> momenta(jumps ? state_.p.size() : 0);
  const double *q = state_.q.data(), before = ode_.within(kink_);
  Status status = jumps ? momenta_of_velocities(*plan_, before, q, state_.p.data(), momenta.data(), *work_) : Status{};
  face_kinks(kink_);
  if (jumps && status.ok()) status = velocities_of_momenta(*plan_, ode_.within(state_.t), q, momenta.data(), state_.p.data(), *work_);
  begin_evaluation();
  return status.ok() ? begin() : status;
}

void Simulation::keep_momenta() {
  if (plan_->formulation->integrates_momenta() || !prescribes_motion(*plan_) || !kept_momenta_.empty() || state_.q.empty()) return;
  std::vector<double> momenta(state_.p.size());
  const Status status = guard([&] {
    begin_evaluation();
    return momenta_of_velocities(*plan_, ode_.within(state_.t), state_.q.data(), state_.p.data(), momenta.data(), *work_);
  });
  if (status.ok()) kept_momenta_ = std::move(momenta);
}

Status Simulation::take_jump() {
  const std::vector<double> momenta = std::exchange(kept_momenta_, {});
  if (momenta.empty()) return {};
  begin_evaluation();
  return velocities_of_momenta(*plan_, ode_.within(state_.t), state_.q.data(), momenta.data(), state_.p.data(), *work_);
}

Status Simulation::begin() {
  face_kinks(state_.t);
  std::copy(state_.q.begin(), state_.q.end(), work_->q.begin());
  ode_.start_cuts(state_.t);
  ode_.write(state_, y_);
  return integrator_->start(state_.t, y_);
}

Status Simulation::advance_to(double t, const std::function<bool()>& proceed) {
  const Status status = guard([&] { return advance(t, proceed); });
  if (status.code != Status::Code::component_failed) return status;
  // The last good step as it is: bringing it onto its manifold is author code too.
  y_ = integrator_->state();
  state_.t = integrator_->time();
  ode_.read(y_, state_);
  return status;
}

Status Simulation::advance(double t, const std::function<bool()>& proceed) {
  if (t < state_.t) throw InternalError("a simulation is only advanced forward in time");
  const double limit = steps_end_where_told() ? t : std::max(t, settings().until);
  Status status;
  if (std::exchange(starts_anew_, false)) {
    status = take_jump();
    begin_evaluation();
    if (status.ok()) status = begin();
  }
  kinks_.look_until(limit);
  if (integrator_->time() < std::min(t, kink_)) face_kinks(integrator_->step_start()), integrator_->reopen();
  const auto step_on = [&] {
    while (status.ok()) {
      if (integrator_->time() == kink_ && t >= kink_) {
        status = cross_kink();
        continue;
      }
      if (integrator_->time() >= t) return;
      status = integrator_->step(std::min(limit, kink_));
      if (status.ok() && prescribes_) status = drives_follow();
      if (status.ok() && proceed && !proceed()) status = {Status::Code::interrupted};
    }
  };
  if (workers_)
    workers_->awake(step_on);
  else
    step_on();
  // What the workspace says of a failure is still wanted.
  const bool sound = status.ok() || status.code == Status::Code::interrupted;
  const double reached = std::fmin(t, integrator_->time());
  const Status found = sound ? integrator_->interpolate(reached, y_) : status;
  if (sound && found.ok()) {
    set_state(reached);
    close_interpolated();
    return status;
  }
  y_ = integrator_->state();
  set_state(integrator_->time());
  const Status joint = joint_at_fault(found);
  return joint.ok() ? found : joint;
}

Status Simulation::drives_follow() {
  // The last evaluation of a step is at its end, or near it.
  if (plan_->formulation->integrates_momenta()) return closures_follow(*plan_, *work_);
  // Methods with a history have been corrected since: the accelerations are those of another state.
  if (keeps_history(settings()) && !ode_.rhs(integrator_->time(), integrator_->state().data(), dydt_.data()).ok()) return {};
  return accelerations_follow(*plan_, *work_);
}

Status Simulation::joint_at_fault(const Status& failure) {
  if (failure.code != Status::Code::singular_joint && failure.code != Status::Code::not_finite &&
      failure.code != Status::Code::step_too_small)
    return {};
  if (failure.element >= static_cast<int>(plan_->joints.size())) return {};  // a force is
  // As the last evaluation left it, and a little farther on: what went wrong there has spoilt everything since.
  if (const Status joint = freedoms_are_independent(*plan_, *work_, nearly_lost); !joint.ok()) return joint;
  std::vector<double> rates(y_.size()), ahead(y_.size()), ignored(y_.size());
  if (!ode_.rhs(state_.t, y_.data(), rates.data()).ok()) return freedoms_are_independent(*plan_, *work_, nearly_lost);
  for (const double dt : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = y_[i] + dt * rates[i];
    (void)ode_.rhs(state_.t + dt, ahead.data(), ignored.data());
    if (const Status joint = freedoms_are_independent(*plan_, *work_, nearly_lost); !joint.ok()) return joint;
  }
  return {};
}

void Simulation::go_to(double t, std::span<const double> y) {
  const auto p = y.begin() + plan_->nq, x = p + plan_->nu;
  state_ = {t, {y.begin(), p}, {p, x}, {x, y.end()}};
  normalise(*plan_, state_.q.data());
  starts_anew_ = true;
}

Status Simulation::closures_follow_at(double t, std::span<const double> y) {
  return guard([&] {
    ode_.begin_evaluation(t, y.data());
    const double* const q = y.data();
    const Status status = evaluate(*plan_, t, q, q + plan_->nq, dydt_.data(), dydt_.data() + plan_->nq, *work_);
    return status.ok() ? closures_follow(*plan_, *work_) : Status{};
  });
}

Input Simulation::input(const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model().signals.size(); ++i) {
    if (!model().signals[i].input) continue;
    if (model().signals[i].path == name) return {*this, i};
    names.push_back(model().signals[i].path);
  }
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? " (" : ", ") + known;
  throw ModelError({{model().files.empty() ? model().name : model().files.front(), 0, "input", '"' + name + '"',
                     "a signal input of the model" + (list.empty() ? ", which has none" : list + ')'), nearest_name(name, names)}});
}

void Input::set(double value, double rate) const {
  Signal& signal = simulation_->work_->signals[number_];
  const double t = simulation_->state_.t;
  if (signal.live && signal.at(t) == value && signal.rate == rate) return;
  simulation_->keep_momenta();
  signal = {true, value, rate, t};
  simulation_->starts_anew_ = simulation_->steered_ = true;
}

void Input::release() const {
  simulation_->keep_momenta();
  simulation_->work_->signals[number_].live = false;
  simulation_->starts_anew_ = simulation_->steered_ = true;
}

double Input::value() const {
  return simulation_->model().signals[number_].function.value({simulation_->state_.t, simulation_->work_->signals.data()});
}

Channel Simulation::channel(const std::string& path) {
  Channel channel(*plan_, *work_, path);
  channels_need_accelerations_ |= channel.needs_accelerations();
  channels_need_cut_joints_ |= channel.needs_cut_joints();
  return channel;
}

void Simulation::begin_evaluation() {
  ode_.begin_look(state_.t, state_.q.data());
  work_->x = state_.x;
}

Status Simulation::observe(bool accelerations) {
  return guard([&] { return fill_workspace(accelerations); });
}

Status Simulation::fill_workspace(bool accelerations) {
  if (const Status jump = take_jump(); !jump.ok()) return jump;
  begin_evaluation();
  const double *q = state_.q.data(), *p = state_.p.data(), t = ode_.within(state_.t);
  const bool all = accelerations || channels_need_accelerations_ || !plan_->formulation->integrates_momenta();
  const Status status = all ? plan_->formulation->observe(*plan_, t, q, p, *work_)
                            : evaluate(*plan_, t, q, p, dydt_.data(), dydt_.data() + plan_->nq, *work_);
  // Whatever is not finite because of a force is the force's.
  if (const Status forces = forces_are_finite(*plan_, *work_); !forces.ok() && (status.ok() || status.code == forces.code)) return forces;
  if (status.ok()) all ? find_openings(*plan_, *work_) : measure_cuts(*plan_, *work_);
  return status;
}

Status Simulation::handles(const std::string& subsystem, Handles how, std::vector<HandleEquations>& equations) {
  const int number = find_subsystem(model(), subsystem);
  if (!handles_) handles_ = std::make_unique<HandleReader>(plan_->model);
  return guard([&] {
    return how == Handles::mounted ? handles_->mounted(*plan_, state_, *work_, number, equations)
                                   : handles_->alone(*plan_, state_, *work_, number, equations);
  });
}

void Simulation::close_interpolated() {
  if (plan_->closures.empty() || !settings().loops.project) return;
  constexpr int most_steps = 3;
  begin_evaluation();
  const Projection projection = project(*plan_, ode_.within(state_.t), state_.q.data(), settings().loops.tolerance, most_steps, *work_);
  if (!(projection.error < projection.error_before)) std::copy_n(y_.begin(), plan_->nq, state_.q.begin());
  // Momenta have the velocities that the closures admit in any case.
  if (plan_->formulation->integrates_momenta() ||
      project_velocities(*plan_, ode_.within(state_.t), state_.q.data(), state_.p.data(), *work_).ok())
    return;
  std::copy_n(y_.begin() + plan_->nq, plan_->nu, state_.p.begin());
}

void Simulation::set_state(double t) {
  normalise(*plan_, y_.data());
  state_.t = t;
  ode_.read(y_, state_);
}

}  // namespace arthron
