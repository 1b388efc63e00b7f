#pragma once
#include "arthron/dynamics/lane_workspace.hpp"

/// Stages of evaluations on lanes, as stages.hpp has them for one model.
namespace arthron::lane_stages {

/// Functions of time, grounds and driven joints at a time.
void begin(const LanePlan& plan, double t, LaneWorkspace& work);
void kinematics(const LanePlan& plan, LaneWorkspace& work);
/// `all_poses`: those of all cut joints, which their gaps are found from.
void closure_directions(const LanePlan& plan, bool all_poses, LaneWorkspace& work);
void velocities(const LanePlan& plan, LaneWorkspace& work);
void loads(const LanePlan& plan, LaneWorkspace& work);
void closure_loads(const LanePlan& plan, LaneWorkspace& work);
void coordinate_rates(const LanePlan& plan, LaneWorkspace& work);
void rates(const LanePlan& plan, Lanes* qdot, Lanes* pdot, LaneWorkspace& work);
[[nodiscard]] bool succeeded(const LaneWorkspace& work);

}  // namespace arthron::lane_stages
