#pragma once
#include "arthron/plan/plan.hpp"

namespace arthron {

/// Lays out the cut joints: both sides, coordinates behind those of the tree, and the nodes where their multipliers are eliminated.
void close_loops(const std::vector<Pose<double>>& X_WB, const std::vector<int>& cuts, Plan& plan);

/// Decomposes the tree into spines (each body goes on into its heaviest subtree) and gives each spine a balanced binary tree of compounds,
/// all laid out in levels of independent work.
void pair_spines(Plan& plan);

}  // namespace arthron
