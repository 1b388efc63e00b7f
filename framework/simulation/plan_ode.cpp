#include "arthron/simulation/plan_ode.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "arthron/dynamics/momentum_sizes.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/velocity_state.hpp"
#include "arthron/integrate/error_measure.hpp"

namespace arthron {

/// Newton steps of a projection: states are close to the closures already.
constexpr int most_corrections = 3;

/// One number behind the other.
static void write_numbers(std::span<const Spatial6> vectors, double* numbers) {
  for (const Spatial6& vector : vectors)
    for (const Vec3& part : {vector.linear, vector.angular}) *numbers++ = part.x, *numbers++ = part.y, *numbers++ = part.z;
}

int element_of_entry(const Plan& plan, int entry) {
  const int state = entry - plan.nq - plan.nu;
  for (std::size_t f = 0; f < plan.forces.size() && state >= 0; ++f)
    if (state < plan.forces[f].states.last && state >= plan.forces[f].states.first) return element_of_force(plan, static_cast<int>(f));
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& joint = plan.joints[j];
    if (joint.driven || joint.closure >= 0) continue;
    const bool coordinate = entry >= joint.q && entry < joint.q + joint.nq;
    const bool momentum = entry >= plan.nq + joint.u && entry < plan.nq + joint.u + joint.nu;
    if (entry < plan.nq ? coordinate : momentum) return static_cast<int>(j);
  }
  return -1;
}

int deepest(const Plan& plan) {
  std::vector<int> of(plan.bodies.size(), 0);
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) of[b] = of[plan.bodies[b].parent] + 1;
  return *std::max_element(of.begin(), of.end());
}

PlanOde::PlanOde(const Plan& plan, Workspace& work, const Upkeep& upkeep)
    : plan_(plan),
      work_(work),
      upkeep_(upkeep),
      motion_(plan.nq + plan.nu),
      projected_(plan.nq),
      anchored_rates_(motion_),
      other_(motion_),
      inertia_(plan.nu),
      impulse_(inertia_),
      allowance_(size()),
      rounding_(32 * deepest(plan) * std::numeric_limits<double>::epsilon()),
      cuts_of_motion_(plan, CutTurns::Of::motion),
      cuts_to_look_at_(plan, CutTurns::Of::looks),
      memory_(cuts_of_motion_.size() + cuts_to_look_at_.size()),
      rates_(plan.closures.size()) {
  anchored_.reserve(size());
  sizes_.resize(plan.nx);
  for (const auto& batch : plan.force_batches) batch->state_sizes(sizes_.data());
  for (double& size : sizes_) size = std::exp2(std::round(std::log2(size)));
}

void PlanOde::write(const State& state, std::vector<double>& y) const {
  y.assign(state.q.begin(), state.q.end());
  y.insert(y.end(), state.p.begin(), state.p.end());
  for (std::size_t i = 0; i < sizes_.size(); ++i) y.push_back(state.x[i] / sizes_[i]);
}

void PlanOde::read(const std::vector<double>& y, State& state) const {
  std::copy_n(y.begin(), plan_.nq, state.q.begin());
  std::copy_n(y.begin() + plan_.nq, plan_.nu, state.p.begin());
  for (std::size_t i = 0; i < sizes_.size(); ++i) state.x[i] = sizes_[i] * y[motion_ + i];
}

int PlanOde::element_of(int entry) const {
  const Status force = forces_are_finite(plan_, work_);
  return force.ok() ? element_of_entry(plan_, entry) : force.element;
}

Status PlanOde::rhs(double t, const double* y, double* dydt) {
  // A step begins where re-anchoring ended.
  const bool known = !anchored_.empty() && t == anchored_time_ && std::equal(anchored_.begin(), anchored_.end(), y);
  if (known) {
    anchored_.clear();
    std::copy(anchored_rates_.begin(), anchored_rates_.end(), dydt);
    write_state_rates(dydt);
    return {};
  }
  Status status = rates_at(t, y, y, dydt);
  if (status.ok() && keeps_stages_closed() && is_nearly_singular(plan_, work_)) status = rates_at(t, nearest_closed(t, y), y, dydt);
  if (status.code == Status::Code::not_finite && status.element < 0) status.element = forces_are_finite(plan_, work_).element;
  return status;
}

Status PlanOde::rates_at(double t, const double* q, const double* y, double* dydt) {
  begin_evaluation(t, q);
  set_states(y);
  const Status status = plan_.formulation->rates(plan_, within(t), q, y + plan_.nq, dydt, dydt + plan_.nq, work_);
  write_state_rates(dydt);
  return status;
}

bool PlanOde::keeps_stages_closed() const {
  // Where drives or grounds move a loop, its positions may follow from the time alone: every error of theirs would be taken away, and no
  // step be too long to follow a turn.
  const bool prescribed = !plan_.driven_joints.empty() ||
                          std::any_of(plan_.ground.begin(), plan_.ground.end(), [](const PlanGround& ground) { return ground.motion; });
  return plan_.formulation->integrates_momenta() && upkeep_.project && !plan_.closures.empty() && !prescribed;
}

const double* PlanOde::nearest_closed(double t, const double* y) {
  std::copy_n(y, plan_.nq, projected_.begin());
  normalise(plan_, projected_.data());
  const Projection projection = place_and_project(plan_, within(t), projected_.data(), upkeep_.tolerance, most_corrections, work_);
  // Far from the closures the nearest position may be on another branch of the motion.
  return projection.error < projection.error_before && is_small(projected_.data(), y, y) ? projected_.data() : y;
}

Status PlanOde::measure(double t, const double* y, double* error, double* size) {
  if (!plan_.formulation->integrates_momenta()) return {};
  // Where the rates were found, and the velocities there.
  std::copy_n(work_.q.begin(), plan_.nq, projected_.begin());
  std::copy_n(work_.u.begin(), plan_.nu, size + plan_.nq);
  std::transform(y, y + motion_, error, other_.begin(), std::minus<>());
  const Status status = compare(t, error, size);
  const double absolute = upkeep_.absolute_tolerance, relative = upkeep_.relative_tolerance;
  const std::span<const double> errors(error, motion_), sizes(size, motion_);
  if (!status.ok() || !keeps_stages_closed() || !(in_tolerances(errors, sizes, absolute, relative) > 1)) return status;
  // Positions off the closures are no error that stays, but near a singular position their velocities are far from each other. What
  // projection leaves of such a difference is of second order, and below the tolerance only where its square is.
  if (!leave_openings(t, projected_.data(), error).ok()) return status;
  for (int i = 0; i < plan_.nq; ++i) other_[i] += error[i];
  if (is_small(projected_.data(), other_.data(), size)) return compare(t, error, size);
  for (int i = 0; i < plan_.nq; ++i) error[i] = projected_[i] - (other_[i] - error[i]);
  return status;
}

bool PlanOde::is_small(const double* q, const double* other, const double* size) const {
  const double absolute = upkeep_.absolute_tolerance, relative = upkeep_.relative_tolerance;
  double largest = 0;
  for (int i = 0; i < plan_.nq; ++i) largest = std::max(largest, std::abs(q[i] - other[i]) / (absolute + relative * std::abs(size[i])));
  return largest * largest * std::max(absolute, relative) < 1;
}

Status PlanOde::compare(double t, double* error, const double* size) {
  const double* const u = size + plan_.nq;
  for (int i = 0; i < plan_.nq; ++i) other_[i] = projected_[i] - error[i];
  begin_evaluation(t, other_.data());
  if (const Status status = find_velocities(plan_, within(t), other_.data(), other_.data() + plan_.nq, work_); !status.ok()) return status;
  // What rounding makes of equal states is no error of a step: it adds to the tolerance. Taken from the error it would leave next to
  // nothing of one that is a little larger, and the step after it would be far too long.
  double fastest = 0;
  for (int i = 0; i < plan_.nu; ++i) fastest = std::max(fastest, std::abs(u[i]));
  const double rounding = rounding_ * fastest;
  for (int i = 0; i < plan_.nu; ++i) {
    const double tolerance = upkeep_.absolute_tolerance + upkeep_.relative_tolerance * std::abs(u[i]);
    error[plan_.nq + i] = std::abs(u[i] - work_.u[i]) * tolerance / (tolerance + rounding);
  }
  return {};
}

Status PlanOde::leave_openings(double t, const double* q, double* dq) {
  // Central differences, of coordinates so far apart that neither rounding nor curvature matters.
  constexpr double apart = 1e-6;
  double largest = 0;
  for (int i = 0; i < plan_.nq; ++i) largest = std::max(largest, std::abs(dq[i]));
  if (!(largest > 0)) return {};
  const double step = apart / largest;
  disturb();
  double* const beside = anchored_rates_.data();
  std::fill(rates_.begin(), rates_.end(), Spatial6{});
  for (const double side : {-step, step}) {
    begin_evaluation(t, q);
    for (int i = 0; i < plan_.nq; ++i) beside[i] = q[i] + side * dq[i];
    normalise(plan_, beside);
    const std::span<const Spatial6> openings = arthron::openings(plan_, within(t), beside, work_);
    for (std::size_t c = 0; c < rates_.size(); ++c) rates_[c] += 0.5 / side * openings[c];
  }
  begin_evaluation(t, q);
  const Status status = opening_momenta(plan_, within(t), q, rates_, impulse_.data(), work_);
  if (!status.ok()) return status;
  coordinate_rates(plan_, work_);
  for (int i = 0; i < plan_.nq; ++i) dq[i] -= work_.qdot[i];
  return {};
}

void PlanOde::start_cuts(double t) {
  disturb();
  cuts_of_motion_.start(t, memory_of_motion(), work_);
  cuts_to_look_at_.start(t, memory_of_looks(), work_);
}

void PlanOde::begin_evaluation(double t, const double* q) {
  disturb();
  cuts_of_motion_.lead(t, q, memory_of_motion(), work_);
}

void PlanOde::begin_look(double t, const double* q) {
  cuts_to_look_at_.lead(t, q, memory_of_looks(), work_);
  begin_evaluation(t, q);
}

void PlanOde::begin_rates(double t, const double* y) {
  begin_evaluation(t, y);
  set_states(y);
}

void PlanOde::set_states(const double* y) {
  for (std::size_t i = 0; i < sizes_.size(); ++i) work_.x[i] = sizes_[i] * y[motion_ + i];
}

void PlanOde::write_state_rates(double* dydt) const {
  for (std::size_t i = 0; i < sizes_.size(); ++i) dydt[motion_ + i] = work_.xdot[i] / sizes_[i];
}

void PlanOde::allowances(double t, const double* y, double absolute, double relative, double* allowance) {
  Ode::allowances(t, y, absolute, relative, allowance);
  if (!plan_.formulation->integrates_momenta()) return;
  if (!leaves_columns(plan_) || !is_at(t, y)) {
    begin_evaluation(t, y);
    if (!solve_velocities(plan_, within(t), y, y + plan_.nq, work_).ok()) return;
  }
  double* const of_momenta = allowance + plan_.nq;
  column_inertias(plan_, work_, inertia_.data());
  for (std::size_t i = 0; i < inertia_.size(); ++i)
    if (inertia_[i] > 0 && std::isfinite(inertia_[i])) of_momenta[i] = inertia_[i] * (absolute + relative * std::abs(work_.u[i]));
}

bool PlanOde::is_at(double t, const double* y) const {
  return work_.t == within(t) && std::equal(y, y + plan_.nq, work_.q.begin()) && std::equal(work_.p.begin(), work_.p.end(), y + plan_.nq);
}

bool PlanOde::after_step(double t, double* y) {
  bool changed = normalise(plan_, y);
  if (plan_.closures.empty()) return changed;
  cuts_to_look_at_.follow(t, y, memory_of_looks(), work_);
  begin_rates(t, y);
  changed |= keep_closed(t, y);
  // Where nothing has looked for the cut joints.
  if (!upkeep_.project && cuts_of_motion_.size() > 0) {
    begin_evaluation(t, y);
    arthron::openings(plan_, within(t), y, work_);
  }
  cuts_of_motion_.keep(t, y, memory_of_motion(), work_);
  return changed;
}

bool PlanOde::project(double t, double* y) {
  bool changed = normalise(plan_, y), in_place = false;
  if (plan_.closures.empty() || !upkeep_.project) return changed;
  begin_evaluation(t, y);
  changed |= project_positions(t, y, in_place);
  if (plan_.formulation->integrates_momenta()) return changed;
  return project_velocities(plan_, within(t), y, y + plan_.nq, work_).ok() || changed;
}

bool PlanOde::keep_closed(double t, double* y) {
  bool in_place = false;
  bool changed = upkeep_.project && project_positions(t, y, in_place);
  if (plan_.formulation->integrates_momenta()) return (upkeep_.reanchor && reanchor_momenta(t, y, in_place)) || changed;
  if (upkeep_.project) changed |= project_velocities(plan_, within(t), y, y + plan_.nq, work_).ok();
  return changed;
}

bool PlanOde::project_positions(double t, double* y, bool& in_place) {
  // To rounding, not to the integrator's tolerance: an opening e turns the directions of motion by e / s^2 at a singular value s of the
  // closures, and a mechanism may pass through positions where s vanishes. What Newton cannot improve stays as it was.
  std::copy_n(y, plan_.nq, projected_.begin());
  const Projection projection = place_and_project(plan_, within(t), projected_.data(), upkeep_.tolerance, most_corrections, work_);
  const bool closer = projection.error < projection.error_before;
  if (closer) std::copy(projected_.begin(), projected_.end(), y);
  // A Newton step that failed leaves the bodies anywhere.
  in_place = projection.placed && (closer || std::equal(projected_.begin(), projected_.end(), y));
  return closer;
}

bool PlanOde::reanchor_momenta(double t, double* y, bool in_place) {
  double *const p = y + plan_.nq, *const qdot = anchored_rates_.data(), *const pdot = qdot + plan_.nq;
  if (upkeep_.keeps_history) {
    if (!solve_velocities(plan_, within(t), y, p, work_).ok() || !impulses_cost_digits(t, y)) return false;
    in_place = false;
  }
  const Status status = in_place ? reanchor_in_place(plan_, p, qdot, pdot, work_) : reanchor(plan_, within(t), y, p, qdot, pdot, work_);
  if (!status.ok()) return false;
  anchored_.assign(y, y + size());
  anchored_time_ = t;
  return true;
}

bool PlanOde::impulses_cost_digits(double t, const double* y) {
  constexpr double noticed = 0.01, outgrown = 10;
  allowances(t, y, upkeep_.absolute_tolerance, upkeep_.relative_tolerance, allowance_.data());
  impulse_momenta(plan_, work_, impulse_.data());
  double impulse = 0, motion = 0;
  for (std::size_t i = 0; i < impulse_.size(); ++i) {
    const double allowance = allowance_[plan_.nq + i], p = y[plan_.nq + i];
    impulse = std::fmax(impulse, std::abs(impulse_[i]) / allowance);
    motion = std::fmax(motion, std::abs(p + impulse_[i]) / allowance);
  }
  return impulse > outgrown * motion && std::numeric_limits<double>::epsilon() * impulse > noticed;
}

Constraints* PlanOde::constraints() {
  const bool keeps_closed = !plan_.closures.empty() && upkeep_.project && upkeep_.reanchor;
  return keeps_closed && plan_.formulation->integrates_momenta() && is_conservative(plan_) ? this : nullptr;
}

Status PlanOde::free_rhs(double t, const double* y, double* dydt) {
  begin_rates(t, y);
  const Status status = evaluate_released(plan_, within(t), y, y + plan_.nq, dydt, dydt + plan_.nq, work_);
  write_state_rates(dydt);
  return status;
}

void PlanOde::opening(double t, const double* y, double* g) {
  std::copy_n(y, plan_.nq, projected_.begin());
  normalise(plan_, projected_.data());
  begin_evaluation(t, projected_.data());
  write_numbers(arthron::openings(plan_, within(t), projected_.data(), work_), g);
}

Status PlanOde::impulse(double t, const double* y, double* rate, double* dy) {
  std::copy_n(y, plan_.nq, projected_.begin());
  normalise(plan_, projected_.data());
  begin_evaluation(t, projected_.data());
  const double* given = rate;
  for (Spatial6& of_closure : rates_) {
    of_closure = {{given[0], given[1], given[2]}, {given[3], given[4], given[5]}};
    given += 6;
  }
  std::fill_n(dy, size(), 0.0);
  const Status status = opening_momenta(plan_, within(t), projected_.data(), rates_, dy + plan_.nq, work_);
  write_numbers(rates_, rate);
  return status;
}

Status PlanOde::settle(double t, double* y) {
  normalise(plan_, y);
  begin_rates(t, y);
  return reanchor(plan_, within(t), y, y + plan_.nq, anchored_rates_.data(), anchored_rates_.data() + plan_.nq, work_);
}

}  // namespace arthron
