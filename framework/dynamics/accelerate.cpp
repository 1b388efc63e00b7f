#include "arthron/dynamics/accelerate.hpp"

#include <algorithm>

#include "arthron/core/finite.hpp"
#include "arthron/dynamics/block_module.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/joint_space.hpp"
#include "arthron/dynamics/pair.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

/// Before a program that begins with the kinematics and goes on from joint velocities.
Status begin_motion(const Plan& plan, double t, const double* q, const double* u, Workspace& work) {
  if (!all_finite(q, plan.nq) || !all_finite(u, plan.nu)) return {Status::Code::not_finite};
  std::copy_n(u, plan.nu, work.u.data());
  begin(plan, t, q, work);
  return {};
}

/// Accelerations of the Plan's formulation from the right-hand sides in the workspace.
Status solve(const Plan& plan, Workspace& work) {
  if (plan.formulation == Formulation::dca) return pair_forces(plan, work);
  return work.modules ? block_module_accelerations(plan, work, *work.modules) : joint_space_accelerations(plan, work, *work.joint_space);
}

}  // namespace

Status accelerate(const Plan& plan, double t, const double* q, const double* u, double* qdot, double* udot, Workspace& work) {
  work.qdot_out = qdot, work.pdot_out = udot;
  if (const Status status = begin_motion(plan, t, q, u, work); !status.ok()) return status;
  if (plan.formulation == Formulation::dca && plan.elimination == Elimination::fold) {
    run(work.programs->accelerate, work);
    return outcome(work);
  }
  run(work.programs->forces, work);
  Status status = outcome(work);
  if (status.ok()) status = solve(plan, work);
  if (!status.ok()) return status;
  run(work.programs->acceleration_rates, work);
  return outcome(work);
}

Status observe_accelerations(const Plan& plan, double t, const double* q, const double* u, Workspace& work) {
  if (const Status status = accelerate(plan, t, q, u, nullptr, nullptr, work); !status.ok()) return status;
  subtree_momenta(plan, work, work.p.data());
  if (work.closures) {
    measure_freedoms(plan, work);
    closure_acceleration_terms(plan, work);
    if (plan.formulation == Formulation::dca && plan.elimination == Elimination::fold) smallest_multipliers(plan, work);
    closure_reactions(plan, work);
  }
  reactions(plan, work);
  return {};
}

/// Bodies in place, before the level of velocities.
static Status place_for_velocities(const Plan& plan, double t, const double* q, const double* u, Workspace& work) {
  if (const Status status = begin_motion(plan, t, q, u, work); !status.ok()) return status;
  run(work.programs->kinematics, work);
  return {};
}

/// Velocities u from the momenta in the workspace.
static Status solve_momenta(const Plan& plan, double* u, Workspace& work) {
  if (work.closures) closure_kinematics(plan, work);
  const Status status = fold_velocities(plan, work);
  if (status.ok()) std::copy_n(work.u.data(), plan.nu, u);
  return status;
}

Status project_velocities(const Plan& plan, double t, const double* q, double* u, Workspace& work) {
  if (!work.closures) return {};
  if (const Status status = place_for_velocities(plan, t, q, u, work); !status.ok()) return status;
  forward_velocities(plan, work);
  subtree_momenta(plan, work, work.p.data());
  return solve_momenta(plan, u, work);
}

Status momenta_of_velocities(const Plan& plan, double t, const double* q, const double* u, double* p, Workspace& work) {
  if (const Status status = place_for_velocities(plan, t, q, u, work); !status.ok()) return status;
  forward_velocities(plan, work);
  subtree_momenta(plan, work, p);
  return {};
}

Status velocities_of_momenta(const Plan& plan, double t, const double* q, const double* p, double* u, Workspace& work) {
  if (const Status status = place_for_velocities(plan, t, q, u, work); !status.ok()) return status;
  std::copy_n(p, plan.nu, work.p.data());
  return solve_momenta(plan, u, work);
}

}  // namespace arthron
