#pragma once
#include <memory>

#include "arthron/core/status.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/workspace.hpp"
#include "arthron/formulations/joint_space/constraint_rows.hpp"

/// Accelerations in joint coordinates with Lagrange multipliers at the cuts: "Reduced-order forward dynamics of multi-closed-loop systems",
/// below by equation number. Mq is the inertia of the tree, phi the forces along its joints at udot = 0, J the closures:
///   Mq udot = phi + J^T lambda,   J udot = psi,   (J Mq^-1 J^T) lambda = psi - J Mq^-1 phi        (10)-(12), (23)
/// Mq is never formed: phi comes from one Newton-Euler recursion, Mq = U D U^T from one elimination of the joint columns leaf to root, and
/// J Mq^-1 J^T, the generalized inertia constraint matrix (GICM), from the factor and the wrench pairs of unit multipliers.
/// Shares nothing with folding and pairing but kinematics, loads and column rates.
namespace arthron {

/// How the multipliers are found from the GICM: all in one dense solution (12), or block by block (34)-(36), (45)-(46).
enum class MultiplierSolve { whole_system, subsystems };

/// All numbers of this formulation, sized once and filled with NaN.
struct JointSpaceWork : FormulationWork {
  JointSpaceWork(const Plan& plan, MultiplierSolve solve);

  std::vector<FactoredColumn> factor;  // per velocity column, free ones
  std::vector<WideInertia> inertia;    // per body: with all that is carried, columns outboard given way
  std::vector<Wide6> A;                // per body: acceleration of a recursion
  std::vector<Wide6> wrench;           // per body: on all that it carries, at O
  std::vector<double> force;           // per velocity column, free ones: phi, or phi + J^T lambda
  std::vector<double> udot;            // per velocity column, free ones
  std::vector<double> kept_udot;       // of a solution while another one is found
  std::vector<Vector6> kept_multipliers;
  std::vector<Wide6> transmitted;  // per body: what its parent exerts on it
  bool uneven = false;             // masses are far apart: solutions are refined

  ConstraintRows rows;
  /// A block of the GICM and where it belongs.
  struct Block {
    int r, s;
    MultiplierSystem::Place place;
  };
  std::vector<Block> blocks;
  std::vector<unsigned char> adds_nothing;  // per closure: all its rows are redundant
  std::unique_ptr<MultiplierSystem> gicm;
  std::vector<double> multipliers;  // per row; before solve_multipliers what is missing of the closures
};

/// Accelerations A of all bodies and udot of all tree joints; of the closures the multipliers sigma, the smallest of all that do, with rank
/// and null space as redundancy. `work` as after acceleration_terms() and closure_acceleration_terms(); closure_reactions() and reactions()
/// may follow. Folding must not use the closures' factors after this before it makes them anew. Fails with singular_joint where no
/// inertia resists a column, with not_finite. Allocates nothing.
[[nodiscard]] Status joint_space_accelerations(const Plan& plan, Workspace& work, JointSpaceWork& own);

/// What evaluate_accelerations does, by this formulation: velocities by phase one, then accelerations, reactions and efforts.
[[nodiscard]] Status evaluate_joint_space(const Plan& plan, double t, const double* q, const double* p, Workspace& work,
                                          JointSpaceWork& own);

/// The stages of joint_space_accelerations.
/// Mq = U D U^T.
[[nodiscard]] Status factor_joint_space(const Plan& plan, const Workspace& work, JointSpaceWork& own);
/// phi, into own.force.
void tree_forces(const Plan& plan, const Workspace& work, JointSpaceWork& own);
/// own.udot = Mq^-1 own.force, and own.A of all bodies.
void solve_tree(const Plan& plan, const Workspace& work, JointSpaceWork& own);
/// psi - J udot with udot and A of solve_tree, into own.multipliers.
void find_missing_accelerations(const Plan& plan, const Workspace& work, JointSpaceWork& own);
void form_gicm(const Plan& plan, const Workspace& work, JointSpaceWork& own);
/// own.multipliers := GICM^+ own.multipliers.
void solve_multipliers(JointSpaceWork& own);

/// Newton-Euler recursion: efforts along all tree columns that give the free ones the accelerations `udot`, while driven joints and grounds
/// move as they do and the closures exert the multipliers sigma that `work` holds. Springs, dampers and given efforts (work.tau) are part
/// of them, what couplings give is not. Needs gamma and bias of acceleration_terms().
void inverse_dynamics(const Plan& plan, const Workspace& work, const double* udot, JointSpaceWork& own, double* efforts);

}  // namespace arthron
