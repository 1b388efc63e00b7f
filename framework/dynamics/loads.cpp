#include <array>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/joint_loads.hpp"
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

/// What functions of time know of the present positions and velocities.
void measure(const Plan& plan, Workspace& work) {
  std::array<double, PlanSensor::most_values> values{};
  for (const PlanSensor& sensor : plan.sensors) {
    sensor.read(plan, work, sensor.index, values.data());
    work.signals[static_cast<size_t>(sensor.signal)].value = values[sensor.component];
  }
}

}  // namespace

void apply_loads(const Plan& plan, Workspace& work) {
  if (!plan.handles.empty()) move_handles(plan, work);
  measure(plan, work);
  for (const int j : plan.loaded_joints) {
    const PlanJoint& joint = plan.joints[static_cast<size_t>(j)];
    joint_loads(plan.model->joints[static_cast<size_t>(j)], work.now(), work.q.data() + joint.q, work.u.data() + joint.u,
                work.tau.data() + joint.u);
  }
  if (!plan.loads_bodies) return;
  for (const auto& batch : plan.force_batches) batch->load(work.now(), work.handles.data(), work.wrenches.data());
  std::fill(work.load.begin(), work.load.end(), Wide6::zero());
  for (size_t i = 0; i < static_cast<size_t>(plan.force_handles); ++i) {
    const size_t b = static_cast<size_t>(plan.handles[i].body);
    work.load[b] += wrench_from(Wide6(work.wrenches[i]), Wide3(work.handles[i].position) - work.body[b].X_WB.p);
  }
  if (work.closures) load_closures(plan, work);
}

}  // namespace arthron
