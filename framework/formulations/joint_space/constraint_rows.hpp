#pragma once
#include <vector>

#include "arthron/dynamics/workspace.hpp"
#include "arthron/plan/loop_blocks.hpp"

namespace arthron {

/// Rows of the constraint Jacobian J of all closures, J u = D^T (V_child - V_parent) or sum c_k u_k, as the factorisation Mq = U D U^T of
/// the joint-space inertia sees them, which releasing the columns leaf to root leaves in Workspace::column:
///   y = U^-1 J^T,      J Mq^-1 J^T = y^T D^-1 y
/// A row is the wrench pair of a unit multiplier; on its way to the ground it meets the columns of the joints that carry it, so that the
/// numbers of a closure are those of the bodies between its sides and the grounds.
class ConstraintRows {
 public:
  explicit ConstraintRows(const Plan& plan);

  [[nodiscard]] int rows() const { return first_row_.back(); }
  [[nodiscard]] int first_row(int closure) const { return first_row_[closure]; }
  [[nodiscard]] int rows(int closure) const { return first_row(closure + 1) - first_row(closure); }
  /// Pairs of different closures, smaller number first, that have a free column in common: all others are zero in J Mq^-1 J^T.
  [[nodiscard]] std::vector<std::pair<int, int>> coupled(const Plan& plan) const;

  /// Fills y; allocates nothing.
  void propagate(const Plan& plan, const Workspace& work);
  /// Adds block (r, s) of J Mq^-1 J^T: entry (i, j) to block[i * row_stride + j * column_stride]. Paper, equation 25: the sum runs over the
  /// subsystems that both loops have a part in.
  void add_block(const Plan& plan, const Workspace& work, int r, int s, double* block, int row_stride, int column_stride) const;
  /// Adds D^-1 y lambda of all closures, one number a free velocity column.
  void add_answers(const Plan& plan, const Workspace& work, const double* lambda, double* rates) const;

 private:
  /// A body on the way of a closure's wrenches to the ground.
  struct Step {
    int body;
    int into;  // step of its parent, -1: a ground
    int y;     // first of its numbers: per free column, one a row
  };
  struct Side {
    int step;
    bool child;
  };
  /// A joint of a coupling.
  struct Term {
    int step, column;
    double coefficient;
  };
  struct Path {
    std::vector<Step> steps;  // bodies in falling order: each before its parent
    std::vector<Side> sides;
    std::vector<Term> terms;
  };
  void add_path(const Plan& plan, const PlanClosure& closure);

  std::vector<Path> paths_;  // per closure
  std::vector<int> first_row_{0};
  std::vector<double> y_;
  std::vector<Wide6> X_;  // per step and row of one closure: what arrives there
};

}  // namespace arthron
