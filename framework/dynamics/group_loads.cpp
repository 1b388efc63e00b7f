#include "arthron/dynamics/group_branches.hpp"

namespace arthron {

namespace {

using namespace simd_group;
using std::size_t;

ARTHRON_FLATTEN void move_group_cuts(const Plan& plan, const SimdGroup& group, const GroupWork& own, Workspace& work) {
  move_cuts(group, own, BranchAccess{plan, group, own, work});
}

ARTHRON_FLATTEN void load_group_cuts(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  load_cuts(group, own, BranchAccess{plan, group, own, work});
}

ARTHRON_FLATTEN void momenta_of_group(const Plan& plan, const SimdGroup& group, GroupWork& own, Workspace& work) {
  find_momenta(group, own, !group.forces.empty(), work.request.pdot != nullptr, BranchAccess{plan, group, own, work});
}

}  // namespace

void group_cut_rates(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) move_group_cuts(plan, plan.groups[at(t)], *work.groups[at(t)], work);
  for (const BatchSlice& slice : part.group_cuts)
    if (const JointBatch& batch = *plan.closure_batches[at(slice.batch)]; batch.varies() && !batch.holds_length())
      batch.complement_rate(slice.items, work.closures->X_FM.data(), work.closures->V_FM.data(), work.closures->Ddot_F.data());
}

void group_cut_loads(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups)
    if (const SimdGroup& group = plan.groups[at(t)]; !group.cuts.empty()) load_group_cuts(plan, group, *work.groups[at(t)], work);
}

void release_group_cuts(const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) release_cuts(static_cast<GroupNumbers<Lanes>&>(*work.groups[t]));
}

void clear_carrier_momenta(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) {
    BodyWork& carrier = work.body[at(plan.groups[at(t)].carrier)];
    if (plan.groups[at(t)].carrier >= plan.grounds) carrier.P = carrier.Q = Wide6::zero();
  }
}

void group_momenta(const Plan& plan, const PlanPart& part, Workspace& work) {
  for (const int t : part.groups) momenta_of_group(plan, plan.groups[at(t)], *work.groups[at(t)], work);
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[at(t)];
    if (group.carrier < plan.grounds) continue;
    GroupWork& own = *work.groups[at(t)];
    if (group.branches < lane_count) leave_out(group.branches, own.P), leave_out(group.branches, own.Q);
    BodyWork& carrier = work.body[at(group.carrier)];
    carrier.P += sum_of(own.P), carrier.Q += sum_of(own.Q);
  }
}

ARTHRON_FLATTEN void group_subtree_momenta(const Plan& plan, const PlanPart& part, const Workspace& work, double* p) {
  for (const int t : part.groups) {
    const SimdGroup& group = plan.groups[t];
    const auto take = [p](const GroupBody& body, int c, const Lanes& along) {
      scatter(along, [&](int lane) -> double& { return p[body.u[lane] + c]; });
    };
    momenta_along_columns(group, *work.groups[t], plan.shapes, take);
  }
}

}  // namespace arthron
