#include <algorithm>
#include <cmath>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/observe.hpp"

namespace arthron {

namespace {

using std::size_t;

/// A loop that opens with this part of the speeds within it cannot follow; redundant rows, left out below 1e-5 of the others, stay far
/// below.
constexpr double not_followed = 1e-3;
/// Where everything stands still for a moment, rounding is all there is [m/s]; and of what moves as a whole this part.
constexpr double at_rest = 1e-9, rounding = 1e-10;

/// Length of a motion, rotations measured with `scale`.
double length(const Spatial6& V, double scale) { return std::max(norm(V.linear), scale * norm(V.angular)); }

/// Largest motion at the cut that a tree joint of a closure's loop gives the body outside of it, and that its grounds have over one
/// another: what the loop is closed with. How the loop moves as a whole is no part of it, so that whatever is measured with it stays the
/// same for an observer who moves along. `motion` is of a body at its O, velocity or acceleration.
template <class Motion>
double largest_within_loop(const Plan& plan, const Workspace& work, size_t c, const Motion& motion) {
  const PlanClosure& closure = plan.closures[c];
  const double scale = work.closures->scale[c];
  const Wide3 cut = work.body[closure.child].X_WB.p + work.closures->cuts[c].arm_child;
  const auto at_cut = [&](int body) { return velocity_at(motion(body), cut - work.body[body].X_WB.p); };
  int a = closure.parent, b = closure.child;
  Wide6 of_a = at_cut(a), of_b = at_cut(b);
  double largest = 0;
  // Body numbers grow outward, so the larger of two is never an ancestor of the smaller.
  while (a != b && (a >= plan.grounds || b >= plan.grounds)) {
    int& outer = a > b ? a : b;
    Wide6& of_outer = a > b ? of_a : of_b;
    outer = plan.bodies[outer].parent;
    const Wide6 of_inner = at_cut(outer);
    largest = std::max(largest, length(of_outer - of_inner, scale));
    of_outer = of_inner;
  }
  return a == b ? largest : std::max(largest, length(of_a - of_b, scale));
}

const std::vector<Coupling::Term>& terms(const Plan& plan, const PlanClosure& closure) {
  return plan.model->couplings[closure.coupling].terms;
}

double term_rate(const Plan& plan, const Workspace& work, const Coupling::Term& term) {
  return term.coefficient * work.u[plan.joints[term.joint.value].u + term.freedom];
}

}  // namespace

Spatial6 opening_rate(const Plan& plan, const Workspace& work, size_t c) {
  const PlanClosure& closure = plan.closures[c];
  const Wide6 V = opening_velocity(plan, c, work);
  if (closure.coupling >= 0) return V;
  // What lies in the constrained directions D = diag(1, length) D~, D~ orthonormal.
  const double length = work.closures->scale[c];
  Wide6 rate = Wide6::zero();
  for (int r = 0; r < closure.rows; ++r) rate += dot(work.closures->cuts[c].D[r], V) * work.closures->cuts[c].D[r];
  rate.angular = (1 / (length * length)) * rate.angular;
  return rate;
}

Spatial6 joint_opening(const Plan& plan, const Workspace& work, JointIndex joint) {
  const int closure = plan.joints[joint.value].closure;
  return closure < 0 ? Spatial6{} : work.closures->error[closure];
}

Spatial6 joint_opening_rate(const Plan& plan, const Workspace& work, JointIndex joint) {
  const int closure = plan.joints[joint.value].closure;
  return closure < 0 ? Spatial6{} : opening_rate(plan, work, closure);
}

double closure_rate_error(const Plan& plan, const Workspace& work) {
  double largest = 0;
  for (size_t c = 0; c < plan.closures.size(); ++c)
    largest = std::max(largest, length(opening_rate(plan, work, c), work.closures->scale[c]));
  return largest;
}

Spatial6 joint_multipliers(const Plan& plan, const Workspace& work, JointIndex joint) {
  const int closure = plan.joints[joint.value].closure;
  if (closure < 0) return {};
  const ClosureWork::Cut& cut = work.closures->cuts[closure];
  Wide6 F = Wide6::zero();
  for (int r = 0; r < plan.closures[closure].rows; ++r) F += cut.sigma[r] * cut.D[r];
  return F;
}

Status closures_follow(const Plan& plan, const Workspace& work) {
  double worst = 0;
  int joint = -1;
  for (size_t c = 0; c < plan.closures.size(); ++c)
    if (const double rate = length(opening_rate(plan, work, c), work.closures->scale[c]); rate > worst)
      worst = rate, joint = named_joint(plan, plan.closures[c]);
  if (worst <= at_rest) return {};
  double speed = worst, whole = 0;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    if (closure.coupling >= 0) {
      for (const Coupling::Term& term : terms(plan, closure)) speed = std::max(speed, std::abs(term_rate(plan, work, term)));
      continue;
    }
    const auto velocity = [&](size_t body) { return work.body[body].V; };
    speed = std::max(speed, largest_within_loop(plan, work, c, velocity));
    whole = std::max(whole, length(velocity(closure.child), work.closures->scale[c]));
  }
  return worst > std::max(not_followed * speed, rounding * whole) ? Status{Status::Code::contradictory_drives, joint} : Status{};
}

Status accelerations_follow(const Plan& plan, const Workspace& work) {
  double size = 0, whole = 0, worst = 0;
  int joint = -1;
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    double missing = 0;
    if (closure.coupling >= 0) {
      missing = -static_cast<Spatial6>(cut.known).linear.x;
      for (const Coupling::Term& term : terms(plan, closure)) {
        const double part = term.coefficient * work.udot[plan.joints[term.joint.value].u + term.freedom];
        missing += part, size = std::max(size, std::abs(part));
      }
      missing = std::abs(missing);
    } else {
      const double scale = work.closures->scale[c];
      const Wide6 child = velocity_at(work.A[closure.child], cut.arm_child), parent = velocity_at(work.A[closure.parent], cut.arm_parent);
      const auto acceleration = [&](size_t body) { return work.A[body]; };
      size = std::max({size, largest_within_loop(plan, work, c, acceleration), length(cut.known, scale)});
      whole = std::max(whole, length(child, scale));
      const Wide6 A = child - parent - cut.known;
      for (int r = 0; r < closure.rows; ++r) missing = std::max(missing, std::abs(dot(cut.D[r], A)));
    }
    if (missing > worst) worst = missing, joint = named_joint(plan, closure);
  }
  return worst > std::max({not_followed * size, rounding * whole, at_rest}) ? Status{Status::Code::contradictory_drives, joint} : Status{};
}

bool is_nearly_singular(const Plan& plan, const Workspace& work) {
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    if (!work.closures->cuts[c].nearly_dependent) continue;
    // Groups compute no rows that are near to depending on others, and leave their cuts as they were.
    const PlanClosure& closure = plan.closures[c];
    if (!closure.grouped || !is_grouped(work, plan.part_of_body[std::max(closure.child, closure.parent)])) return true;
  }
  return false;
}

std::vector<int> closure_ranks(const Plan& plan, const Workspace& work) {
  std::vector<int> ranks;
  for (size_t c = 0; c < plan.closures.size(); ++c) ranks.push_back(work.closures->cuts[c].rank);
  return ranks;
}

std::vector<Spatial6> redundant_directions(const Plan& plan, const Workspace& work, int closure) {
  const ClosureWork::Cut& cut = work.closures->cuts[closure];
  const int rows = plan.closures[closure].rows;
  const double scale = work.closures->scale[closure];
  std::vector<Spatial6> directions;
  for (int k = cut.rank; k < rows; ++k) {
    const Vector6 combination = work.closures->null[closure][k].head<6>();
    Wide6 sum = Wide6::zero();
    for (int r = 0; r < rows; ++r) sum += combination[r] * cut.D[r];
    const Spatial6 direction = sum;
    directions.push_back({direction.linear, (1 / scale) * direction.angular});
  }
  return directions;
}

}  // namespace arthron
