#include "arthron/simulation/simulation.hpp"

#include <algorithm>

#include "arthron/schedule/workers.hpp"

namespace arthron {
namespace {

/// No adaptive step spans more output rows than this, so that a model at rest does not step over a short pulse.
constexpr double rows_per_step = 10;

std::shared_ptr<const Plan> checked_plan(std::shared_ptr<const Model> model, std::int64_t max_steps) {
  if (std::vector<Diagnostic> mistakes = check_settings(model->simulation, max_steps); !mistakes.empty()) {
    for (Diagnostic& mistake : mistakes) mistake.file = model->files.empty() ? "" : model->files.front();
    throw ModelError(std::move(mistakes));
  }
  return compile(std::move(model));
}

/// Opening of a loop that is called closed when a model starts [m].
constexpr double assembly_tolerance = 1e-9;

/// Newton steps granted to a model whose loops do not close as drawn.
constexpr int assembly_steps = 50;

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, std::int64_t max_steps)
    : plan_(checked_plan(std::move(model), max_steps)),
      work_(make_workspace(*plan_)),
      ode_(*plan_, *work_, 0, settings().integrator.type == "adams" || settings().integrator.type == "bdf"),
      integrator_(make_integrator(settings().integrator, {rows_per_step * settings().output_step, max_steps}, ode_)),
      y_(static_cast<std::size_t>(ode_.size())),
      dydt_(y_.size()) {
  if (plan_->elimination == Elimination::pair && settings().threads > 1) workers_ = std::make_unique<Workers>(settings().threads);
  work_->parallel = workers_.get();
}

Status Simulation::start() {
  if (const Status status = initial_state(*plan_, *work_, state_); !status.ok()) return status;
  const Projection assembly = project(*plan_, state_.t, state_.q.data(), 0, assembly_steps, *work_);
  if (!assembly.status.ok() && !(assembly.error <= assembly_tolerance)) return assembly.status;
  std::copy(state_.q.begin(), state_.q.end(), y_.begin());
  std::copy(state_.p.begin(), state_.p.end(), y_.begin() + plan_->nq);
  return integrator_->start(state_.t, y_);
}

Status Simulation::advance_to(double t, const std::function<bool()>& proceed) {
  if (t < state_.t) throw InternalError("a simulation is only advanced forward in time");
  const double limit = integrator_->interpolates() ? std::max(t, settings().until) : t;
  Status status;
  while (integrator_->time() < t && status.ok()) {
    status = integrator_->step(limit);
    if (status.ok() && proceed && !proceed()) status = {Status::Code::interrupted};
  }
  if (status.ok()) {
    integrator_->interpolate(t, y_);
    set_state(t);
  } else {
    y_ = integrator_->state();
    set_state(integrator_->time());
  }
  return status;
}

Status Simulation::observe(bool accelerations) {
  const double *q = state_.q.data(), *p = state_.p.data();
  if (accelerations) return evaluate_accelerations(*plan_, state_.t, q, p, *work_);
  return evaluate(*plan_, state_.t, q, p, dydt_.data(), dydt_.data() + plan_->nq, *work_);
}

void Simulation::set_state(double t) {
  normalise(*plan_, y_.data());
  state_.t = t;
  std::copy_n(y_.begin(), plan_->nq, state_.q.begin());
  std::copy_n(y_.begin() + plan_->nq, plan_->nu, state_.p.begin());
}

}  // namespace arthron
