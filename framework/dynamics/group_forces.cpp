#include <map>

#include "arthron/dynamics/group_branches.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_FLATTEN void move_group_handles(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  move_handles(own.forces.places, own, BranchAccess{plan, group, own, work}, own.forces.handles, own.forces.arms);
}

/// Wrenches at the handles' bodies.
ARTHRON_FLATTEN void add_group_wrenches(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  Spatial<Lanes> on_carrier =
      add_wrenches(own.forces.places, own.forces.wrenches, own.forces.arms, own, BranchAccess{plan, group, own, work});
  if (group.carrier < plan.grounds) return;
  if (group.branches < lane_count) leave_out(group.branches, on_carrier);
  work.load[group.carrier] += sum_of(on_carrier);
}

}  // namespace

GroupForces::GroupForces(const Plan& plan, const SimdGroup& group) {
  const Model& model = *plan.model;
  std::map<std::string_view, size_t> batch_of;
  for (const GroupForce& force : group.forces) {
    const auto given = [&](size_t lane) -> const Force& { return model.forces[at(force.force[lane])]; };
    const ForceType& type = given(0).definition->type();
    const auto [batch, fresh] = batch_of.try_emplace(type.name(), batches.size());
    if (fresh) batches.push_back(type.make_lane_batch());
    const bool rotates = batches[batch->second]->add(
        per_lane<const ForceDefinition*>([&](size_t lane) { return given(lane).definition.get(); }), {static_cast<int>(places.size()), 0},
        per_lane<const Placement*>([&](size_t lane) { return &given(lane).placement; }), functions);
    for (size_t h = 0; h < force.on.size(); ++h) {
      GroupHandle<Lanes> place;
      place.on = force.on[h], place.rotates = rotates;
      for (int lane = 0; lane < lane_count; ++lane) {
        const PlanHandle& handle = plan.handles[at(plan.forces[at(force.force[at(lane)])].handles.first) + h];
        place.body[at(lane)] = handle.body;
        place.outside = place.outside || (place.on < 0 && handle.body != group.carrier);
        set_lane(&place.p_B, lane, &handle.p_B, 1), set_lane(&place.R_BW, lane, &handle.R_BW, 1);
      }
      places.push_back(place);
    }
    room.drawn.resize(std::max(room.drawn.size(), force.on.size()));
  }
  handles.resize(places.size()), arms.resize(places.size()), wrenches.resize(places.size());
  values.resize(functions.size()), rates.resize(functions.size());
}

void load_groups(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    GroupWork& own = *work.groups[at(t)];
    GroupForces& forces = own.forces;
    if (group.forces.empty()) continue;
    move_group_handles(plan, group, own, work);
    LaneInstant now{work.t, {}, true, forces.values.data(), forces.rates.data()};
    now.signals.fill(work.signals.data());
    if (!forces.values.empty()) forces.functions.sample(now, forces.values.data(), forces.rates.data());
    for (const auto& batch : forces.batches)
      batch->load(now, {forces.handles.data(), nullptr, forces.wrenches.data(), nullptr, forces.room});
    add_group_wrenches(plan, group, own, work);
  }
}

}  // namespace arthron
