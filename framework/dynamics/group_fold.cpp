#include "arthron/dynamics/group_branches.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_FLATTEN bool fold_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work, int& singular) {
  return assemble(group, own, BranchAccess{plan, group, own, work, &singular});
}

WideInertia sum_of_lanes(const Inertia<Lanes>& M) {
  const auto symmetric = [](const Symmetric3<Lanes>& S) { return WideSymmetric3(sum_of(S.xx, S.yy, S.zz).v, sum_of(S.xy, S.yz, S.xz).v); };
  const Matrix3<Lanes>& B = M.B;
  return {symmetric(M.A),
          {sum_of(B.c0.x, B.c1.y, B.c2.z).v, sum_of(B.c1.x, B.c2.y, B.c0.z).v, sum_of(B.c2.x, B.c0.y, B.c1.z).v},
          symmetric(M.C)};
}

/// Open rows go to the carrier's node by the nodes of the single branches. Where they lie there in the group's order, they are written as
/// whole registers: numbers that are written one by one cannot be read four at a time for a while.
void pass_registers(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const Rows top(group.top(), own);
  const int first = top.node.closing, open = top.node.open();
  // number_of(a), of the a-th open row, of four rows from `from` on, to to(lane).
  const auto put = [&](int from, const auto& number_of, const auto& to) {
    const auto four = [&](int a) { return from + a < open ? four_of(number_of(from + a)) : Lanes4{0, 0, 0, 0}; };
    const Square turned = Square{four(0), four(1), four(2), four(3)}.turned();
    const Lanes4 by_branch[] = {turned.a, turned.b, turned.c, turned.d};
    for (int lane = 0; lane < group.branches; ++lane) put_four(by_branch[lane], to(lane));
  };
  const auto place = [&](int lane) -> const ClosureWork::Node& { return work.closures->nodes[at(group.passes[at(lane)])]; };
  const auto node = [&](int lane) -> const ClosureNode& { return plan.closure_nodes[at(group.passes[at(lane)])]; };
  for (int from = 0; from < open; from += 4) {
    const auto put_component = [&](int k, Vector3<Lanes> Spatial<Lanes>::*half, Lanes Vector3<Lanes>::*component) {
      put(
          from, [&](int a) -> const Lanes& { return top.X[first + a].*half.*component; },
          [&](int lane) { return place(lane).X + k * node(lane).rows + node(lane).first_open_row() + from; });
    };
    put_component(0, &Spatial<Lanes>::linear, &Vector3<Lanes>::x), put_component(1, &Spatial<Lanes>::linear, &Vector3<Lanes>::y);
    put_component(2, &Spatial<Lanes>::linear, &Vector3<Lanes>::z), put_component(3, &Spatial<Lanes>::angular, &Vector3<Lanes>::x);
    put_component(4, &Spatial<Lanes>::angular, &Vector3<Lanes>::y), put_component(5, &Spatial<Lanes>::angular, &Vector3<Lanes>::z);
    put(
        from, [&](int a) -> const Lanes& { return top.g[first + a]; },
        [&](int lane) { return place(lane).g + node(lane).first_open_row() + from; });
    for (int r = 0; r < open; ++r)
      put(
          from, [&](int a) -> const Lanes& { return top.at(first + std::min(r, a), first + std::max(r, a)); },
          [&](int lane) { return place(lane).gamma + node(lane).open().gamma + r * node(lane).open().stride + from; });
  }
}

void pass_numbers(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const Rows top(group.top(), own);
  const int first = top.node.closing, open = top.node.open();
  for (int lane = 0; lane < group.branches; ++lane) {
    const ClosureNode& node = plan.closure_nodes[at(group.passes[at(lane)])];
    const ClosureWork::Node& to = work.closures->nodes[at(group.passes[at(lane)])];
    const int first_there = node.first_open_row(), stride = node.open().stride;
    double* const gamma = to.gamma + node.open().gamma;
    for (int a = 0; a < open; ++a) {
      const int row = group.passed_rows[at(a)][at(lane)];
      Spatial6 X;
      get_lane(&top.X[first + a], lane, &X, 1);
      to.X[row] = X.linear.x, to.X[node.rows + row] = X.linear.y, to.X[2 * node.rows + row] = X.linear.z;
      to.X[3 * node.rows + row] = X.angular.x, to.X[4 * node.rows + row] = X.angular.y, to.X[5 * node.rows + row] = X.angular.z;
      to.g[row] = top.g[first + a][lane];
      for (int b = a; b < open; ++b) {
        const int r = row - first_there, s = group.passed_rows[at(b)][at(lane)] - first_there;
        gamma[r * stride + s] = gamma[s * stride + r] = top.at(first + a, first + b)[lane];
      }
    }
  }
}

ARTHRON_FLATTEN Lanes unfold_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  own.carrier[0].V = everywhere(work.body[group.carrier].V);
  const Rows top(group.top(), own);
  for (int a = 0; a < top.node.open(); ++a) {
    const PerBranch& rows = group.passed_rows[a];
    top.sigma[top.node.closing + a] = gather([&](int lane) {
      const int used = lane < group.branches ? lane : 0;
      return work.closures->nodes[group.passes[used]].sigma[rows[used]];
    });
  }
  return back_substitute(group, own, BranchAccess{plan, group, own, work});
}

}  // namespace

void clear_carriers(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    BodyWork& carrier = work.body[at(plan.groups[at(t)].carrier)];
    if (plan.groups[at(t)].carrier >= plan.grounds) carrier.M_children = WideInertia::zero(), carrier.bias_children = Wide6::zero();
  }
}

bool fold_groups(const Plan& plan, const PlanPart& part, Workspace& work, int& singular) {
  for (const int t : part.groups)
    if (!fold_group(plan, plan.groups[at(t)], *work.groups[at(t)], work, singular)) return false;
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    if (group.carrier < plan.grounds) continue;
    GroupWork& own = *work.groups[at(t)];
    if (group.branches < lane_count) leave_out(group.branches, own.M), leave_out(group.branches, own.bias);
    BodyWork& carrier = work.body[at(group.carrier)];
    carrier.M_children += sum_of_lanes(own.M), carrier.bias_children += sum_of(own.bias);
    if (group.passes[0] >= 0) (own.rows_in_order ? pass_registers : pass_numbers)(plan, group, own, work);
  }
  return true;
}

double unfold_groups(const Plan& plan, const PlanPart& part, Workspace& work) {
  Lanes sum = 0;
  for (const int t : part.groups) sum += unfold_group(plan, plan.groups[at(t)], *work.groups[at(t)], work);
  return arthron::sum(four_of(sum));
}

}  // namespace arthron
