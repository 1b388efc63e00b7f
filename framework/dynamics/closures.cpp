#include "arthron/dynamics/closures.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "arthron/dynamics/column.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent (section 3).
constexpr double dependent = 1e-5;

Vector6 transposed_times(const std::array<Wide6, 6>& X, const Wide6& V) {
  Vector6 result;
  for (size_t r = 0; r < 6; ++r) result[static_cast<Eigen::Index>(r)] = dot(X[r], V);
  return result;
}

Wide6 times(const std::array<Wide6, 6>& X, const Vector6& sigma) {
  Wide6 result = Wide6::zero();
  for (size_t r = 0; r < 6; ++r) result += sigma[static_cast<Eigen::Index>(r)] * X[r];
  return result;
}

/// Place of closure `b` among the later ones of `a`, both by place in the node, a < b; -1 when they are not coupled.
int coupling(const ClosureNode& node, int a, int b) {
  const auto& later = node.later[static_cast<size_t>(a)];
  const auto found = std::lower_bound(later.begin(), later.end(), b);
  return found != later.end() && *found == b ? static_cast<int>(found - later.begin()) : -1;
}

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

/// Pseudo-inverse of a positive semidefinite Gamma_cc; `reference` is its size before other closures took their part.
Matrix6 pseudo_inverse(const Matrix6& gamma, double reference, int& rank) {
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(gamma);
  Vector6 inverse = Vector6::Zero();
  rank = 0;
  for (int i = 0; i < 6; ++i) {
    if (!(solver.eigenvalues()[i] > dependent * dependent * reference)) continue;
    inverse[i] = 1 / solver.eigenvalues()[i];
    ++rank;
  }
  return solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose();
}

Wide6 ground_motion(const Workspace& work, int ground) {
  const size_t g = static_cast<size_t>(ground);
  return work.closures->accelerating ? work.A[g] : work.body[g].V;
}

}  // namespace

ClosureWork::ClosureWork(const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector6 nan6 = Vector6::Constant(nan);
  const Matrix6 nan66 = Matrix6::Constant(nan);
  const Wide6 none = Wide6::zero();
  std::array<Wide6, 6> zeros;
  zeros.fill(none);
  for (const PlanClosure& closure : plan.closures) {
    cuts.push_back({Wide3::zero(), Wide3::zero(), zeros, Columns6(6, 0), none, Vector6::Zero(), none, {}, 0});
    scale.push_back(length_scale(plan, closure));
  }
  momentum.assign(plan.bodies.size(), none), load.assign(plan.bodies.size(), none);
  for (const ClosureNode& node : plan.closure_nodes) {
    const size_t closures = node.closures.size(), open = closures - static_cast<size_t>(node.eliminated);
    Node storage;
    storage.X.assign(closures, zeros), storage.X_before = storage.X, storage.g.assign(closures, nan6),
                                       storage.diagonal.assign(closures, nan66);
    for (const auto& later : node.later) storage.coupled.emplace_back(later.size(), nan66);
    storage.y.assign(6, std::vector<Vector6>(open, nan6)), storage.passed.assign(open, zeros);
    nodes.push_back(std::move(storage));
    reference.emplace_back(closures, nan);
    // Where the update of each pair of later closures goes.
    std::vector<std::vector<std::pair<int, int>>> node_fill;
    for (int c = 0; c < node.eliminated; ++c) {
      const auto& later = node.later[static_cast<size_t>(c)];
      std::vector<std::pair<int, int>> places;
      for (size_t i = 0; i < later.size(); ++i)
        for (size_t k = i; k < later.size(); ++k) places.emplace_back(later[i], i == k ? -1 : coupling(node, later[i], later[k]));
      node_fill.push_back(std::move(places));
    }
    fill.push_back(std::move(node_fill));
  }
}

void close_inertia(const Plan& plan, size_t n, Workspace& work, WideInertia& M) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  ClosureWork::Node& here = closures.nodes[n];
  for (size_t i = 0; i < node.closures.size(); ++i) {
    here.X[i].fill(Wide6::zero());
    here.diagonal[i].setZero();
    for (Matrix6& block : here.coupled[i]) block.setZero();
    // The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
    const size_t c = static_cast<size_t>(node.closures[i]);
    const ClosureWork::Cut& cut = closures.cuts[c];
    const PlanClosure& closure = plan.closures[c];
    for (size_t r = 0; r < static_cast<size_t>(closure.rows); ++r) {
      if (closure.child == node.body) here.X[i][r] -= wrench_from(cut.D[r], cut.arm_child);
      if (closure.parent == node.body) here.X[i][r] += wrench_from(cut.D[r], cut.arm_parent);
    }
  }
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      const int at = below.upward[k - static_cast<size_t>(below.eliminated)];
      if (node.body >= 0)
        for (size_t r = 0; r < 6; ++r) here.X[static_cast<size_t>(at)][r] += from.passed[k - static_cast<size_t>(below.eliminated)][r];
      here.diagonal[static_cast<size_t>(at)] += from.diagonal[k];
      for (size_t l = 0; l < below.later[k].size(); ++l) {
        const int other = below.upward[static_cast<size_t>(below.later[k][l] - below.eliminated)];
        if (at < other)
          here.coupled[static_cast<size_t>(at)][static_cast<size_t>(coupling(node, at, other))] += from.coupled[k][l];
        else
          here.coupled[static_cast<size_t>(other)][static_cast<size_t>(coupling(node, other, at))] += from.coupled[k][l].transpose();
      }
    }
  }
  // Elimination, block by block.
  std::vector<double>& reference = closures.reference[n];
  for (size_t i = 0; i < node.closures.size(); ++i) reference[i] = here.diagonal[i].trace();
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    int& rank = closures.cuts[static_cast<size_t>(node.closures[i])].rank;
    const Matrix6 inverse = pseudo_inverse(here.diagonal[i], reference[i], rank);
    here.diagonal[i] = inverse;
    const auto& later = node.later[i];
    // Gamma_de -= Gamma_dc Gamma_cc^+ Gamma_ce and X_d -= X_c Gamma_cc^+ Gamma_cd
    size_t place = 0;
    for (size_t k = 0; k < later.size(); ++k) {
      const Matrix6 half = here.coupled[i][k].transpose() * inverse;
      for (size_t l = k; l < later.size(); ++l, ++place) {
        const auto [row, column] = closures.fill[n][i][place];
        Matrix6& target =
            column < 0 ? here.diagonal[static_cast<size_t>(row)] : here.coupled[static_cast<size_t>(row)][static_cast<size_t>(column)];
        target.noalias() -= half * here.coupled[i][l];
      }
    }
    for (size_t k = 0; k < later.size(); ++k) {
      here.coupled[i][k] = inverse * here.coupled[i][k];
      for (size_t s = 0; s < 6; ++s) {
        const Vector6 column = here.coupled[i][k].col(static_cast<Eigen::Index>(s));
        here.X[static_cast<size_t>(later[k])][s] -= times(here.X[i], column);
      }
    }
    if (node.body < 0) continue;
    // M += X Gamma^+ X^T, one column of X Gamma^+ at a time.
    for (size_t r = 0; r < 6; ++r) {
      const Vector6 row = inverse.col(static_cast<Eigen::Index>(r));
      add_dyad(M, times(here.X[i], row), here.X[i][r]);
    }
  }
}

void close_bias(const Plan& plan, size_t n, Workspace& work, Wide6& bias) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  ClosureWork::Node& here = closures.nodes[n];
  for (size_t i = 0; i < node.closures.size(); ++i) {
    here.g[i].setZero();
    const size_t c = static_cast<size_t>(node.closures[i]);
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    if (i < static_cast<size_t>(node.eliminated)) here.g[i] += transposed_times(cut.D, cut.known);
    // A side that is a ground: its velocity is known.
    if (node.body >= 0) continue;
    if (closure.child < plan.grounds) here.g[i] -= transposed_times(cut.D, velocity_at(ground_motion(work, closure.child), cut.arm_child));
    if (closure.parent < plan.grounds)
      here.g[i] += transposed_times(cut.D, velocity_at(ground_motion(work, closure.parent), cut.arm_parent));
  }
  for (const int child : node.children) {
    const ClosureNode& below = plan.closure_nodes[static_cast<size_t>(child)];
    const ClosureWork::Node& from = closures.nodes[static_cast<size_t>(child)];
    const int carrier = plan.bodies[static_cast<size_t>(below.body)].parent;
    for (size_t k = static_cast<size_t>(below.eliminated); k < below.closures.size(); ++k) {
      const int at = below.upward[k - static_cast<size_t>(below.eliminated)];
      Vector6& g = here.g[static_cast<size_t>(at)];
      g += from.g[k];
      if (carrier < plan.grounds)
        g += transposed_times(from.passed[k - static_cast<size_t>(below.eliminated)], ground_motion(work, carrier));
    }
  }
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    for (size_t k = 0; k < node.later[i].size(); ++k)
      here.g[static_cast<size_t>(node.later[i][k])] -= here.coupled[i][k].transpose() * here.g[i];
    if (node.body < 0) continue;
    const Vector6 sigma = here.diagonal[i] * here.g[i];
    bias += times(here.X[i], sigma);
  }
}

Wide6 closed_inertia_times(const Plan& plan, size_t n, const Workspace& work, const Wide6& V) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  Wide6 sum = Wide6::zero();
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const Vector6 sigma = here.diagonal[i] * transposed_times(here.X[i], V);
    sum += times(here.X[i], sigma);
  }
  return sum;
}

void open_node(const Plan& plan, size_t n, Workspace& work, const Wide6& V) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  for (size_t i = static_cast<size_t>(node.eliminated); i-- > 0;) {
    Vector6 sigma = here.g[i];
    if (node.body >= 0) sigma += transposed_times(here.X[i], V);
    sigma = here.diagonal[i] * sigma;
    for (size_t k = 0; k < node.later[i].size(); ++k)
      sigma -= here.coupled[i][k] * closures.cuts[static_cast<size_t>(node.closures[static_cast<size_t>(node.later[i][k])])].sigma;
    closures.cuts[static_cast<size_t>(node.closures[i])].sigma = sigma;
  }
}

}  // namespace arthron
