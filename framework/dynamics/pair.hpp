#pragma once
#include "arthron/core/status.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Two-handle elimination (section 2): every path is assembled as a balanced binary tree of compounds with handle equations
///   V_1 = xi11 T_1 + xi12 T_2 + xi10,   V_2 = xi21 T_1 + xi22 T_2 + xi20,
/// folds into the body that carries it as the inertia D (D^T xi11 D)^-1 D^T, and is disassembled from there.
/// Loops are closed on top: the tree is disassembled once for a unit multiplier of every closure row, which gives J Mq^-1 J^T, and once
/// more with the multipliers that its pseudo-inverse finds.
namespace arthron {

class MultiplierSystem;

struct PairWorkspace {
  explicit PairWorkspace(const Plan& plan);
  ~PairWorkspace();

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
  std::vector<Matrix6> K;               // per path: its inertia seen through the head's joint
  std::vector<Vector6> path_bias;       // per path: its bias seen there
  std::vector<Vector6> V;               // per body: solution
  std::vector<unsigned char> singular;  // per body: what hangs on its inboard joint has no inertia somewhere

  /// Right-hand sides of the tree, while it answers to something else.
  struct Given {
    std::vector<Vector6> bias, impulse, a;  // per body
    std::vector<Vector6> V;                 // per ground
  };
  Given given;
  std::vector<int> first_row;                   // per closure, and behind the last
  std::unique_ptr<MultiplierSystem> gamma;      // J Mq^-1 J^T; only where there are closures
  std::vector<double> multipliers, unit, rate;  // per closure row

 private:
  void prepare_closures(const Plan& plan);
};

/// Solves for the tree's V from bias, impulse, a and V of the grounds, with the factors that are there.
void solve_pairs(const Plan& plan, Workspace& work);
/// Velocity of one column of a free joint, (H^T H)^-1 H^T (V - V_parent - a); at the level of accelerations its acceleration.
[[nodiscard]] double pair_column_velocity(const Plan& plan, const Workspace& work, size_t body, int column);
/// The same with the closures closed: finds their multipliers, rank and redundancy. `rates` are those of driven columns.
void solve_closed_pairs(const Plan& plan, const std::vector<double>& rates, Workspace& work);

[[nodiscard]] Status pair_velocities(const Plan& plan, Workspace& work);
/// Accelerations from the right-hand sides of acceleration_terms.
[[nodiscard]] Status pair_forces(const Plan& plan, Workspace& work);
/// The same with the factors that are there.
void pair_accelerations(const Plan& plan, Workspace& work);

}  // namespace arthron
