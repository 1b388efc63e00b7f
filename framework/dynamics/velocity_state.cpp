#include "arthron/dynamics/velocity_state.hpp"

#include <algorithm>

#include "arthron/core/finite.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

Status begin_motion(const Plan& plan, double t, const double* q, const double* u, Workspace& work) {
  if (!all_finite(q, plan.nq) || !all_finite(u, plan.nu)) return {Status::Code::not_finite};
  std::copy_n(u, plan.nu, work.u.data());
  begin(plan, t, q, work);
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
  const bool uneven = work.closures->uneven != nullptr;
  if (!uneven) subtree_momenta(plan, work, work.p.data());
  closure_kinematics(plan, work);
  const Status status = uneven ? close_velocities(plan, work) : fold_velocities(plan, work);
  if (status.ok()) std::copy_n(work.u.data(), plan.nu, u);
  return status;
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
