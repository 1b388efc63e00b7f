#pragma once
#include <memory>

#include "arthron/core/status.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/uneven_loops.hpp"
#include "arthron/dynamics/workspace.hpp"
#include "arthron/formulations/joint_space/constraint_rows.hpp"

/// Accelerations in joint coordinates with Lagrange multipliers at the cuts: "Reduced-order forward dynamics of multi-closed-loop systems",
/// below by equation number. Mq is the inertia of the tree, phi the forces along its joints at udot = 0, J the closures:
///   Mq udot = phi + J^T lambda,   J udot = psi,   (J Mq^-1 J^T) lambda = psi - J Mq^-1 phi        (10)-(12), (23)
/// Mq is never formed: the tree with its loops open, eliminated by its columns as ever, gives Mq^-1 phi and Mq = U D U^T; J Mq^-1 J^T, the
/// generalized inertia constraint matrix (GICM), and Mq^-1 J^T lambda follow from the wrench pairs of unit multipliers. No parts are
/// joined.
namespace arthron {

/// How the multipliers are found from the GICM: all in one dense solution (12); or block by block (34)-(36), (45)-(46), subsystem after
/// subsystem, those within others first: what is left of the GICM of a subsystem's own loops is factored and leaves, so that the next ones
/// see it no more.
enum class MultiplierSolve { whole_system, subsystems };

/// All numbers of this formulation, sized once and filled with NaN.
struct JointSpaceWork : FormulationWork {
  JointSpaceWork(const Plan& plan, MultiplierSolve solve);

  std::vector<Wide6> A;      // per body: what the multipliers add
  std::vector<double> udot;  // per free velocity column: the same
  std::unique_ptr<UnevenLoops> uneven_tree;

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

/// Closures in the order in which subsystems eliminate them; multipliers come back in the reverse order.
[[nodiscard]] std::vector<int> multiplier_order(const Plan& plan);

/// Accelerations A of all bodies and udot of all tree joints; of the closures the multipliers sigma, the smallest of all that do, with rank
/// and null space as redundancy. `work` as after acceleration_terms() and closure_acceleration_terms(); closure_reactions() and reactions()
/// may follow. Fails with singular_joint where no inertia resists a column, with not_finite. Allocates nothing.
[[nodiscard]] Status joint_space_accelerations(const Plan& plan, Workspace& work, JointSpaceWork& own);

/// What evaluate_accelerations does, by this formulation: velocities by phase one, then accelerations, reactions and efforts.
[[nodiscard]] Status evaluate_joint_space(const Plan& plan, double t, const double* q, const double* p, Workspace& work,
                                          JointSpaceWork& own);

/// The stages of joint_space_accelerations behind the tree.
/// psi - J udot of the tree alone, into own.multipliers.
void find_missing_accelerations(const Plan& plan, const Workspace& work, JointSpaceWork& own);
void form_gicm(const Plan& plan, const Workspace& work, JointSpaceWork& own);
/// own.multipliers := GICM^+ own.multipliers.
void solve_multipliers(JointSpaceWork& own);

}  // namespace arthron
