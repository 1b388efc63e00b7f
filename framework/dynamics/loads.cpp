#include <algorithm>
#include <array>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

void move_handle(const Plan& plan, size_t i, Workspace& work) {
  const PlanHandle& handle = plan.handles[i];
  const size_t b = static_cast<size_t>(handle.body);
  const Wide3 arm = work.body[b].X_WB.R * handle.p_B;
  work.handles[i] = {work.body[b].X_WB.p + arm, work.body[b].X_WB.R * handle.R_BW, velocity_at(work.body[b].V, arm)};
}

/// What functions of time know of the present positions and velocities.
void measure(const Plan& plan, Workspace& work) {
  std::array<double, PlanSensor::most_values> values{};
  for (const PlanSensor& sensor : plan.sensors) {
    sensor.read(plan, work, sensor.index, values.data());
    work.signals[static_cast<size_t>(sensor.signal)].value = values[sensor.component];
  }
}

/// Efforts of joints and wrenches of forces.
void find_loads(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (int i = part.loaded_joints.first; i < part.loaded_joints.last; ++i) {
    const size_t j = static_cast<size_t>(plan.loaded_joints[static_cast<size_t>(i)]);
    const PlanJoint& joint = plan.joints[j];
    joint_loads(plan.model->joints[j], work.now(), work.q.data() + joint.q, work.u.data() + joint.u, work.tau.data() + joint.u);
  }
  for (const BatchSlice& slice : part.forces)
    plan.force_batches[static_cast<size_t>(slice.batch)]->load(slice.items, work.now(), work.handles.data(), work.wrenches.data());
}

void add_wrench(const Plan& plan, size_t handle, Workspace& work) {
  const size_t b = static_cast<size_t>(plan.handles[handle].body);
  if (b < static_cast<size_t>(plan.grounds)) return;
  work.load[b] += wrench_from(Wide6(work.wrenches[handle]), Wide3(work.handles[handle].position) - work.body[b].X_WB.p);
}

}  // namespace

void move_handles(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  for (int h = part.handles.first; h < part.handles.last; ++h) move_handle(plan, static_cast<size_t>(h), work);
  for (const int h : part.marker_handles) move_handle(plan, static_cast<size_t>(h), work);
}

void find_shared_loads(const Plan& plan, int number, Workspace& work) {
  if (!outcome(work).ok()) return;
  move_handles(plan, number, work);
  measure(plan, work);
  find_loads(plan, part(plan, number), work);
}

void load_part(const Plan& plan, int number, Workspace& work) {
  if (!work.part[static_cast<size_t>(number)].status.ok()) return;
  const PlanPart& part = arthron::part(plan, number);
  find_loads(plan, part, work);
  if (!plan.loads_bodies) return;
  std::fill(work.load.begin() + part.bodies.first, work.load.begin() + part.bodies.last, Wide6::zero());
  for (int h = part.handles.first; h < part.handles.last; ++h) add_wrench(plan, static_cast<size_t>(h), work);
  for (const int h : part.shared_handles) add_wrench(plan, static_cast<size_t>(h), work);
  if (work.closures) load_closures(plan, number, work);
}

void apply_loads(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) move_handles(plan, p, work);
  find_shared_loads(plan, shared_part(plan), work);
  for (int p = 0; p < shared_part(plan); ++p) load_part(plan, p, work);
}

}  // namespace arthron
