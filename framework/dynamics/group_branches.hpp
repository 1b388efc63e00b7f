#pragma once
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_motion.hpp"
#include "arthron/dynamics/group_work.hpp"

namespace arthron::simd_group {

/// Access to branches of one model: their numbers lie in its Workspace, each branch at its own place.
struct BranchAccess {
  using Number = Lanes;
  static constexpr bool searches_pivots = false, accelerates = false;

  const Plan& plan;
  const SimdGroup& group;
  const GroupWork& own;
  Workspace& work;
  int* singular = nullptr;

  [[nodiscard]] ARTHRON_INLINE Lanes coordinate(const GroupBody& body) const {
    return gather([&](int lane) { return work.q[body.q[lane]]; });
  }
  [[nodiscard]] ARTHRON_INLINE Pose<Lanes> motion(const GroupBody& body) const {
    return gather_pose([&](int lane) -> const Pose<double>& { return work.X_FM[body.joint[lane]]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> column(const GroupBody& body, int c) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.H_F[body.u[lane] + c]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> rate_of_column(const GroupBody& body, int c) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.Hdot_F[body.u[lane] + c]; });
  }
  [[nodiscard]] ARTHRON_INLINE Lanes momentum(const GroupBody& body, int c) const {
    return gather([&](int lane) { return work.p[body.u[lane] + c]; });
  }
  [[nodiscard]] ARTHRON_INLINE Lanes effort(const GroupBody& body, int c) const {
    return gather([&](int lane) { return work.tau[body.u[lane] + c]; });
  }
  [[nodiscard]] ARTHRON_INLINE Lanes rate(const GroupBody& body, int c) const {
    return gather([&](int lane) { return work.u[body.u[lane] + c]; });
  }
  [[nodiscard]] ARTHRON_INLINE ColumnShape shape(const GroupBody& body, int c) const { return plan.shapes[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE bool varies(const GroupBody& body, int c) const { return plan.varying_columns[body.u[0] + c] != 0; }
  [[nodiscard]] ARTHRON_INLINE Vector3<Lanes> gravity() const { return everywhere(work.gravity); }

  ARTHRON_INLINE void placed(const GroupBody& body, const Pose<Lanes>& X_WB) const {
    scatter_wide_pose(X_WB, [&](int lane) -> WidePose& { return work.body[body.body[lane]].X_WB; });
  }
  ARTHRON_INLINE void moved(const GroupBody& body, const Spatial<Lanes>& V) const {
    scatter6(V, [&](int lane) -> Wide6& { return work.body[body.body[lane]].V; });
  }
  ARTHRON_INLINE void found(const GroupBody& body, int c, const Lanes& u) const {
    scatter(u, [&](int lane) -> double& { return work.u[body.u[lane] + c]; });
  }
  ARTHRON_INLINE void found_rate(const GroupBody& body, int c, const Lanes& rate) const {
    scatter(rate, [&](int lane) -> double& { return work.request.pdot[body.u[lane] + c]; });
  }

  [[nodiscard]] ARTHRON_INLINE Pose<Lanes> pose_outside(const PerBranch& bodies) const {
    const auto pose = [&](int lane) -> const WidePose& { return work.body[bodies[lane]].X_WB; };
    return {{gather3([&](int lane) -> const Wide3& { return pose(lane).R.c0; }),
             gather3([&](int lane) -> const Wide3& { return pose(lane).R.c1; }),
             gather3([&](int lane) -> const Wide3& { return pose(lane).R.c2; })},
            gather3([&](int lane) -> const Wide3& { return pose(lane).p; })};
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> velocity_outside(const PerBranch& bodies) const {
    return gather6([&](int lane) -> const Wide6& { return work.body[bodies[lane]].V; });
  }
  ARTHRON_INLINE void add_to(std::vector<Wide6>& sums, const PerBranch& bodies, const Spatial<Lanes>& wrench) const {
    std::array<Wide6, lane_count> single;
    scatter6(wrench, [&](int lane) -> Wide6& { return single[lane]; });
    for (int lane = 0; lane < group.branches; ++lane)
      if (bodies[lane] >= plan.grounds) sums[bodies[lane]] += single[lane];
  }
  ARTHRON_INLINE void add_outside(const PerBranch& bodies, const Spatial<Lanes>& wrench, bool momentum) const {
    add_to(momentum ? work.closures->momentum : work.closures->load, bodies, wrench);
  }
  ARTHRON_INLINE void load_outside(const PerBranch& bodies, const Spatial<Lanes>& wrench) const { add_to(work.load, bodies, wrench); }

  ARTHRON_INLINE void cut_at(const GroupCut& cut, const Pose<Lanes>& X_FM) const {
    scatter_pose(X_FM, [&](int lane) -> Pose<double>& { return work.closures->X_FM[cut.closure[lane]]; });
  }
  ARTHRON_INLINE void cut_moves(const GroupCut& cut, const Spatial<Lanes>& V_FM) const {
    scatter_plain6(V_FM, [&](int lane) -> Spatial6& { return work.closures->V_FM[cut.closure[lane]]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> direction(const GroupCut& cut, int r) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.closures->D_F[6 * cut.closure[lane] + r]; });
  }
  [[nodiscard]] ARTHRON_INLINE Spatial<Lanes> direction_rate(const GroupCut& cut, int r) const {
    return gather_plain6([&](int lane) -> const Spatial6& { return work.closures->Ddot_F[6 * cut.closure[lane] + r]; });
  }
  /// The body that is not of the group has its side among the single ones.
  ARTHRON_INLINE void turned(const GroupCut& cut, const GroupCutWork<Lanes>& out) const {
    if (cut.child_on >= 0 && cut.parent_on >= 0) return;
    const auto single = [&](int lane) -> ClosureWork::Cut& { return work.closures->cuts[cut.closure[lane]]; };
    scatter3(out.arm_child, [&](int lane) -> Wide3& { return single(lane).arm_child; });
    scatter3(out.arm_parent, [&](int lane) -> Wide3& { return single(lane).arm_parent; });
    for (int r = 0; r < cut.rows; ++r) scatter6(out.D[r], [&](int lane) -> Wide6& { return single(lane).D[r]; });
    for (int lane = 0; lane < group.branches; ++lane) single(lane).known = Wide6::zero();
  }

  /// A joint without inertia in one of the branches.
  [[gnu::noinline]] void note_singular(const LaneMask& fine, const GroupBody& body) const {
    for (size_t lane = 0; lane < body.joint.size(); ++lane)
      if (!fine[lane]) {
        *singular = body.joint[lane];
        return;
      }
  }
  ARTHRON_INLINE void add_loads(size_t i, const GroupBody& body, Spatial<Lanes>& Q) const {
    if (own.loaded_ungrouped[i]) Q += gather6([&](int lane) -> const Wide6& { return work.load[body.body[lane]]; });
  }
};

}  // namespace arthron::simd_group
