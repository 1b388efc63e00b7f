#include "arthron/analysis/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/dynamics/author_failure.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/formulations/joint_space/joint_space.hpp"

namespace arthron {

using std::size_t;

void inverse_dynamics(const Plan& plan, const double* udot, Workspace& work, double* efforts) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    Wide6 A = velocity_at(work.A[body.parent], work.body[b].arm) + work.gamma[b];
    for (int c = body.u; c < body.u + body.columns && !body.driven; ++c) add_column(A, udot[c], work.column[c].H, plan.shapes[c]);
    work.A[b] = A;
  }
  if (work.closures) closure_reactions(plan, work);
  reactions(plan, work);
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
    for (int c = plan.bodies[b].u; c < plan.bodies[b].u + plan.bodies[b].columns; ++c)
      efforts[c] = column_dot(work.column[c].H, work.F[b], plan.shapes[c]);
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      efforts[plan.joints[term.joint.value].u + term.freedom] -= term.coefficient * work.closures->cuts[c].sigma[0];
}

InverseDynamics::InverseDynamics(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)), work_(make_workspace(*plan_)) {
  if (plan_->joins.empty()) own_ = std::make_unique<JointSpaceWork>(*plan_, MultiplierSolve::subsystems);
  rest_.assign(plan_->nu, 0);
  qdot_.assign(plan_->nq, 0);
  efforts_.assign(plan_->nu_all, std::numeric_limits<double>::quiet_NaN());
}

InverseDynamics::~InverseDynamics() = default;

Status InverseDynamics::close_loops(double t) {
  constexpr int most_steps = 20;
  constexpr double closed = 1e-9;  // opening that still counts as closed where rounding is out of reach [m]
  if (!begun_) {
    std::vector<JointStart> starts;
    for (const Joint& joint : plan_->model->joints) starts.push_back({joint.initial_position, {}, {}, false});
    return assemble(*plan_, starts, t, *work_, state_);
  }
  for (size_t i = 0; i < state_.q.size(); ++i) state_.q[i] += (t - state_.t) * qdot_[i];
  normalise(*plan_, state_.q.data());
  state_.t = t;
  const Projection projection = project(*plan_, t, state_.q.data(), 0, most_steps, *work_);
  return projection.error <= closed ? Status{} : projection.status;
}

Status InverseDynamics::determined(double t) {
  int rank = 0;
  for (size_t c = 0; c < plan_->closures.size(); ++c) rank += work_->closures->cuts[c].rank;
  if (rank == plan_->nu) return {};
  // Impulses along one joint after the other: those that cannot move stay at rest.
  double largest = -1;
  int freest = -1;
  for (size_t j = 0; j < plan_->joints.size(); ++j) {
    const PlanJoint& joint = plan_->joints[j];
    if (joint.driven || joint.closure >= 0) continue;
    for (int c = joint.u; c < joint.u + joint.nu; ++c) {
      const double driven = work_->u[c];
      rest_[c] = 1;
      const Status status = solve_velocities(*plan_, t, state_.q.data(), rest_.data(), *work_);
      rest_[c] = 0;
      const double moved = work_->u[c] - driven;
      if (status.ok() && moved > largest) largest = moved, freest = static_cast<int>(j);
      if (const Status back = solve_velocities(*plan_, t, state_.q.data(), rest_.data(), *work_); !back.ok()) return back;
    }
  }
  return {Status::Code::not_determined, freest};
}

void InverseDynamics::find_efforts() {
  inverse_dynamics(*plan_, work_->udot.data(), *work_, efforts_.data());
  for (int c = 0; c < plan_->cuts; ++c) {
    const PlanJoint& joint = plan_->joints[plan_->closures[c].joint];
    joint_effort(*plan_, *work_, {plan_->closures[c].joint}, efforts_.data() + joint.u);
  }
}

double InverseDynamics::safe_step() const {
  if (plan_->closures.empty()) return std::numeric_limits<double>::infinity();
  constexpr double move = 0.1, least = 1e-6;  // [m or rad], [s]
  double rate = 0, acceleration = 0;
  for (const double u : work_->u) rate = std::max(rate, std::abs(u));
  for (const double a : work_->udot) acceleration = std::max(acceleration, std::abs(a));
  return std::max(least, std::min(move / rate, std::sqrt(2 * move / acceleration)));
}

Status InverseDynamics::at(double t) {
  return guarded(*work_, [&] { return follow_to(t); });
}

Status InverseDynamics::follow_to(double t) {
  while (begun_) {
    const double ahead = t - state_.t, step = safe_step();
    if (std::abs(ahead) <= step) break;
    if (const Status status = move_to(state_.t + std::copysign(step, ahead)); !status.ok()) return status;
  }
  return move_to(t);
}

Status InverseDynamics::move_to(double t) {
  if (const Status status = close_loops(t); !status.ok()) return begun_ = false, status;
  begun_ = true;
  if (const Status status = solve_velocities(*plan_, t, state_.q.data(), rest_.data(), *work_); !status.ok()) return status;
  if (work_->closures)
    if (const Status status = closures_follow(*plan_, *work_); !status.ok()) return status;
  if (const Status status = determined(t); !status.ok()) return status;
  const double* const q = state_.q.data();
  const Status status =
      own_ ? evaluate_joint_space(*plan_, t, q, rest_.data(), *work_, *own_) : evaluate_accelerations(*plan_, t, q, rest_.data(), *work_);
  if (const Status forces = forces_are_finite(*plan_, *work_); !forces.ok()) return forces;
  if (!status.ok()) return status;
  coordinate_rates(*plan_, *work_);
  std::copy_n(work_->qdot.begin(), plan_->nq, qdot_.begin());
  find_efforts();
  return {};
}

std::span<const double> InverseDynamics::efforts(JointIndex joint) const {
  const PlanJoint& place = plan_->joints[joint.value];
  return {efforts_.data() + place.u, static_cast<size_t>(place.nu)};
}

}  // namespace arthron
