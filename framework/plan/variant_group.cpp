#include "arthron/plan/passes.hpp"

namespace arthron {

using std::size_t;

namespace {

using Variants = std::array<const Plan*, static_cast<size_t>(lane_count)>;

/// A number of every variant that is the same in all.
PerBranch of_all(int number) {
  PerBranch numbers;
  numbers.fill(number);
  return numbers;
}

/// A body as the group numbers it, -1 for grounds.
int on_group(const Plan& plan, int body) { return body < plan.grounds ? -1 : body - plan.grounds; }

GroupBody make_body(const Variants& variants, int number, int& columns) {
  const Plan& plan = *variants[0];
  const PlanBody& first = plan.bodies[number];
  GroupBody made;
  made.body = of_all(number), made.parent = of_all(first.parent), made.joint = of_all(first.joint);
  made.q = of_all(first.q), made.u = of_all(first.u);
  made.on = on_group(plan, first.parent), made.carrier = made.on < 0 ? first.parent : 0;
  made.columns = first.columns, made.driven = first.driven;
  made.turns = made.slides = true;
  for (size_t lane = 0; lane < variants.size(); ++lane) {
    const PlanBody& own = variants[lane]->bodies[number];
    const LoneMove move = lone_move(variants[lane]->model->joints[own.joint], plan.joints[own.joint].reversed);
    made.turns = made.turns && move.turns, made.slides = made.slides && move.slides, made.axis[lane] = move.axis;
    made.aligned = made.aligned && own.aligned;
    made.moves_handle = made.moves_handle || own.slides, made.light = made.light || own.light;
  }
  made.column = columns;
  columns += made.columns;
  return made;
}

GroupCut make_cut(const Variants& variants, int number) {
  const Plan& plan = *variants[0];
  const PlanClosure& first = plan.closures[number];
  GroupCut made;
  made.closure = of_all(number), made.parent = of_all(first.parent), made.child = of_all(first.child);
  made.rows = first.rows, made.varies = first.varies;
  if (first.coupling >= 0) {
    made.holds = GroupCut::Holds::coupling;
    return made;
  }
  made.child_on = on_group(plan, first.child), made.parent_on = on_group(plan, first.parent);
  made.holds = held_by(plan, first);
  for (size_t lane = 0; lane < variants.size(); ++lane) made.end[lane] = link_end(*variants[lane], variants[lane]->closures[number]);
  return made;
}

}  // namespace

SimdGroup variant_group(const Variants& variants) {
  const Plan& plan = *variants[0];
  SimdGroup group;
  group.branches = lane_count;
  group.grounded = true;
  group.passes.fill(-1);
  for (int b = plan.grounds; b < static_cast<int>(plan.bodies.size()); ++b) group.bodies.push_back(make_body(variants, b, group.columns));
  order_folding(group);
  for (int c = 0; c < static_cast<int>(plan.closures.size()); ++c) group.cuts.push_back(make_cut(variants, c));
  find_group_nodes(plan, group);
  return group;
}

}  // namespace arthron
