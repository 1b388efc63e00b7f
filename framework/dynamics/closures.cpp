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

Block block(const ClosureNode& node, const ClosureWork::Node& here, size_t i) {
  return {node.row[i], node.row[i + 1] - node.row[i], here.gamma + node.diagonal[i]};
}

/// Eliminates row r of closure i: the rows of the same closure that are `left`, the later closures, and the inertia of the body.
void eliminate_row(const ClosureNode& node, size_t i, const Block& own, int r, const int* left, int left_count,
                   const ClosureWork::Node& here, WideInertia* M) {
  const double d_inverse = here.d_inverse[own.first + r];
  const Wide6 X = here.X[own.first + r];
  const auto links = node.links_of(i);
  for (int a = 0; a < left_count; ++a) {
    const int s = left[a];
    const double factor = d_inverse * own.at(s, r);
    if (factor == 0) continue;
    for (int b = 0; b < left_count; ++b) own.at(s, left[b]) -= factor * own.at(r, left[b]);
    here.X[own.first + s] -= factor * X;
    for (const ClosureNode::Link& link : links) {
      const double* from = here.gamma + link.block + r * link.columns;
      double* to = here.gamma + link.block + s * link.columns;
      for (int c = 0; c < link.columns; ++c) to[c] -= factor * from[c];
    }
  }
  for (const ClosureNode::Link& link : links) {
    const double* coupled = here.gamma + link.block + r * link.columns;
    for (int c = 0; c < link.columns; ++c) here.X[link.row + c] -= (d_inverse * coupled[c]) * X;
  }
  for (const ClosureNode::Fill& fill : node.fills_of(i)) {
    const double *left_row = here.gamma + fill.left + r * fill.rows, *right_row = here.gamma + fill.right + r * fill.columns;
    double* to = here.gamma + fill.to;
    for (int a = 0; a < fill.rows; ++a) {
      const double factor = d_inverse * left_row[a];
      for (int b = 0; b < fill.columns; ++b) *to++ -= factor * right_row[b];
    }
  }
  if (M) release_column(*M, X, -d_inverse);
}

/// Orthonormal null space of the closure's Gamma = L d L^T: the n with L^T n = 0.
void find_null_space(const Block& own, const ClosureWork::Node& here, const ClosureWork::Cut& cut, ClosureWork::NullSpace& null) {
  for (int k = cut.rank; k < own.rows; ++k) {
    Vector6& n = null[static_cast<size_t>(k)] = Vector6::Zero();
    n[cut.pivot[static_cast<size_t>(k)]] = 1;
    for (int i = cut.rank - 1; i >= 0; --i) {
      const int r = cut.pivot[static_cast<size_t>(i)];
      double sum = 0;
      for (int j = i + 1; j < own.rows; ++j) sum += own.at(cut.pivot[static_cast<size_t>(j)], r) * n[cut.pivot[static_cast<size_t>(j)]];
      n[r] = -here.d_inverse[own.first + r] * sum;
    }
    for (int j = cut.rank; j < k; ++j) n -= null[static_cast<size_t>(j)].dot(n) * null[static_cast<size_t>(j)];
    n.normalize();
  }
}

/// Takes from a closure's numbers their part in its null space.
void leave_null_space(const ClosureWork::NullSpace& null, int rank, int rows, double* values) {
  for (int k = rank; k < rows; ++k) {
    const Vector6& n = null[static_cast<size_t>(k)];
    double part = 0;
    for (int r = 0; r < rows; ++r) part += n[r] * values[r];
    for (int r = 0; r < rows; ++r) values[r] -= part * n[r];
  }
}

/// Eliminates closure i of a node, largest diagonal first, until what is left depends on what is gone.
void eliminate_closure(const ClosureNode& node, size_t i, ClosureWork& closures, const ClosureWork::Node& here, WideInertia* M) {
  ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
  const Block own = block(node, here, i);
  std::iota(cut.pivot.begin(), cut.pivot.end(), 0);
  const double least = closures.released ? std::numeric_limits<double>::infinity() : dependent * dependent * here.reference[i];
  cut.rank = 0;
  for (; cut.rank < own.rows; ++cut.rank) {
    int* const left = cut.pivot.data() + cut.rank;
    const int left_count = own.rows - cut.rank;
    int* const best = std::max_element(left, left + left_count, [&](int a, int b) { return own.at(a, a) < own.at(b, b); });
    const double d = own.at(*best, *best);
    if (!(d > least)) break;
    std::swap(*left, *best);
    here.d_inverse[own.first + *left] = 1 / d;
    eliminate_row(node, i, own, *left, left + 1, left_count - 1, here, M);
  }
  for (int k = cut.rank; k < own.rows; ++k) here.d_inverse[own.first + cut.pivot[static_cast<size_t>(k)]] = 0;
  find_null_space(own, here, cut, closures.null[static_cast<size_t>(node.closures[i])]);
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
    cut.D.fill(none), cut.known = cut.T = cut.T_rate = none, cut.sigma.setZero();
    if (closure.coupling >= 0) cut.D[0].linear = Wide3(Vec3{1, 0, 0});
    cuts.push_back(cut);
    scale.push_back(length_scale(plan, closure));
  }
  null.resize(cuts.size()), error.resize(cuts.size());
  X_FM.resize(cuts.size()), V_FM.resize(cuts.size()), gap_F.resize(cuts.size()), D_F.resize(6 * cuts.size()),
      Ddot_F.resize(6 * cuts.size());
  freedoms.resize(cuts.size());
  for (Freedoms& freedom : freedoms) freedom.dual_F.resize(6, 0), freedom.dual.resize(6, 0);
  step.assign(static_cast<size_t>(plan.nu_all), 0);
  momentum.assign(plan.bodies.size(), none), load.assign(plan.bodies.size(), none);
  const ClosureNode& last = plan.closure_nodes.back();
  const size_t rows = static_cast<size_t>(last.place.row + last.rows()), open = static_cast<size_t>(last.place.open + last.open_rows());
  X.assign(rows, none), passed.assign(open, none), g.assign(rows, nan), d_inverse.assign(rows, nan), y.assign(6 * open, nan);
  gamma.assign(static_cast<size_t>(last.place.gamma + last.gamma_size), nan);
  reference.assign(static_cast<size_t>(last.place.closure) + last.closures.size(), nan);
  for (const ClosureNode& node : plan.closure_nodes) {
    const ClosureNode::Place& at = node.place;
    nodes.push_back({X.data() + at.row, passed.data() + at.open, g.data() + at.row, d_inverse.data() + at.row, y.data() + 6 * at.open,
                     gamma.data() + at.gamma, reference.data() + at.closure});
  }
}

void close_inertia(const Plan& plan, size_t n, Workspace& work, WideInertia& M) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  std::fill_n(here.X, node.rows(), Wide6::zero());
  std::fill_n(here.gamma, node.gamma_size, 0.0);
  // The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
  for (const ClosureNode::Side& side : node.sides) {
    const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(side.closure)];
    Wide6* X = here.X + side.row;
    for (size_t r = 0; r < static_cast<size_t>(side.rows); ++r, ++X) {
      if (side.child)
        *X -= wrench_from(cut.D[r], cut.arm_child);
      else
        *X += wrench_from(cut.D[r], cut.arm_parent);
    }
  }
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (size_t child = 0; child < node.children.size(); ++child) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(node.children[child])];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(node.children[child])];
    for (const ClosureNode::Gather& gather : node.gather[child]) add_block(gather, from.gamma, here.gamma);
    if (node.body < 0) continue;
    const Wide6* passed = from.passed;
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      Wide6* X = here.X + below.upward[k - static_cast<size_t>(below.eliminated)];
      for (int r = below.row[k]; r < below.row[k + 1]; ++r) *X++ += *passed++;
    }
  }
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const Block own = block(node, here, i);
    here.reference[i] = 0;
    for (int r = 0; r < own.rows; ++r) here.reference[i] += own.at(r, r);
  }
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i)
    eliminate_closure(node, i, closures, here, node.body < 0 ? nullptr : &M);
}

void close_bias(const Plan& plan, size_t n, Workspace& work, Wide6& bias) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  std::fill_n(here.g, node.rows(), 0.0);
  const auto add = [](double* g, const Wide6* X, int rows, double factor, const Wide6& V) {
    for (int r = 0; r < rows; ++r) g[r] += factor * dot(X[r], V);
  };
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const size_t c = static_cast<size_t>(node.closures[i]);
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    double* const g = here.g + node.row[i];
    if (i < static_cast<size_t>(node.eliminated)) add(g, cut.D.data(), closure.rows, 1, cut.known);
    // A side that is a ground: its velocity is known.
    if (node.body >= 0 || closure.coupling >= 0 || i >= static_cast<size_t>(node.eliminated)) continue;
    if (closure.child < plan.grounds)
      add(g, cut.D.data(), closure.rows, -1, velocity_at(ground_motion(work, closure.child), cut.arm_child));
    if (closure.parent < plan.grounds)
      add(g, cut.D.data(), closure.rows, 1, velocity_at(ground_motion(work, closure.parent), cut.arm_parent));
  }
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    const int carrier = below.body < 0 ? -1 : plan.bodies[static_cast<size_t>(below.body)].parent;
    const Wide6* passed = from.passed;
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      const int rows = below.row[k + 1] - below.row[k];
      double* const g = here.g + below.upward[k - static_cast<size_t>(below.eliminated)];
      for (int r = 0; r < rows; ++r) g[r] += from.g[below.row[k] + r];
      if (carrier >= 0 && carrier < plan.grounds) add(g, passed, rows, 1, ground_motion(work, carrier));
      passed += rows;
    }
  }
  // The eliminations of close_inertia, repeated for g.
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
    const Block own = block(node, here, i);
    double* const g = here.g + own.first;
    leave_null_space(closures.null[static_cast<size_t>(node.closures[i])], cut.rank, own.rows, g);
    for (int p = 0; p < cut.rank; ++p) {
      const int r = cut.pivot[static_cast<size_t>(p)];
      const double sigma = here.d_inverse[own.first + r] * g[r];
      for (int s = p + 1; s < own.rows; ++s) g[cut.pivot[static_cast<size_t>(s)]] -= own.at(cut.pivot[static_cast<size_t>(s)], r) * sigma;
      for (const ClosureNode::Link& link : node.links_of(i)) {
        const double* coupled = here.gamma + link.block + r * link.columns;
        for (int c = 0; c < link.columns; ++c) here.g[link.row + c] -= coupled[c] * sigma;
      }
      if (node.body >= 0) bias += sigma * here.X[own.first + r];
    }
  }
}

Wide6 closed_inertia_times(const Plan& plan, size_t n, const Workspace& work, const Wide6& V) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  Wide6 sum = Wide6::zero();
  for (int r = 0; r < node.first_open_row(); ++r) sum += (here.d_inverse[r] * dot(here.X[r], V)) * here.X[r];
  return sum;
}

void open_node(const Plan& plan, size_t n, Workspace& work, const Wide6& V) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  for (size_t i = static_cast<size_t>(node.eliminated); i-- > 0;) {
    ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(node.closures[i])];
    const Block own = block(node, here, i);
    const auto solve_row = [&](int p) {
      const int r = cut.pivot[static_cast<size_t>(p)];
      double sum = here.g[own.first + r];
      if (node.body >= 0) sum += dot(here.X[own.first + r], V);
      for (int s = p + 1; s < own.rows; ++s)
        sum -= own.at(r, cut.pivot[static_cast<size_t>(s)]) * cut.sigma[cut.pivot[static_cast<size_t>(s)]];
      for (const ClosureNode::Link& link : node.links_of(i)) {
        const double* coupled = here.gamma + link.block + r * link.columns;
        const Vector6& sigma = closures.cuts[static_cast<size_t>(node.closures[static_cast<size_t>(link.closure)])].sigma;
        for (int c = 0; c < link.columns; ++c) sum -= coupled[c] * sigma[c];
      }
      cut.sigma[r] = here.d_inverse[own.first + r] * sum;
    };
    cut.sigma.setZero();
    for (int p = cut.rank - 1; p >= 0; --p) solve_row(p);
    leave_null_space(closures.null[static_cast<size_t>(node.closures[i])], cut.rank, own.rows, cut.sigma.data());
  }
}

}  // namespace arthron
