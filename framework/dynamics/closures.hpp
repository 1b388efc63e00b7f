#pragma once
#include <span>

#include "arthron/dynamics/closure_rows.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Cut joints (sections 3 to 5). What hangs on a body passes upward, besides P = M V + bias, its open closures:
///   P = M V + bias + X sigma,      0 = X^T V - Gamma sigma + g,      Gamma = J Mq^-1 J^T of what hangs there,
/// and a closure is eliminated at the body where both its sides have come together, row by row, largest diagonal first:
///   sigma_r = (X_r . V + g_r - sum_s Gamma_rs sigma_s) / Gamma_rr,   M += X_r X_r^T / Gamma_rr,   bias += X_r g_r / Gamma_rr
/// Rows that are left with no diagonal to speak of depend on the others. Right-hand sides and impulses of a closure are freed of their part
/// in this null space, as a pseudo-inverse does: contradictions are met by least squares, and impulses are the smallest and smooth.
namespace arthron {

class MultiplierSystem;
struct Compound;
struct UnevenLoops;

/// Rows whose diagonals keep more than this part of their closure's trace are far from depending on others, in whatever order they are
/// eliminated: singular values above 2 % of the largest.
inline constexpr double independent_part = 5e-4;

struct ClosureWork {
  explicit ClosureWork(const Plan& plan);
  ~ClosureWork();

  /// Per closure, world axes, at the cut point. A coupling uses the first row with D = e_x as its scalar equation.
  struct Cut {
    Wide3 arm_child, arm_parent;    // from the O of each side's body to the cut point
    std::array<Wide6, 8> D;         // constrained directions, the first `rows` of them; the others are zero
    Wide6 known;                    // prescribed relative velocity or acceleration
    Wide6 T, T_rate;                // D sigma of phase one, and its rate
    Vector6 sigma;                  // multipliers: impulses in phase one, forces after evaluate_accelerations
    int rank = 0;                   // independent rows found at the last factorisation
    bool nearly_dependent = false;  // one of them is not far from depending on others: independent_part
    std::array<int, 6> pivot;       // rows in the order of their elimination, the dependent ones last
  };
  std::vector<Cut> cuts;
  using NullSpace = std::array<Eigen::Matrix<double, 8, 1>, 6>;  // combinations fill whole registers
  std::vector<NullSpace> null;  // per closure, [rank, rows): combinations of rows that depend on what is eliminated before, orthonormal
  std::vector<Spatial6> error;  // per closure: what keeps it from being closed, displacement [m] and rotation [rad], world axes

  // Per cut joint, in its frame F on the parent; six constrained directions and rates each. Rotations are measured in lengths of `scale`.
  std::vector<Pose<double>> X_FM;  // as the bodies are
  std::vector<Spatial6> V_FM, D_F, Ddot_F, gap_F;
  /// H (H^T H)^-1 in F and in world axes; no columns where driven. Kept up where tracked, elsewhere as of the last measure_cuts.
  struct Freedoms {
    Columns6 dual_F, dual;
  };
  std::vector<Freedoms> freedoms;

  /// A node's part of the arrays below. Rows lie as its ClosureNode says; X by components, each of all rows.
  struct Node {
    double* X;          // at the body's O, after the inboard joint's columns gave way
    double* g;          // per row
    double* sigma;      // per row
    double* d_inverse;  // per row, 0 for dependent ones
    double* y;          // per column of the inboard joint and open row: h^T X
    double* gamma;      // of an eliminated row: what it had in common with the rows that were left
    double* reference;  // per row: trace of Gamma_cc of its closure before other closures of the node took their part; infinite: no row
                        // adds anything
  };
  std::vector<Node> nodes;
  std::vector<Lanes4> X, g, sigma, d_inverse, y, gamma, reference;
  std::vector<double> step;             // per velocity column: of the cut joints' coordinates on the way to their bodies' poses
  std::vector<double> scale;            // per closure: length that makes its rotation rows comparable with its translation rows
  std::vector<double> free_mobility;    // per closure: trace of its Gamma if its two bodies were free; 0 for a coupling
  std::vector<Wide6> momentum, load;    // per body: cut impulses and apparent loads, as momentum_rates adds them
  std::unique_ptr<UnevenLoops> uneven;  // only where masses in loops are far apart
};

/// Once: directions of the cut joints that never change.
void prepare_cuts(const Plan& plan, Workspace& work);
/// Arms and constrained directions of the cut joints; coordinates and columns of the tracked ones.
void closure_kinematics(const Plan& plan, int part, Workspace& work);
void closure_kinematics(const Plan& plan, Workspace& work);
/// Rates of the constrained directions; velocities and column rates of the tracked cut joints; needs V.
void closure_rates(const Plan& plan, int part, Workspace& work);
void closure_rates(const Plan& plan, Workspace& work);
void find_openings(const Plan& plan, int part, Workspace& work);
/// Velocity of the child relative to the parent at the cut.
[[nodiscard]] Wide6 velocity_at_cut(const PlanClosure& closure, const ClosureWork::Cut& cut, const Workspace& work);
/// Rate at which a closure opens, if what lies in the freedoms of a cut joint is left aside: the same less what its drive prescribes; of a
/// coupling, in the first row.
[[nodiscard]] Wide6 opening_velocity(const Plan& plan, size_t closure, const Workspace& work);
/// The part of it in the constrained directions.
[[nodiscard]] Spatial6 opening_rate(const Plan& plan, const Workspace& work, size_t closure);
/// Coordinates of the cut joints that the equations of motion or the openings need, or of all, the nearest to those found before, as the
/// bodies are.
void locate_cuts(const Plan& plan, bool all, Workspace& work);
/// Coordinates, columns, velocities and column rates of all cut joints; needs V.
void measure_freedoms(const Plan& plan, Workspace& work);

/// close_node without right-hand sides: X, Gamma and the elimination.
void close_inertia(const Plan& plan, int node, WideInertia& M, Workspace& work);
/// Merges what the nodes below pass on, X, Gamma and g, with the body's own sides, and eliminates the closures that are complete here from
/// the compound.
void close_node(const Plan& plan, int node, Level level, Compound& compound, Workspace& work);
/// Multipliers of the closures that stay open at a node, from where they were found.
void take_open_multipliers(const Plan& plan, int node, Workspace& work);
/// Multipliers of the closures complete here, once the body's V is known (zero for the ground, whose motion is in g already).
void open_node(const Plan& plan, int node, Workspace& work, const Wide6& V);

/// Springs, dampers and efforts of cut joints, as wrenches on the bodies of a part.
void load_closures(const Plan& plan, int part, Workspace& work);
/// Cut impulses and their rates.
void find_closure_loads(const Plan& plan, int part, Workspace& work);
/// The same, with the apparent loads, on the bodies of a part, for the sums of phase two.
void closure_loads(const Plan& plan, int part, Workspace& work);
/// Both, everywhere, and what the cut joints give the grounds.
void closure_loads(const Plan& plan, Workspace& work);
/// Right-hand sides of the closures at acceleration level, `known`; needs V, closure_rates and, where the Plan has a Baumgarte rate, the
/// openings.
void closure_acceleration_terms(const Plan& plan, int part, Workspace& work);
void closure_acceleration_terms(const Plan& plan, Workspace& work);
/// Gives the closures multipliers that were found elsewhere, rows one behind the other, with rank and null space as redundancy.
void take_multipliers(const Plan& plan, const MultiplierSystem& system, std::span<const double> multipliers, Workspace& work);
/// After accelerations by folding: of all multipliers that do the same, those of least norm over all closures. Elimination finds them of
/// least norm in each closure, which differs where closures share what they constrain. Allocates where closures are redundant.
void smallest_multipliers(const Plan& plan, Workspace& work);
/// After accelerations: cut reactions for the sums over subtrees, and accelerations of the cut joints' freedoms.
void closure_reactions(const Plan& plan, Workspace& work);

}  // namespace arthron
