#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "arthron/formulation/formulation.hpp"
#include "arthron/model/model.hpp"
#include "arthron/plan/bodies.hpp"
#include "arthron/plan/compounds.hpp"
#include "arthron/plan/forces.hpp"
#include "arthron/plan/loops.hpp"
#include "arthron/plan/subsystems.hpp"

/// What will be computed: flat arrays in elimination order, immutable after compile, grouped by who reads them.
namespace arthron {

struct Plan : BodyPlan, LoopPlan, ForcePlan, CompoundPlan, SubsystemPlan {
  std::shared_ptr<const Model> model;
  int nq = 0, nu = 0;                        // size of the state: free joints only
  int nq_all = 0, nu_all = 0;                // with the driven joints behind them
  const Formulation* formulation = nullptr;  // never null after compile
  double baumgarte = 0;  // rate at which acceleration-based formulations bring openings of loops back, 0: they do not [1/s]
};

/// The part that owns what is shared: no bodies.
[[nodiscard]] inline int shared_part(const Plan& plan) { return static_cast<int>(plan.parts.size()) - 1; }
[[nodiscard]] inline const PlanPart& part(const Plan& plan, int number) { return plan.parts[number]; }

/// A force of the Model as Status::element.
[[nodiscard]] inline int element_of_force(const Plan& plan, int force) { return static_cast<int>(plan.joints.size()) + force; }

/// The joint that stands for a closure in messages: the cut one, or the first of a coupling.
[[nodiscard]] int named_joint(const Plan& plan, const PlanClosure& closure);

/// How a model is divided, in expected times of one evaluation.
struct Grain {
  double part = 30e3;    // a part is worth the scheduling of its tasks [ns]
  double chain = 200e3;  // a row of parts is worth the two-handle equations that let them fold at the same time [ns],
  double share = 0.125;  // if it costs this part of the whole: others keep workers busy
};
/// Every body by itself, every row of them joined.
inline constexpr Grain single_bodies{0, 0, 0};

/// Runs the compile passes. Throws ModelError for structures that cannot be computed. Measurements are connected by whoever knows how to
/// measure (connect_sensors); until then they are NaN.
[[nodiscard]] std::shared_ptr<Plan> compile(std::shared_ptr<const Model> model, const Grain& grain = {});

/// Variants of one topology as a group of alike compounds on the ground, a lane each: every body and closure of the Plans.
[[nodiscard]] SimdGroup variant_group(const std::array<const Plan*, static_cast<std::size_t>(lane_count)>& variants);

/// Joints of the Model around a loop, the cut one first, then from the child's side to the parent's.
[[nodiscard]] std::vector<int> loop_joints(const Plan& plan, const PlanClosure& closure);
/// Where both sides of a cut joint's loop come together, seen from the parent's and from the child's side: one body, or two grounds.
[[nodiscard]] std::pair<int, int> loop_ends(const Plan& plan, const PlanClosure& closure);
/// The bodies of a loop by name, from one side of the cut to the other: "lower_arm-upright-upper_arm"; from ground to ground where it runs
/// between two of them: "rack-upright-lower_arm-chassis".
[[nodiscard]] std::string loop_name(const Plan& plan, const PlanClosure& closure);

/// Subsystems are the branches of the tree that hang on the grounds, numbered from 0. Per closure those that have a part in its loop,
/// ascending: the blocks of its row of the constraint Jacobian J that are not zero. Block (r, s) of the GICM J Mq^-1 J^T is the sum over
/// the subsystems that r and s have in common.
[[nodiscard]] std::vector<std::vector<int>> loop_subsystems(const Plan& plan);

/// A closure in words: the loop, where it is cut, and a remark; or the terms of a coupling.
[[nodiscard]] std::string describe_closure(const Plan& plan, int closure, const std::string& remark = "");
/// What the planner did, in words, for `arthron check`; with a remark behind every loop when given. Loops of nested subsystems are left to
/// these.
[[nodiscard]] std::string describe_plan(const Plan& plan, const std::vector<std::string>& loop_remarks = {});
/// How phase one is eliminated, and the SIMD groups of evaluations by folding, those that are alike together: a line each.
[[nodiscard]] std::string describe_elimination(const Plan& plan);
[[nodiscard]] std::string describe_groups(const Plan& plan);

/// Bodies without mass, as mistakes of a model that a method is to compute that begins with the inverse inertia of every body.
[[nodiscard]] std::vector<Diagnostic> massless_bodies(const Model& model, const std::string& method);

}  // namespace arthron
