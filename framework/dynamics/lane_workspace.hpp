#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/cut_turns.hpp"
#include "arthron/dynamics/lane_plan.hpp"
#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// Every intermediate number of the variants of a LanePlan; sized once, filled with NaN. Names are those of Workspace.
struct LaneWorkspace {
  /// With the signals of each variant's own workspace, as they are now; what is measured is kept here.
  LaneWorkspace(const LanePlan& plan, const PerLane<const std::vector<Signal>*>& signals_of);

  [[nodiscard]] LaneInstant now() const { return {t, signals, signals_agree, values.data(), rates.data()}; }

  double t = 0;
  PerLane<const Signal*> signals;
  bool signals_agree = true;
  double sampled = 0;                // time that the functions were asked at; NaN before
  std::vector<Lanes> values, rates;  // of functions of time
  std::vector<Lanes> q, u, p, x, qdot, xdot, tau;
  std::vector<Lanes> udot, drive_acceleration, row_rates;  // of rows; the last are qdot and pdot
  std::vector<Pose<Lanes>> X_FM;
  std::vector<Spatial<Lanes>> H_F, Hdot_F;
  GroupNumbers<Lanes> group;

  /// What the batches of one variant's cut joints read and write: names of ClosureWork.
  struct Cuts {
    std::vector<Pose<double>> X_FM;
    std::vector<Spatial6> V_FM, D_F, Ddot_F, gap_F;
  };
  PerLane<Cuts> cuts;
  std::vector<Spatial<Lanes>> error;  // per closure

  std::vector<HandleStateOf<Lanes>> handles;
  std::vector<Vector3<Lanes>> arms;
  std::vector<Spatial<Lanes>> wrenches;
  std::vector<double> q_lane, u_lane, tau_lane;  // of one joint in one lane
  std::vector<double> q_of_lane;                 // of all joints
  LaneForceRoom room;
  PerLane<Status> status;  // of the last evaluation
  /// Of each variant, where something has to be found one by one: constants of closures, measurements. Lanes that are left over share the
  /// last one.
  PerLane<std::shared_ptr<Workspace>> alone;
  /// Where cut joints are followed from, of each variant; none until start_cuts.
  struct Turns {
    CutTurns cuts;
    std::vector<double> memory;
  };
  std::vector<Turns> turns;
};

}  // namespace arthron
