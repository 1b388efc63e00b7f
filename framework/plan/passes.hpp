#pragma once
#include "arthron/plan/plan.hpp"

namespace arthron {

/// Decomposes the tree into spines (each body goes on into its heaviest subtree) and gives each spine a balanced binary tree of compounds,
/// all laid out in levels of independent work.
void pair_spines(Plan& plan);

}  // namespace arthron
