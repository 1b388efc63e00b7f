#pragma once
#include <string>
#include <vector>

#include "arthron/plan/plan.hpp"

/// Blocks of the constraint Jacobian J and of the GICM J Mq^-1 J^T by subsystem: "Reduced-order forward dynamics of multi-closed-loop
/// systems", equations (14), (16), (24), (25). A joint belongs to the subsystem whose file has it; where the model has no subsystems, to
/// the branch on the ground that it is in. The paper's subsystems hang on the ground alone, so that Mq is block diagonal; ones that hang on
/// one another are coupled by the joints of what carries them as well, as the corners of a car by its body: Mq = U D U^T is eliminated leaf
/// to root, and
///   (J Mq^-1 J^T)_rs = sum over subsystems j of y_rj^T D_j^-1 y_sj,      y = U^-1 J^T,
/// where y_rj differs from zero for all j that carry loop r to the ground.
namespace arthron {

/// Columns of a body's inboard joint that may move: none where it is driven.
[[nodiscard]] inline int free_columns(const PlanBody& body) { return body.driven ? 0 : body.columns; }

struct LoopBlocks {
  bool of_branches = false;
  std::vector<std::string> names;          // of subsystems in the Model's order, the model itself first; or of branches: "1", "2"
  std::vector<int> home;                   // per body: of its inboard joint
  std::vector<std::vector<int>> loop;      // per closure: subsystems with a free joint in its loop, its blocks of J; ascending
  std::vector<std::vector<int>> carriers;  // per closure: bodies with free columns between it and the ground; ascending

  /// Subsystems whose joints carry both closures: the terms of block (r, s) of the GICM; ascending.
  [[nodiscard]] std::vector<int> gicm(int r, int s) const;
};
[[nodiscard]] LoopBlocks loop_blocks(const Plan& plan);

/// Per closure the place of the subsystem that closes it, in an order in which every subsystem comes after those within it. All zero where
/// the model has no subsystems.
[[nodiscard]] std::vector<int> closing_order(const Plan& plan);

/// J and the GICM as pictures of blocks, "." for a block of zeros; loops that are coupled in like manner once. Whole lines.
[[nodiscard]] std::string describe_blocks(const Plan& plan);

/// "upper_ball": the path of the joint at which a loop is cut, or of a coupling.
[[nodiscard]] const std::string& closure_path(const Plan& plan, int closure);

}  // namespace arthron
