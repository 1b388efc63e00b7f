#pragma once
#include <span>

#include "arthron/dynamics/closure_rows.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// The algebra of compounds, one compound across a register. A compound is a connected set of bodies seen through one base handle, and some
/// open rows: unknown impulses s that it exchanges with the rest elsewhere.
///   P = M V + b + X s          P  impulse that the carrier gives it at the base handle, V the velocity there
///   w = X^T V + g - Gamma s    w  velocity along the open rows
/// A loop that leaves the compound is as many rows as its cut joint constrains, the tip of a chain segment six; M and Gamma are symmetric
/// and positive semidefinite. The same holds for forces and accelerations, with other right-hand sides b and g.
///
///   rigid_body        M of one body
///   merge             compounds on one body: M and b add up
///   move              a known velocity V of the base relative to its carrier: b += M V, g += X^T V
///   release           a joint column h gives way:  U = M h, d = h.U, y = X^T h, u = (p - h.b) / d,
///                     M -= U U^T / d, b += u U, X -= U y^T / d, Gamma += y y^T / d, g += u y
///   shift             to the carrier's point
///   close             complete rows c, whose Gamma_cc = L d L^T has left the other rows:  M += X_c d^-1 X_c^T, b += X_c d^-1 g_c
///   join              a far compound to the tip of a near one:  s = M_far w + b_far + X_far s_far,
///                     w = N (X^T V + g - Gamma (b_far + X_far s_far)),   N = (1 + Gamma M_far)^-1
///   back_substitute   u of a column from the velocity V behind it and s:  u - (U.V + y.s) / d
///
/// closures.hpp uses close for the loops of a node, chains.hpp join for rows of parts, as many as there are or one a body.
namespace arthron {

struct Compound {
  WideInertia M;
  Wide6 b;
};

/// Where the numbers of open rows are. Rows are padded with zeros to whole registers; rows of Gamma and y lie one behind the other.
struct OpenRows {
  double* X = nullptr;  // component k of row r at X[k * stride + r]
  int stride = 0;
  int count = 0, width = 0;  // rows, registers that they fill
  double* gamma = nullptr;
  double *g = nullptr, *g_known = nullptr;  // of columns that give way; of motion that is known, which may be the same
  double* s = nullptr;
  double* y = nullptr;                           // of the base joint's columns
  std::span<const ClosureNode::Term> couplings;  // of the base joint's columns with one of the rows
};

inline WideInertia rigid_body(const PlanBody& body, const BodyWork& work) {
  return rigid_inertia(body.mass, work.first_moment, work.second_moment);
}

/// One behind the other: the first writes what the others add to.
template <class Value>
inline void merge(bool first, const Value& value, Value& sum) {
  if (first)
    sum = value;
  else
    sum += value;
}

inline void move(const Wide6& V, Compound& compound) { compound.b += compound.M * V; }
inline void move(const Wide6& V, const OpenRows& rows) {
  for (int i = 0; i < rows.width; ++i) lanes(rows.g_known, i) += dot_rows(rows.X + 4 * i, rows.stride, V);
}

/// Right-hand sides alone, of a column whose factors are known.
inline void release_bias(double p, ColumnShape shape, ColumnWork& column, Wide6& b) {
  column.u_at_rest = column.d_inverse * (p - column_dot(column.H, b, shape));
  b += column.u_at_rest * column.U;
}

/// False for a column without inertia, the velocity of which is then not defined.
inline bool release(double p, ColumnShape shape, bool light, ColumnWork& column, Compound& compound) {
  const Wide6 U = inertia_times(compound.M, column.H, shape);
  const double d = column_dot(column.H, U, shape), least = light ? lost_inertia(compound.M, column.H) : 0;
  column.U = U;
  column.d_inverse = 1 / d;
  release_column(compound.M, U, column.d_inverse);
  release_bias(p, shape, column, compound.b);
  return d > least;
}

/// A column that keeps a velocity instead.
inline void hold(double u, ColumnShape shape, ColumnWork& column, Compound& compound) {
  column.U = inertia_times(compound.M, column.H, shape);
  column.d_inverse = 0;
  column.u_at_rest = u;
  compound.b += u * column.U;
}

/// Releases the one column of a joint, a rotation or a translation, and shifts by the arm. Shifting comes first, so that it does not wait
/// for the division:   S (M - U U^T / d) S^T = S M S^T - U' U'^T / d,   U' = S U.
/// All lanes hold the same scalars, so that none waits for being spread.
template <ColumnShape shape>
inline bool release_and_shift(double p, Wide3 arm, ColumnWork& column, Compound& compound) {
  const Wide3 h = shape == ColumnShape::rotation ? column.H.angular : column.H.linear;
  const WideInertia& M = compound.M;
  const Wide6 U = shape == ColumnShape::rotation ? Wide6{M.B * h, M.C * h} : Wide6{M.A * h, transposed_times(M.B, h)};
  const auto along_h = [&](const Wide6& P) { return sum_everywhere(h.v * (shape == ColumnShape::rotation ? P.angular.v : P.linear.v)); };
  const Lanes4 d = along_h(U), d_inverse = 1 / d, u = d_inverse * (p - along_h(compound.b));
  compound.M = inertia_from(M, arm);
  compound.b = wrench_from(compound.b, arm);
  const Wide6 U_carrier = wrench_from(U, arm);
  const Wide6 K{Wide3(d_inverse * U_carrier.linear.v), Wide3(d_inverse * U_carrier.angular.v)};
  take_dyad(compound.M, K, U_carrier);
  compound.b += Wide6{Wide3(u * U_carrier.linear.v), Wide3(u * U_carrier.angular.v)};
  column.U = U;
  column.K = K;
  column.d_inverse = d_inverse[0];
  column.u_at_rest = u[0];
  return d[0] > 0;
}

/// So many registers of rows; 0: as many as there are.
template <int fixed>
inline void release_rows(const ColumnWork& column, int number, const OpenRows& rows) {
  const int width = fixed ? fixed : rows.width, stride = rows.stride;
  double* const y = rows.y + number * 4 * width;
  double* const X = rows.X;
  for (int i = 0; i < width; ++i) lanes(y, i) = dot_rows(X + 4 * i, stride, column.H);
  // A coupled column has a velocity along the row of its own.
  for (const ClosureNode::Term& term : rows.couplings)
    if (term.column == number) lanes(y, term.row / 4) -= term.coefficient * unit_lane(term.row % 4);
  const double d_inverse = column.d_inverse;
  for (int i = 0; i < width; ++i) {
    const Lanes4 given = d_inverse * lanes(y, i);
    double* const four = X + 4 * i;
    for (int k = 0; k < 3; ++k)
      lanes(four + k * stride) -= column.U.linear.v[k] * given, lanes(four + (3 + k) * stride) -= column.U.angular.v[k] * given;
  }
  double* gamma = rows.gamma;
  for (int r = 0; r < rows.count; ++r, gamma += 4 * width)
    if (fixed == 1 || y[r] != 0) add_row(d_inverse * y[r], y, width, gamma);
  add_row(column.u_at_rest, y, width, rows.g);
}

/// `number` of the columns of the base joint.
inline void release(const ColumnWork& column, int number, const OpenRows& rows) {
  switch (rows.width) {
    case 0: return;
    case 1: return release_rows<1>(column, number, rows);
    case 2: return release_rows<2>(column, number, rows);
    case 3: return release_rows<3>(column, number, rows);
    default: return release_rows<0>(column, number, rows);
  }
}

/// Of couplings: known rates of the base joint's columns.
inline void move_couplings(const double* rates, const OpenRows& rows) {
  for (const ClosureNode::Term& term : rows.couplings) rows.g[term.row] -= term.coefficient * rates[term.column];
}

inline void shift(Wide3 arm, Compound& compound) {
  compound.M = inertia_from(compound.M, arm);
  compound.b = wrench_from(compound.b, arm);
}
inline void shift(const Wide3& arm, const OpenRows& rows) {
  for (int i = 0; i < rows.width; ++i) {
    double* const X = rows.X + 4 * i;
    FourRows four = rows_from(X, rows.stride);
    four.move(arm);
    lanes(X + 3 * rows.stride) = four.a, lanes(X + 4 * rows.stride) = four.b, lanes(X + 5 * rows.stride) = four.c;
  }
}

/// Of complete rows, as their elimination has left X and g: the impulses that close them on a carrier at rest go to rows.s.
inline void close(const OpenRows& rows, const double* d_inverse, Compound& compound) {
  add_dyads(rows.X, rows.stride, d_inverse, rows.width, compound.M);
  for (int i = 0; i < rows.width; ++i) lanes(rows.s, i) = lanes(d_inverse, i) * lanes(rows.g, i);
  compound.b += sum_of_rows(rows.X, rows.stride, rows.s, rows.width);
}

/// A compound with six open rows at a tip, as dense matrices. Without a tip X, gamma and g mean nothing.
struct Segment {
  Matrix6 M, X, gamma;
  Vector6 b, g;
  bool has_tip = false;
};

/// The matrices of two segments joined, and N.
void join(const Segment& near, const Segment& far, Segment& both, Matrix6& N);
/// Their right-hand sides. `taken`: impulse that the far one takes up on a tip at rest, beside what the near one's b and g assume there.
void join_biases(const Segment& near, const Segment& far, const Matrix6& N, const Vector6& taken, Segment& both);
/// Velocity of the tip where they are joined, V the near one's; `taken` with what the far one's own tip takes up.
[[nodiscard]] Vector6 velocity_between(const Segment& near, const Matrix6& N, const Vector6& taken, const Vector6& V);

/// y.s of one of the base joint's columns.
inline double taken_by(const OpenRows& rows, int number) {
  const double* const y = rows.y + number * 4 * rows.width;
  Lanes4 taken{0, 0, 0, 0};
  for (int i = 0; i < rows.width; ++i) taken += lanes(y, i) * lanes(rows.s, i);
  return sum(taken);
}

/// V of the base as its carrier moves; the column adds its own to it.
inline double back_substitute(const ColumnWork& column, int number, const Wide6& V, const OpenRows& rows) {
  const double along = dot(column.U, V);
  return column.u_at_rest - column.d_inverse * (rows.width > 0 ? along + taken_by(rows, number) : along);
}

}  // namespace arthron
