#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/lane_plan.hpp"

namespace arthron {

/// Every intermediate number of the variants of a LanePlan; sized once, filled with NaN. Names are those of Workspace.
struct LaneWorkspace {
  /// With the signals of each variant's own workspace, as they are now.
  LaneWorkspace(const LanePlan& plan, const PerLane<const std::vector<Signal>*>& signals_of);

  [[nodiscard]] LaneInstant now() const { return {t, signals, signals_agree, values.data(), rates.data()}; }

  double t = 0;
  PerLane<const Signal*> signals;
  bool signals_agree = true;
  double sampled = 0;                // time that the functions were asked at; NaN before
  std::vector<Lanes> values, rates;  // of functions of time
  std::vector<Lanes> q, u, p, x, qdot, xdot, tau;
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
  LaneForceRoom room;
  PerLane<Status> status;  // of the last evaluation
};

}  // namespace arthron
