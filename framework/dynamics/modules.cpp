#include "arthron/dynamics/modules.hpp"

#include <Eigen/LU>
#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Open rows of a compound's node.
struct Rows {
  const double *X, *gamma, *g;
  double* s;
  int X_stride, stride;
  [[nodiscard]] double gamma_at(int row, int column) const { return gamma[row * stride + column]; }
};

Rows rows_of_compound(const Plan& plan, int compound, const Workspace& work) {
  const ClosureNode& node = plan.closure_nodes[plan.modules.node[compound]];
  const ClosureNode::Block& open = node.open();
  const ClosureWork::Node& here = work.closures->nodes[plan.modules.node[compound]];
  return {here.X + open.row, here.gamma + open.gamma, here.g + open.row, here.sigma + open.row, node.rows, open.stride};
}

/// Which far compound a row is of.
template <class Action>
void for_far_rows(const ModuleJoin& join, Action action) {
  for (size_t k = 0; k < join.far.size(); ++k) action(join.far[k], join.first[k], join.first[k + 1]);
}

/// Matrices of the far compounds together and of the output, and what they make of all rows.
void join_matrices(const Plan& plan, const ModuleJoin& join, ModuleWork::Join& own, Workspace& work) {
  ModuleWork& modules = *work.modules;
  const Rows near = rows_of_compound(plan, join.near, work);
  const int t = join.output_row, n = join.near_rows;
  const bool grounded = join.on < 0;
  Matrix6 gamma;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      gamma(i, k) = near.gamma_at(t + i, t + k);
      own.X(k, i) = grounded ? 0 : near.X[k * near.X_stride + t + i];
    }
  own.M_far.setZero();
  own.gamma.setZero();
  for (const int far : join.far) own.M_far += dense(modules.compound[far].M);
  own.N = (Matrix6::Identity() + gamma * own.M_far).partialPivLu().inverse();
  const Matrix6 K = own.M_far * own.N, E = own.N * gamma;
  own.K = (K + K.transpose()) / 2, own.E = (E + E.transpose()) / 2;
  for (int r = 0; r < n; ++r) {
    const int from = join.from[r];
    for (int i = 0; i < 6; ++i) own.coupling(i, r) = near.gamma_at(t + i, from);
    for (int k = 0; k < 6; ++k) own.X_rows(k, r) = grounded ? 0 : near.X[k * near.X_stride + from];
    for (int s = 0; s < n; ++s) own.gamma(r, s) = near.gamma_at(from, join.from[s]);
  }
  for_far_rows(join, [&](int far, int first, int last) {
    const Rows rows = rows_of_compound(plan, far, work);
    for (int r = first; r < last; ++r) {
      for (int k = 0; k < 6; ++k) own.X_far(k, r - n) = rows.X[k * rows.X_stride + join.from[r]];
      for (int s = first; s < last; ++s) own.gamma(r, s) = rows.gamma_at(join.from[r], join.from[s]);
    }
  });
  const Eigen::Index f = own.gamma.cols() - n;
  own.product.leftCols(n).noalias() = own.K * own.coupling;
  own.X_rows.leftCols(n).noalias() -= own.X * own.product.leftCols(n);
  own.gamma.topLeftCorner(n, n).noalias() -= own.coupling.transpose() * own.product.leftCols(n);
  own.product.rightCols(f).noalias() = own.N.transpose() * own.X_far;
  own.X_rows.rightCols(f).noalias() = own.X * own.product.rightCols(f);
  own.gamma.topRightCorner(n, f).noalias() = own.coupling.transpose() * own.product.rightCols(f);
  own.gamma.bottomLeftCorner(f, n) = own.gamma.topRightCorner(n, f).transpose();
  own.product.rightCols(f).noalias() = own.E * own.X_far;
  own.gamma.bottomRightCorner(f, f).noalias() += own.X_far.transpose() * own.product.rightCols(f);
}

/// The same of right-hand sides.
Vector6 join_right_sides(const Plan& plan, const ModuleJoin& join, ModuleWork::Join& own, Workspace& work) {
  const Rows near = rows_of_compound(plan, join.near, work);
  const int t = join.output_row, n = join.near_rows;
  for (int i = 0; i < 6; ++i) own.g[i] = near.g[t + i];
  own.b = -own.assumed;
  for (const int far : join.far) own.b += dense(work.modules->compound[far].b);
  const Vector6 taken = own.K * own.g + own.N.transpose() * own.b, moved = own.N * own.g - own.E * own.b;
  for (int r = 0; r < n; ++r) own.g_rows[r] = near.g[join.from[r]] - own.coupling.col(r).dot(taken);
  for_far_rows(join, [&](int far, int first, int last) {
    const Rows rows = rows_of_compound(plan, far, work);
    for (int r = first; r < last; ++r) own.g_rows[r] = rows.g[join.from[r]] + own.X_far.col(r - n).dot(moved);
  });
  return own.X * taken;
}

/// Of all compounds of a join.
Compound sum_of(const ModuleJoin& join, const Workspace& work) {
  Compound sum{WideInertia::zero(), Wide6::zero()};
  if (join.on < 0) return sum;
  for (const int far : join.far) sum.M += work.modules->compound[far].M, sum.b += work.modules->compound[far].b;
  return sum;
}

bool closes(const Workspace& work) { return work.request.loops == Request::Loops::closed; }

}  // namespace

ModuleWork::ModuleWork(const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix6 nan66 = Matrix6::Constant(nan);
  const Vector6 nan6 = Vector6::Constant(nan);
  const Wide6 none = Spatial6{{nan, nan, nan}, {nan, nan, nan}};
  compound.assign(plan.modules.node.size(), {arthron::wide(nan66), none, none});
  for (const ModuleJoin& given : plan.modules.joins) {
    Join own{nan66, nan66, nan66, nan66, nan66, nan6, nan6, Vector6::Zero(), {}, {}, {}, {}, {}, {}, {}, {}};
    if (given.near >= 0) {
      const Eigen::Index all = std::ssize(given.to), near = given.near_rows;
      own.coupling.setConstant(6, near, nan), own.X_far.setConstant(6, all - near, nan), own.X_rows.setConstant(6, all, nan);
      own.product.setConstant(6, all, nan);
      own.gamma.setConstant(all, all, nan), own.g_rows.setConstant(all, nan);
      own.s_near.setConstant(near, nan), own.s_far.setConstant(all - near, nan);
    }
    join.push_back(std::move(own));
  }
}

template <Level level, Pass pass>
void join_modules(const Plan& plan, int number, Workspace& work) {
  if (!closes(work)) return;
  const ModuleJoin& join = plan.modules.joins[number];
  ModuleWork::Join& own = work.modules->join[number];
  if (pass == Pass::first) own.assumed.setZero();
  Compound sum = join.near >= 0 ? Compound{WideInertia::zero(), Wide6::zero()} : sum_of(join, work);
  if (join.near >= 0) {
    join_matrices(plan, join, own, work);
    const Vector6 b = join_right_sides(plan, join, own, work);
    const ModuleWork::Compounded& near = work.modules->compound[join.near];
    if (join.on >= 0) {
      const Matrix6 M = own.X * own.K * own.X.transpose();
      sum.M = wide(M), sum.b = Wide6(spatial(b));
      sum.M += near.M, sum.b += near.b;
    }
  }
  close_node(plan, join.node, level, sum, work);
  ModuleWork::Compounded& result = work.modules->compound[shared_part(plan) + number];
  result.M = sum.M, result.b = sum.b;
}

void open_modules(const Plan& plan, int number, Workspace& work) {
  if (!closes(work)) return;
  ModuleWork& modules = *work.modules;
  const ModuleJoin& join = plan.modules.joins[number];
  const int compound = shared_part(plan) + number, last = static_cast<int>(plan.modules.joins.size()) - 1;
  if (number == last) modules.compound[compound].V = Wide6::zero();
  const Wide6 V = modules.compound[compound].V;
  if (number == last) take_open_multipliers(plan, join.node, work);  // of others, whoever has them joined has given them
  open_node(plan, join.node, work, V);
  for (const int far : join.far) take_open_multipliers(plan, plan.modules.node[far], work);
  if (join.near < 0) {
    for (const int far : join.far) modules.compound[far].V = V;
    return;
  }
  take_open_multipliers(plan, plan.modules.node[join.near], work);
  ModuleWork::Join& own = modules.join[number];
  const Rows near = rows_of_compound(plan, join.near, work);
  const int n = join.near_rows;
  for (int r = 0; r < n; ++r) own.s_near[r] = near.s[join.from[r]];
  for_far_rows(join, [&](int far, int first, int rows) {
    const double* const s = rows_of_compound(plan, far, work).s;
    for (int r = first; r < rows; ++r) own.s_far[r - n] = s[join.from[r]];
  });
  Vector6 taken = own.b, along = own.g;
  taken.noalias() += own.X_far * own.s_far;
  along.noalias() -= own.coupling * own.s_near;
  if (join.on >= 0) along.noalias() += own.X.transpose() * dense(V);
  const Vector6 w = own.N * along - own.E * taken, s = own.M_far * w + taken;
  for (int i = 0; i < 6; ++i) near.s[join.output_row + i] += s[i];
  own.assumed += s;
  modules.compound[join.near].V = V;
  for (const int far : join.far) modules.compound[far].V = spatial(w);
}

template <Level level>
void fold_modules(const Plan& plan, int, Workspace& work) {
  for (int p = shared_part(plan); p-- > 0;) fold_part<level>(plan, p, work);
  if (plan.ground_node() >= 0) close_ground<level>(plan, 0, work);
  for (int p = 0; p < shared_part(plan); ++p) unfold_part<level>(plan, p, work);
}

void put_joined_rows(const Plan& plan, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work) {
  const ModuleJoin& join = plan.modules.joins[node.join];
  const ModuleWork::Join& own = work.modules->join[node.join];
  const int rows = static_cast<int>(join.to.size());
  const int* to = join.to_gamma.data();
  for (int r = 0; r < rows; ++r) {
    for (int s = 0; s < rows; ++s, ++to)
      if (*to >= 0) here.gamma[*to] += own.gamma(r, s);
    for (int k = 0; k < 6 && node.body >= 0; ++k) here.X[k * node.rows + join.to[r]] += own.X_rows(k, r);
  }
}

void put_joined_constants(const Plan& plan, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work) {
  const ModuleJoin& join = plan.modules.joins[node.join];
  const ModuleWork::Join& own = work.modules->join[node.join];
  for (size_t r = 0; r < join.to.size(); ++r) here.g[join.to[r]] += own.g_rows[static_cast<Eigen::Index>(r)];
}

template void join_modules<Level::velocity, Pass::first>(const Plan&, int, Workspace&);
template void join_modules<Level::velocity, Pass::second>(const Plan&, int, Workspace&);
template void join_modules<Level::acceleration, Pass::first>(const Plan&, int, Workspace&);
template void join_modules<Level::acceleration, Pass::second>(const Plan&, int, Workspace&);
template void fold_modules<Level::velocity>(const Plan&, int, Workspace&);
template void fold_modules<Level::acceleration>(const Plan&, int, Workspace&);

}  // namespace arthron
