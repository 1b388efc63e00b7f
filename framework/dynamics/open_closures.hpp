#pragma once
#include "arthron/dynamics/closures.hpp"

/// What the inboard joint of a node's body does to the closures that stay open through it.
namespace arthron {

inline Lanes4 unit_lane(int lane) {
  static constexpr Lanes4 table[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  return table[lane];
}

/// release_closures for so many registers of open rows; 0: as many as there are.
template <int fixed>
inline void release_open_rows(const ClosureNode& node, const ClosureWork::Node& here, int column, const ColumnWork& work) {
  const ClosureNode::Block& open = node.open();
  const int stride = node.rows, width = fixed ? fixed : open.width;
  double* const y = here.y + column * 4 * width;
  double* const X = here.X + open.row;
  const double d_inverse = work.d_inverse;
  for (int i = 0; i < width; ++i) lanes(y, i) = dot_rows(X + 4 * i, stride, work.H);
  for (const ClosureNode::Term& term : node.terms) {
    const int r = term.row - open.row;
    if (term.column == column) lanes(y, r / 4) -= term.coefficient * unit_lane(r % 4);
  }
  for (int i = 0; i < width; ++i) {
    const Lanes4 given = d_inverse * lanes(y, i);
    double* const rows = X + 4 * i;
    for (int k = 0; k < 3; ++k)
      lanes(rows + k * stride) -= work.U.linear.v[k] * given, lanes(rows + (3 + k) * stride) -= work.U.angular.v[k] * given;
  }
  double* gamma = here.gamma + open.gamma;
  for (int r = 0; r < open.rows; ++r, gamma += 4 * width)
    if (fixed == 1 || y[r] != 0) add_row(d_inverse * y[r], y, width, gamma);
}

/// A column gives way under the open closures of a node: X -= U y/d, Gamma += y^T y/d with y = h^T X, less the factor of a coupling.
inline void release_closures(const ClosureNode& node, const ClosureWork::Node& here, int column, const ColumnWork& work) {
  switch (node.open().width) {
    case 0: return;
    case 1: return release_open_rows<1>(node, here, column, work);
    case 2: return release_open_rows<2>(node, here, column, work);
    case 3: return release_open_rows<3>(node, here, column, work);
    default: return release_open_rows<0>(node, here, column, work);
  }
}

/// g of the open closures after the columns of the inboard joint, which would move with u_at_rest, gave way.
inline void release_bias(const PlanBody& body, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work) {
  const int width = node.open().width;
  for (int c = 0; c < body.columns; ++c)
    add_row(work.column[body.u + c].u_at_rest, here.y + c * 4 * width, width, here.g + node.first_open_row());
}

/// g of the open closures moved by a known velocity (or acceleration) V of the body relative to its parent, before the columns of the
/// inboard joint give way.
inline void move_bias(const ClosureNode& node, const ClosureWork::Node& here, const Wide6& V) {
  for (int r = node.first_open_row(); r < node.first_open_row() + node.open().rows; r += 4)
    lanes(here.g + r) += dot_rows(here.X + r, node.rows, V);
}

/// The same after they gave way: X . V with X as it was before.
inline void move_released_bias(const PlanBody& body, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work,
                               const Wide6& V) {
  move_bias(node, here, V);
  if (body.driven) return;
  const int width = node.open().width;
  for (int c = 0; c < body.columns; ++c) {
    const ColumnWork& column = work.column[body.u + c];
    add_row(column.d_inverse * dot(column.U, V), here.y + c * 4 * width, width, here.g + node.first_open_row());
  }
}

/// g of the couplings that a driven joint's known rates take part in.
inline void move_couplings(const PlanBody& body, const ClosureNode& node, const ClosureWork::Node& here, const std::vector<double>& rates) {
  for (const ClosureNode::Term& term : node.terms) here.g[term.row] -= term.coefficient * rates[body.u + term.column];
}

/// What the open closures take from the velocity of a column: d^-1 y . sigma.
inline double closure_part(const Plan& plan, const Workspace& work, int n, int column, double d_inverse) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  const int width = node.open().width;
  const double *const y = here.y + column * 4 * width, *const sigma = here.sigma + node.first_open_row();
  Lanes4 taken{0, 0, 0, 0};
  for (int i = 0; i < width; ++i) taken += lanes(y, i) * lanes(sigma, i);
  return d_inverse * sum(taken);
}

}  // namespace arthron
