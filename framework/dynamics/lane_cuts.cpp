#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/lane_stages.hpp"
#include "arthron/dynamics/stages.hpp"

/// Cut joints that are driven, loaded or measured, or whose directions follow from their coordinates: each variant finds them by itself, in
/// its LaneWorkspace::alone, where bodies are as lanes have placed them. Elimination is the lanes'.
namespace arthron {

using std::size_t;
using namespace simd_group;

namespace {

using Workspaces = PerLane<Workspace*>;

Workspaces alone(LaneWorkspace& work) {
  return per_lane<Workspace*>([&](size_t lane) { return work.alone[lane].get(); });
}

/// act(plan, workspace, lane) for every variant; lanes that are left over share the last one's.
template <class Act>
void for_each(const LanePlan& plan, LaneWorkspace& work, const Act& act) {
  for (size_t lane = 0; lane < plan.plans.size(); ++lane)
    if (lane == 0 || work.alone[lane] != work.alone[lane - 1]) act(*plan.plans[lane], *work.alone[lane], lane);
}

/// act(c, cut) for what is no coupling.
template <class Act>
void for_cuts(const LanePlan& plan, const Act& act) {
  for (size_t c = 0; c < plan.group.cuts.size(); ++c)
    if (plan.group.cuts[c].holds != GroupCut::Holds::coupling) act(c, plan.group.cuts[c]);
}

/// act(joint) for the cut joints whose coordinates are known.
template <class Act>
void for_tracked(const LanePlan& plan, const Act& act) {
  for (const PlanClosure& closure : plan.topology().closures)
    if (closure.tracked) act(plan.topology().joints[closure.joint]);
}

}  // namespace

void start_cuts(const LanePlan& plan, double t, const PerLane<const Workspace*>& from, LaneWorkspace& work) {
  if (!plan.tracks_cuts) return;
  work.turns.clear();
  for (size_t lane = 0; lane < plan.plans.size(); ++lane) {
    work.turns.push_back({{*plan.plans[lane], CutTurns::Of::motion}, {}});
    LaneWorkspace::Turns& own = work.turns.back();
    own.memory.resize(own.cuts.size());
    Workspace& to = *work.alone[lane];
    to.q = from[lane]->q, to.u = from[lane]->u;
    own.cuts.start(t, own.memory, to);
  }
}

void keep_cuts(const LanePlan& plan, double t, const Lanes* q, LaneWorkspace& work) {
  if (!plan.tracks_cuts) return;
  for_each(plan, work, [&](const Plan& own, Workspace& to, size_t lane) {
    get_lane(q, static_cast<int>(lane), work.q_of_lane.data(), own.nq);
    work.turns[lane].cuts.keep(t, work.q_of_lane.data(), work.turns[lane].memory, to);
  });
}

namespace lane_stages {

void find_cuts(const LanePlan& plan, LaneWorkspace& work) {
  for_each(plan, work, [&](const Plan& own, Workspace& to, size_t lane) {
    get_lane(work.q.data(), static_cast<int>(lane), work.q_of_lane.data(), own.nq);
    if (!work.turns.empty()) work.turns[lane].cuts.lead(work.t, work.q_of_lane.data(), work.turns[lane].memory, to);
  });
  give_motion(plan, work, alone(work));
  for_each(plan, work, [](const Plan& own, Workspace& to, size_t) { closure_kinematics(own, to); });
  for_cuts(plan, [&](size_t c, const GroupCut& cut) {
    const auto record = [&](int lane) -> const ClosureWork::Cut& { return work.alone[lane]->closures->cuts[c]; };
    for (int r = 0; r < cut.rows; ++r) {
      // Rows of a point are along the axes of the world, whatever the joint's own are.
      Spatial<Lanes>& D = work.group.cut[c].D[r];
      if (cut.holds == GroupCut::Holds::point)
        scatter6(D, [&](int lane) -> Wide6& { return work.alone[lane]->closures->cuts[c].D[r]; });
      else
        D = gather6([&](int lane) -> const Wide6& { return record(lane).D[r]; });
    }
    work.group.cut[c].known = gather6([&](int lane) -> const Wide6& { return record(lane).known; });
  });
  for (size_t c = plan.topology().cuts; c < work.group.cut.size(); ++c) work.group.cut[c].known = {};
  work.group.prescribes = true;
}

void find_cut_errors(const LanePlan& plan, LaneWorkspace& work) {
  for_each(plan, work, [](const Plan& own, Workspace& to, size_t) { find_openings(own, to); });
  for (size_t c = 0; c < work.error.size(); ++c)
    work.error[c] = gather_plain6([&](int lane) -> const Spatial6& { return work.alone[lane]->closures->error[c]; });
}

void move_cuts(const LanePlan& plan, LaneWorkspace& work) {
  for_each(plan, work, [](const Plan& own, Workspace& to, size_t) { closure_rates(own, to); });
  for_tracked(plan, [&](const PlanJoint& joint) {
    for (int lane = 0; lane < lane_count; ++lane) {
      const Workspace& from = *work.alone[lane];
      set_lane(work.q.data() + joint.q, lane, from.q.data() + joint.q, joint.nq);
      set_lane(work.u.data() + joint.u, lane, from.u.data() + joint.u, joint.nu);
    }
  });
}

void load_cut_joints(const LanePlan& plan, LaneWorkspace& work) {
  for_each(plan, work, [&](const Plan& own, Workspace& to, size_t lane) {
    for_tracked(plan, [&](const PlanJoint& joint) {
      get_lane(work.tau.data() + joint.u, static_cast<int>(lane), to.tau.data() + joint.u, joint.nu);
    });
    std::fill(to.load.begin(), to.load.end(), Wide6::zero());
    for (int part = 0; part < shared_part(own); ++part) load_closures(own, part, to);
  });
  for (size_t i = 0; i < work.group.force.size(); ++i)
    work.group.force[i] += gather6([&](int lane) -> const Wide6& { return work.alone[lane]->load[plan.topology().grounds + i]; });
}

void find_cut_loads(const LanePlan& plan, LaneWorkspace& work) {
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    const GroupCut& cut = plan.group.cuts[c];
    const Lanes* const sigma = work.group.sigma.data() + plan.group.nodes[cut.node].first + cut.row;
    for (int r = 0; r < cut.rows; ++r) scatter(sigma[r], [&](int lane) -> double& { return work.alone[lane]->closures->cuts[c].sigma[r]; });
  }
  for_each(plan, work, [](const Plan& own, Workspace& to, size_t) { arthron::closure_loads(own, to); });
  const auto sums = [&](int lane) -> const ClosureWork& { return *work.alone[lane]->closures; };
  const int grounds = plan.topology().grounds;
  for (size_t i = 0; i < plan.group.bodies.size(); ++i) {
    work.group.momentum[i] = gather6([&](int lane) -> const Wide6& { return sums(lane).momentum[grounds + i]; });
    work.group.load[i] = gather6([&](int lane) -> const Wide6& { return sums(lane).load[grounds + i]; });
  }
}

void give_cut_joints(const LanePlan& plan, const LaneWorkspace& work, const PerLane<Workspace*>& to) {
  for_tracked(plan, [&](const PlanJoint& joint) {
    for (int lane = 0; lane < lane_count; ++lane) {
      get_lane(work.q.data() + joint.q, lane, to[lane]->q.data() + joint.q, joint.nq);
      get_lane(work.u.data() + joint.u, lane, to[lane]->u.data() + joint.u, joint.nu);
      get_lane(work.tau.data() + joint.u, lane, to[lane]->tau.data() + joint.u, joint.nu);
    }
  });
}

void find_cut_accelerations(const LanePlan& plan, LaneWorkspace& work, const PerLane<Workspace*>& of) {
  for (size_t lane = 0; lane < of.size(); ++lane) {
    const Plan& own = *plan.plans[lane];
    for (const int j : own.driven_joints)
      get_lane(work.drive_acceleration.data() + own.joints[j].u, static_cast<int>(lane),
               of[lane]->drive_acceleration.data() + own.joints[j].u, own.joints[j].nu);
    closure_acceleration_terms(own, *of[lane]);
  }
  for_cuts(plan, [&](size_t c, const GroupCut&) {
    work.group.cut[c].known = gather6([&](int lane) -> const Wide6& { return of[lane]->closures->cuts[c].known; });
  });
}

}  // namespace lane_stages

}  // namespace arthron
