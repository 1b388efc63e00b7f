#include "arthron/simulation/lane_walker.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/integrate/methods.hpp"
#include "arthron/integrate/step_length.hpp"
#include "arthron/simulation/plan_ode.hpp"

namespace arthron {

using runge_kutta::TrialOf;

/// The right-hand side in Odeint's signature; remembers where the last stage was written.
struct LaneStages {
  LaneWalker& walker;
  const std::vector<Lanes>* last = nullptr;
  void operator()(const std::vector<Lanes>& y, std::vector<Lanes>& dydt, double t) {
    walker.rhs(t, y, dydt);
    last = &dydt;
  }
};

/// One of the methods of integrate/methods.hpp on lanes.
class LaneMethod {
 public:
  LaneMethod() = default;
  LaneMethod(const LaneMethod&) = delete;
  LaneMethod& operator=(const LaneMethod&) = delete;
  virtual ~LaneMethod() = default;
  virtual void make_room(const std::vector<Lanes>& y) = 0;
  virtual void trial(LaneStages& stages, const TrialOf<Lanes>& trial) = 0;
  /// State between the ends of a step; false where it has no interpolant of its own.
  virtual bool interpolate(double t, std::vector<Lanes>& y, double t0, const std::vector<Lanes>& y0, const std::vector<Lanes>& f0,
                           double t1, const std::vector<Lanes>& y1, const std::vector<Lanes>& f1) = 0;
  bool adaptive = false, first_same_as_last = false;
  int error_order = 0;
};

namespace {

template <class Method>
class LaneMethodOf final : public LaneMethod {
 public:
  LaneMethodOf() { adaptive = Method::adaptive, first_same_as_last = Method::first_same_as_last, error_order = Method::error_order; }
  void make_room(const std::vector<Lanes>& y) override { method_.stepper.adjust_size(y); }
  void trial(LaneStages& stages, const TrialOf<Lanes>& trial) override { method_.trial(stages, trial); }
  bool interpolate(double t, std::vector<Lanes>& y, double t0, const std::vector<Lanes>& y0, const std::vector<Lanes>& f0, double t1,
                   const std::vector<Lanes>& y1, const std::vector<Lanes>& f1) override {
    if constexpr (requires { method_.stepper.calc_state(t, y, y0, f0, t0, y1, f1, t1); }) {
      method_.stepper.calc_state(t, y, y0, f0, t0, y1, f1, t1);
      return true;
    }
    return false;
  }

 private:
  Method method_;
};

template <class Method>
std::unique_ptr<LaneMethod> make() {
  return std::make_unique<LaneMethodOf<Method>>();
}

std::unique_ptr<LaneMethod> make_method(const std::string& type) {
  using namespace runge_kutta;
  if (type == "rk2") return make<MidpointOf<Lanes>>();
  if (type == "rk4") return make<Classic4Of<Lanes>>();
  if (type == "bs32") return make<BogackiShampineOf<Lanes>>();
  if (type == "dopri5") return make<DormandPrinceOf<Lanes>>();
  if (type == "dopri8" || type == "rkf78") return make<DormandPrince8Of<Lanes>>();
  return nullptr;
}

/// Whether the states differ by more than rounding in some lane.
bool differ(const std::vector<Lanes>& a, const std::vector<Lanes>& b) {
  LaneMask alike(true);
  for (std::size_t i = 0; i < a.size(); ++i)
    alike = alike && abs(a[i] - b[i]) <= 16 * std::numeric_limits<double>::epsilon() * max(Lanes(1), abs(b[i]));
  return !std::experimental::all_of(alike);
}

}  // namespace

LaneWalker::LaneWalker(const LanePlan& plan, LaneWorkspace& work, LaneSettings settings)
    : plan_(plan),
      work_(work),
      settings_(std::move(settings)),
      method_(make_method(settings_.method)),
      h_(settings_.step),
      rounding_(32 * deepest(plan.topology()) * std::numeric_limits<double>::epsilon()) {}

LaneWalker::~LaneWalker() = default;

bool LaneWalker::knows(const std::string& type) { return make_method(type) != nullptr; }

void LaneWalker::start(double t0, const std::vector<Lanes>& y0, const PerLane<const Workspace*>& workspaces) {
  start_cuts(plan_, t0, workspaces, work_);
  velocities_.resize(plan_.topology().nu);
  for (std::vector<Lanes>* v : {&y_, &f_, &y_old_, &f_old_, &y_new_, &f_new_, &errors_, &other_}) *v = y0;
  method_->make_room(y0);
  t_ = t_old_ = grid_start_ = t0, grid_steps_ = 0;
  status_ = {}, statistics_ = {}, leaves_ = {}, may_open_ = {};
  f_is_current_ = false;
  know_rate();
}

void LaneWalker::step(double t_limit) {
  if (t_ >= t_limit) return;
  correct();
  double h = method_->adaptive ? std::fmax(std::fmin(h_, settings_.limits.max_step), smallest_step(t_, t_limit)) : h_;
  for (bool rejected = false; any_going(); rejected = true) {
    const double t_new = end_of_step(h, t_limit), dt = t_new - t_;
    if (is_accepted(t_new, dt)) {
      accept(t_new, dt);
      if (method_->adaptive) plan_step(dt, rejected);
      return;
    }
    h = next_step_length(dt, error_, method_->error_order + 1, 1);
    const bool spent = statistics_[0].accepted + statistics_[0].rejected >= settings_.limits.max_steps;
    if (h >= smallest_step(t_, t_limit) && !spent) continue;
    // Each of them finds out alone whose steps become too small.
    for (std::size_t lane = 0; lane < leaves_.size(); ++lane) leaves_[lane] = leaves_[lane] || status_[lane].ok();
  }
}

/// Fixed steps are accepted as they are. Of adaptive ones, variants whose trial fails go on alone.
bool LaneWalker::is_accepted(double t_new, double h) {
  const PerLane<Status> before = status_;
  LaneStages stages{*this};
  method_->trial(stages, {t_, h, y_old_, f_old_, y_new_, f_new_, errors_});
  require_finite(y_new_);
  error_ = 0;
  if (!method_->adaptive) {
    for (std::size_t lane = 0; lane < status_.size(); ++lane)
      if (!status_[lane].ok() && before[lane].ok()) ++statistics_[lane].rejected;
    return true;
  }
  if (!method_->first_same_as_last) rhs(t_new, y_new_, f_new_);
  const Lanes error = measure(t_new);
  for (std::size_t lane = 0; lane < status_.size(); ++lane) {
    if (!is_going(lane)) continue;
    const double own = error[static_cast<int>(lane)];
    leaves_[lane] = leaves_[lane] || !(own < std::numeric_limits<double>::infinity());
    if (!leaves_[lane]) error_ = std::fmax(error_, own);
  }
  if (error_ <= 1) return true;
  for (IntegratorStatistics& statistics : statistics_) ++statistics.rejected;
  return false;
}

void LaneWalker::accept(double t_new, double h) {
  for (std::size_t lane = 0; lane < status_.size(); ++lane)
    if (is_going(lane)) ++statistics_[lane].accepted, statistics_[lane].last_step = h;
  // Variants that have failed stay where they were.
  if (const LaneMask mask = going(); std::experimental::all_of(mask)) {
    y_.swap(y_new_);
  } else {
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = select(mask, y_new_[i], y_[i]);
  }
  f_.swap(f_new_);
  f_is_current_ = method_->adaptive;
  if (settings_.follows) {
    // Where everything stands still for a moment, rounding is all there is [m/s].
    constexpr double at_rest = 1e-9;
    const Lanes rate = closure_rate_error(plan_, work_);
    for (int lane = 0; lane < lane_count; ++lane) may_open_[lane] = rate[lane] > at_rest;
  }
  t_old_ = t_, t_ = t_new;
  if (method_->adaptive) return;
  ++grid_steps_;
  const double on_grid = grid_start_ + static_cast<double>(grid_steps_) * h_;
  if (std::abs(t_ - on_grid) > 1e-9 * h_) grid_start_ = t_, grid_steps_ = 0;
}

/// The length of the next step, as runge_kutta::Walker chooses it.
void LaneWalker::plan_step(double h, bool rejected) {
  const double next = next_step_length(h, error_, method_->error_order + 1, rejected ? 1 : 5);
  const bool cut = h < 0.999 * h_ && !rejected;
  h_ = cut ? std::fmax(h_, next) : next;
}

/// max_i |e_i| / (atol + rtol |s_i|), momenta by the velocities that they mean, as PlanOde measures them.
Lanes LaneWalker::measure(double t_new) {
  const Plan& topology = plan_.topology();
  const int nq = topology.nq, nu = topology.nu;
  Lanes most(0), fastest(0);
  const auto take = [&](const Lanes& error, const Lanes& size) {
    const Lanes part = abs(error) / (settings_.absolute_tolerance + settings_.relative_tolerance * abs(size));
    most = select(part <= most, most, part);  // NaN stays NaN
  };
  for (int i = 0; i < nu; ++i) velocities_[i] = work_.u[i], fastest = max(fastest, abs(work_.u[i]));
  for (int i = 0; i < nq + nu; ++i) other_[i] = y_new_[i] - errors_[i];
  for (int i = 0; i < nq; ++i) take(errors_[i], y_new_[i]);
  for (std::size_t i = 0; i < settings_.sizes.size(); ++i)
    take(errors_[nq + nu + i] / settings_.sizes[i], y_new_[nq + nu + i] / settings_.sizes[i]);
  if (!find_velocities(plan_, t_new, other_.data(), other_.data() + nq, work_))
    for (int lane = 0; lane < lane_count; ++lane)
      if (!work_.status[lane].ok()) note(lane, work_.status[lane]);
  for (int i = 0; i < nu; ++i) {
    const Lanes tolerance = settings_.absolute_tolerance + settings_.relative_tolerance * abs(velocities_[i]);
    take(abs(velocities_[i] - work_.u[i]) * tolerance / (tolerance + rounding_ * fastest), velocities_[i]);
  }
  return most;
}

void LaneWalker::interpolate(double t, std::vector<Lanes>& y) {
  if (t == t_ || t_old_ == t_) {
    y = y_;
  } else {
    know_rate();
    if (!method_->interpolate(t, y, t_old_, y_old_, f_old_, t_, y_, f_)) {
      // Cubic through the values and slopes at both ends of the step.
      const double h = t_ - t_old_, s = (t - t_old_) / h;
      const double b = s * s * (3 - 2 * s), a = 1 - b, c = h * s * (1 - s) * (1 - s), d = h * s * s * (s - 1);
      for (std::size_t i = 0; i < y_.size(); ++i) y[i] = a * y_old_[i] + b * y_[i] + c * f_old_[i] + d * f_[i];
    }
  }
  if (plan_.group.cuts.empty() || !settings_.project) return;
  constexpr int most_steps = 3;
  normalise(plan_, y.data());
  std::copy_n(y.begin(), plan_.topology().nq, other_.begin());
  const LaneProjection projection = project(plan_, t, other_.data(), settings_.opening, most_steps, work_);
  const LaneMask closer = projection.error < projection.error_before;
  for (int i = 0; i < plan_.topology().nq; ++i) y[i] = select(closer, other_[i], y[i]);
}

void LaneWalker::count_evaluation() {
  for (std::size_t lane = 0; lane < status_.size(); ++lane)
    if (is_going(lane)) ++statistics_[lane].evaluations;
}

void LaneWalker::rhs(double t, const std::vector<Lanes>& y, std::vector<Lanes>& dydt) {
  const int nq = plan_.topology().nq, motion = nq + plan_.topology().nu;
  std::copy(y.begin() + motion, y.end(), work_.x.begin());
  count_evaluation();
  if (!evaluate(plan_, t, y.data(), y.data() + nq, dydt.data(), dydt.data() + nq, work_))
    for (std::size_t lane = 0; lane < status_.size(); ++lane)
      if (!work_.status[lane].ok()) note(lane, work_.status[lane]);
  std::copy(work_.xdot.begin(), work_.xdot.end(), dydt.begin() + motion);
  require_finite(dydt);
}

/// The rates of a variant that has failed are harmless zeros.
void LaneWalker::require_finite(std::vector<Lanes>& values) {
  Lanes sound(0);
  for (const Lanes& value : values) sound += 0 * value;
  const LaneMask fine = finite(sound);
  if (std::experimental::all_of(fine)) return;
  for (std::size_t lane = 0; lane < status_.size(); ++lane) {
    if (fine[lane]) continue;
    std::size_t bad = 0;
    while (std::isfinite(values[bad][static_cast<int>(lane)])) ++bad;
    const Status force = forces_are_finite(plan_, lane, work_);
    note(lane, force.ok() ? Status{Status::Code::not_finite, element_of_entry(*plan_.plans[lane], static_cast<int>(bad))} : force);
    for (Lanes& value : values) value.set(static_cast<int>(lane), 0);
  }
}

/// Adaptive methods try a shorter step where a trial fails, which is not for the others.
void LaneWalker::note(std::size_t lane, const Status& status) {
  if (method_->adaptive)
    leaves_[lane] = leaves_[lane] || status_[lane].ok();
  else if (status_[lane].ok())
    status_[lane] = status;
}

LaneMask LaneWalker::going() const {
  LaneMask mask;
  for (std::size_t lane = 0; lane < status_.size(); ++lane) mask[lane] = is_going(lane);
  return mask;
}

bool LaneWalker::any_going() const {
  for (std::size_t lane = 0; lane < status_.size(); ++lane)
    if (is_going(lane)) return true;
  return false;
}

/// The state and rate the next step starts from.
void LaneWalker::correct() {
  y_old_ = y_;
  const bool changed = normalise(plan_, y_old_.data());
  const bool closes = !plan_.group.cuts.empty();
  const bool stays = !closes && (!changed || (method_->adaptive && !differ(y_, y_old_)));
  if (stays) {
    know_rate();
    f_old_ = f_;
  } else if (!closes || !keep_closed()) {
    rhs(t_, y_old_, f_old_);
  }
  keep_cuts(plan_, t_, y_old_.data(), work_);
}

/// Projection and re-anchoring, as PlanOde does them.
bool LaneWalker::keep_closed() {
  constexpr int most_steps = 3;
  const int nq = plan_.topology().nq, nu = plan_.topology().nu, motion = nq + nu;
  std::copy(y_old_.begin() + motion, y_old_.end(), work_.x.begin());
  bool in_place = false;
  if (settings_.project) {
    std::copy_n(y_old_.begin(), nq, other_.begin());
    const LaneProjection projection = project(plan_, t_, other_.data(), settings_.opening, most_steps, work_);
    const LaneMask closer = projection.error < projection.error_before;
    for (int i = 0; i < nq; ++i) y_old_[i] = select(closer, other_[i], y_old_[i]);
    in_place = std::experimental::all_of(closer || !projection.moved);
  }
  if (!settings_.reanchor) return false;
  if (!in_place) (void)find_openings(plan_, t_, y_old_.data(), work_);
  std::copy_n(y_old_.begin() + nq, nu, other_.begin());
  count_evaluation();
  if (!reanchor_in_place(plan_, t_, other_.data(), f_old_.data(), f_old_.data() + nq, work_)) return false;
  std::copy_n(other_.begin(), nu, y_old_.begin() + nq);
  std::copy(work_.xdot.begin(), work_.xdot.end(), f_old_.begin() + motion);
  require_finite(f_old_);
  return true;
}

void LaneWalker::know_rate() {
  if (f_is_current_) return;
  rhs(t_, y_, f_);
  f_is_current_ = true;
}

/// t + h, or t_limit when that is within reach. Fixed steps are counted from the start of their grid so that their times do not drift.
double LaneWalker::end_of_step(double h, double t_limit) const {
  const double t_new = method_->adaptive ? t_ + h : grid_start_ + static_cast<double>(grid_steps_ + 1) * h;
  const double slack = (method_->adaptive ? 1e-3 : 1e-9) * h;
  return t_new + slack >= t_limit ? t_limit : t_new;
}

}  // namespace arthron
