#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Two-handle elimination (section 2): every spine is assembled as a balanced binary tree of compounds with handle equations
///   V_1 = xi11 T_1 + xi12 T_2 + xi10,   V_2 = xi21 T_1 + xi22 T_2 + xi20,
/// folds into the body that carries it as the inertia D (D^T xi11 D)^-1 D^T, and is disassembled from there.
namespace arthron {

struct PairWorkspace {
  explicit PairWorkspace(const Plan& plan);

  struct Compound {
    Matrix6 xi11, xi12, xi22;
    Vector6 xi10, xi20;
    Vector6 T1, T2;
  };
  struct JointSpace {
    Columns6 H_dual;  // H (H^T H)^-1; no columns for a driven joint
    Columns6 D;       // orthonormal complement of H
    Vector6 impulse;  // H_dual p
    Vector6 a;        // known relative velocity
  };
  struct Node {
    Matrix6 W;
    Vector6 beta;
  };
  std::vector<Compound> compounds;  // bodies, then nodes
  std::vector<JointSpace> joints;   // inboard joint, per body
  std::vector<Node> nodes;
  std::vector<Vector6> bias;            // per body
  std::vector<Matrix6> K;               // per spine: its inertia seen through the head's joint
  std::vector<Vector6> spine_bias;      // per spine: its bias seen there
  std::vector<Vector6> V;               // per body: solution
  std::vector<unsigned char> singular;  // per body: what hangs on its inboard joint has no inertia somewhere
};

[[nodiscard]] Status pair_velocities(const Plan& plan, Workspace& work);
/// Accelerations from the right-hand sides of acceleration_terms.
[[nodiscard]] Status pair_forces(const Plan& plan, Workspace& work);
/// The same with the factors that are there.
void pair_accelerations(const Plan& plan, Workspace& work);

}  // namespace arthron
