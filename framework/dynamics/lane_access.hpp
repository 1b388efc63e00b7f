#pragma once
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_motion.hpp"
#include "arthron/dynamics/lane_workspace.hpp"

namespace arthron::simd_group {

/// Access to variants of a whole model: their numbers lie on lanes; what joints know of cuts comes from each variant's own batches.
struct VariantAccess {
  using Number = Lanes;
  static constexpr bool searches_pivots = true, accelerates = false;

  const LanePlan& plan;
  LaneWorkspace& work;
  Lanes* pdot = nullptr;

  [[nodiscard]] ARTHRON_INLINE Lanes coordinate(const GroupBody& body) const { return work.q[body.q[0]]; }
  [[nodiscard]] ARTHRON_INLINE const Pose<Lanes>& motion(const GroupBody& body) const { return work.X_FM[body.joint[0]]; }
  [[nodiscard]] ARTHRON_INLINE const Spatial<Lanes>& column(const GroupBody& body, int c) const { return work.H_F[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE const Spatial<Lanes>& rate_of_column(const GroupBody& body, int c) const {
    return work.Hdot_F[body.u[0] + c];
  }
  [[nodiscard]] ARTHRON_INLINE const Lanes& momentum(const GroupBody& body, int c) const { return work.p[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE const Lanes& effort(const GroupBody& body, int c) const { return work.tau[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE const Lanes& rate(const GroupBody& body, int c) const { return work.u[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE ColumnShape shape(const GroupBody& body, int c) const { return plan.topology().shapes[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE bool varies(const GroupBody& body, int c) const {
    return plan.topology().varying_columns[body.u[0] + c] != 0;
  }
  [[nodiscard]] ARTHRON_INLINE const Vector3<Lanes>& gravity() const { return plan.gravity; }

  ARTHRON_INLINE void placed(const GroupBody&, const Pose<Lanes>&) const {}
  ARTHRON_INLINE void moved(const GroupBody&, const Spatial<Lanes>&) const {}
  ARTHRON_INLINE void found(const GroupBody& body, int c, const Lanes& u) const { work.u[body.u[0] + c] = u; }
  ARTHRON_INLINE void found_rate(const GroupBody& body, int c, const Lanes& rate) const { pdot[body.u[0] + c] = rate; }

  // What is not of the group is a ground.
  [[nodiscard]] ARTHRON_INLINE const Pose<Lanes>& pose_outside(const PerBranch& bodies) const { return work.group.carrier[bodies[0]].X_WB; }
  [[nodiscard]] ARTHRON_INLINE const Spatial<Lanes>& velocity_outside(const PerBranch& bodies) const {
    return work.group.carrier[bodies[0]].V;
  }
  ARTHRON_INLINE void add_outside(const PerBranch&, const Spatial<Lanes>&, bool) const {}
  ARTHRON_INLINE void load_outside(const PerBranch&, const Spatial<Lanes>&) const {}

  ARTHRON_INLINE void cut_at(const GroupCut& cut, const Pose<Lanes>& X_FM) const {
    scatter_pose(X_FM, [&](int lane) -> Pose<double>& { return work.cuts[lane].X_FM[cut.closure[0]]; });
  }
  ARTHRON_INLINE void cut_moves(const GroupCut& cut, const Spatial<Lanes>& V_FM) const {
    scatter_plain6(V_FM, [&](int lane) -> Spatial6& { return work.cuts[lane].V_FM[cut.closure[0]]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> direction(const GroupCut& cut, int r) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.cuts[lane].D_F[6 * cut.closure[0] + r]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> direction_rate(const GroupCut& cut, int r) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.cuts[lane].Ddot_F[6 * cut.closure[0] + r]; });
  }
  ARTHRON_INLINE void turned(const GroupCut&, const GroupCutWork<Lanes>&) const {}

  [[gnu::noinline]] void note_singular(const LaneMask& fine, const GroupBody& body) const {
    note_failures(fine, {Status::Code::singular_joint, body.joint[0]});
  }
  ARTHRON_INLINE void add_loads(size_t, const GroupBody&, Spatial<Lanes>&) const {}

  /// Remembers the first failure of every lane where `fine` does not hold.
  void note_failures(const LaneMask& fine, Status status) const {
    for (int lane = 0; lane < lane_count; ++lane)
      if (!fine[lane] && work.status[lane].ok()) work.status[lane] = status;
  }
};

}  // namespace arthron::simd_group
