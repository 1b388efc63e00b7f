#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/dynamics/lane_access.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_FLATTEN void load_freedoms(const LanePlan& plan, LaneWorkspace& work) {
  for (const LaneFreedom& load : plan.freedoms)
    work.tau[load.u] = effort(load, work.q[load.q], work.u[load.u], work.values.data(), work.rates.data());
}

void load_joints(const LanePlan& plan, LaneWorkspace& work) {
  load_freedoms(plan, work);
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
  if (plan.force_batches.empty()) {
    for (Spatial<Lanes>& force : work.group.force) force = {};
    return;
  }
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
