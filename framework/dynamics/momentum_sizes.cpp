#include "arthron/dynamics/momentum_sizes.hpp"

#include <algorithm>
#include <cmath>

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

namespace {

/// The largest of what `size` makes of the inertia that a column carries, of the column, of 1 / d and of the body's velocity.
template <class Size>
double largest_of_columns(const Plan& plan, const Workspace& work, double least, const Size& size) {
  std::vector<WideInertia> carried(plan.bodies.size(), WideInertia::zero());
  for (int b = static_cast<int>(plan.bodies.size()); b-- > plan.grounds;) {
    const PlanBody& body = plan.bodies[b];
    carried[b] += rigid_inertia(body.mass, work.body[b].first_moment, work.body[b].second_moment);
    for (int c = body.u; !body.driven && c < body.u + body.columns; ++c)
      least = std::max(least, size(carried[b], work.column[c].H, work.column[c].d_inverse, work.body[b].V));
    carried[body.parent] += inertia_from(carried[b], work.body[b].arm);
  }
  return least;
}

}  // namespace

double momentum_leverage(const Plan& plan, const Workspace& work) {
  return largest_of_columns(plan, work, 1,
                            [](const WideInertia& M, const Wide6& h, double d_inverse, const Wide6&) { return dot(h, M * h) * d_inverse; });
}

double speed_of_momenta(const Plan& plan, const Workspace& work) {
  return largest_of_columns(plan, work, 0, [](const WideInertia& M, const Wide6& h, double d_inverse, const Wide6& V) {
    return std::sqrt(dot(h, M * h) * dot(V, M * V)) * d_inverse;
  });
}

}  // namespace arthron
