#include <map>

#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_work.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

/// Positions, velocities and, where wanted, rotations of the handles.
ARTHRON_FLATTEN void move_handles(GroupWork& own, const Workspace& work) {
  GroupForces& forces = own.forces;
  for (size_t h = 0; h < forces.places.size(); ++h) {
    const GroupForces::HandlePlace& place = forces.places[h];
    const auto body = [&](int lane) -> const BodyWork& { return work.body[at(place.body[at(lane)])]; };
    Pose<Lanes> X;
    Spatial<Lanes> V;
    if (place.outside) {
      X = {{gather3([&](int lane) -> const Wide3& { return body(lane).X_WB.R.c0; }),
            gather3([&](int lane) -> const Wide3& { return body(lane).X_WB.R.c1; }),
            gather3([&](int lane) -> const Wide3& { return body(lane).X_WB.R.c2; })},
           gather3([&](int lane) -> const Wide3& { return body(lane).X_WB.p; })};
      V = gather6([&](int lane) -> const Wide6& { return body(lane).V; });
    }
    const Pose<Lanes>& X_WB = place.outside ? X : place.on < 0 ? own.X_WP : own.body[at(place.on)].X_WB;
    const Spatial<Lanes>& V_B = place.outside ? V : place.on < 0 ? own.V_P : own.body[at(place.on)].V;
    const Vector3<Lanes> arm = X_WB.R * place.p_B;
    forces.arms[h] = arm;
    forces.handles[h].position = X_WB.p + arm;
    forces.handles[h].velocity = velocity_at(V_B, arm);
    if (place.rotates) forces.handles[h].rotation = X_WB.R * place.R_BW;
  }
}

/// Wrenches at the handles' bodies.
void add_wrenches(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const GroupForces& forces = own.forces;
  for (Spatial<Lanes>& force : own.force) force = {};
  Spatial<Lanes> on_carrier;
  for (size_t h = 0; h < forces.places.size(); ++h) {
    const GroupForces::HandlePlace& place = forces.places[h];
    const Spatial<Lanes> wrench = wrench_from(forces.wrenches[h], forces.arms[h]);
    if (place.on >= 0) {
      own.force[at(place.on)] += wrench;
    } else if (!place.outside) {
      on_carrier += wrench;
    } else {
      std::array<Wide6, lane_count> single;
      scatter6(wrench, [&](int lane) -> Wide6& { return single[at(lane)]; });
      for (size_t lane = 0; lane < at(group.branches); ++lane)
        if (place.body[lane] >= plan.grounds) work.load[at(place.body[lane])] += single[lane];
    }
  }
  if (group.carrier < plan.grounds) return;
  if (group.branches < lane_count) leave_out(group.branches, on_carrier);
  work.load[at(group.carrier)] += sum_of(on_carrier);
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
      HandlePlace place;
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
    move_handles(own, work);
    LaneInstant now{work.t, {}, true, forces.values.data(), forces.rates.data()};
    now.signals.fill(work.signals.data());
    if (!forces.values.empty()) forces.functions.sample(now, forces.values.data(), forces.rates.data());
    for (const auto& batch : forces.batches)
      batch->load(now, {forces.handles.data(), nullptr, forces.wrenches.data(), nullptr, forces.room});
    add_wrenches(plan, group, own, work);
  }
}

}  // namespace arthron
