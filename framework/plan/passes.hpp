#pragma once
#include "arthron/plan/plan.hpp"
#include "arthron/topology/spanning_tree.hpp"

namespace arthron {

/// Spanning tree over the bodies, all grounds being one root vertex; chords are the cut joints.
struct BodyTree {
  SpanningTree tree;
  std::vector<int> loop_subsystem;  // per joint: the innermost subsystem that cuts a loop at it, its mounts being grounds; -1 in the tree
};

/// Every subsystem is cut as it would be alone, from the innermost outward, so that one file is cut alike wherever it is used; where that
/// leaves bodies without a path to a ground, the enclosing one is cut as if it were one file. Throws ModelError for bodies with no path
/// to a ground, and where joints that must stay whole form a loop.
[[nodiscard]] BodyTree span_bodies(const Model& model);

/// What belongs to which subsystem, and what crosses which port.
void keep_hierarchy(const std::vector<Pose<double>>& X_WB, const std::vector<int>& loop_subsystem, Plan& plan);

/// Lays out the cut joints: both sides, coordinates behind those of the tree, and the nodes where their multipliers are eliminated.
void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan);

/// Decomposes the tree into spines (each body goes on into its heaviest subtree) and gives each spine a balanced binary tree of compounds,
/// all laid out in levels of independent work.
void pair_spines(Plan& plan);

}  // namespace arthron
