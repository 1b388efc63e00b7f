#pragma once
#include "arthron/component/lane_force.hpp"
#include "arthron/dynamics/group_numbers.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Numbers of a SimdGroup while its branches are computed on SIMD lanes, and the stages that do so; each is the stage of the same name for
/// bodies and cut joints that are alone. Every body of a SIMD group is placed in Workspace::body and gets its velocity there; all else
/// stays on lanes.
namespace arthron {

/// Forces of a SIMD group: any type's LaneForceBatch, with a handle of every branch in the place of one.
struct GroupForces {
  GroupForces(const Plan& plan, const SimdGroup& group);

  std::vector<std::unique_ptr<LaneForceBatch>> batches;
  LaneTimeFunctions functions;
  std::vector<GroupHandle<Lanes>> places;
  std::vector<HandleStateOf<Lanes>> handles;
  std::vector<Vector3<Lanes>> arms;
  std::vector<Spatial<Lanes>> wrenches;
  std::vector<Lanes> values, rates;
  LaneForceRoom room;
};

/// Room for the numbers of a group, and its constants: those of Plans, and of closures after prepare_cuts.
void begin_numbers(const SimdGroup& group, const PerLane<const Plan*>& plans, const PerLane<const ClosureWork*>& closures,
                   GroupNumbers<Lanes>& own);

struct GroupWork : GroupNumbers<Lanes> {
  /// After prepare_cuts.
  GroupWork(const Plan& plan, const SimdGroup& group, const Workspace& work);

  GroupForces forces;
  std::vector<bool> loaded_ungrouped;  // per body: single forces act on it too
  bool rows_in_order = true;           // of the open rows in the nodes by which they pass to the carrier
};

/// Whether the groups of a part are computed on SIMD lanes; of what parts share, nothing is.
[[nodiscard]] inline bool is_grouped(const Workspace& work, int part) {
  return static_cast<std::size_t>(part) < work.part.size() && work.part[part].grouped;
}

void place_groups(const Plan& plan, const PlanPart& part, Workspace& work);
void group_cut_directions(const Plan& plan, const PlanPart& part, Workspace& work);
/// Before anything folds into the carriers.
void clear_carriers(const Plan& plan, const PlanPart& part, Workspace& work);
/// False where some closure may be redundant, or nearly so: its rows want a search for pivots. Nothing is written outside the groups then.
[[nodiscard]] bool fold_groups(const Plan& plan, const PlanPart& part, Workspace& work, int& singular);
/// Gives the bodies all that the stages of single ones read, after fold_groups has failed; cut joints are then to be placed one by one.
void ungroup(const Plan& plan, const PlanPart& part, Workspace& work);
/// The velocities' sum comes back, which is not finite where one of them is not.
[[nodiscard]] double unfold_groups(const Plan& plan, const PlanPart& part, Workspace& work);
/// Forces that act on all branches alike.
void load_groups(const Plan& plan, const PlanPart& part, Workspace& work);
void group_cut_rates(const Plan& plan, const PlanPart& part, Workspace& work);
void group_cut_loads(const Plan& plan, const PlanPart& part, Workspace& work);
void release_group_cuts(const PlanPart& part, Workspace& work);
/// Before any momenta are added to those of the carriers.
void clear_carrier_momenta(const Plan& plan, const PlanPart& part, Workspace& work);
void group_momenta(const Plan& plan, const PlanPart& part, Workspace& work);
/// p of the groups' joints from their momenta.
void group_subtree_momenta(const Plan& plan, const PlanPart& part, const Workspace& work, double* p);

}  // namespace arthron
