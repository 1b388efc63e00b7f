#include "arthron/simulation/lane_walker.hpp"

#include <algorithm>
#include <cmath>

#include "arthron/simulation/plan_ode.hpp"

namespace arthron {

namespace {

/// y + sum h_i k_i.
template <class... Slopes>
void combine(const std::vector<Lanes>& y, std::vector<Lanes>& out, const Slopes&... slopes) {
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = (y[i] + ... + (Lanes(slopes.first) * slopes.second[i]));
}

std::pair<double, const Lanes*> times(double h, const std::vector<Lanes>& k) { return {h, k.data()}; }

}  // namespace

LaneWalker::LaneWalker(const LanePlan& plan, LaneWorkspace& work, const IntegratorSettings& settings)
    : plan_(plan), work_(work), midpoint_(settings.type == "rk2"), h_(settings.step) {}

void LaneWalker::start(double t0, const std::vector<Lanes>& y0) {
  for (std::vector<Lanes>* v : {&y_, &f_, &y_old_, &f_old_, &y_new_, &k2_, &k3_, &k4_, &stage_}) *v = y0;
  t_ = t_old_ = grid_start_ = t0, grid_steps_ = 0;
  status_ = {}, statistics_ = {};
  f_is_current_ = false;
  know_rate();
}

void LaneWalker::step(double t_limit) {
  if (t_ >= t_limit) return;
  correct();
  const double t_new = end_of_step(t_limit), h = t_new - t_;
  const PerLane<Status> before = status_;
  trial(h);
  require_finite(y_new_);
  // Variants that have failed stay where they were.
  for (std::size_t lane = 0; lane < status_.size(); ++lane) {
    if (status_[lane].ok())
      ++statistics_[lane].accepted, statistics_[lane].last_step = h;
    else if (before[lane].ok())
      ++statistics_[lane].rejected;
  }
  LaneMask going;
  for (std::size_t lane = 0; lane < status_.size(); ++lane) going[lane] = status_[lane].ok();
  if (std::experimental::all_of(going)) {
    y_.swap(y_new_);
  } else {
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = select(going, y_new_[i], y_[i]);
  }
  f_is_current_ = false;
  t_old_ = t_, t_ = t_new;
  ++grid_steps_;
  const double on_grid = grid_start_ + static_cast<double>(grid_steps_) * h_;
  if (std::abs(t_ - on_grid) > 1e-9 * h_) grid_start_ = t_, grid_steps_ = 0;
}

void LaneWalker::interpolate(double t, std::vector<Lanes>& y) {
  if (t == t_ || t_old_ == t_) {
    y = y_;
    return;
  }
  know_rate();
  // Cubic through the values and slopes at both ends of the step.
  const double h = t_ - t_old_, s = (t - t_old_) / h;
  const double b = s * s * (3 - 2 * s), a = 1 - b, c = h * s * (1 - s) * (1 - s), d = h * s * s * (s - 1);
  for (std::size_t i = 0; i < y_.size(); ++i) y[i] = a * y_old_[i] + b * y_[i] + c * f_old_[i] + d * f_[i];
}

void LaneWalker::rhs(double t, const std::vector<Lanes>& y, std::vector<Lanes>& dydt) {
  const int nq = plan_.topology().nq, motion = nq + plan_.topology().nu;
  std::copy(y.begin() + motion, y.end(), work_.x.begin());
  for (std::size_t lane = 0; lane < status_.size(); ++lane)
    if (status_[lane].ok()) ++statistics_[lane].evaluations;
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

void LaneWalker::note(std::size_t lane, const Status& status) {
  if (status_[lane].ok()) status_[lane] = status;
}

void LaneWalker::trial(double h) {
  combine(y_old_, stage_, times(h / 2, f_old_));
  rhs(t_ + h / 2, stage_, k2_);
  if (midpoint_) return combine(y_old_, y_new_, times(h, k2_));
  combine(y_old_, stage_, times(h / 2, k2_));
  rhs(t_ + h / 2, stage_, k3_);
  combine(y_old_, stage_, times(h, k3_));
  rhs(t_ + h, stage_, k4_);
  combine(y_old_, y_new_, times(h / 6, f_old_), times(h / 3, k2_), times(h / 3, k3_), times(h / 6, k4_));
}

/// The state and rate the next step starts from.
void LaneWalker::correct() {
  y_old_ = y_;
  if (normalise(plan_, y_old_.data())) {
    rhs(t_, y_old_, f_old_);
  } else {
    know_rate();
    f_old_ = f_;
  }
}

void LaneWalker::know_rate() {
  if (f_is_current_) return;
  rhs(t_, y_, f_);
  f_is_current_ = true;
}

/// Fixed steps are counted from the start of their grid so that their times do not drift.
double LaneWalker::end_of_step(double t_limit) const {
  const double t_new = grid_start_ + static_cast<double>(grid_steps_ + 1) * h_;
  return t_new + 1e-9 * h_ >= t_limit ? t_limit : t_new;
}

}  // namespace arthron
