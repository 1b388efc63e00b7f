#pragma once
#include "arthron/dynamics/lane_workspace.hpp"

/// Dynamics of all variants of a LanePlan at once: the functions of the same names for one model, which find the same numbers to rounding.
/// Those that return bool return true when all lanes succeeded; else work.status says which did not, and their results mean nothing. A
/// variant that fails goes on with harmless numbers, and no other notices. Nothing here allocates, or throws but what author code throws.
namespace arthron {

/// evaluate(), work.x and work.xdot included.
[[nodiscard]] bool evaluate(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work);

/// Before the first evaluation: cut joints whose coordinates are wanted are where each variant's workspace has them.
void start_cuts(const LanePlan& plan, double t, const PerLane<const Workspace*>& from, LaneWorkspace& work);
/// At the start of a step, where the last evaluation was: evaluations follow cut joints from here, see PlanOde::memory.
void keep_cuts(const LanePlan& plan, double t, const Lanes* q, LaneWorkspace& work);

/// normalise() for all variants.
bool normalise(const LanePlan& plan, Lanes* q);

/// Phase one alone: joint velocities in work.u.
[[nodiscard]] bool find_velocities(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, LaneWorkspace& work);

/// Openings of the closures, and what they may show of rounding, in lengths [m].
struct LaneOpenings {
  Lanes error, rounding;
};
/// Closures at coordinates q; bodies are left there.
[[nodiscard]] LaneOpenings find_openings(const LanePlan& plan, double t, const Lanes* q, LaneWorkspace& work);

struct LaneProjection {
  Lanes error_before, error;
  LaneMask moved{false};  // the coordinates have changed
};
/// place_and_project(), in each lane to its own tolerance; lanes that are closed wait for the others as they are. Bodies are left where the
/// coordinates put them.
[[nodiscard]] LaneProjection project(const LanePlan& plan, double t, Lanes* q, const Lanes& tolerance, int most_steps, LaneWorkspace& work);
/// reanchor_in_place() where bodies are where q puts them.
[[nodiscard]] bool reanchor_in_place(const LanePlan& plan, double t, Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work);

/// Largest rate at which a closure opens in its constrained directions [m/s], after an evaluation.
[[nodiscard]] Lanes closure_rate_error(const LanePlan& plan, const LaneWorkspace& work);

/// forces_are_finite() of one variant.
[[nodiscard]] Status forces_are_finite(const LanePlan& plan, std::size_t lane, const LaneWorkspace& work);

/// What rows are read for.
struct LaneLooks {
  bool accelerations = false;  // with reactions
  bool cut_joints = false;     // their coordinates, velocities and accelerations: the caller has led them there, see CutTurns
};
/// evaluate() or evaluate_accelerations(), with openings, for the variants that have a Workspace in `to`, where observe.hpp reads. False
/// where a variant fails, or multipliers are not unique: each variant is then to be looked at by itself. Workspaces are left anywhere then.
[[nodiscard]] bool observe(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, const LaneLooks& looks, LaneWorkspace& work,
                           const PerLane<Workspace*>& to);

/// Forces on bodies and efforts along joint columns, and rates of internal states.
void apply_loads(const LanePlan& plan, LaneWorkspace& work);

}  // namespace arthron
