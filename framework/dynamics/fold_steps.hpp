#pragma once
#include "arthron/dynamics/chains.hpp"
#include "arthron/dynamics/closures.hpp"

/// What folding and folding again have in common.
namespace arthron {

/// Inertia of a body with everything that folds into it.
inline WideInertia articulated_inertia(const PlanBody& body, const BodyWork& work) {
  WideInertia M = rigid_inertia(body.mass, work.first_moment, work.second_moment);
  if (!body.leaf) M += work.M_children;
  return M;
}

/// What parts that hang on this one have folded into its bodies; joined ones come later.
inline void take_carried(const Plan& plan, const PlanPart& part, bool inertia, Workspace& work) {
  for (const int number : part.carried) {
    const PlanPart& carried = arthron::part(plan, number);
    if (inertia) work.body[carried.on].M_children = WideInertia::zero();
    work.body[carried.on].bias_children = Wide6::zero();
  }
  for (const int number : part.carried) {
    const PlanPart& carried = arthron::part(plan, number);
    if (carried.joined) continue;
    if (inertia) work.body[carried.on].M_children += work.part[number].M;
    work.body[carried.on].bias_children += work.part[number].bias;
  }
}

/// Whether a body is the first to fold into its parent, or out of its part.
inline bool folds_first(const Plan& plan, const PlanBody& body, bool grouped) {
  return body.folds_first && !(grouped && plan.bodies[body.parent].carries_group);
}

template <class Value>
inline void fold_into(bool first, const Value& value, Value& sum) {
  if (first)
    sum = value;
  else
    sum += value;
}

/// The motion of the body that a body of this part hangs on.
inline const Wide6& parent_motion(const PlanPart& part, std::size_t number, int parent, const Wide6& known, const Workspace& work) {
  return part.joined && !part.bodies.holds(parent) ? work.chains->part[number].V : known;
}

/// What the joined parts take from the velocity of a column: d^-1 y . s.
inline double chain_part(const Workspace& work, std::size_t number, std::size_t column) {
  const Vector6& s = work.chains->part[number].s;
  double sum = 0;
  for (int r = 0; r < 6; ++r) sum += work.chains->y[6 * column + r] * s[r];
  return work.column[column].d_inverse * sum;
}

/// Multipliers of a node and of those beside it.
inline void open_nodes(const Plan& plan, std::size_t n, bool grouped, Workspace& work, const Wide6& V) {
  open_node(plan, n, work, V);
  for (const int child : plan.closure_nodes[n].children) {
    if (!plan.closure_nodes[child].closes_branch_loops) continue;
    take_open_multipliers(plan, child, work);
    if (!grouped) open_node(plan, child, work, V);
  }
}

/// Bias of a part with a tip, nothing assumed to be taken up there.
inline void end_chain(const PlanPart& part, std::size_t number, const Wide6& along, Workspace& work) {
  work.chains->part[number].assumed.setZero();
  if (part.carrier < 0) return;
  work.chains->part[number].off_chain = work.part[number].bias;
  work.part[number].bias += along;
}

inline void open_ground(const Plan& plan, std::size_t node, Workspace& work) {
  take_open_multipliers(plan, node, work);
  open_node(plan, node, work, Wide6::zero());
}

}  // namespace arthron
