#include <algorithm>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/multiplier_system.hpp"
#include "arthron/dynamics/pair.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Adds multipliers of all closures to the right-hand sides: wrenches at the cuts, impulses along coupled joints.
void push(const Plan& plan, const std::vector<double>& multipliers, Workspace& work) {
  PairWorkspace& pair = *work.pair;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const double* const sigma = multipliers.data() + pair.first_row[c];
    if (std::all_of(sigma, sigma + closure.rows, [](double value) { return value == 0; })) continue;
    if (closure.coupling >= 0) {
      for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) {
        const PlanJoint& joint = plan.joints[term.joint.value];
        if (joint.driven) continue;
        PairWorkspace::JointSpace& space = pair.joints[joint.body];
        space.impulse += (*sigma * term.coefficient) * space.H_dual.col(term.freedom);
      }
      continue;
    }
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    Vector6 T = Vector6::Zero();
    for (int r = 0; r < closure.rows; ++r) T += sigma[r] * dense(cut.D[r]);
    pair.bias[closure.child] -= shift(cut.arm_child) * T;
    pair.bias[closure.parent] += shift(cut.arm_parent) * T;
  }
}

/// Rates at which the closures open with the V that was found, in the directions of their rows; less what is known, if asked for.
void opening_rates(const Plan& plan, const std::vector<double>* known, const Workspace& work, std::vector<double>& rates) {
  const PairWorkspace& pair = *work.pair;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    double* const rate = rates.data() + pair.first_row[c];
    if (closure.coupling >= 0) {
      *rate = known ? -dense(cut.known)[0] : 0;
      for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) {
        const PlanJoint& joint = plan.joints[term.joint.value];
        if (!joint.driven)
          *rate += term.coefficient * pair_column_velocity(plan, work, joint.body, term.freedom);
        else if (known)
          *rate += term.coefficient * (*known)[joint.u + term.freedom];
      }
      continue;
    }
    Vector6 V = shift(cut.arm_child).transpose() * pair.V[closure.child] - shift(cut.arm_parent).transpose() * pair.V[closure.parent];
    if (known) V -= dense(cut.known);
    for (int r = 0; r < closure.rows; ++r) rate[r] = dense(cut.D[r]).dot(V);
  }
}

void keep_given(const Plan& plan, PairWorkspace& pair) {
  pair.given.bias = pair.bias;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
    pair.given.impulse[b] = pair.joints[b].impulse, pair.given.a[b] = pair.joints[b].a;
  std::copy_n(pair.V.begin(), plan.grounds, pair.given.V.begin());
}

void restore_given(const Plan& plan, PairWorkspace& pair) {
  pair.bias = pair.given.bias;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b)
    pair.joints[b].impulse = pair.given.impulse[b], pair.joints[b].a = pair.given.a[b];
  std::copy_n(pair.given.V.begin(), plan.grounds, pair.V.begin());
}

/// Everything at rest, nothing acting.
void leave_given(const Plan& plan, PairWorkspace& pair) {
  std::fill(pair.bias.begin(), pair.bias.end(), Vector6::Zero());
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) pair.joints[b].impulse.setZero(), pair.joints[b].a.setZero();
  std::fill_n(pair.V.begin(), plan.grounds, Vector6::Zero());
}

/// One column of J Mq^-1 J^T: how all rows open when one multiplier acts.
void write_column(const Plan& plan, size_t closure, int row, PairWorkspace& pair) {
  for (size_t r = 0; r <= closure; ++r) {
    const MultiplierSystem::Place place = pair.gamma->block(static_cast<int>(r), static_cast<int>(closure));
    for (int i = 0; i < plan.closures[r].rows; ++i)
      place.values[i * place.row_stride + row * place.column_stride] = pair.rate[pair.first_row[r] + i];
  }
}

/// Zeros in all rows of closures that add nothing.
void clear_redundant(const Plan& plan, const Workspace& work) {
  MultiplierSystem& gamma = *work.pair->gamma;
  const auto rows = [&](size_t c) { return plan.closures[c].rows; };
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    if (!clear_if_redundant(plan, c, gamma.block(static_cast<int>(c), static_cast<int>(c)), work)) continue;
    for (size_t other = 0; other < plan.closures.size(); ++other) {
      if (other == c) continue;
      const size_t r = std::min(c, other), s = std::max(c, other);
      const MultiplierSystem::Place place = gamma.block(static_cast<int>(r), static_cast<int>(s));
      for (int i = 0; i < rows(r); ++i)
        for (int j = 0; j < rows(s); ++j) place.values[i * place.row_stride + j * place.column_stride] = 0;
    }
  }
}

}  // namespace

void PairWorkspace::prepare_closures(const Plan& plan) {
  first_row.assign(1, 0);
  if (plan.closures.empty()) return;
  std::vector<int> rows;
  for (const PlanClosure& closure : plan.closures) rows.push_back(closure.rows), first_row.push_back(first_row.back() + closure.rows);
  gamma = make_whole_system(rows);
  const size_t bodies = plan.bodies.size(), all = first_row.back();
  given = {bias, std::vector<Vector6>(bodies, V.front()), std::vector<Vector6>(bodies, V.front()),
           std::vector<Vector6>(static_cast<size_t>(plan.grounds), V.front())};
  multipliers.assign(all, 0), unit.assign(all, 0), rate.assign(all, 0);
}

void solve_closed_pairs(const Plan& plan, const std::vector<double>& rates, Workspace& work) {
  PairWorkspace& pair = *work.pair;
  if (!work.closures) return solve_pairs(plan, work);
  keep_given(plan, pair);
  solve_pairs(plan, work);
  opening_rates(plan, &rates, work, pair.multipliers);
  for (double& value : pair.multipliers) value = -value;

  pair.gamma->clear();
  for (size_t c = 0; c < plan.closures.size(); ++c)
    for (int r = 0; r < plan.closures[c].rows; ++r) {
      double& one = pair.unit[pair.first_row[c] + r];
      leave_given(plan, pair);
      one = 1;
      push(plan, pair.unit, work);
      one = 0;
      solve_pairs(plan, work);
      opening_rates(plan, nullptr, work, pair.rate);
      write_column(plan, c, r, pair);
    }
  clear_redundant(plan, work);
  pair.gamma->factor();
  pair.gamma->solve(pair.multipliers.data());
  if (work.closures->released) std::fill(pair.multipliers.begin(), pair.multipliers.end(), 0.0);
  take_multipliers(plan, *pair.gamma, pair.multipliers, work);
  restore_given(plan, pair);
  push(plan, pair.multipliers, work);
  solve_pairs(plan, work);
}

}  // namespace arthron
