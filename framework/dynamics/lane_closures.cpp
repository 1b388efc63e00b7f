#include <algorithm>
#include <limits>

#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_motion.hpp"
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/dynamics/lane_stages.hpp"

namespace arthron {

using std::size_t;
using namespace simd_group;
using namespace lane_stages;

namespace {

Lanes squared(const Vector3<Lanes>& v) { return dot(v, v); }

const Pose<Lanes>& pose_on(const LaneWorkspace& work, int on, const PerBranch& bodies) {
  return on < 0 ? work.group.carrier[bodies[0]].X_WB : work.group.body[on].X_WB;
}

const Spatial<Lanes>& velocity_on(const LaneWorkspace& work, int on, const PerBranch& bodies) {
  return on < 0 ? work.group.carrier[bodies[0]].V : work.group.body[on].V;
}

/// closure_error() and closure_rounding().
LaneOpenings measure_errors(const LanePlan& plan, const LaneWorkspace& work) {
  Lanes error_squared(0), reach_squared(0), term(0);
  const Plan& topology = plan.topology();
  const Lanes* coefficient = work.group.coefficients.data();
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    const GroupCut& cut = plan.group.cuts[c];
    const GroupCutWork<Lanes>& own = work.group.cut[c];
    const Spatial<Lanes>& error = work.error[c];
    error_squared = max(error_squared, squared(error.linear));
    if (cut.holds == GroupCut::Holds::coupling) {
      for (const Coupling::Term& of : topology.model->couplings[topology.closures[c].coupling].terms)
        term = max(term, abs(*coefficient++ * work.q[topology.joints[of.joint.value].q + of.freedom]));
      continue;
    }
    error_squared = max(error_squared, own.length * own.length * squared(error.angular));
    for (const Vector3<Lanes>& v :
         {pose_on(work, cut.parent_on, cut.parent).p, own.arm_parent, pose_on(work, cut.child_on, cut.child).p, own.arm_child})
      reach_squared = max(reach_squared, squared(v));
  }
  return {sqrt(error_squared), 8 * std::numeric_limits<double>::epsilon() * max(sqrt(reach_squared), term)};
}

/// Bodies and cuts where the coordinates in the workspace put them.
LaneOpenings place(const LanePlan& plan, LaneWorkspace& work) {
  kinematics(plan, work);
  closure_directions(plan, true, work);
  find_errors(plan, work);
  return measure_errors(plan, work);
}

/// The steps that undo the openings with least kinetic energy, in work.qdot.
void undo_errors(const LanePlan& plan, LaneWorkspace& work) {
  for (GroupCarrier<Lanes>& carrier : work.group.carrier) carrier.V = {};
  std::fill(work.p.begin(), work.p.end(), Lanes(0));
  std::fill(work.u.begin(), work.u.end(), Lanes(0));
  for (size_t c = 0; c < work.error.size(); ++c) work.group.cut[c].known = -work.error[c];
  work.group.carriers_move = false, work.group.prescribes = true;
  velocities(plan, work);
  work.group.prescribes = plan.tracks_cuts;
  coordinate_rates(plan, work);
}

}  // namespace

void lane_stages::find_errors(const LanePlan& plan, LaneWorkspace& work) {
  if (plan.tracks_cuts) return find_cut_errors(plan, work);
  for (int lane = 0; lane < lane_count; ++lane)
    for (const auto& batch : plan.plans[lane]->closure_batches)
      batch->gap(batch->all(), work.cuts[lane].X_FM.data(), work.cuts[lane].gap_F.data());
  const Plan& topology = plan.topology();
  const Lanes* coefficient = work.group.coefficients.data();
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    if (plan.group.cuts[c].holds != GroupCut::Holds::coupling) {
      const auto gap = [&](int lane) -> const Spatial6& { return work.cuts[lane].gap_F[c]; };
      work.error[c] = rotated(work.group.cut[c].R_WF, gather_plain6(gap));
      continue;
    }
    Lanes sum(0);
    for (const Coupling::Term& term : topology.model->couplings[topology.closures[c].coupling].terms)
      sum += *coefficient++ * work.q[topology.joints[term.joint.value].q + term.freedom];
    work.error[c].linear.x = sum;
  }
}

LaneOpenings find_openings(const LanePlan& plan, double t, const Lanes* q, LaneWorkspace& work) {
  std::copy_n(q, plan.topology().nq, work.q.data());
  begin(plan, t, work);
  return place(plan, work);
}

LaneProjection project(const LanePlan& plan, double t, Lanes* q, const Lanes& tolerance, int most_steps, LaneWorkspace& work) {
  const int nq = plan.topology().nq;
  work.status = {};
  LaneOpenings found = find_openings(plan, t, q, work);
  LaneProjection result{found.error, found.error};
  LaneMask open(true);
  for (int step = 0;; ++step) {
    // Lanes that fail, or are no numbers, have nothing to close.
    for (int lane = 0; lane < lane_count; ++lane) open[lane] = open[lane] && work.status[lane].ok();
    result.error = select(open, found.error, result.error);
    open = open && found.error > max(tolerance, found.rounding);
    if (step == most_steps || std::experimental::none_of(open)) return result;
    undo_errors(plan, work);
    for (int lane = 0; lane < lane_count; ++lane) open[lane] = open[lane] && work.status[lane].ok();
    for (int i = 0; i < nq; ++i) work.q[i] += work.qdot[i];
    normalise(plan, work.q.data());
    result.moved = result.moved || open;
    for (int i = 0; i < nq; ++i) q[i] = work.q[i] = select(open, work.q[i], q[i]);
    begin(plan, t, work);
    found = place(plan, work);
  }
}

bool reanchor_in_place(const LanePlan& plan, double t, Lanes* p, Lanes* qdot, Lanes* pdot, LaneWorkspace& work) {
  work.status = {};
  std::copy_n(p, plan.topology().nu, work.p.data());
  begin(plan, t, work);
  velocities(plan, work);
  loads(plan, work);
  release_cuts(work.group);
  rates(plan, qdot, pdot, work);
  const LaneMask fine = [&] {
    LaneMask mask;
    for (int lane = 0; lane < lane_count; ++lane) mask[lane] = work.status[lane].ok();
    return mask;
  }();
  const auto take = [&](const GroupBody& body, int c, const Lanes& along) {
    Lanes& momentum = p[body.u[0] + c];
    momentum = select(fine, along, momentum);
  };
  momenta_along_columns(plan.group, work.group, plan.topology().shapes, take);
  return succeeded(work);
}

Lanes closure_rate_error(const LanePlan& plan, const LaneWorkspace& work) {
  const Plan& topology = plan.topology();
  const Lanes* coefficient = work.group.coefficients.data();
  Lanes largest(0);
  for (size_t c = 0; c < plan.group.cuts.size(); ++c) {
    const GroupCut& cut = plan.group.cuts[c];
    const GroupCutWork<Lanes>& own = work.group.cut[c];
    if (cut.holds == GroupCut::Holds::coupling) {
      Lanes rate(0);
      for (const Coupling::Term& term : topology.model->couplings[topology.closures[c].coupling].terms)
        rate += *coefficient++ * work.u[topology.joints[term.joint.value].u + term.freedom];
      largest = max(largest, rate * rate);
      continue;
    }
    Spatial<Lanes> V = velocity_at(velocity_on(work, cut.child_on, cut.child), own.arm_child) -
                       velocity_at(velocity_on(work, cut.parent_on, cut.parent), own.arm_parent);
    if (plan.tracks_cuts) V -= own.known;
    // What lies in the constrained directions D = diag(1, length) D~, D~ orthonormal.
    Spatial<Lanes> rate;
    for (int r = 0; r < cut.rows; ++r) rate += dot(own.D[r], V) * own.D[r];
    largest = max(largest, max(squared(rate.linear), squared((1 / own.length) * rate.angular)));
  }
  return sqrt(largest);
}

}  // namespace arthron
