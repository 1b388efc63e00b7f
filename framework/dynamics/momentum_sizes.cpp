#include "arthron/dynamics/momentum_sizes.hpp"

#include <algorithm>

#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

using std::size_t;

bool leaves_columns(const Plan& plan) { return plan.groups.empty() || !may_group(plan); }

void column_inertias(const Plan& plan, const Workspace& work, double* inertia) {
  for (int c = 0; c < plan.nu; ++c) inertia[c] = 1 / work.column[c].d_inverse;
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
