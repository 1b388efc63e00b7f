#include <array>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

void move_handles(const Plan& plan, Workspace& work) {
  for (size_t i = 0; i < plan.handles.size(); ++i) {
    const PlanHandle& handle = plan.handles[i];
    const size_t b = static_cast<size_t>(handle.body);
    const Wide3 arm = work.body[b].X_WB.R * handle.p_B;
    work.handles[i] = {work.body[b].X_WB.p + arm, work.body[b].X_WB.R * handle.R_BW, velocity_at(work.body[b].V, arm)};
  }
}

/// tau = -stiffness (q - rest) - damping u + effort(t), per freedom; q in user coordinates.
void load_joint(const Joint& given, const PlanJoint& joint, Workspace& work) {
  std::array<double, 6> chart{};
  if (!given.stiffness.empty()) given.definition->type().to_chart(*given.definition, work.q.data() + joint.q, chart.data());
  for (size_t i = 0; i < static_cast<size_t>(joint.nu); ++i) {
    const size_t c = static_cast<size_t>(joint.u) + i;
    double tau = 0;
    if (!given.stiffness.empty()) tau -= given.stiffness[i] * (chart[i] - (given.rest.empty() ? 0 : given.rest[i]));
    if (!given.damping.empty()) tau -= given.damping[i] * work.u[c];
    if (!given.effort.empty()) tau += given.effort[i].value(work.t);
    work.tau[c] = tau;
  }
}

}  // namespace

void apply_loads(const Plan& plan, Workspace& work) {
  for (const int j : plan.loaded_joints) load_joint(plan.model->joints[static_cast<size_t>(j)], plan.joints[static_cast<size_t>(j)], work);
  if (!plan.handles.empty()) move_handles(plan, work);
  if (!plan.loads_bodies) return;
  for (const auto& batch : plan.force_batches) batch->load(work.t, work.handles.data(), work.wrenches.data());
  std::fill(work.load.begin(), work.load.end(), Wide6::zero());
  for (size_t i = 0; i < static_cast<size_t>(plan.force_handles); ++i) {
    const size_t b = static_cast<size_t>(plan.handles[i].body);
    work.load[b] += wrench_from(Wide6(work.wrenches[i]), Wide3(work.handles[i].position) - work.body[b].X_WB.p);
  }
  if (work.closures) load_closures(plan, work);
}

}  // namespace arthron
