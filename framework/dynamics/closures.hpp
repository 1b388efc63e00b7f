#pragma once
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Cut joints (sections 3 to 5). What hangs on a body passes upward, besides P = M V + bias, its open closures:
///   P = M V + bias + X sigma,      0 = X^T V - Gamma sigma + g,      Gamma = J Mq^-1 J^T of what hangs there,
/// and a closure is eliminated at the body where both its sides have come together:
///   sigma_c = Gamma_cc^+ (X_c^T V + g_c - sum_d Gamma_cd sigma_d),   M += X_c Gamma_cc^+ X_c^T,   bias += X_c Gamma_cc^+ g_c
namespace arthron {

struct ClosureWork {
  explicit ClosureWork(const Plan& plan);

  /// Per closure, world axes, at the cut point.
  struct Cut {
    Wide3 arm_child, arm_parent;  // from the O of each side's body to the cut point
    std::array<Wide6, 6> D;       // constrained directions, the first `rows` of them
    Columns6 H_dual;              // H (H^T H)^-1; no columns where driven
    Wide6 known;                  // prescribed relative velocity or acceleration
    Vector6 sigma;                // multipliers: impulses in phase one, forces after evaluate_accelerations
    Wide6 T;                      // D sigma of phase one
    Spatial6 error;               // what keeps the joint from being closed: displacement [m] and rotation [rad], world axes
    int rank = 0;                 // independent rows found at the last factorisation
  };
  std::vector<Cut> cuts;

  /// Per node. A closure's rows are padded to six with zeros.
  struct Node {
    std::vector<std::array<Wide6, 6>> X;         // per closure, at the body's O
    std::vector<std::array<Wide6, 6>> X_before;  // of the open ones, before the inboard joint's columns give way
    std::vector<Vector6> g;
    std::vector<Matrix6> diagonal;              // Gamma_cc; of an eliminated closure its pseudo-inverse
    std::vector<std::vector<Matrix6>> coupled;  // Gamma_cd with its `later`; of an eliminated closure Gamma_cc^+ Gamma_cd
    std::vector<std::vector<Vector6>> y;        // per column of the inboard joint and open closure: h^T X
    std::vector<std::array<Wide6, 6>> passed;   // open closures' X at the parent's O
  };
  std::vector<Node> nodes;
  std::vector<std::vector<std::vector<std::pair<int, int>>>>
      fill;                                    // per node, eliminated closure and pair of its later ones: where Gamma_de is
  std::vector<std::vector<double>> reference;  // per node and closure: trace of Gamma_cc before other closures took their part
  bool accelerating = false;                   // whether `known` and the grounds speak of accelerations or of velocities
  std::vector<double> scale;                   // per closure: length that makes its rotation rows comparable with its translation rows
  std::vector<Wide6> momentum, load;           // per body: cut impulses and apparent loads, as momentum_rates adds them
};

/// Poses of the cut joints, their coordinates (the nearest to `work.q`, which holds a guess), columns, and constrained directions.
void closure_kinematics(const Plan& plan, Workspace& work);
/// Velocities and column rates of the cut joints; needs V.
void closure_rates(const Plan& plan, Workspace& work);

/// Collects X and Gamma of a node from below, and eliminates the closures that are complete here from the inertia.
void close_inertia(const Plan& plan, size_t node, Workspace& work, WideInertia& M);
/// The same for the right-hand sides.
void close_bias(const Plan& plan, size_t node, Workspace& work, Wide6& bias);
/// X Gamma^+ X^T V of the closures eliminated at a node: what closing them added to the body's inertia.
[[nodiscard]] Wide6 closed_inertia_times(const Plan& plan, size_t node, const Workspace& work, const Wide6& V);
/// Multipliers of the closures complete here, once the body's V is known (zero for the ground, whose motion is in g already).
void open_node(const Plan& plan, size_t node, Workspace& work, const Wide6& V);

/// Springs, dampers and efforts of cut joints, as wrenches on the bodies they join.
void load_closures(const Plan& plan, Workspace& work);
/// Adds cut impulses and their apparent loads to the sums of phase two.
void closure_loads(const Plan& plan, Workspace& work);
/// Right-hand sides of the closures at acceleration level.
void closure_acceleration_terms(const Plan& plan, Workspace& work);
/// After accelerations: cut reactions for the sums over subtrees, and accelerations of the cut joints' freedoms.
void closure_reactions(const Plan& plan, Workspace& work);

}  // namespace arthron
