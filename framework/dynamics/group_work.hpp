#pragma once
#include "arthron/dynamics/lane_workspace.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Numbers of a SimdGroup while its branches are computed on SIMD lanes, and the stages that do so; each is the stage of the same name for
/// bodies and cut joints that are alone. Every body of a SIMD group is placed in Workspace::body and gets its velocity there; all else
/// stays on lanes.
namespace arthron {

/// Constants of a GroupBody.
struct GroupBodyGiven {
  Vector3<Lanes> axis, p_PF;
  Matrix3<Lanes> R_PF;
  Lanes mass;
  Vector3<Lanes> first_moment;
  Symmetric3<Lanes> second_moment;
};

struct GroupCutWork {
  Pose<Lanes> X_PF, X_CM;
  Vector3<Lanes> end;  // GroupCut::end
  Lanes length;        // ClosureWork::scale
  Lanes least_trace;   // below it, closures are looked at one by one
  Vector3<Lanes> arm_child, arm_parent;
  Vector3<Lanes> arm_end;  // from the parent's O, where it holds a length,
  Lanes link_inverse;      // and one over that
  Matrix3<Lanes> R_WF;     // where it holds directions
  std::array<Spatial<Lanes>, GroupCut::most_rows> D_F, D;
};

/// Forces of a SIMD group: any type's LaneForceBatch, with a handle of every branch in the place of one.
struct GroupForces {
  GroupForces(const Plan& plan, const SimdGroup& group);

  struct HandlePlace {
    int on = -1;           // the group's body; -1: the carrier
    bool outside = false;  // neither
    PerBranch body;
    Vector3<Lanes> p_B;
    Matrix3<Lanes> R_BW;
    bool rotates = false;  // somebody reads its rotation
  };
  std::vector<std::unique_ptr<LaneForceBatch>> batches;
  LaneTimeFunctions functions;
  std::vector<HandlePlace> places;
  std::vector<HandleStateOf<Lanes>> handles;
  std::vector<Vector3<Lanes>> arms;
  std::vector<Spatial<Lanes>> wrenches;
  std::vector<Lanes> values, rates;
  LaneForceRoom room;
};

struct GroupWork {
  /// After prepare_cuts.
  GroupWork(const Plan& plan, const SimdGroup& group, const Workspace& work);

  std::vector<GroupBodyGiven> given;
  GroupForces forces;
  std::vector<bool> loaded_ungrouped;  // per body: single forces act on it too
  bool rows_in_order = true;           // of the open rows in the nodes by which they pass to the carrier

  Pose<Lanes> X_WP;  // of the carrier
  Spatial<Lanes> V_P;
  std::vector<LaneBodyWork> body;
  std::vector<LaneColumnWork> column;
  std::vector<GroupCutWork> cut;
  std::vector<Spatial<Lanes>> force;           // per body, at O
  std::vector<Spatial<Lanes>> momentum, load;  // per body: cut impulses and apparent loads
  // Per row of the nodes, and Gamma and y as GroupNode says; names are those of ClosureWork::Node.
  std::vector<Spatial<Lanes>> X;
  std::vector<Lanes> g, sigma, d_inverse, gamma, y;
  // What the branches pass on to the carrier, at its O.
  Inertia<Lanes> M;
  Spatial<Lanes> bias, P, Q;
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
