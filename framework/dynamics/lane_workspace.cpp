#include "arthron/dynamics/lane_workspace.hpp"

#include <algorithm>
#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/ground_state.hpp"
#include "arthron/dynamics/group_work.hpp"

namespace arthron {

namespace {

bool same_values(const Signal& a, const Signal& b) {
  return a.live == b.live && (!a.live || (a.value == b.value && a.rate == b.rate && a.since == b.since));
}

/// Fills a list of structs of lanes with NaN.
template <class Item>
void assign_nan(std::vector<Item>& items, std::size_t count) {
  static_assert(sizeof(Item) % sizeof(Lanes) == 0);
  items.resize(count);
  Lanes* const numbers = reinterpret_cast<Lanes*>(items.data());
  std::fill_n(numbers, count * (sizeof(Item) / sizeof(Lanes)), Lanes(std::numeric_limits<double>::quiet_NaN()));
}

/// For internal states, initial ones as in a Workspace, and for the largest force.
void make_room(const LanePlan& plan, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  std::vector<double> initial(topology.nx);
  assign_nan(work.x, initial.size()), assign_nan(work.xdot, initial.size());
  for (int lane = 0; lane < lane_count; ++lane) {
    for (const auto& batch : plan.plans[lane]->force_batches) batch->initial_states(initial.data());
    set_lane(work.x.data(), lane, initial.data(), topology.nx);
  }
  std::size_t handles = 0, states = 0;
  for (const Force& force : topology.model->forces) {
    handles = std::max(handles, force.handles.size());
    states = std::max(states, force.definition->type().states().size());
  }
  work.room.drawn.resize(handles), work.room.handles.resize(handles), work.room.wrenches.resize(handles);
  work.room.x.resize(states), work.room.xdot.resize(states);
}

/// Constants of the closures are those that a Workspace of each variant finds.
void make_group(const LanePlan& plan, LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  const std::size_t closures = topology.closures.size(), grounds = topology.ground.size();
  PerLane<const ClosureWork*> closures_of{};
  for (std::size_t lane = 0; lane < plan.plans.size(); ++lane) {
    if (closures == 0) continue;
    closures_of[lane] = work.alone[lane]->closures.get();
    work.cuts[lane] = {std::vector<Pose<double>>(closures), std::vector<Spatial6>(closures), closures_of[lane]->D_F,
                       std::vector<Spatial6>(6 * closures), std::vector<Spatial6>(closures)};
  }
  begin_numbers(plan.group, plan.plans, closures_of, work.group);
  work.group.pivots.resize(closures), work.error.resize(closures);
  work.group.carrier.resize(grounds);
  for (std::vector<Spatial<Lanes>>* list : {&work.group.known, &work.group.bias_alone, &work.group.A, &work.group.F})
    list->resize(plan.group.bodies.size());
  for (int lane = 0; lane < lane_count; ++lane) {
    for (std::size_t g = 0; g < grounds; ++g) {
      const GroundState ground = ground_state(plan.plans[lane]->ground[g], work.now().of(lane));
      set_lane(&work.group.carrier[g].X_WB, lane, &ground.X_WB, 1);
    }
    std::size_t next = 0;
    for (std::size_t c = topology.cuts; c < closures; ++c)
      for (const Coupling::Term& term : plan.plans[lane]->model->couplings[topology.closures[c].coupling].terms) {
        if (work.group.coefficients.size() == next) work.group.coefficients.emplace_back();
        work.group.coefficients[next++].set(lane, term.coefficient);
      }
  }
}

}  // namespace

LaneWorkspace::LaneWorkspace(const LanePlan& plan, const PerLane<const std::vector<Signal>*>& signals_of) {
  const Plan& topology = plan.topology();
  const std::size_t columns = topology.nu_all, coordinates = topology.nq_all;
  for (std::size_t lane = 0; lane < alone.size(); ++lane)
    alone[lane] = lane > 0 && plan.plans[lane] == plan.plans[lane - 1] ? alone[lane - 1] : make_workspace(*plan.plans[lane]);
  for (std::size_t lane = 0; lane < signals.size(); ++lane) {
    alone[lane]->signals = *signals_of[lane];
    signals[lane] = (topology.sensors.empty() ? *signals_of[lane] : alone[lane]->signals).data();
    signals_agree = signals_agree && std::equal(signals_of[lane]->begin(), signals_of[lane]->end(), signals_of[0]->begin(),
                                                signals_of[0]->end(), same_values);
  }
  signals_agree = signals_agree && topology.sensors.empty();
  sampled = std::numeric_limits<double>::quiet_NaN();
  assign_nan(values, plan.functions.size()), assign_nan(rates, plan.functions.size());
  assign_nan(q, coordinates), assign_nan(u, columns), assign_nan(p, topology.nu), assign_nan(qdot, coordinates);
  assign_nan(X_FM, topology.joints.size()), assign_nan(H_F, columns), assign_nan(Hdot_F, columns);
  assign_nan(handles, plan.handles.size()), assign_nan(wrenches, plan.handles.size()), assign_nan(arms, plan.handles.size());
  for (const PlanJoint& joint : topology.joints) q_lane.resize(std::max(q_lane.size(), static_cast<std::size_t>(joint.nq)));
  u_lane.resize(6), tau_lane.resize(6), q_of_lane.resize(coordinates);
  tau.assign(columns, Lanes(0)), drive_acceleration.assign(columns, Lanes(0));
  assign_nan(udot, columns), assign_nan(row_rates, topology.nq + topology.nu);
  make_room(plan, *this);
  make_group(plan, *this);
  for (const auto& batch : plan.joint_batches) batch->constants(X_FM.data(), H_F.data());
}

}  // namespace arthron
