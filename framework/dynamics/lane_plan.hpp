#pragma once
#include <span>
#include <string>

#include "arthron/component/lane_force.hpp"
#include "arthron/component/lane_joint.hpp"
#include "arthron/dynamics/freedom_load.hpp"
#include "arthron/dynamics/group_numbers.hpp"
#include "arthron/plan/plan.hpp"

/// Variants of one topology, computed together: the same bodies, joints and forces, each with numbers of its own in its SIMD lane.
namespace arthron {

/// Why lanes cannot compute a plan; empty where they can.
[[nodiscard]] std::string lanes_apply(const Plan& plan);
/// The first difference that keeps two plans from sharing lanes; empty where they can.
[[nodiscard]] std::string topology_difference(const Plan& a, const Plan& b);

using LaneFreedom = FreedomLoad<Lanes>;

/// A driven joint whose user coordinates are its own.
struct LaneDrive {
  int q = 0, u = 0, function = 0;
};

struct LanePlan {
  /// Plans of one to lane_count variants; the last one fills the lanes left over. Throws InternalError where lanes_apply or
  /// topology_difference has something to say. The plans must outlive this.
  explicit LanePlan(std::span<const Plan* const> variants);

  PerLane<const Plan*> plans;
  Vector3<Lanes> gravity;
  SimdGroup group;
  bool grounds_move = false;                                   // in some variant
  bool cuts_vary = false;                                      // some cut joints' batches know their directions
  bool tracks_cuts = false;                                    // coordinates of some cut joint are wanted, see lane_cuts.cpp
  std::vector<std::unique_ptr<LaneJointBatch>> joint_batches;  // of joints of the tree that do more than turn or slide
  std::vector<int> varying_batches;
  std::vector<GroupHandle<Lanes>> handles;  // of forces alone
  std::vector<std::unique_ptr<LaneForceBatch>> force_batches;
  LaneTimeFunctions functions;
  std::vector<LaneFreedom> freedoms;  // that carry loads
  std::vector<LaneDrive> drives;
  std::vector<int> loads_by_lane, drives_by_lane;  // joints whose user coordinates are not their own

  /// Some force, or a cut joint, acts on bodies.
  [[nodiscard]] bool loads_bodies() const { return !force_batches.empty() || tracks_cuts; }
  /// What all have in common.
  [[nodiscard]] const Plan& topology() const { return *plans[0]; }
};

}  // namespace arthron
