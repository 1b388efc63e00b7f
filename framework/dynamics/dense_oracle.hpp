#pragma once
#include <vector>

#include "arthron/dynamics/workspace.hpp"

namespace arthron {

/// Accelerations and reactions by one dense solve of everything at once: Newton-Euler of every body about its centre of mass and every
/// joint's constraint rows, with Lagrange multipliers. Shares nothing with the recursions but kinematics, loads and column rates.
/// For tests, never for users: cubic in the number of bodies.
struct DenseSolution {
  std::vector<Spatial6> A;   // per body, at its handle O; grounds included
  std::vector<Spatial6> F;   // per body: what the tree parent exerts on it, at O
  std::vector<double> udot;  // per velocity column
  /// Per row of the closures, one behind the other: the smallest multipliers that do. F is what they leave to the tree.
  std::vector<double> sigma;
};

/// `work` as left by evaluate or evaluate_accelerations.
[[nodiscard]] DenseSolution dense_accelerations(const Plan& plan, const Workspace& work);

}  // namespace arthron
