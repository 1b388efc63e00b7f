#include "arthron/dynamics/block_module.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "arthron/dynamics/block_module_rows.hpp"
#include "arthron/dynamics/closures.hpp"

namespace arthron {

namespace {

using std::size_t;
using Work = BlockModuleWork;

/// Singular values of M^-1/2 J^T below this part of the largest count as dependent, as in closures.cpp.
constexpr double dependent = 1e-5;
/// Rounding of D, in parts of the inverse inertia of the free body.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

Work::Module& result(const Plan& plan, Work& own, size_t assembly) { return own.modules[plan.bodies.size() + assembly]; }

/// D G^T at a border body of a part.
void constraint_motion(const Work::Assembly& assembly, int module, int slot, Work& own, Matrix6& W) {
  W.setZero();
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const Work::Touch& touch = own.touches[static_cast<size_t>(t)];
    if (touch.module == module) W.noalias() += block(own, module, slot, touch.slot) * own.G[static_cast<size_t>(t)];
  }
}

/// Diagonal below which a row of a closure depends on others: a part of the closure's trace before these were eliminated, and no less than
/// the rounding of what the bodies would do if they were free.
double least_diagonal(const Work::Assembly& assembly, Work& own) {
  const auto trace = [&](const Matrix6& a, const Matrix6& D, const Matrix6& b) { return a.cwiseProduct(D * b).sum(); };
  const Matrix6* const G = own.G.data() + assembly.touches.first;
  double reference = 0, free = 0;
  for (int i = assembly.references.first; i < assembly.references.last; ++i) {
    const Work::Reference& part = own.references[static_cast<size_t>(i)];
    reference += trace(G[part.a], block(own, part.module, part.slot_a, part.slot_b), G[part.b]);
  }
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const int body = own.touches[static_cast<size_t>(t)].body, slot = own.modules[static_cast<size_t>(body)].border.first;
    free += trace(own.G[static_cast<size_t>(t)], block(own, body, slot, slot), own.G[static_cast<size_t>(t)]);
  }
  return std::max(dependent * dependent * reference, rounding * free);
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
    n[factors.pivot[static_cast<size_t>(k)]] = 1;
    for (int i = factors.rank - 1; i >= 0; --i) {
      const int r = factors.pivot[static_cast<size_t>(i)];
      for (int j = i + 1; j < rows; ++j) {
        const int s = factors.pivot[static_cast<size_t>(j)];
        n[r] -= factors.L(s, r) * n[s];
      }
    }
    for (int j = factors.rank; j < k; ++j) n -= factors.null.col(j).dot(n) * factors.null.col(j);
    factors.null.col(k) = n.normalized();
  }
}

/// Eliminates one constraint: its factors, and D of the module it makes. False when a tree joint is singular.
bool eliminate(const Plan& plan, size_t number, Work& own) {
  const Work::Assembly& assembly = own.assemblies[number];
  Work::Factors& factors = own.factors[number];
  Matrix6 S = Matrix6::Zero();
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t) {
    const Work::Touch& touch = own.touches[static_cast<size_t>(t)];
    Matrix6& W = own.W_touch[static_cast<size_t>(t - assembly.touches.first)];
    constraint_motion(assembly, touch.module, touch.slot, own, W);
    S.noalias() += own.G[static_cast<size_t>(t)].transpose() * W;
  }
  factor(S, assembly.rows, assembly.closure < 0 ? 0 : least_diagonal(assembly, own), factors);
  if (assembly.closure >= 0)
    find_null_space(assembly.rows, factors);
  else if (factors.rank < assembly.rows)
    return false;

  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s) {
    const Work::Slot& slot = own.slots[static_cast<size_t>(s)];
    Matrix6& W = own.W[static_cast<size_t>(s)];
    if (slot.touch >= 0)
      W = own.W_touch[static_cast<size_t>(slot.touch)];
    else
      constraint_motion(assembly, slot.module, slot.slot, own, W);
    for (int i = 1; i < factors.rank; ++i)
      for (int j = 0; j < i; ++j) {
        const int r = factors.pivot[static_cast<size_t>(i)], before = factors.pivot[static_cast<size_t>(j)];
        W.col(r) -= factors.L(r, before) * W.col(before);
      }
  }
  for (int a = module.border.first; a < module.border.last; ++a)
    for (int b = module.border.first; b <= a; ++b) {
      const Work::Slot &row = own.slots[static_cast<size_t>(a)], &column = own.slots[static_cast<size_t>(b)];
      Matrix6& D = block(own, static_cast<int>(plan.bodies.size() + number), a, b);
      if (row.module == column.module)
        D = block(own, row.module, row.slot, column.slot);
      else
        D.setZero();
      for (int i = 0; i < factors.rank; ++i) {
        const int r = factors.pivot[static_cast<size_t>(i)];
        D.noalias() -= (factors.d_inverse[r] * own.W[static_cast<size_t>(a)].col(r)) * own.W[static_cast<size_t>(b)].col(r).transpose();
      }
      if (a != b) block(own, static_cast<int>(plan.bodies.size() + number), b, a) = D.transpose();
    }
  return true;
}

/// c - G R.
Vector6 opening(const Work::Assembly& assembly, const Vector6& known, const Work& own, const Work::Flow& flow) {
  Vector6 g = known;
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t)
    g.noalias() -= own.G[static_cast<size_t>(t)].transpose() * flow.R[static_cast<size_t>(own.touches[static_cast<size_t>(t)].slot)];
  return g;
}

/// R of the module that an assembly makes, from c - G R.
void raise(const Plan& plan, size_t number, Work& own, Vector6 g, Work::Flow& flow) {
  const Work::Factors& factors = own.factors[number];
  Vector6 t = Vector6::Zero();
  for (int i = 0; i < factors.rank; ++i) {
    const int r = factors.pivot[static_cast<size_t>(i)];
    for (int j = 0; j < i; ++j) {
      const int before = factors.pivot[static_cast<size_t>(j)];
      g[r] -= factors.L(r, before) * g[before];
    }
    t[r] = factors.d_inverse[r] * g[r];
  }
  flow.g[number] = g;
  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s) {
    flow.R[static_cast<size_t>(s)] = flow.R[static_cast<size_t>(own.slots[static_cast<size_t>(s)].slot)];
    flow.R[static_cast<size_t>(s)].noalias() += own.W[static_cast<size_t>(s)] * t;
  }
}

/// S^+ (c - G R - W^T Q), the multipliers of dependent rows being zero.
Vector6 multipliers(const Plan& plan, size_t number, Work& own, const Vector6& g, const Work::Flow& flow) {
  const Work::Factors& factors = own.factors[number];
  const Work::Module& module = result(plan, own, number);
  Vector6 rest = g, lambda = Vector6::Zero();
  for (int s = module.border.first; s < module.border.last; ++s)
    rest.noalias() -= own.W[static_cast<size_t>(s)].transpose() * flow.Q[static_cast<size_t>(s)];
  for (int i = factors.rank - 1; i >= 0; --i) {
    const int r = factors.pivot[static_cast<size_t>(i)];
    lambda[r] = factors.d_inverse[r] * rest[r];
    for (int j = i + 1; j < factors.rank; ++j) {
      const int later = factors.pivot[static_cast<size_t>(j)];
      lambda[r] -= factors.L(later, r) * lambda[later];
    }
  }
  return lambda;
}

/// Q of the parts, from that of the module and the multipliers.
void lower(const Plan& plan, size_t number, Work& own, const Vector6& lambda, Work::Flow& flow) {
  const Work::Assembly& assembly = own.assemblies[number];
  flow.lambda[number] = lambda;
  for (int p = assembly.parts.first; p < assembly.parts.last; ++p) {
    const Slice border = own.modules[static_cast<size_t>(own.parts[static_cast<size_t>(p)])].border;
    std::fill(flow.Q.begin() + border.first, flow.Q.begin() + border.last, Vector6::Zero());
  }
  const Work::Module& module = result(plan, own, number);
  for (int s = module.border.first; s < module.border.last; ++s)
    flow.Q[static_cast<size_t>(own.slots[static_cast<size_t>(s)].slot)] = flow.Q[static_cast<size_t>(s)];
  for (int t = assembly.touches.first; t < assembly.touches.last; ++t)
    flow.Q[static_cast<size_t>(own.touches[static_cast<size_t>(t)].slot)].noalias() += own.G[static_cast<size_t>(t)] * lambda;
}

/// Takes from a closure's numbers their part in its null space.
void leave_null_space(const Work::Assembly& assembly, const Work::Factors& factors, Vector6& values) {
  for (int k = factors.rank; k < assembly.rows; ++k) values -= factors.null.col(k).dot(values) * factors.null.col(k);
}

/// N: multipliers of all closures that combinations of dependent rows and the answers of what was eliminated before add up to, without any
/// acceleration; `amounts` are along the null vectors of each closure.
void apply_null_space(const Plan& plan, const std::vector<Vector6>& amounts, Work& own) {
  for (size_t i = own.assemblies.size(); i-- > 0;) {
    const Work::Assembly& assembly = own.assemblies[i];
    Vector6 lambda = multipliers(plan, i, own, Vector6::Zero(), own.search);
    if (assembly.closure >= 0)
      for (int k = own.factors[i].rank; k < assembly.rows; ++k) lambda += amounts[i][k] * own.factors[i].null.col(k);
    lower(plan, i, own, lambda, own.search);
  }
}

/// N^T, which is the way up with the multipliers of `flow` as openings: the square of the result's size.
double apply_transposed_null_space(const Plan& plan, std::vector<Vector6>& amounts, Work& own) {
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b)
    own.search.R[static_cast<size_t>(own.modules[b].border.first)].setZero();
  double squared = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    const Work::Assembly& assembly = own.assemblies[i];
    const Vector6 g = opening(assembly, assembly.closure < 0 ? Vector6(Vector6::Zero()) : Vector6(-own.flow.lambda[i]), own, own.search);
    raise(plan, i, own, g, own.search);
    if (assembly.closure < 0) continue;
    for (int k = own.factors[i].rank; k < assembly.rows; ++k) {
      amounts[i][k] = -own.factors[i].null.col(k).dot(g);
      squared += amounts[i][k] * amounts[i][k];
    }
  }
  return squared;
}

/// Takes from the closures' multipliers their part in the range of N, by conjugate gradients on its normal equations (CGLS). Where every
/// null vector stays within its closure the way down has left nothing of it, and one way up shows that.
void minimise_multipliers(const Plan& plan, Work& own) {
  constexpr double small = 1e-13;
  int unknowns = 0;
  double size = 0;
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    if (own.assemblies[i].closure < 0) continue;
    unknowns += own.assemblies[i].rows - own.factors[i].rank;
    size += own.flow.lambda[i].squaredNorm();
  }
  if (unknowns == 0) return;
  double squared = apply_transposed_null_space(plan, own.residual, own);
  own.direction = own.residual;
  for (int step = 0; step < 2 * unknowns + 10 && squared > small * small * size; ++step) {
    apply_null_space(plan, own.direction, own);
    double length = 0;
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) length += own.search.lambda[i].squaredNorm();
    for (size_t i = 0; i < own.assemblies.size(); ++i)
      if (own.assemblies[i].closure >= 0) own.flow.lambda[i] -= (squared / length) * own.search.lambda[i];
    const double before = squared;
    squared = apply_transposed_null_space(plan, own.residual, own);
    for (size_t i = 0; i < own.assemblies.size(); ++i) own.direction[i] = own.residual[i] + (squared / before) * own.direction[i];
  }
}

/// Matrices and right-hand sides of all modules, from the bodies up.
Status assemble(const Plan& plan, const Workspace& work, Work& own) {
  for (size_t i = 0; i < own.assemblies.size(); ++i) {
    const Work::Assembly& assembly = own.assemblies[i];
    find_rows(plan, work, i, own);
    if (!eliminate(plan, i, own)) return {Status::Code::singular_joint, plan.bodies[static_cast<size_t>(assembly.body)].joint};
    Vector6 g = opening(assembly, own.factors[i].known, own, own.flow);
    if (assembly.closure >= 0) leave_null_space(assembly, own.factors[i], g);
    raise(plan, i, own, g, own.flow);
  }
  return {};
}

/// Multipliers of all constraints, and wrenches on all bodies, from the last module down.
void disassemble(const Plan& plan, Work& own) {
  for (const int b : own.loose) own.flow.Q[static_cast<size_t>(own.modules[static_cast<size_t>(b)].border.first)].setZero();
  for (size_t i = own.assemblies.size(); i-- > 0;) {
    Vector6 lambda = multipliers(plan, i, own, own.flow.g[i], own.flow);
    if (own.assemblies[i].closure >= 0) leave_null_space(own.assemblies[i], own.factors[i], lambda);
    lower(plan, i, own, lambda, own.flow);
  }
}

/// Accelerations of the bodies, and along the freedoms of their inboard joints. False when a number is not finite.
bool accelerate(const Plan& plan, Workspace& work, Work& own) {
  bool finite = true;
  for (size_t b = static_cast<size_t>(plan.grounds); b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    const int slot = own.modules[b].border.first;
    const Vector6 A =
        own.flow.R[static_cast<size_t>(slot)] + block(own, static_cast<int>(b), slot, slot) * own.flow.Q[static_cast<size_t>(slot)];
    work.A[b] = spatial(A);
    finite = finite && A.allFinite();
    const Vector6 relative = dense(work.A[b] - velocity_at(work.A[static_cast<size_t>(body.parent)], work.body[b].arm) - work.gamma[b]);
    for (int c = 0; c < body.columns; ++c) {
      const size_t column = static_cast<size_t>(body.u + c);
      work.udot[column] = body.driven ? work.drive_acceleration[column] : own.joints[b].H_dual.col(c).dot(relative);
    }
  }
  return finite;
}

}  // namespace

Status block_module_accelerations(const Plan& plan, Workspace& work, BlockModuleWork& modules) {
  start_bodies(plan, work, modules);
  if (const Status status = assemble(plan, work, modules); !status.ok()) return status;
  disassemble(plan, modules);
  if (!accelerate(plan, work, modules)) return {Status::Code::not_finite};
  if (!work.closures) return {};
  minimise_multipliers(plan, modules);
  for (ClosureWork::Cut& cut : work.closures->cuts) cut.sigma.setZero();
  for (size_t i = 0; i < modules.assemblies.size(); ++i)
    if (const int c = modules.assemblies[i].closure; c >= 0) work.closures->cuts[static_cast<size_t>(c)].sigma = modules.flow.lambda[i];
  return {};
}

}  // namespace arthron
