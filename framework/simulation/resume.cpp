#include <algorithm>
#include <cmath>

#include "arthron/component/json_document.hpp"
#include "arthron/model/find.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {
namespace {

using std::size_t;

/// A joint that is part of the state.
bool is_state(const PlanJoint& joint) { return joint.closure < 0 && !joint.driven; }

bool same(const IntegratorSettings& a, const IntegratorSettings& b) {
  return a.type == b.type && a.relative_tolerance == b.relative_tolerance && a.absolute_tolerance == b.absolute_tolerance &&
         a.step == b.step;
}

/// How many coordinates the cut joints have; they are the last ones of all.
size_t cut_coordinates(const Plan& plan) {
  size_t count = 0;
  for (const PlanJoint& joint : plan.joints) count += static_cast<size_t>(joint.closure >= 0 ? joint.nq : 0);
  return count;
}

/// Internal states of the forces of a subsystem, laid over those in x.
void take_states(const Plan& plan, const Checkpoint& checkpoint, const std::string& subsystem, std::vector<double>& x) {
  const std::vector<const ForceRecord*> records = fitting_forces(checkpoint, *plan.model, subsystem);
  for (size_t f = 0; f < records.size(); ++f)
    if (records[f]) std::copy(records[f]->states.begin(), records[f]->states.end(), x.begin() + plan.forces[f].states.first);
}

/// Coordinates and momenta, or velocities, where every joint of the state has them, and no other.
std::optional<State> saved_state(const Plan& plan, const Checkpoint& checkpoint, const std::vector<const JointRecord*>& records,
                                 const std::vector<double>& x) {
  if (checkpoint.formulation != plan.formulation->name()) return {};
  const bool momenta = plan.formulation->integrates_momenta();
  State state{checkpoint.t, std::vector<double>(static_cast<size_t>(plan.nq)), std::vector<double>(static_cast<size_t>(plan.nu)), x};
  for (size_t j = 0; j < records.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    const std::vector<double>& q = records[j]->coordinates.empty() ? records[j]->position : records[j]->coordinates;
    if (records[j]->momentum.size() != static_cast<size_t>(momenta && is_state(joint) ? joint.nu : 0)) return {};
    if (!is_state(joint)) continue;
    if (std::ssize(q) != joint.nq) return {};
    std::copy(q.begin(), q.end(), state.q.begin() + joint.q);
    const std::vector<double>& p = momenta ? records[j]->momentum : records[j]->velocity;
    std::copy(p.begin(), p.end(), state.p.begin() + joint.u);
  }
  return state;
}

/// A record of an integrator for another state was damaged.
void check_step(const Checkpoint& checkpoint, size_t state, size_t searched, size_t cuts) {
  const auto check = [&](const char* pointer, const std::vector<double>& values, size_t count) {
    if (values.size() == count) return;
    throw ModelError({{checkpoint.file, 0, pointer, std::to_string(values.size()) + " numbers", std::to_string(count), ""}});
  };
  check("/integrator/cut_coordinates", checkpoint.step->memory, searched);
  check("/integrator/measured_coordinates", checkpoint.measured, cuts);
  if (checkpoint.step->anew) return;
  check("/integrator/step/state", checkpoint.step->y, state);
  check("/integrator/step/rate", checkpoint.step->f, state);
}

/// Whether all kept joints are where they should be.
bool keeps(const std::vector<JointStart>& wanted, const std::vector<JointStart>& found) {
  constexpr double same = 1e-9;  // as far as loops close [m or rad], and relative to velocities
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return std::abs(x - y) <= same * std::fmax(1, std::abs(x)); });
  };
  for (size_t j = 0; j < wanted.size(); ++j)
    if (wanted[j].keep && !(near(wanted[j].position, found[j].position) && near(wanted[j].velocity, found[j].velocity))) return false;
  return true;
}

/// Moves the joints that are not kept until all loops are closed. False, and nothing changed, where that cannot be.
bool close_around_kept(const Model& model, double t, std::vector<JointStart>& starts) {
  // Where kept joints are cut, nothing holds them: best they are all in the tree. What is cut then may be a joint of a coupling, which must
  // not be; with the loops cut as usual, the cut ones often come out right nevertheless.
  for (const bool into_tree : {true, false}) {
    Model cut = model;
    for (size_t j = 0; j < starts.size(); ++j)
      if (into_tree && starts[j].keep) cut.joints[j].cut = false;
    std::shared_ptr<const Plan> plan;
    try {
      plan = compile(std::make_shared<const Model>(std::move(cut)));
    } catch (const ModelError&) {
      continue;
    }
    const std::unique_ptr<Workspace> work = make_workspace(*plan);
    State state;
    if (!assemble(*plan, starts, t, *work, state).ok() || !closures_follow(*plan, *work).ok()) continue;
    measure_cuts(*plan, *work);
    std::vector<JointStart> found = joint_starts(*plan, *work);
    if (!keeps(starts, found)) continue;
    starts = std::move(found);
    return true;
  }
  return false;
}

}  // namespace

Status Simulation::save(const std::string& subsystem, Checkpoint& checkpoint) {
  (void)find_subsystem(model(), subsystem);
  if (const Status status = observe(); !status.ok()) return status;
  checkpoint = {.model = model().name, .subsystem = subsystem, .t = state_.t};
  const std::vector<JointStart> now = joint_starts(*plan_, *work_);
  for (size_t j = 0; j < now.size(); ++j) {
    const Joint& joint = model().joints[j];
    if (!is_inside(joint.path, subsystem)) continue;
    checkpoint.joints.push_back({path_inside(joint.path, subsystem), std::string(joint.definition->type().name()), now[j].position,
                                 now[j].velocity, now[j].coordinates});
  }
  for (size_t f = 0; f < plan_->forces.size(); ++f) {
    const Force& force = model().forces[f];
    const Slice states = plan_->forces[f].states;
    if (states.size() == 0 || !is_inside(force.path, subsystem)) continue;
    checkpoint.forces.push_back({path_inside(force.path, subsystem),
                                 std::string(force.definition->type().name()),
                                 {state_.x.begin() + states.first, state_.x.begin() + states.last}});
  }
  return {};
}

std::vector<InputRecord> Simulation::set_inputs() const {
  std::vector<InputRecord> inputs;
  for (size_t i = 0; i < work_->signals.size(); ++i) {
    const Signal& signal = work_->signals[i];
    if (model().signals[i].input && signal.live) inputs.push_back({model().signals[i].path, signal.value, signal.rate, signal.since});
  }
  return inputs;
}

void Simulation::take_inputs(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  for (size_t i = 0; i < work_->signals.size(); ++i) {
    if (!model().signals[i].input) continue;
    work_->signals[i].live = false;
    names.push_back(model().signals[i].path);
  }
  starts_anew_ = false, steered_ = checkpoint.inputs.has_value();
  kept_momenta_.clear(), verdict_.begin();
  if (!steered_) return;
  for (const InputRecord& input : *checkpoint.inputs) {
    if (std::find(names.begin(), names.end(), input.path) == names.end())
      throw ModelError({{checkpoint.file, input.line, join_pointer("/inputs", input.path), quote_text(input.path),
                         "a signal input of the model", nearest_name(input.path, names)}});
    work_->signals[this->input(input.path).number_] = {true, input.value, input.rate, input.since};
  }
}

Status Simulation::save(Checkpoint& checkpoint) {
  return guard([&] { return save_all(checkpoint); });
}

Status Simulation::save_all(Checkpoint& checkpoint) {
  if (const Status jump = take_jump(); !jump.ok()) return jump;
  StepRecord step = integrator_->last_step();
  // An input that has been set since makes the method start anew in any case.
  if (std::exchange(starts_anew_, false))
    step = {.memory = {ode_.memory().begin(), ode_.memory().end()}, .statistics = integrator_->statistics(), .anew = true};
  if (step.anew) {
    step.t = step.limit = state_.t;
    ode_.write(state_, step.y);
    if (const Status status = integrator_->repeat(step); !status.ok()) return status;
  }
  // Nobody is to notice that joints were measured here.
  const auto cuts = work_->q.end() - static_cast<std::ptrdiff_t>(cut_coordinates(*plan_));
  const std::vector<double> measured(cuts, work_->q.end());
  if (const Status status = save("", checkpoint); !status.ok()) return status;
  std::copy(measured.begin(), measured.end(), cuts);
  checkpoint.measured = measured;
  for (size_t j = 0; j < checkpoint.joints.size(); ++j) {
    const PlanJoint& joint = plan_->joints[j];
    if (!is_state(joint) || !plan_->formulation->integrates_momenta()) continue;
    checkpoint.joints[j].momentum.assign(state_.p.begin() + joint.u, state_.p.begin() + joint.u + joint.nu);
  }
  checkpoint.formulation = formulation();
  checkpoint.integrator = settings().integrator;
  checkpoint.step = std::move(step);
  if (steered_) checkpoint.inputs = set_inputs();
  return {};
}

Resumption Simulation::resume(const Checkpoint& checkpoint) {
  Resumption result;
  result.status = guard([&] { return (result = take_up(checkpoint)).status; });
  return result;
}

Resumption Simulation::restore(const std::vector<PartState>& parts) {
  Resumption result;
  result.status = guard([&] { return (result = restore_parts(parts)).status; });
  return result;
}

Resumption Simulation::take_up(const Checkpoint& checkpoint) {
  const std::vector<const JointRecord*> records = fitting_records(checkpoint, model(), "");
  take_states(*plan_, checkpoint, "", work_->x);
  take_inputs(checkpoint);
  const std::optional<State> saved = saved_state(*plan_, checkpoint, records, work_->x);
  const bool without_turns = checkpoint.format < 3 && checkpoint.step && checkpoint.step->memory.size() != ode_.memory().size();
  if (!saved || !checkpoint.step || without_turns) {
    std::vector<JointStart> starts;
    for (const JointRecord* record : records) starts.push_back({record->position, record->velocity, record->coordinates});
    Status status = assemble(*plan_, starts, checkpoint.t, *work_, state_);
    if (status.ok()) status = begin();
    return {status, false};
  }
  const StepRecord& step = *checkpoint.step;
  kinks_.look_until(std::max(step.limit, checkpoint.t));
  face_kinks(step.t);
  check_step(checkpoint, y_.size(), ode_.memory().size(), cut_coordinates(*plan_));
  std::copy_backward(checkpoint.measured.begin(), checkpoint.measured.end(), work_->q.end());
  state_ = *saved;
  const bool same_method = same(checkpoint.integrator, settings().integrator);
  if (same_method && !step.anew && repeat_last_step(checkpoint)) return {{}, true};
  state_ = *saved;
  StepRecord anew{.t = state_.t, .limit = state_.t, .memory = step.memory, .statistics = step.statistics, .anew = true};
  ode_.write(state_, anew.y);
  face_kinks(state_.t);
  return {integrator_->repeat(anew), same_method && step.anew};
}

bool Simulation::repeat_last_step(const Checkpoint& checkpoint) {
  constexpr int most_steps = 100;  // only those that felt a limit are repeated
  const StepRecord& step = *checkpoint.step;
  const State saved = state_;
  Status status = integrator_->repeat(step);
  for (int i = 0; i < most_steps && status.ok() && integrator_->time() < saved.t; ++i) status = integrator_->step(step.limit);
  if (!status.ok() || integrator_->time() < saved.t || integrator_->step_start() > saved.t) return false;
  const auto arrived = [&] { return state_.q == saved.q && state_.p == saved.p && state_.x == saved.x; };
  if (!integrator_->interpolate(saved.t, y_).ok()) return false;
  set_state(saved.t);
  if (arrived()) return true;  // after a failure loops are left as they are
  close_interpolated();
  return arrived();
}

Resumption Simulation::restore_parts(const std::vector<PartState>& parts) {
  if (const Status status = observe(); !status.ok()) return {status};
  verdict_.begin();
  std::vector<JointStart> starts = joint_starts(*plan_, *work_);
  for (const PartState& part : parts) {
    (void)find_subsystem(model(), part.subsystem);
    const std::vector<const JointRecord*> records = fitting_records(part.checkpoint, model(), part.subsystem);
    take_states(*plan_, part.checkpoint, part.subsystem, work_->x);
    for (size_t j = 0; j < records.size(); ++j)
      if (records[j]) starts[j] = {records[j]->position, records[j]->velocity, records[j]->coordinates, !plan_->joints[j].driven};
  }
  Resumption result{{}, close_around_kept(model(), state_.t, starts)};
  for (JointStart& start : starts) start.keep = false;  // closed around them, or the nearest
  result.status = assemble(*plan_, starts, state_.t, *work_, state_);
  if (result.status.ok()) result.status = begin();
  return result;
}

}  // namespace arthron
