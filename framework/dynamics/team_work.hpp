#pragma once
#include "arthron/dynamics/lane_workspace.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Numbers of a PlanTeam while its branches are computed abreast, and the stages that do so; each is the stage of the same name for bodies
/// and cut joints that are alone. Every body of a team is placed in Workspace::body and gets its velocity there; all else stays on lanes.
namespace arthron {

/// Constants of a TeamBody.
struct TeamBodyGiven {
  Vector3<Lanes> axis, p_PF;
  Matrix3<Lanes> R_PF;
  Lanes mass;
  Vector3<Lanes> first_moment;
  Symmetric3<Lanes> second_moment;
};

struct TeamCutWork {
  Pose<Lanes> X_PF, X_CM;
  Vector3<Lanes> end;  // TeamCut::end
  Lanes length;        // ClosureWork::scale
  Lanes least_trace;   // below it, closures are looked at one by one
  Vector3<Lanes> arm_child, arm_parent;
  Vector3<Lanes> arm_end;  // from the parent's O, where it holds a length,
  Lanes link_inverse;      // and one over that
  Matrix3<Lanes> R_WF;     // where it holds directions
  std::array<Spatial<Lanes>, TeamCut::most_rows> D_F, D;
};

/// Forces of a team: any type's LaneForceBatch, with a handle of every branch in the place of one.
struct TeamForces {
  TeamForces(const Plan& plan, const PlanTeam& team);

  struct HandlePlace {
    int on = -1;           // the team's body; -1: the carrier
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

struct TeamWork {
  /// After prepare_cuts.
  TeamWork(const Plan& plan, const PlanTeam& team, const Workspace& work);

  std::vector<TeamBodyGiven> given;
  TeamForces forces;
  std::vector<bool> loaded_alone;  // per body: single forces act on it too
  bool rows_in_order = true;       // of the open rows in the nodes by which they pass to the carrier

  Pose<Lanes> X_WP;  // of the carrier
  Spatial<Lanes> V_P;
  std::vector<LaneBodyWork> body;
  std::vector<LaneColumnWork> column;
  std::vector<TeamCutWork> cut;
  std::vector<Spatial<Lanes>> force;           // per body, at O
  std::vector<Spatial<Lanes>> momentum, load;  // per body: cut impulses and apparent loads
  // Per row of the nodes, and Gamma and y as TeamNode says; names are those of ClosureWork::Node.
  std::vector<Spatial<Lanes>> X;
  std::vector<Lanes> g, sigma, d_inverse, gamma, y;
  // What the branches pass on to the carrier, at its O.
  Inertia<Lanes> M;
  Spatial<Lanes> bias, P, Q;
};

/// Whether the teams of a part are computed abreast; of what parts share, nothing is.
[[nodiscard]] inline bool is_abreast(const Workspace& work, int part) {
  return static_cast<std::size_t>(part) < work.part.size() && work.part[static_cast<std::size_t>(part)].abreast;
}

void place_teams(const Plan& plan, const PlanPart& part, Workspace& work);
void team_cut_directions(const Plan& plan, const PlanPart& part, Workspace& work);
/// Before anything folds into the carriers.
void clear_carriers(const Plan& plan, const PlanPart& part, Workspace& work);
/// False where some closure may be redundant, or nearly so: its rows want a search for pivots. Nothing is written outside the teams then.
[[nodiscard]] bool fold_teams(const Plan& plan, const PlanPart& part, Workspace& work, int& singular);
/// Gives the bodies all that the stages of single ones read, after fold_teams has failed; cut joints are then to be placed one by one.
void part_teams(const Plan& plan, const PlanPart& part, Workspace& work);
/// The velocities' sum comes back, which is not finite where one of them is not.
[[nodiscard]] double unfold_teams(const Plan& plan, const PlanPart& part, Workspace& work);
/// Forces that act on all branches alike.
void load_teams(const Plan& plan, const PlanPart& part, Workspace& work);
void team_cut_rates(const Plan& plan, const PlanPart& part, Workspace& work);
void team_cut_loads(const Plan& plan, const PlanPart& part, Workspace& work);
void release_team_cuts(const PlanPart& part, Workspace& work);
/// Before any momenta are added to those of the carriers.
void clear_carrier_momenta(const Plan& plan, const PlanPart& part, Workspace& work);
void team_momenta(const Plan& plan, const PlanPart& part, Workspace& work);
/// p of the teams' joints from their momenta.
void team_subtree_momenta(const Plan& plan, const PlanPart& part, const Workspace& work, double* p);

}  // namespace arthron
