#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/joint_loads.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

void move_handle(const Plan& plan, size_t i, Workspace& work) {
  const PlanHandle& handle = plan.handles[i];
  const size_t b = handle.body;
  const Wide3 arm = work.body[b].X_WB.R * handle.p_B;
  work.handles[i] = {work.body[b].X_WB.p + arm, work.body[b].X_WB.R * handle.R_BW, velocity_at(work.body[b].V, arm)};
}

/// Efforts of joints, wrenches of forces and rates of their internal states.
void find_loads(const Plan& plan, const PlanPart& part, bool grouped, Workspace& work) {
  for (int i = part.loaded_joints.first; i < part.loaded_joints.last; ++i) {
    const size_t j = plan.loaded_joints[i];
    const PlanJoint& joint = plan.joints[j];
    joint_loads(plan.model->joints[j], work.now(), work.q.data() + joint.q, work.u.data() + joint.u, work.tau.data() + joint.u);
  }
  if (part.forces.empty() && part.group_forces.empty()) return;
  const ForceInputs in = work.force_inputs();
  const ForceOutputs out{work.wrenches.data(), work.drawn.data(), work.xdot.data()};
  const auto load = [&](const BatchSlice& slice) { plan.force_batches[slice.batch]->load(slice.items, work.now(), in, out); };
  for (const BatchSlice& slice : part.forces) load(slice);
  if (grouped) return;
  for (const BatchSlice& slice : part.group_forces) load(slice);
}

void add_wrench(const Plan& plan, size_t handle, Workspace& work) {
  const int b = plan.handles[handle].body;
  if (b < plan.grounds) return;
  work.load[b] += wrench_from(Wide6(work.wrenches[handle]), Wide3(work.handles[handle].position) - work.body[b].X_WB.p);
}

}  // namespace

void measure(const Plan& plan, Workspace& work) {
  std::array<double, PlanSensor::most_values> values{};
  for (const PlanSensor& sensor : plan.sensors) {
    sensor.read(plan, work, sensor.index, values.data());
    work.signals[sensor.signal].value = values[sensor.component];
  }
}

void move_handles(const Plan& plan, int number, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  for (int h = part.handles.first; h < part.handles.last; ++h) move_handle(plan, h, work);
  if (is_grouped(work, number)) return;
  for (int h = part.group_handles.first; h < part.group_handles.last; ++h) move_handle(plan, h, work);
  for (const int h : part.marker_handles) move_handle(plan, h, work);
}

void find_shared_loads(const Plan& plan, int number, Workspace& work) {
  if (!outcome(work).ok()) return;
  move_handles(plan, number, work);
  measure(plan, work);
  find_loads(plan, part(plan, number), false, work);
}

void load_part(const Plan& plan, int number, Workspace& work) {
  if (!work.part[number].status.ok()) return;
  const PlanPart& part = arthron::part(plan, number);
  const bool grouped = is_grouped(work, number);
  find_loads(plan, part, grouped, work);
  if (!plan.loads_bodies) return;
  std::fill(work.load.begin() + part.bodies.first, work.load.begin() + part.bodies.last, Wide6::zero());
  for (int h = part.handles.first; h < part.handles.last; ++h) add_wrench(plan, h, work);
  if (grouped)
    load_groups(plan, part, work);
  else
    for (int h = part.group_handles.first; h < part.group_handles.last; ++h) add_wrench(plan, h, work);
  for (const int h : part.shared_handles) add_wrench(plan, h, work);
  if (work.closures) load_closures(plan, number, work);
}

void apply_loads(const Plan& plan, Workspace& work) {
  for (int p = 0; p < shared_part(plan); ++p) move_handles(plan, p, work);
  find_shared_loads(plan, shared_part(plan), work);
  for (int p = 0; p < shared_part(plan); ++p) load_part(plan, p, work);
}

Status forces_are_finite(const Plan& plan, const ForceNumbers& numbers) {
  const auto finite = [&](const double* list, std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      if (!std::isfinite(list[i * numbers.stride])) return false;
    return true;
  };
  constexpr std::size_t wrench = sizeof(Spatial6) / sizeof(double), whole = sizeof(HandleState) / sizeof(double);
  constexpr std::size_t position = 3, velocity = offsetof(HandleState, velocity) / sizeof(double);
  for (std::size_t f = 0; f < plan.forces.size(); ++f) {
    const Slice handles = plan.forces[f].handles, states = plan.forces[f].states;
    const std::size_t handle = handles.first, count = handles.size();
    const std::size_t state = states.first, n = states.size();
    if (finite(numbers.wrenches, wrench * handle, wrench * count) && finite(numbers.xdot, state, n)) continue;
    bool knew = finite(numbers.x, state, n);
    for (std::size_t i = handle; i < handle + count; ++i)
      knew = knew && finite(numbers.handles, whole * i, position) && finite(numbers.handles, whole * i + velocity, wrench);
    if (knew) return {Status::Code::not_finite, element_of_force(plan, static_cast<int>(f))};
  }
  return {};
}

Status forces_are_finite(const Plan& plan, const Workspace& work) {
  return forces_are_finite(plan, {reinterpret_cast<const double*>(work.handles.data()), work.x.data(),
                                  reinterpret_cast<const double*>(work.wrenches.data()), work.xdot.data(), 1});
}

}  // namespace arthron
