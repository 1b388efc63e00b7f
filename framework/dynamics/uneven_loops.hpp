#pragma once
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/multiplier_system.hpp"

/// Loops that hold bodies together whose masses differ very much. Where a light body gives way, Gamma = J Mq^-1 J^T is larger than where
/// heavy ones do by the ratio of the masses, and what is left of the latter after elimination has that many digits less. So
///   - which rows are independent is found with all bodies equally heavy: it is a matter of geometry, not of masses;
///   - what is left of the openings after a solution is taken away by a second one. Its error is a part of the error of the first;
///   - at the level of accelerations the second one takes with it what is left of the equations of motion of every body.
namespace arthron {

/// Whether some branch of the tree that loops run through has bodies of masses that are so far apart.
[[nodiscard]] bool has_uneven_loops(const Plan& plan);
/// The same of any branch where there are no loops: heavy bodies may hang on light ones by loose joints there.
[[nodiscard]] bool is_uneven_tree(const Plan& plan);

struct UnevenLoops {
  explicit UnevenLoops(const Plan& plan);

  /// Rows of a closure: the independent ones first.
  struct Rows {
    int rank;
    std::array<int, 6> pivot;
    bool nearly_dependent;
  };
  std::vector<Rows> rows;  // per closure
  bool found = false;      // by find_independent_rows, for these positions
  /// Per body, what makes it as heavy as the heaviest; what the body carries then.
  std::vector<double> factor;
  std::vector<WideInertia> carried;
  std::vector<double> free_mobility;  // per closure, of bodies that heavy
  std::vector<Wide6> wrench;          // per body: what its parent exerts on it

  /// A solution and what it was found from, while a second one takes its place.
  struct Kept {
    explicit Kept(const Plan& plan);
    std::vector<double> rates, efforts, driven;
    std::vector<Wide6> motions, relative, bias;  // per body
    std::vector<Wide6> known;                    // per closure
    std::vector<Vector6> multipliers;
  };
  Kept refined, projected;
};

/// Which rows of the closures are independent where the bodies are: by folding the tree with bodies of equal mass. Needs the cut joints'
/// directions; leaves factors of that tree behind.
void find_independent_rows(const Plan& plan, Workspace& work);

/// Of block (r, s) of J Mq^-1 J^T: rows that depend on others, each a combination of a closure's rows, become rows of their own that are
/// coupled with no others. Multipliers and right-hand sides lose their parts in these.
void set_dependent_apart(const Workspace& work, int r, int s, const MultiplierSystem::Place& block);
void leave_dependent(const Plan& plan, const Workspace& work, double* multipliers);

/// Keeps the motion that is in the workspace and puts what is left of the equations in the place of their right-hand sides; and adds the
/// motion found from these to what was kept.
template <Level level>
void begin_refinement(const Plan& plan, Workspace& work);
template <Level level>
void end_refinement(const Plan& plan, Workspace& work);

/// What accelerations A, efforts and multipliers in the workspace leave of the equations of motion of every body, at O, in the place of
/// `left`. What joints transmit (F, to be overwritten) is taken from the bodies they carry, but along their columns it is what it has to
/// be: a light body that carries heavy ones has all its digits then.
void find_equations_left(const Plan& plan, const std::vector<Wide6>& A, const Workspace& work, std::vector<Wide6>& F,
                         std::vector<Wide6>& left);
/// Of accelerations, with numbers of whoever calls them; there need not be closures.
void begin_refinement(const Plan& plan, UnevenLoops& own, Workspace& work);
void end_refinement(const Plan& plan, const UnevenLoops& own, Workspace& work);

/// Solves the equations in the workspace, and, with such numbers, once more what that leaves of them.
template <class Solve>
[[nodiscard]] Status solve_and_refine(const Plan& plan, UnevenLoops* own, Workspace& work, const Solve& solve) {
  Status status = solve();
  if (!own || !status.ok()) return status;
  begin_refinement(plan, *own, work);
  status = solve();
  end_refinement(plan, *own, work);
  return status;
}

/// Moves the velocities in the workspace to the nearest that the closures admit, without a detour through momenta, in which light bodies
/// that carry heavy ones have no digits.
[[nodiscard]] Status close_velocities(const Plan& plan, Workspace& work);

}  // namespace arthron
