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

/// One closure of a node, as its elimination sees it. Where a row is eliminated, it keeps what later rows had in common with it; their own
/// entries are spent.
struct Block {
  int first, rows;  // in the node's rows
  int stride;       // of its rows, in which those with later closures follow
  double* gamma;    // rows x rows
  double& at(int r, int s) const { return gamma[r * stride + s]; }
  double* row(int r) const { return gamma + r * stride; }
};

Block block(const ClosureNode& node, const ClosureWork::Node& here, size_t i) {
  return {node.row[i], node.count[i], node.stride[i], here.gamma + node.diagonal[i]};
}

/// Eliminates row r of closure i: the rows of the same closure that are `left`, the later closures, and the inertia of the body, if any.
/// Much is zero in mechanisms that move in planes.
void eliminate_row(const ClosureNode& node, size_t i, const Block& own, int r, const int* left, int left_count,
                   const ClosureWork::Node& here, WideInertia* M) {
  const double d_inverse = here.d_inverse[own.first + r];
  for (int a = 0; a < left_count; ++a) {
    const int s = left[a];
    const double factor = d_inverse * own.at(r, s);
    if (factor == 0) continue;
    add_row(-factor, own.row(r), own.stride / 4, own.row(s));
    if (M) here.X[own.first + s] -= factor * here.X[own.first + r];
  }
  for (const ClosureNode::Fill& fill : node.fills_of(i)) {
    const double *left_row = here.gamma + fill.left + r * own.stride, *right_row = here.gamma + fill.right + r * own.stride;
    double* to = here.gamma + fill.to;
    for (int a = 0; a < fill.rows; ++a, to += fill.to_stride)
      if (left_row[a] != 0) add_row(-d_inverse * left_row[a], right_row, fill.width, to);
  }
  if (!M) return;
  const Wide6 X = here.X[own.first + r];
  for (const ClosureNode::Link& link : node.links_of(i)) {
    const double* coupled = here.gamma + link.block + r * own.stride;
    for (int c = 0; c < link.columns; ++c)
      if (coupled[c] != 0) here.X[link.row + c] -= (d_inverse * coupled[c]) * X;
  }
  release_column(*M, X, -d_inverse);
}

/// Orthonormal null space of the closure's Gamma = L d L^T: the n with L^T n = 0.
void find_null_space(const Block& own, const ClosureWork::Node& here, const ClosureWork::Cut& cut, ClosureWork::NullSpace& null) {
  bool apart = true;  // rows that depend on no others are unit vectors as they are
  for (int k = cut.rank; k < own.rows; ++k) {
    Vector6& n = null[static_cast<size_t>(k)] = Vector6::Zero();
    n[cut.pivot[static_cast<size_t>(k)]] = 1;
    for (int i = cut.rank - 1; i >= 0; --i) {
      const int r = cut.pivot[static_cast<size_t>(i)];
      double sum = own.at(r, cut.pivot[static_cast<size_t>(k)]);
      for (int j = i + 1; j < cut.rank; ++j) sum += own.at(r, cut.pivot[static_cast<size_t>(j)]) * n[cut.pivot[static_cast<size_t>(j)]];
      n[r] = -here.d_inverse[own.first + r] * sum;
      apart = apart && n[r] == 0;
    }
    if (apart) continue;
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

/// Short rows: no calls to copy or to clear them.
void write_row(const double* from, int width, double* to) {
  const Lanes4* const source = reinterpret_cast<const Lanes4*>(from);
  Lanes4* const sum = reinterpret_cast<Lanes4*>(to);
  for (int i = 0; i < width; ++i) sum[i] = source[i];
}
void clear_row(int width, double* to) {
  for (int i = 0; i < width; ++i) reinterpret_cast<Lanes4*>(to)[i] = Lanes4{0, 0, 0, 0};
}

void add_block(const ClosureNode::Gather& gather, const double* from, double* to) {
  from += gather.from, to += gather.to;
  if (!gather.transposed) {
    for (int r = 0; r < gather.rows; ++r, from += gather.from_stride, to += gather.to_stride) {
      if (gather.fresh)
        write_row(from, gather.width, to);
      else
        add_row(1, from, gather.width, to);
    }
    return;
  }
  for (int c = 0; c < gather.columns; ++c, ++from, to += gather.to_stride) {
    if (gather.fresh) clear_row(registers(gather.rows), to);
    for (int r = 0; r < gather.rows; ++r) to[r] += from[r * gather.from_stride];
  }
}

void add_or_write(bool fresh, const Wide6& value, Wide6& to) { to = fresh ? value : to + value; }

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
  const Lanes4 zeros{0, 0, 0, 0};  // between the rows too
  X.assign(rows, none), passed.assign(open, none), g.assign(rows / 4, zeros), d_inverse.assign(rows, 0), y.assign(6 * open / 4, zeros);
  gamma.assign(static_cast<size_t>(last.place.gamma + last.gamma_size) / 4, zeros);
  reference.assign(static_cast<size_t>(last.place.closure) + last.closures.size(), nan);
  for (const ClosureNode& node : plan.closure_nodes) {
    const ClosureNode::Place& at = node.place;
    const auto numbers = [](std::vector<Lanes4>& lanes, int first) { return reinterpret_cast<double*>(lanes.data() + first / 4); };
    nodes.push_back({X.data() + at.row, passed.data() + at.open, numbers(g, at.row), d_inverse.data() + at.row, numbers(y, 6 * at.open),
                     numbers(gamma, at.gamma), reference.data() + at.closure});
  }
}

void close_inertia(const Plan& plan, size_t n, Workspace& work, WideInertia& M) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  for (const int i : node.blank) std::fill_n(here.X + node.row[static_cast<size_t>(i)], node.count[static_cast<size_t>(i)], Wide6::zero());
  for (const ClosureNode::Blank& blank : node.blank_gamma)
    for (int r = 0; r < blank.rows; ++r) clear_row(blank.width, here.gamma + blank.block + r * blank.stride);
  // The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
  for (const ClosureNode::Side& side : node.sides) {
    const ClosureWork::Cut& cut = closures.cuts[static_cast<size_t>(side.closure)];
    Wide6* X = here.X + side.row;
    for (size_t r = 0; r < static_cast<size_t>(side.rows); ++r, ++X)
      add_or_write(side.fresh, side.child ? -1.0 * wrench_from(cut.D[r], cut.arm_child) : wrench_from(cut.D[r], cut.arm_parent), *X);
  }
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (size_t child = 0; child < node.children.size(); ++child) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(node.children[child])];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(node.children[child])];
    for (const ClosureNode::Gather& gather : node.gather[child]) add_block(gather, from.gamma, here.gamma);
    if (node.body < 0) continue;
    for (size_t k = 0; k < below.open.size(); ++k) {
      const ClosureNode::Upward& up = below.upward[k];
      const Wide6* const passed = from.passed + below.open[k].first;
      for (int r = 0; r < below.open[k].size(); ++r) add_or_write(up.fresh, passed[r], here.X[up.row + r]);
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
  clear_row(node.rows() / 4, here.g);
  const bool grounded = node.body < 0;
  const auto add = [](double* g, const Wide6* X, int rows, double factor, const Wide6& V) {
    if (dot(V, V) == 0) return;
    for (int r = 0; r < rows; ++r) g[r] += factor * dot(X[r], V);
  };
  for (size_t i = 0; i < node.closures.size(); ++i) {
    const size_t c = static_cast<size_t>(node.closures[i]);
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    double* const g = here.g + node.row[i];
    if (i < static_cast<size_t>(node.eliminated)) add(g, cut.D.data(), closure.rows, 1, cut.known);
    // A side that is a ground: its velocity is known.
    if (!grounded || closure.coupling >= 0 || i >= static_cast<size_t>(node.eliminated)) continue;
    if (closure.child < plan.grounds)
      add(g, cut.D.data(), closure.rows, -1, velocity_at(ground_motion(work, closure.child), cut.arm_child));
    if (closure.parent < plan.grounds)
      add(g, cut.D.data(), closure.rows, 1, velocity_at(ground_motion(work, closure.parent), cut.arm_parent));
  }
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    const int carrier = below.body < 0 ? -1 : plan.bodies[static_cast<size_t>(below.body)].parent;
    for (size_t k = 0; k < below.open.size(); ++k) {
      const Slice rows = below.open[k];
      double* const g = here.g + below.upward[k].row;
      add_row(1, from.g + below.first_open_row() + rows.first, registers(rows.size()), g);
      if (carrier >= 0 && carrier < plan.grounds) add(g, from.passed + rows.first, rows.size(), 1, ground_motion(work, carrier));
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
      for (int s = p + 1; s < own.rows; ++s) g[cut.pivot[static_cast<size_t>(s)]] -= own.at(r, cut.pivot[static_cast<size_t>(s)]) * sigma;
      for (const ClosureNode::Link& link : node.links_of(i))
        add_row(-sigma, here.gamma + link.block + r * own.stride, link.width, here.g + link.row);
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
        const double* coupled = here.gamma + link.block + r * own.stride;
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
