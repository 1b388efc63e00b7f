#include "arthron/dynamics/closures.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "arthron/dynamics/column.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent (section 3).
constexpr double dependent = 1e-5;

/// Rotation rows are measured with a length, so that rows of both kinds weigh alike: the radius of gyration of the bodies the cut joins.
double length_scale(const Plan& plan, const PlanClosure& closure) {
  double mass = 0, moment = 0;
  for (const int b : {closure.parent, closure.child}) {
    if (b < plan.grounds) continue;
    const PlanBody& body = plan.bodies[static_cast<size_t>(b)];
    mass += body.mass, moment += (body.second_moment.xx + body.second_moment.yy + body.second_moment.zz) / 3;
  }
  return mass > 0 && moment > 0 ? std::sqrt(moment / mass) : 1;
}

Wide6 ground_motion(const Workspace& work, int ground) {
  const size_t g = static_cast<size_t>(ground);
  return work.closures->accelerating ? work.A[g] : work.body[g].V;
}

/// One closure of a node, as its elimination sees it.
struct Block {
  int first, rows;  // in the node's rows
  double* gamma;    // rows x rows
  double& at(int r, int s) const { return gamma[r * rows + s]; }
};

Block block(const ClosureNode& node, std::vector<double>& gamma, size_t i) {
  return {node.row[i], node.row[i + 1] - node.row[i], gamma.data() + node.diagonal[i]};
}

/// Eliminates row r of closure i: the rows of the same closure that are `left`, the later closures, and the inertia of the body.
void eliminate_row(const ClosureNode& node, size_t i, const Block& own, int r, const int* left, int left_count, ClosureWork::Node& here,
                   WideInertia* M) {
  const size_t row = static_cast<size_t>(own.first + r);
  const double d_inverse = here.d_inverse[row];
  const Wide6 X = here.X[row];
  for (int a = 0; a < left_count; ++a) {
    const int s = left[a];
    const double factor = d_inverse * own.at(s, r);
    if (factor == 0) continue;
    for (int b = 0; b < left_count; ++b) own.at(s, left[b]) -= factor * own.at(r, left[b]);
    here.X[static_cast<size_t>(own.first + s)] -= factor * X;
    for (size_t k = 0; k < node.later[i].size(); ++k) {
      const size_t other = static_cast<size_t>(node.later[i][k]);
      const int columns = node.row[other + 1] - node.row[other];
      double* coupled = here.gamma.data() + node.coupled[i][k];
      for (int c = 0; c < columns; ++c) coupled[s * columns + c] -= factor * coupled[r * columns + c];
    }
  }
  for (size_t k = 0; k < node.later[i].size(); ++k) {
    const size_t other = static_cast<size_t>(node.later[i][k]);
    const int columns = node.row[other + 1] - node.row[other];
    const double* coupled = here.gamma.data() + node.coupled[i][k] + r * columns;
    for (int c = 0; c < columns; ++c) here.X[static_cast<size_t>(node.row[other] + c)] -= (d_inverse * coupled[c]) * X;
  }
  for (const ClosureNode::Fill& fill : node.fill[i]) {
    const double *left_row = here.gamma.data() + fill.left + r * fill.rows, *right_row = here.gamma.data() + fill.right + r * fill.columns;
    double* to = here.gamma.data() + fill.to;
    for (int a = 0; a < fill.rows; ++a) {
      const double factor = d_inverse * left_row[a];
      for (int b = 0; b < fill.columns; ++b) to[a * fill.columns + b] -= factor * right_row[b];
    }
  }
  if (M) release_column(*M, X, -d_inverse);
}

/// Orthonormal null space of the closure's Gamma = L d L^T: the n with L^T n = 0.
void find_null_space(const Block& own, const ClosureWork::Node& here, ClosureWork::Cut& cut) {
  for (int k = cut.rank; k < own.rows; ++k) {
    Vector6& n = cut.null[static_cast<size_t>(k)] = Vector6::Zero();
    n[cut.pivot[static_cast<size_t>(k)]] = 1;
    for (int i = cut.rank - 1; i >= 0; --i) {
      const int r = cut.pivot[static_cast<size_t>(i)];
      double sum = 0;
      for (int j = i + 1; j < own.rows; ++j) sum += own.at(cut.pivot[static_cast<size_t>(j)], r) * n[cut.pivot[static_cast<size_t>(j)]];
      n[r] = -here.d_inverse[static_cast<size_t>(own.first + r)] * sum;
    }
    for (int j = cut.rank; j < k; ++j) n -= cut.null[static_cast<size_t>(j)].dot(n) * cut.null[static_cast<size_t>(j)];
    n.normalize();
  }
}

/// Takes from a closure's numbers their part in its null space.
void leave_null_space(const ClosureWork::Cut& cut, int rows, double* values) {
  for (int k = cut.rank; k < rows; ++k) {
    const Vector6& n = cut.null[static_cast<size_t>(k)];
    double part = 0;
    for (int r = 0; r < rows; ++r) part += n[r] * values[r];
    for (int r = 0; r < rows; ++r) values[r] -= part * n[r];
  }
}

/// Eliminates closure i of a node, largest diagonal first, until what is left depends on what is gone.
void eliminate_closure(const ClosureNode& node, size_t i, ClosureWork::Cut& cut, ClosureWork::Node& here, WideInertia* M) {
  const Block own = block(node, here.gamma, i);
  std::iota(cut.pivot.begin(), cut.pivot.end(), 0);
  const double least = dependent * dependent * here.reference[i];
  cut.rank = 0;
  for (; cut.rank < own.rows; ++cut.rank) {
    int* const left = cut.pivot.data() + cut.rank;
    const int left_count = own.rows - cut.rank;
    int* const best = std::max_element(left, left + left_count, [&](int a, int b) { return own.at(a, a) < own.at(b, b); });
    const double d = own.at(*best, *best);
    if (!(d > least)) break;
    std::swap(*left, *best);
    here.d_inverse[static_cast<size_t>(own.first + *left)] = 1 / d;
    eliminate_row(node, i, own, *left, left + 1, left_count - 1, here, M);
  }
  for (int k = cut.rank; k < own.rows; ++k) here.d_inverse[static_cast<size_t>(own.first + cut.pivot[static_cast<size_t>(k)])] = 0;
  find_null_space(own, here, cut);
}

void add_block(const ClosureNode::Gather& gather, const double* from, double* to) {
  from += gather.from, to += gather.to;
  if (!gather.transposed) {
    for (int k = 0; k < gather.rows * gather.columns; ++k) to[k] += from[k];
    return;
  }
  for (int r = 0; r < gather.rows; ++r)
    for (int c = 0; c < gather.columns; ++c) to[c * gather.rows + r] += from[r * gather.columns + c];
}

}  // namespace

ClosureWork::ClosureWork(const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Wide6 none = Wide6::zero();
  for (const PlanClosure& closure : plan.closures) {
    Cut cut{};
    cut.D.fill(none), cut.known = cut.T = none, cut.sigma.setZero(), cut.H_dual.resize(6, 0);
    if (closure.coupling >= 0) cut.D[0].linear = Wide3(Vec3{1, 0, 0});
    cuts.push_back(cut);
    scale.push_back(length_scale(plan, closure));
  }
  step.assign(static_cast<size_t>(plan.nu_all), 0);
  momentum.assign(plan.bodies.size(), none), load.assign(plan.bodies.size(), none);
  for (const ClosureNode& node : plan.closure_nodes) {
    const size_t rows = static_cast<size_t>(node.rows()), open = rows - static_cast<size_t>(node.first_open_row());
    Node storage;
    storage.X.assign(rows, none), storage.X_before = storage.X, storage.passed.assign(open, none);
    storage.g.assign(rows, nan), storage.gamma.assign(static_cast<size_t>(node.gamma_size), nan), storage.d_inverse.assign(rows, nan);
    storage.y.assign(6, std::vector<double>(open, nan)), storage.reference.assign(node.closures.size(), nan);
    nodes.push_back(std::move(storage));
  }
}

void close_inertia(const Plan& plan, size_t n, Workspace& work, WideInertia& M) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  ClosureWork::Node& here = closures.nodes[n];
  std::fill(here.X.begin(), here.X.end(), Wide6::zero());
  std::fill(here.gamma.begin(), here.gamma.end(), 0.0);
  // The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const size_t c = static_cast<size_t>(node.closures[i]);
    const ClosureWork::Cut& cut = closures.cuts[c];
    const PlanClosure& closure = plan.closures[c];
    Wide6* const X = here.X.data() + node.row[i];
    for (size_t r = 0; r < static_cast<size_t>(closure.rows); ++r) {
      if (closure.child == node.body) X[r] -= wrench_from(cut.D[r], cut.arm_child);
      if (closure.parent == node.body) X[r] += wrench_from(cut.D[r], cut.arm_parent);
    }
  }
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (size_t child = 0; child < node.children.size(); ++child) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(node.children[child])];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(node.children[child])];
    for (const ClosureNode::Gather& gather : node.gather[child]) add_block(gather, from.gamma.data(), here.gamma.data());
    if (node.body < 0) continue;
    const Wide6* passed = from.passed.data();
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      Wide6* X = here.X.data() + node.row[static_cast<size_t>(below.upward[k - static_cast<size_t>(below.eliminated)])];
      for (int r = below.row[k]; r < below.row[k + 1]; ++r) *X++ += *passed++;
    }
  }
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const Block own = block(node, here.gamma, i);
    here.reference[i] = 0;
    for (int r = 0; r < own.rows; ++r) here.reference[i] += own.at(r, r);
  }
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i)
    eliminate_closure(node, i, closures.cuts[static_cast<size_t>(node.closures[i])], here, node.body < 0 ? nullptr : &M);
}

void close_bias(const Plan& plan, size_t n, Workspace& work, Wide6& bias) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  ClosureWork::Node& here = closures.nodes[n];
  std::fill(here.g.begin(), here.g.end(), 0.0);
  const auto add = [](double* g, const Wide6* X, int rows, double factor, const Wide6& V) {
    for (int r = 0; r < rows; ++r) g[r] += factor * dot(X[r], V);
  };
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const size_t c = static_cast<size_t>(node.closures[i]);
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    double* const g = here.g.data() + node.row[i];
    if (i < static_cast<size_t>(node.eliminated)) add(g, cut.D.data(), closure.rows, 1, cut.known);
    // A side that is a ground: its velocity is known.
    if (node.body >= 0 || closure.coupling >= 0) continue;
    if (closure.child < plan.grounds)
      add(g, cut.D.data(), closure.rows, -1, velocity_at(ground_motion(work, closure.child), cut.arm_child));
    if (closure.parent < plan.grounds)
      add(g, cut.D.data(), closure.rows, 1, velocity_at(ground_motion(work, closure.parent), cut.arm_parent));
  }
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    const int carrier = plan.bodies[static_cast<size_t>(below.body)].parent;
    const Wide6* passed = from.passed.data();
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      const int rows = below.row[k + 1] - below.row[k];
      double* const g = here.g.data() + node.row[static_cast<size_t>(below.upward[k - static_cast<size_t>(below.eliminated)])];
      for (int r = 0; r < rows; ++r) g[r] += from.g[static_cast<size_t>(below.row[k] + r)];
      if (carrier < plan.grounds) add(g, passed, rows, 1, ground_motion(work, carrier));
      passed += rows;
    }
  }
  // The eliminations of close_inertia, repeated for g.
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
    const Block own = block(node, here.gamma, i);
    double* const g = here.g.data() + own.first;
    leave_null_space(cut, own.rows, g);
    for (int p = 0; p < cut.rank; ++p) {
      const int r = cut.pivot[static_cast<size_t>(p)];
      const size_t row = static_cast<size_t>(own.first + r);
      const double sigma = here.d_inverse[row] * g[r];
      for (int s = p + 1; s < own.rows; ++s) g[cut.pivot[static_cast<size_t>(s)]] -= own.at(cut.pivot[static_cast<size_t>(s)], r) * sigma;
      for (size_t k = 0; k < node.later[i].size(); ++k) {
        const size_t other = static_cast<size_t>(node.later[i][k]);
        const int columns = node.row[other + 1] - node.row[other];
        const double* coupled = here.gamma.data() + node.coupled[i][k] + r * columns;
        for (int c = 0; c < columns; ++c) here.g[static_cast<size_t>(node.row[other] + c)] -= coupled[c] * sigma;
      }
      if (node.body >= 0) bias += sigma * here.X[row];
    }
  }
}

Wide6 closed_inertia_times(const Plan& plan, size_t n, const Workspace& work, const Wide6& V) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  Wide6 sum = Wide6::zero();
  for (size_t r = 0; r < static_cast<size_t>(node.first_open_row()); ++r) sum += (here.d_inverse[r] * dot(here.X[r], V)) * here.X[r];
  return sum;
}

void open_node(const Plan& plan, size_t n, Workspace& work, const Wide6& V) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  ClosureWork::Node& here = closures.nodes[n];
  for (size_t i = static_cast<size_t>(node.eliminated); i-- > 0;) {
    ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
    const Block own = block(node, here.gamma, i);
    const auto solve_row = [&](int p) {
      const int r = cut.pivot[static_cast<size_t>(p)];
      const size_t row = static_cast<size_t>(own.first + r);
      double sum = here.g[row];
      if (node.body >= 0) sum += dot(here.X[row], V);
      for (int s = p + 1; s < own.rows; ++s)
        sum -= own.at(r, cut.pivot[static_cast<size_t>(s)]) * cut.sigma[cut.pivot[static_cast<size_t>(s)]];
      for (size_t k = 0; k < node.later[i].size(); ++k) {
        const size_t other = static_cast<size_t>(node.later[i][k]);
        const int columns = node.row[other + 1] - node.row[other];
        const double* coupled = here.gamma.data() + node.coupled[i][k] + r * columns;
        const Vector6& sigma = closures.cuts[static_cast<size_t>(node.closures[other])].sigma;
        for (int c = 0; c < columns; ++c) sum -= coupled[c] * sigma[c];
      }
      cut.sigma[r] = here.d_inverse[row] * sum;
    };
    cut.sigma.setZero();
    for (int p = cut.rank - 1; p >= 0; --p) solve_row(p);
    leave_null_space(cut, own.rows, cut.sigma.data());
  }
}

}  // namespace arthron
