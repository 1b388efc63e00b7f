#include "arthron/formulations/acceleration_based.hpp"

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/dynamics/velocity_state.hpp"

namespace arthron {

Status AccelerationBased::rates(const Plan& plan, double t, const double* q, const double* u, double* qdot, double* udot,
                                Workspace& work) const {
  if (const Status status = begin_motion(plan, t, q, u, work); !status.ok()) return status;
  return run_programs(plan, {qdot, udot}, work);
}

Status AccelerationBased::run_programs(const Plan& plan, const Request& request, Workspace& work) const {
  run(work.programs->forces, work);
  Status status = outcome(work);
  if (status.ok()) status = solve(plan, work);
  if (!status.ok()) return status;
  run(work.programs->acceleration_rates, work, request);
  return outcome(work);
}

Status AccelerationBased::observe(const Plan& plan, double t, const double* q, const double* u, Workspace& work) const {
  if (const Status status = rates(plan, t, q, u, nullptr, nullptr, work); !status.ok()) return status;
  subtree_momenta(plan, work, work.p.data());
  if (work.closures) {
    measure_freedoms(plan, work);
    closure_acceleration_terms(plan, work);
    if (work.closures->uneven) smallest_multipliers(plan, work);
    finish_multipliers(plan, work);
    closure_reactions(plan, work);
  }
  reactions(plan, work);
  return {};
}

}  // namespace arthron
