#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_accelerations.hpp"
#include "arthron/dynamics/lane_access.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/lane_stages.hpp"
#include "arthron/dynamics/stages.hpp"

/// Rows of variants: what channels, energies and the record of a run read is found on lanes, and goes to the variants' own Workspaces.
namespace arthron {

using std::size_t;
using namespace simd_group;
using namespace lane_stages;

namespace {

using Workspaces = PerLane<Workspace*>;

/// The kernel with forces and accelerations.
struct AccelerationAccess : VariantAccess {
  static constexpr bool accelerates = true;
  [[nodiscard]] ARTHRON_INLINE const Lanes& momentum(const GroupBody& body, int c) const { return work.tau[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE const Lanes& rate(const GroupBody& body, int c) const { return work.drive_acceleration[body.u[0] + c]; }
  [[nodiscard]] ARTHRON_INLINE const Lanes& velocity(const GroupBody& body, int c) const { return work.u[body.u[0] + c]; }
  ARTHRON_INLINE void found(const GroupBody& body, int c, const Lanes& udot) const { work.udot[body.u[0] + c] = udot; }
};

ARTHRON_FLATTEN void find_terms(const LanePlan& plan, LaneWorkspace& work) {
  const AccelerationAccess access{{plan, work}};
  body_acceleration_terms(plan.group, work.group, plan.loads_bodies(), access);
  if (!plan.tracks_cuts) cut_acceleration_terms(plan.group, work.group, access);
}
ARTHRON_FLATTEN void assemble_forces(const LanePlan& plan, LaneWorkspace& work) {
  (void)assemble(plan.group, work.group, AccelerationAccess{{plan, work}});
}
ARTHRON_FLATTEN void accelerate(const LanePlan& plan, LaneWorkspace& work) {
  (void)back_substitute(plan.group, work.group, AccelerationAccess{{plan, work}});
}

template <class Item>
bool all_finite(const std::vector<Item>& items) {
  const Lanes* const numbers = reinterpret_cast<const Lanes*>(items.data());
  Lanes sound(0);
  for (size_t i = 0; i < items.size() * (sizeof(Item) / sizeof(Lanes)); ++i) sound += 0 * numbers[i];
  return std::experimental::all_of(finite(sound));
}

/// Some row depends on others in some lane.
bool is_redundant(const LanePlan& plan, const LaneWorkspace& work) {
  for (const GroupNode& node : plan.group.nodes)
    for (int r = node.first; r < node.first + node.closing; ++r)
      if (!std::experimental::all_of(work.group.d_inverse[r] > 0)) return true;
  return false;
}

/// Coordinates and columns of the tree's joints, which come before those of the cut ones.
struct TreeSizes {
  int q, u;
  explicit TreeSizes(const Plan& plan) : q(plan.nq_all), u(plan.nu_all) {
    for (int c = 0; c < plan.cuts; ++c) q = std::min(q, plan.closures[c].q), u = std::min(u, plan.closures[c].u);
  }
};

void give_cuts(const LanePlan& plan, const LaneWorkspace& work, const Workspaces& to) {
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    const GroupCut& cut = plan.group.cuts[c];
    const GroupCutWork<Lanes>& own = work.group.cut[c];
    const Lanes* const sigma = work.group.sigma.data() + plan.group.nodes[cut.node].first + cut.row;
    const auto record = [&](int lane) -> ClosureWork::Cut& { return to[lane]->closures->cuts[c]; };
    scatter3(own.arm_child, [&](int lane) -> Wide3& { return record(lane).arm_child; });
    scatter3(own.arm_parent, [&](int lane) -> Wide3& { return record(lane).arm_parent; });
    for (int r = 0; r < cut.rows; ++r) scatter6(own.D[r], [&](int lane) -> Wide6& { return record(lane).D[r]; });
    scatter6(along_directions(cut, own, sigma), [&](int lane) -> Wide6& { return record(lane).T; });
    scatter_plain6(work.error[c], [&](int lane) -> Spatial6& { return to[lane]->closures->error[c]; });
    for (int lane = 0; lane < lane_count; ++lane) record(lane).rank = cut.rows;
  }
}

ARTHRON_FLATTEN void give_bodies(const LanePlan& plan, const LaneWorkspace& work, const Workspaces& to) {
  const Plan& topology = plan.topology();
  for (size_t i = 0; i < plan.group.bodies.size(); ++i) {
    const GroupBodyWork<Lanes>& own = work.group.body[i];
    const auto record = [&](int lane) -> BodyWork& { return to[lane]->body[topology.grounds + i]; };
    scatter_wide_pose(own.X_WB, [&](int lane) -> WidePose& { return record(lane).X_WB; });
    scatter3(own.arm, [&](int lane) -> Wide3& { return record(lane).arm; });
    scatter3(own.first_moment, [&](int lane) -> Wide3& { return record(lane).first_moment; });
    scatter_symmetric3(own.second_moment, [&](int lane) -> WideSymmetric3& { return record(lane).second_moment; });
    scatter6(own.V, [&](int lane) -> Wide6& { return record(lane).V; });
    scatter6(own.P, [&](int lane) -> Wide6& { return record(lane).P; });
    const GroupBody& body = plan.group.bodies[i];
    for (int c = 0; c < body.columns; ++c)
      scatter6(work.group.column[body.column + c].H, [&](int lane) -> Wide6& { return to[lane]->column[body.u[0] + c].H; });
  }
  if (topology.closures.size() > 0) give_cuts(plan, work, to);
}

void give_state(const LanePlan& plan, const LaneWorkspace& work, int lane, Workspace& to) {
  const Plan& own = *plan.plans[lane];
  const TreeSizes tree(own);
  for (PartWork& part : to.part) part.grouped = false, part.status = {};
  arthron::begin(own, work.t, nullptr, to);
  get_lane(work.q.data(), lane, to.q.data(), tree.q), get_lane(work.u.data(), lane, to.u.data(), tree.u);
  get_lane(work.p.data(), lane, to.p.data(), own.nu), get_lane(work.tau.data(), lane, to.tau.data(), tree.u);
  get_lane(work.x.data(), lane, to.x.data(), own.nx), get_lane(work.xdot.data(), lane, to.xdot.data(), own.nx);
  get_lane(work.wrenches.data(), lane, to.wrenches.data(), static_cast<int>(work.wrenches.size()));
  for (const int j : own.driven_joints) {
    const PlanJoint& joint = own.joints[j];
    if (joint.closure < 0) continue;
    get_lane(work.q.data() + joint.q, lane, to.q.data() + joint.q, joint.nq);
    get_lane(work.u.data() + joint.u, lane, to.u.data() + joint.u, joint.nu);
  }
  for (const PlanSensor& sensor : own.sensors) to.signals[sensor.signal].value = work.signals[lane][sensor.signal].value;
}

ARTHRON_FLATTEN void give_accelerations(const LanePlan& plan, const LaneWorkspace& work, const Workspaces& to) {
  const int grounds = plan.topology().grounds;
  for (size_t i = 0; i < plan.group.bodies.size(); ++i) {
    scatter6(work.group.A[i], [&](int lane) -> Wide6& { return to[lane]->A[grounds + i]; });
    scatter6(work.group.F[i], [&](int lane) -> Wide6& { return to[lane]->F[grounds + i]; });
  }
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    const GroupCut& cut = plan.group.cuts[c];
    const Lanes* const sigma = work.group.sigma.data() + plan.group.nodes[cut.node].first + cut.row;
    for (int r = 0; r < cut.rows; ++r) scatter(sigma[r], [&](int lane) -> double& { return to[lane]->closures->cuts[c].sigma[r]; });
    scatter6(work.group.cut[c].known, [&](int lane) -> Wide6& { return to[lane]->closures->cuts[c].known; });
  }
  const TreeSizes tree(plan.topology());
  for (int lane = 0; lane < lane_count; ++lane) get_lane(work.udot.data(), lane, to[lane]->udot.data(), tree.u);
}

/// Handles as the drawings of the forces see them, which the forces of one model find on their way.
void draw_handles(const Plan& plan, Workspace& work) {
  if (work.drawn.empty()) return;
  for (size_t f = 0; f < plan.forces.size(); ++f) {
    const Placement& placement = plan.model->forces[f].placement;
    const Slice handles = plan.forces[f].handles;
    for (int h = handles.first; h < handles.last; ++h) work.drawn[h] = seen_from(placement, work.handles[h]);
  }
}

void find_drive_accelerations(const LanePlan& plan, LaneWorkspace& work) {
  std::array<double, 6> value{}, u{}, udot{};
  std::array<TimeFunction::Sample, 6> chart;
  for (const int j : plan.topology().driven_joints)
    for (int lane = 0; lane < lane_count; ++lane) {
      const Joint& given = plan.plans[lane]->model->joints[j];
      for (size_t i = 0; i < given.motion.size(); ++i) chart[i] = given.motion[i].sample(work.now().of(lane)), value[i] = chart[i].value;
      given.definition->type().chart_motion(*given.definition, chart.data(), u.data(), udot.data());
      set_lane(work.drive_acceleration.data() + plan.topology().joints[j].u, lane, udot.data(), plan.topology().joints[j].nu);
    }
}

/// Accelerations, multipliers and reactions of all lanes.
bool find_accelerations(const LanePlan& plan, LaneWorkspace& work, const Workspaces& to) {
  find_drive_accelerations(plan, work);
  find_terms(plan, work);
  if (plan.tracks_cuts) find_cut_accelerations(plan, work, to);
  for (size_t g = 0; g < work.group.carrier.size(); ++g)
    work.group.carrier[g].V = gather6([&](int lane) -> const Wide6& { return to[lane]->A[g]; });
  work.group.prescribes = true;
  assemble_forces(plan, work);
  accelerate(plan, work);
  work.group.prescribes = plan.tracks_cuts;
  find_reactions(plan.group, work.group);
  return succeeded(work) && all_finite(work.group.A);
}

}  // namespace

void lane_stages::give_motion(const LanePlan& plan, const LaneWorkspace& work, const PerLane<Workspace*>& to) {
  for (int lane = 0; lane < lane_count; ++lane) give_state(plan, work, lane, *to[lane]);
  give_bodies(plan, work, to);
  for (size_t lane = 0; lane < to.size(); ++lane)
    for (int part = 0; part <= shared_part(*plan.plans[lane]); ++part) move_handles(*plan.plans[lane], part, *to[lane]);
}

bool observe(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, const LaneLooks& looks, LaneWorkspace& work,
             const PerLane<Workspace*>& to) {
  if (!evaluate(plan, t, q, p, work.row_rates.data(), work.row_rates.data() + plan.topology().nq, work)) return false;
  if (!all_finite(work.row_rates) || !all_finite(work.xdot) || is_redundant(plan, work)) return false;
  closure_directions(plan, true, work);
  find_errors(plan, work);
  Workspaces all = to;
  for (size_t lane = 0; lane < all.size(); ++lane)
    if (!all[lane]) all[lane] = work.alone[lane].get();
  give_motion(plan, work, all);
  if (plan.tracks_cuts) give_cut_joints(plan, work, all);
  for (size_t lane = 0; lane < all.size(); ++lane) {
    const Plan& own = *plan.plans[lane];
    if (plan.tracks_cuts || (looks.cut_joints && all[lane]->closures && to[lane])) measure_freedoms(own, *all[lane]);
    if (!to[lane]) continue;
    draw_handles(own, *to[lane]);
  }
  if (!looks.accelerations) return true;
  if (!find_accelerations(plan, work, all)) return false;
  give_accelerations(plan, work, all);
  for (size_t lane = 0; lane < to.size(); ++lane)
    if (to[lane] && to[lane]->closures && (looks.cut_joints || plan.tracks_cuts)) {
      if (!plan.tracks_cuts) closure_acceleration_terms(*plan.plans[lane], *to[lane]);
      closure_reactions(*plan.plans[lane], *to[lane]);
    }
  return true;
}

}  // namespace arthron
