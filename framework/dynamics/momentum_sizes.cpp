#include "arthron/dynamics/momentum_sizes.hpp"

#include <algorithm>

#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

using std::size_t;

bool leaves_columns(const Plan& plan) { return plan.elimination == Elimination::fold && (plan.groups.empty() || !may_group(plan)); }

void column_inertias(const Plan& plan, const Workspace& work, double* inertia) {
  const bool folds = plan.elimination == Elimination::fold;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const PlanBody& body = plan.bodies[b];
    if (body.driven) continue;
    for (int c = body.u; c < body.u + body.columns; ++c) {
      const Wide6& h = work.column[c].H;
      inertia[c] = folds ? 1 / work.column[c].d_inverse
                         : dot(h, rigid_momentum(body.mass, work.body[b].first_moment, work.body[b].second_moment, h));
    }
  }
}

void impulse_momenta(const Plan& plan, Workspace& work, double* impulse) {
  subtree_momenta(plan, work, impulse);
  for (int c = 0; c < plan.nu; ++c) impulse[c] -= work.p[c];
}

double momentum_leverage(const Plan& plan, const Workspace& work) {
  std::vector<WideInertia> carried(plan.bodies.size(), WideInertia::zero());
  double largest = 1;
  for (int b = static_cast<int>(plan.bodies.size()); b-- > plan.grounds;) {
    const PlanBody& body = plan.bodies[b];
    carried[b] += rigid_inertia(body.mass, work.body[b].first_moment, work.body[b].second_moment);
    for (int c = body.u; !body.driven && c < body.u + body.columns; ++c) {
      const Wide6& h = work.column[c].H;
      largest = std::max(largest, dot(h, carried[b] * h) * work.column[c].d_inverse);
    }
    carried[body.parent] += inertia_from(carried[b], work.body[b].arm);
  }
  return largest;
}

}  // namespace arthron
