#include "arthron/dynamics/lane_dynamics.hpp"

#include <algorithm>
#include <limits>

#include "arthron/dynamics/ground_state.hpp"
#include "arthron/dynamics/lane_access.hpp"
#include "arthron/dynamics/lane_stages.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

using std::size_t;
using namespace simd_group;

namespace {

/// Coordinates and momenta, and internal states where they are; zeros in lanes that are not finite.
void take_state(const LanePlan& plan, const Lanes* q, const Lanes* p, LaneWorkspace& work) {
  const int nq = plan.topology().nq, nu = plan.topology().nu;
  Lanes sound(0);
  for (int i = 0; i < nq; ++i) sound += 0 * q[i];
  for (int i = 0; i < nu; ++i) sound += 0 * p[i];
  for (const Lanes& x : work.x) sound += 0 * x;
  std::copy_n(q, nq, work.q.data());
  std::copy_n(p, nu, work.p.data());
  const LaneMask fine = finite(sound);
  if (std::experimental::all_of(fine)) return;
  VariantAccess{plan, work}.note_failures(fine, {Status::Code::not_finite});
  for (int i = 0; i < nq; ++i) work.q[i] = select(fine, q[i], Lanes(0));
  for (int i = 0; i < nu; ++i) work.p[i] = select(fine, p[i], Lanes(0));
  for (Lanes& x : work.x) x = select(fine, x, Lanes(0));
}

/// Functions of time do not change while the time does not, but for what they measure.
void ask_functions(const LanePlan& plan, double t, LaneWorkspace& work) {
  work.t = t;
  if (t == work.sampled) return;
  plan.functions.sample(work.now(), work.values.data(), work.rates.data());
  work.sampled = t;
}

void move_grounds(const LanePlan& plan, LaneWorkspace& work) {
  work.group.carriers_move = plan.grounds_move;
  if (!plan.grounds_move) return;
  for (int lane = 0; lane < lane_count; ++lane) {
    const Plan& own = *plan.plans[lane];
    for (size_t g = 0; g < own.ground.size(); ++g) {
      const GroundState ground = ground_state(own.ground[g], work.now().of(lane));
      set_lane(&work.group.carrier[g].X_WB, lane, &ground.X_WB, 1), set_lane(&work.group.carrier[g].V, lane, &ground.V, 1);
    }
  }
}

void drive_joints(const LanePlan& plan, LaneWorkspace& work) {
  for (const LaneDrive& drive : plan.drives) {
    work.q[drive.q] = work.values[drive.function];
    work.u[drive.u] = work.rates[drive.function];
  }
  for (const int j : plan.drives_by_lane) {
    const PlanJoint& joint = plan.topology().joints[j];
    for (int lane = 0; lane < lane_count; ++lane) {
      const Joint& given = plan.plans[lane]->model->joints[j];
      std::array<TimeFunction::Sample, 6> chart;
      std::array<double, 6> value{}, u{}, udot{};
      for (size_t i = 0; i < given.motion.size(); ++i) chart[i] = given.motion[i].sample(work.now().of(lane)), value[i] = chart[i].value;
      given.definition->type().from_chart(*given.definition, value.data(), work.q_lane.data());
      given.definition->type().chart_motion(*given.definition, chart.data(), u.data(), udot.data());
      set_lane(work.q.data() + joint.q, lane, work.q_lane.data(), joint.nq), set_lane(work.u.data() + joint.u, lane, u.data(), joint.nu);
    }
  }
}

ARTHRON_FLATTEN void place_group(const LanePlan& plan, LaneWorkspace& work) {
  place_bodies(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void place_all_cuts(const LanePlan& plan, bool all, LaneWorkspace& work) {
  place_cuts(plan.group, work.group, VariantAccess{plan, work}, all);
}
ARTHRON_FLATTEN void turn_all_directions(const LanePlan& plan, LaneWorkspace& work) {
  turn_directions(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void assemble_group(const LanePlan& plan, LaneWorkspace& work) {
  (void)assemble(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void substitute_back(const LanePlan& plan, LaneWorkspace& work) {
  (void)back_substitute(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void move_all_cuts(const LanePlan& plan, LaneWorkspace& work) {
  move_cuts(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void load_all_cuts(const LanePlan& plan, LaneWorkspace& work) {
  load_cuts(plan.group, work.group, VariantAccess{plan, work});
}
ARTHRON_FLATTEN void find_all_momenta(const LanePlan& plan, Lanes* pdot, LaneWorkspace& work) {
  find_momenta(plan.group, work.group, plan.loads_bodies(), true, VariantAccess{plan, work, pdot});
}

/// For the batches of a variant's cut joints whose directions change: act(batch, numbers).
template <class Act>
void for_cut_batches(const LanePlan& plan, LaneWorkspace& work, const Act& act) {
  if (!plan.cuts_vary) return;
  for (int lane = 0; lane < lane_count; ++lane)
    for (const auto& batch : plan.plans[lane]->closure_batches)
      if (batch->varies() && !batch->holds_length()) act(*batch, work.cuts[lane]);
}

}  // namespace

namespace lane_stages {

void begin(const LanePlan& plan, double t, LaneWorkspace& work) {
  ask_functions(plan, t, work);
  move_grounds(plan, work);
  drive_joints(plan, work);
}

void kinematics(const LanePlan& plan, LaneWorkspace& work) {
  for (const auto& batch : plan.joint_batches) batch->position(work.q.data(), work.X_FM.data(), work.H_F.data());
  place_group(plan, work);
}

void closure_directions(const LanePlan& plan, bool all_poses, LaneWorkspace& work) {
  if (plan.group.cuts.empty()) return;
  place_all_cuts(plan, all_poses, work);
  if (plan.tracks_cuts) return find_cuts(plan, work);
  for_cut_batches(plan, work, [](const JointBatch& batch, LaneWorkspace::Cuts& cuts) {
    batch.complement(batch.all(), cuts.X_FM.data(), cuts.D_F.data());
  });
  turn_all_directions(plan, work);
}

void velocities(const LanePlan& plan, LaneWorkspace& work) {
  assemble_group(plan, work);
  substitute_back(plan, work);
}

/// What functions of time know of the present positions and velocities, by each variant's own functions.
static void measure(const LanePlan& plan, LaneWorkspace& work) {
  for (size_t lane = 0; lane < plan.plans.size(); ++lane) arthron::measure(*plan.plans[lane], *work.alone[lane]);
  work.sampled = std::numeric_limits<double>::quiet_NaN();
  ask_functions(plan, work.t, work);
}

void loads(const LanePlan& plan, LaneWorkspace& work) {
  const bool measures = !plan.topology().sensors.empty();
  if (measures || plan.tracks_cuts) give_motion(plan, work, per_lane<Workspace*>([&](size_t lane) { return work.alone[lane].get(); }));
  if (plan.tracks_cuts) move_cuts(plan, work);
  if (measures) measure(plan, work);
  for (const int batch : plan.varying_batches) plan.joint_batches[batch]->rate(work.q.data(), work.u.data(), work.Hdot_F.data());
  apply_loads(plan, work);
  if (plan.tracks_cuts) load_cut_joints(plan, work);
}

void closure_loads(const LanePlan& plan, LaneWorkspace& work) {
  if (plan.group.cuts.empty()) return;
  if (plan.tracks_cuts) return find_cut_loads(plan, work);
  move_all_cuts(plan, work);
  for_cut_batches(plan, work, [](const JointBatch& batch, LaneWorkspace::Cuts& cuts) {
    batch.complement_rate(batch.all(), cuts.X_FM.data(), cuts.V_FM.data(), cuts.Ddot_F.data());
  });
  load_all_cuts(plan, work);
}

void coordinate_rates(const LanePlan& plan, LaneWorkspace& work) {
  for (const auto& batch : plan.joint_batches) batch->coordinate_rate(work.q.data(), work.u.data(), work.qdot.data());
  for (const GroupBody& body : plan.group.bodies)
    if (body.turns || body.slides) work.qdot[body.q[0]] = work.u[body.u[0]];
}

void rates(const LanePlan& plan, Lanes* qdot, Lanes* pdot, LaneWorkspace& work) {
  find_all_momenta(plan, pdot, work);
  const Plan& topology = plan.topology();
  if (topology.plain_coordinates) {
    std::copy_n(work.u.data(), topology.nu, qdot);
    return;
  }
  coordinate_rates(plan, work);
  std::copy_n(work.qdot.data(), topology.nq, qdot);
}

bool succeeded(const LaneWorkspace& work) {
  return std::all_of(work.status.begin(), work.status.end(), [](const Status& status) { return status.ok(); });
}

}  // namespace lane_stages

using namespace lane_stages;

bool find_velocities(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, LaneWorkspace& work) {
  work.status = {};
  take_state(plan, q, p, work);
  begin(plan, t, work);
  kinematics(plan, work);
  closure_directions(plan, false, work);
  velocities(plan, work);
  return succeeded(work);
}

bool evaluate(const LanePlan& plan, double t, const Lanes* q, const Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work) {
  (void)find_velocities(plan, t, q, p, work);
  loads(plan, work);
  closure_loads(plan, work);
  rates(plan, qdot, pdot, work);
  return succeeded(work);
}

bool normalise(const LanePlan& plan, Lanes* q) {
  if (plan.topology().plain_coordinates) return false;
  for (const auto& batch : plan.joint_batches) batch->normalise(q, plan.topology().nq);
  return true;
}

}  // namespace arthron
