#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/dynamics/lane_access.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/spatial/lane_math.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

/// joint_loads() along one freedom.
ARTHRON_FLATTEN Lanes effort(const LaneFreedom& load, const LaneWorkspace& work) {
  const Lanes x = work.q[load.q], u = work.u[load.u];
  Lanes force = -(load.damping * u);
  if (load.springs) force -= load.stiffness * (x - load.rest);
  if (load.stops) {
    const Lanes beyond = select(x > load.upper, x - load.upper, select(x < load.lower, x - load.lower, Lanes(0)));
    const Lanes inward = select(beyond > 0, u, -u);
    force -= load.stop_stiffness * beyond * max(Lanes(0), 1 + load.stop_damping * inward);
  }
  if (load.drives) {
    Lanes wanted = -(load.drive_stiffness * x) - load.drive_damping * u;
    if (load.target >= 0) wanted += load.drive_stiffness * work.values[load.target];
    if (load.target_rate >= 0)
      wanted += load.drive_damping * work.values[load.target_rate];
    else if (load.target >= 0)
      wanted += load.drive_damping * work.rates[load.target];
    force += min(max(wanted, -load.max_effort), load.max_effort);
  }
  if (load.rubs) {
    const Lanes ratio = u / load.stribeck_speed;
    const Lanes limit = load.friction + (load.static_friction - load.friction) * exp(-(ratio * ratio));
    force -= limit * tanh(u / load.friction_speed);
  }
  if (load.effort >= 0) force += work.values[load.effort];
  return force;
}

void load_joints(const LanePlan& plan, LaneWorkspace& work) {
  for (const LaneFreedom& load : plan.freedoms) work.tau[load.u] = effort(load, work);
  for (const int j : plan.loads_by_lane) {
    const PlanJoint& joint = plan.topology().joints[j];
    for (int lane = 0; lane < lane_count; ++lane) {
      get_lane(work.q.data() + joint.q, lane, work.q_lane.data(), joint.nq),
          get_lane(work.u.data() + joint.u, lane, work.u_lane.data(), joint.nu);
      joint_loads(plan.plans[lane]->model->joints[j], work.now().of(lane), work.q_lane.data(), work.u_lane.data(), work.tau_lane.data());
      set_lane(work.tau.data() + joint.u, lane, work.tau_lane.data(), joint.nu);
    }
  }
}

ARTHRON_FLATTEN void move_all_handles(const LanePlan& plan, LaneWorkspace& work) {
  move_handles(plan.handles, work.group, VariantAccess{plan, work}, work.handles, work.arms);
}

ARTHRON_FLATTEN void sum_wrenches(const LanePlan& plan, LaneWorkspace& work) {
  (void)add_wrenches(plan.handles, work.wrenches, work.arms, work.group, VariantAccess{plan, work});
}

}  // namespace

void apply_loads(const LanePlan& plan, LaneWorkspace& work) {
  load_joints(plan, work);
  if (plan.force_batches.empty()) return;
  move_all_handles(plan, work);
  const LaneForceWork forces{work.handles.data(), work.x.data(), work.wrenches.data(), work.xdot.data(), work.room};
  for (const auto& batch : plan.force_batches) batch->load(work.now(), forces);
  sum_wrenches(plan, work);
}

Status forces_are_finite(const LanePlan& plan, size_t lane, const LaneWorkspace& work) {
  const auto numbers = [lane](const auto& list) { return list.empty() ? nullptr : reinterpret_cast<const double*>(list.data()) + lane; };
  return forces_are_finite(*plan.plans[lane], {numbers(work.handles), numbers(work.x), numbers(work.wrenches), numbers(work.xdot),
                                               static_cast<size_t>(lane_count)});
}

}  // namespace arthron
