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
/// What keeps the closures from being closed, of bodies and cuts as they are placed.
void find_errors(const LanePlan& plan, LaneWorkspace& work);
/// Gives workspaces of the variants what is known after velocities; for rows and measurements.
void give_motion(const LanePlan& plan, const LaneWorkspace& work, const PerLane<Workspace*>& to);
/// The same stages for cut joints whose coordinates are wanted, LanePlan::tracks_cuts.
void find_cuts(const LanePlan& plan, LaneWorkspace& work);
void find_cut_errors(const LanePlan& plan, LaneWorkspace& work);
void move_cuts(const LanePlan& plan, LaneWorkspace& work);
void load_cut_joints(const LanePlan& plan, LaneWorkspace& work);
void find_cut_loads(const LanePlan& plan, LaneWorkspace& work);
void give_cut_joints(const LanePlan& plan, const LaneWorkspace& work, const PerLane<Workspace*>& to);
void find_cut_accelerations(const LanePlan& plan, LaneWorkspace& work, const PerLane<Workspace*>& of);
[[nodiscard]] bool succeeded(const LaneWorkspace& work);

}  // namespace arthron::lane_stages
