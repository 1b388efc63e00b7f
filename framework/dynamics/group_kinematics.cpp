#include <algorithm>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/group_branches.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_FLATTEN void place_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  const WidePose& X_WP = work.body[group.carrier].X_WB;
  own.carrier[0].X_WB = {everywhere(X_WP.R), everywhere(X_WP.p)};
  place_bodies(group, own, BranchAccess{plan, group, own, work});
}

ARTHRON_FLATTEN void place_group_cuts(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  place_cuts(group, own, BranchAccess{plan, group, own, work});
}

ARTHRON_FLATTEN void turn_group_directions(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  turn_directions(group, own, BranchAccess{plan, group, own, work});
}

}  // namespace

/// Of a body, or of a cut joint, in every lane.
static void gather_body(const GroupBody& body, const PerLane<const Plan*>& plans, GroupBodyGiven<Lanes>& given) {
  for (int lane = 0; lane < lane_count; ++lane) {
    const PlanBody& single = plans[lane]->bodies[body.body[lane]];
    set_lane(&given.axis, lane, &body.axis[lane], 1), set_lane(&given.p_PF, lane, &single.p_PF, 1);
    set_lane(&given.R_PF, lane, &single.R_PF, 1), set_lane(&given.mass, lane, &single.mass, 1);
    set_lane(&given.first_moment, lane, &single.first_moment, 1), set_lane(&given.second_moment, lane, &single.second_moment, 1);
  }
}

static void gather_cut(const GroupCut& cut, const PerLane<const Plan*>& plans, const PerLane<const ClosureWork*>& closures,
                       GroupCutWork<Lanes>& given) {
  if (cut.holds == GroupCut::Holds::coupling) {
    given.D[0].linear.x = 1;
    return;
  }
  for (int lane = 0; lane < lane_count; ++lane) {
    const PlanClosure& single = plans[lane]->closures[cut.closure[lane]];
    set_lane(&given.X_PF, lane, &single.X_PF, 1), set_lane(&given.X_CM, lane, &single.X_CM, 1);
    set_lane(&given.end, lane, &cut.end[lane], 1);
  }
  given.length = gather([&](int lane) { return closures[lane]->scale[cut.closure[lane]]; });
  given.least_trace = gather([&](int lane) { return surely_mobile * closures[lane]->free_mobility[cut.closure[lane]]; });
  for (int r = 0; r < cut.rows; ++r)
    given.D_F[r] = gather_plain6([&](int lane) -> const Spatial6& { return closures[lane]->D_F[6 * cut.closure[lane] + r]; });
  if (cut.holds == GroupCut::Holds::point) given.D[0].linear.x = given.D[1].linear.y = given.D[2].linear.z = 1;
}

void begin_numbers(const SimdGroup& group, const PerLane<const Plan*>& plans, const PerLane<const ClosureWork*>& closures,
                   GroupNumbers<Lanes>& own) {
  own.given.resize(group.bodies.size()), own.body.resize(group.bodies.size()), own.column.resize(group.columns);
  own.cut.resize(group.cuts.size());
  for (std::vector<Spatial<Lanes>>* sums : {&own.momentum, &own.load, &own.force}) sums->resize(group.bodies.size());
  own.X.resize(group.rows);
  for (std::vector<Lanes>* rows : {&own.g, &own.sigma, &own.d_inverse}) rows->resize(group.rows);
  own.gamma.resize(group.gamma_size), own.y.resize(group.y_size);
  own.pattern = find_pattern(group);
  for (size_t i = 0; i < own.given.size(); ++i) gather_body(group.bodies[i], plans, own.given[i]);
  for (size_t i = 0; i < own.cut.size(); ++i) gather_cut(group.cuts[i], plans, closures, own.cut[i]);
}

GroupWork::GroupWork(const Plan& plan, const SimdGroup& group, const Workspace& work) : forces(plan, group) {
  begin_numbers(group, per_lane<const Plan*>([&](size_t) { return &plan; }),
                per_lane<const ClosureWork*>([&](size_t) { return work.closures.get(); }), *this);
  carrier.resize(1);
  for (int a = 0; a < group.top().open(); ++a)
    for (int lane = 0; lane < group.branches; ++lane)
      rows_in_order = rows_in_order && group.passed_rows[a][lane] == plan.closure_nodes[group.passes[lane]].first_open_row() + a;
  for (const GroupBody& of : group.bodies)
    loaded_ungrouped.push_back(std::any_of(of.body.begin(), of.body.end(), [&](int b) { return plan.bodies[b].loaded_ungrouped; }));
}

void place_groups(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) place_group(plan, plan.groups[at(t)], *work.groups[at(t)], work);
}

void group_cut_directions(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) place_group_cuts(plan, plan.groups[at(t)], *work.groups[at(t)], work);
  for (const BatchSlice& slice : part.group_cuts)
    if (const JointBatch& batch = *plan.closure_batches[at(slice.batch)]; batch.varies() && !batch.holds_length())
      batch.complement(slice.items, work.closures->X_FM.data(), work.closures->D_F.data());
  for (const int t : part.groups) turn_group_directions(plan, plan.groups[at(t)], *work.groups[at(t)], work);
}

void ungroup(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    const GroupWork& own = *work.groups[at(t)];
    for (size_t i = 0; i < group.bodies.size(); ++i) {
      const GroupBody& body = group.bodies[i];
      const LaneBodyWork& from = own.body[i];
      for (int lane = 0; lane < group.branches; ++lane) {
        BodyWork& to = work.body[at(body.body[at(lane)])];
        Vec3 arm, first_moment;
        Sym3 second_moment;
        get_lane(&from.arm, lane, &arm, 1), get_lane(&from.first_moment, lane, &first_moment, 1);
        get_lane(&from.second_moment, lane, &second_moment, 1);
        to.arm = arm, to.first_moment = first_moment, to.second_moment = second_moment;
        for (int c = 0; c < body.columns; ++c) {
          Spatial6 h;
          get_lane(&own.column[at(body.column + c)].H, lane, &h, 1);
          work.column[at(body.u[at(lane)] + c)].H = h;
        }
      }
    }
  }
}

}  // namespace arthron
