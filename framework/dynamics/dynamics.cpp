#include "arthron/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/pair.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

bool finite(const double* values, int count) {
  return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

/// Phase one and all loads: everything before dp/dt or accelerations.
Status velocities_and_loads(const Plan& plan, double t, const double* q, const double* p, Workspace& work) {
  if (!finite(q, plan.nq) || !finite(p, plan.nu)) return {Status::Code::not_finite};
  std::copy_n(p, plan.nu, work.p.data());
  kinematics(plan, t, q, work);
  const Status status = plan.elimination == Elimination::pair ? pair_velocities(plan, work) : fold_velocities(plan, work);
  if (!status.ok()) return status;
  column_rates(plan, work);
  apply_loads(plan, work);
  return {};
}

}  // namespace

Status initial_state(const Plan& plan, Workspace& work, State& state) {
  state.t = 0;
  state.q.assign(static_cast<size_t>(plan.nq), 0);
  state.p.assign(static_cast<size_t>(plan.nu), 0);
  std::fill(work.u.begin(), work.u.end(), 0);
  for (size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    if (joint.driven) continue;
    const Joint& given = plan.model->joints[j];
    std::vector<double> chart = given.initial_position;
    chart.resize(static_cast<size_t>(joint.nu), 0);
    given.definition->type().from_chart(*given.definition, chart.data(), state.q.data() + joint.q);
    std::copy(given.initial_velocity.begin(), given.initial_velocity.end(), work.u.data() + joint.u);
  }
  kinematics(plan, 0, state.q.data(), work);
  forward_velocities(plan, work);
  apply_loads(plan, work);
  momentum_rates(plan, nullptr, work);
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    if (body.driven) continue;
    for (size_t c = static_cast<size_t>(body.u); c < static_cast<size_t>(body.u + body.columns); ++c)
      state.p[c] = column_dot(work.column[c].H, work.body[b].P, plan.shapes[c]);
  }
  if (!finite(state.q.data(), plan.nq) || !finite(state.p.data(), plan.nu)) return {Status::Code::not_finite};
  return {};
}

Status evaluate(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work) {
  const Status status = velocities_and_loads(plan, t, q, p, work);
  if (!status.ok()) return status;
  momentum_rates(plan, pdot, work);
  if (plan.plain_coordinates) {
    std::copy_n(work.u.data(), plan.nu, qdot);
  } else {
    for (const auto& batch : plan.joint_batches) batch->coordinate_rate(work.q.data(), work.u.data(), work.qdot.data());
    std::copy_n(work.qdot.data(), plan.nq, qdot);
  }
  return {};
}

Status evaluate_accelerations(const Plan& plan, double t, const double* q, const double* p, Workspace& work) {
  const Status status = velocities_and_loads(plan, t, q, p, work);
  if (!status.ok()) return status;
  momentum_rates(plan, nullptr, work);
  acceleration_terms(plan, work);
  if (plan.elimination == Elimination::pair)
    pair_accelerations(plan, work);
  else
    fold_accelerations(plan, work);
  reactions(plan, work);
  return {};
}

bool normalise(const Plan& plan, double* q) {
  if (plan.plain_coordinates) return false;
  for (const auto& batch : plan.joint_batches) batch->normalise(q, plan.nq);
  return true;
}

}  // namespace arthron
