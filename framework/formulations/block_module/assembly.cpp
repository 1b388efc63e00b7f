#include <algorithm>
#include <limits>
#include <numeric>

#include "arthron/formulations/block_module/stages.hpp"

namespace arthron::block_module {

namespace {

using std::size_t;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent, as in closures.cpp.
constexpr double dependent = 1e-5;

Work::Module& result(const Plan& plan, Work& own, size_t assembly) { return own.modules[plan.bodies.size() + assembly]; }

/// D G^T at a border body of a part.
void constraint_motion(const Work::Assembly& assembly, int module, int slot, Work& own, Matrix6& W) {
  W.setZero();
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const Work::Touch& touch = own.touches[t];
    if (touch.module == module) W.noalias() += block(own, module, slot, touch.slot) * own.G[t];
  }
}

/// Rounding of D, in parts of the inverse inertia of free bodies: what closures with small pivots lost is lost to those behind them.
double noise(const Work::Assembly& assembly, const Work& own) {
  constexpr double without_loss = 2048 * std::numeric_limits<double>::epsilon(), most = 1e-8;
  double loss = 1;
  for (int p = assembly.parts.first; p < assembly.parts.last; ++p) loss = std::max(loss, own.loss[own.parts[p]]);
  return std::min(without_loss * loss, most);
}

/// Diagonal below which a row of a closure depends on others: a part of the closure's trace before these were eliminated, and no less than
/// rounding of what the bodies would do if they were free.
double least_diagonal(const Work::Assembly& assembly, Work& own) {
  const auto trace = [](const Matrix6& a, const Matrix6& D, const Matrix6& b) { return a.cwiseProduct(D * b).sum(); };
  const Matrix6* const G = own.G.data() + assembly.touches.first;
  double reference = 0, free = 0;
  for (int i = assembly.references.first; i < assembly.references.last; ++i) {
    const Work::Reference& part = own.references[i];
    reference += trace(G[part.a], block(own, part.module, part.slot_a, part.slot_b), G[part.b]);
  }
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const int body = own.touches[t].body, slot = own.modules[body].border.first;
    free += trace(own.G[t], block(own, body, slot, slot), own.G[t]);
  }
  return std::max(dependent * dependent * reference, noise(assembly, own) * free);
}

/// The largest ratio of a row's diagonal before and after the rows eliminated ahead of it took their part, in this closure or in its parts.
double loss_of_digits(const Work::Assembly& assembly, const Vector6& diagonal, const Work::Factors& factors, const Work& own) {
  double loss = assembly.closure < 0 ? 1 : diagonal.cwiseProduct(factors.d_inverse).maxCoeff();
  for (int p = assembly.parts.first; p < assembly.parts.last; ++p) loss = std::max(loss, own.loss[own.parts[p]]);
  return loss;
}

/// S = L d L^T, largest diagonal first, until what is left depends on what is gone.
void factor(Matrix6& S, int rows, double least, Work::Factors& factors) {
  factors.L.setZero(), factors.d_inverse.setZero();
  std::iota(factors.pivot.begin(), factors.pivot.end(), 0);
  for (factors.rank = 0; factors.rank < rows; ++factors.rank) {
    int* const left = factors.pivot.data() + factors.rank;
    int* const end = factors.pivot.data() + rows;
    int* const best = std::max_element(left, end, [&](int a, int b) { return S(a, a) < S(b, b); });
    const double d = S(*best, *best);
    if (!(d > least)) break;
    std::swap(*left, *best);
    factors.d_inverse[*left] = 1 / d;
    for (const int* s = left + 1; s < end; ++s) {
      const double factor = factors.L(*s, *left) = S(*s, *left) / d;
      for (const int* t = left + 1; t < end; ++t) S(*s, *t) -= factor * S(*left, *t);
    }
  }
}

/// Orthonormal n with S n = 0, that is L^T n = 0.
void find_null_space(int rows, Work::Factors& factors) {
  for (int k = factors.rank; k < rows; ++k) {
    Vector6 n = Vector6::Zero();
    n[factors.pivot[k]] = 1;
    for (int i = factors.rank - 1; i >= 0; --i) {
      const int r = factors.pivot[i];
      for (int j = i + 1; j < rows; ++j) {
        const int s = factors.pivot[j];
        n[r] -= factors.L(s, r) * n[s];
      }
    }
    for (int j = factors.rank; j < k; ++j) n -= factors.null.col(j).dot(n) * factors.null.col(j);
    factors.null.col(k) = n.normalized();
  }
}

}  // namespace

bool eliminate(const Plan& plan, size_t number, Work& own) {
  const Work::Assembly& assembly = own.assemblies[number];
  Work::Factors& factors = own.factors[number];
  Matrix6 S = Matrix6::Zero();
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const Work::Touch& touch = own.touches[t];
    Matrix6& W = own.W_touch[t];
    constraint_motion(assembly, touch.module, touch.slot, own, W);
    S.noalias() += own.G[t].transpose() * W;
  }
  const Vector6 diagonal = S.diagonal();
  factor(S, assembly.rows, assembly.closure < 0 ? 0 : least_diagonal(assembly, own), factors);
  own.loss[plan.bodies.size() + number] = loss_of_digits(assembly, diagonal, factors, own);
  if (assembly.closure >= 0)
    find_null_space(assembly.rows, factors);
  else if (factors.rank < assembly.rows)
    return false;

  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s) {
    const Work::Slot& slot = own.slots[s];
    Matrix6& W = own.W[s];
    if (slot.touch >= 0)
      W = own.W_touch[assembly.touches.first + slot.touch];
    else
      constraint_motion(assembly, slot.module, slot.slot, own, W);
    for (int i = 1; i < factors.rank; ++i)
      for (int j = 0; j < i; ++j) {
        const int r = factors.pivot[i], before = factors.pivot[j];
        W.col(r) -= factors.L(r, before) * W.col(before);
      }
  }
  for (int a = module.border.first; a < module.border.last; ++a)
    for (int b = module.border.first; b <= a; ++b) {
      const Work::Slot &row = own.slots[a], &column = own.slots[b];
      Matrix6& D = block(own, static_cast<int>(plan.bodies.size() + number), a, b);
      if (row.module == column.module)
        D = block(own, row.module, row.slot, column.slot);
      else
        D.setZero();
      for (int i = 0; i < factors.rank; ++i) {
        const int r = factors.pivot[i];
        D.noalias() -= (factors.d_inverse[r] * own.W[a].col(r)) * own.W[b].col(r).transpose();
      }
      if (a != b) block(own, static_cast<int>(plan.bodies.size() + number), b, a) = D.transpose();
    }
  return true;
}

Vector6 opening(const Work::Assembly& assembly, const Vector6& known, const Work& own, const Work::Flow& flow) {
  Vector6 g = known;
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) g.noalias() -= own.G[t].transpose() * flow.R[own.touches[t].slot];
  return g;
}

void raise(const Plan& plan, size_t number, Work& own, Vector6 g, Work::Flow& flow) {
  const Work::Factors& factors = own.factors[number];
  Vector6 t = Vector6::Zero();
  for (int i = 0; i < factors.rank; ++i) {
    const int r = factors.pivot[i];
    for (int j = 0; j < i; ++j) {
      const int before = factors.pivot[j];
      g[r] -= factors.L(r, before) * g[before];
    }
    t[r] = factors.d_inverse[r] * g[r];
  }
  flow.g[number] = g;
  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s) {
    flow.R[s] = flow.R[own.slots[s].slot];
    flow.R[s].noalias() += own.W[s] * t;
  }
}

Vector6 multipliers(const Plan& plan, size_t number, Work& own, const Vector6& g, const Work::Flow& flow) {
  const Work::Factors& factors = own.factors[number];
  const Work::Module& module = result(plan, own, number);
  Vector6 rest = g, lambda = Vector6::Zero();
  for (int s = module.border.first; s < module.border.last; ++s) rest.noalias() -= own.W[s].transpose() * flow.Q[s];
  for (int i = factors.rank - 1; i >= 0; --i) {
    const int r = factors.pivot[i];
    lambda[r] = factors.d_inverse[r] * rest[r];
    for (int j = i + 1; j < factors.rank; ++j) {
      const int later = factors.pivot[j];
      lambda[r] -= factors.L(later, r) * lambda[later];
    }
  }
  return lambda;
}

void lower(const Plan& plan, size_t number, Work& own, const Vector6& lambda, Work::Flow& flow) {
  const Work::Assembly& assembly = own.assemblies[number];
  flow.lambda[number] = lambda;
  for (int p = assembly.parts.first; p < assembly.parts.last; ++p) {
    const Slice border = own.modules[own.parts[p]].border;
    std::fill(flow.Q.begin() + border.first, flow.Q.begin() + border.last, Vector6::Zero());
  }
  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s) flow.Q[own.slots[s].slot] = flow.Q[s];
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) flow.Q[own.touches[t].slot].noalias() += own.G[t] * lambda;
}

void leave_null_space(const Work::Assembly& assembly, const Work::Factors& factors, Vector6& values) {
  for (int k = factors.rank; k < assembly.rows; ++k) values -= factors.null.col(k).dot(values) * factors.null.col(k);
}

}  // namespace arthron::block_module
