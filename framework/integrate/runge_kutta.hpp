#pragma once
#include <boost/numeric/odeint/algebra/default_operations.hpp>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>

#include "arthron/integrate/methods.hpp"
#include "arthron/integrate/starting_step.hpp"

namespace arthron::runge_kutta {

/// Walks with one of the methods above; allocates nothing after start. A step is accepted when max_i |e_i| / (atol + rtol |y_i|) <= 1;
/// the next step follows from Odeint's step adjuster. A trial in which the right-hand side fails is a rejected step. Fixed-step methods
/// have no smaller step to try: they stop at the first failure.
template <class Method>
class Walker final : public Integrator {
 public:
  Walker(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode)
      : settings_(settings),
        limits_(limits),
        ode_(ode),
        rhs_(ode, statistics_),
        stages_{rhs_},
        checker_(settings.absolute_tolerance, settings.relative_tolerance, 1.0, 0.0),
        adjuster_(0.0) {}

  Status start(double t0, const Vector& y0) override {
    for (Vector* v : {&y_old_, &y_new_, &y_raw_, &f_, &f_old_, &f_new_, &error_}) v->assign(y0.size(), 0.0);
    method_.stepper.adjust_size(y0);
    y_ = y0, t_ = t_old_ = t0;
    grid_start_ = t0, grid_steps_ = 0;
    rhs_.forgive();
    rhs_.evaluate(t0, y_.data(), f_.data());
    if (!rhs_.status().ok()) return rhs_.status();
    f_is_current_ = true;
    y_old_ = y_, f_old_ = f_;
    if constexpr (Method::adaptive) {
      h_ = starting_step(rhs_, t0, y_, f_, Method::order, settings_);
    } else {
      h_ = settings_.step;
    }
    return {};
  }

  Status step(double t_limit) override {
    if (t_ >= t_limit) return {};
    correct();
    if (const Status status = know_rate(); !status.ok()) return status;
    double h = Method::adaptive ? std::fmin(h_, limits_.max_step) : h_;
    Status last_failure{Status::Code::step_too_small, -1};
    while (statistics_.accepted + statistics_.rejected < limits_.max_steps) {
      const double t_new = end_of_step(h, t_limit);
      const double dt = t_new - t_;
      if (Method::adaptive && h < smallest_step(t_, t_limit)) return last_failure;
      const double error = try_step(t_new, dt);
      if (error <= 1) {
        accept(t_new, dt, error);
        return {};
      }
      ++statistics_.rejected;
      last_failure = rhs_.status().ok() ? Status{Status::Code::step_too_small, ode_.element_of(worst_entry())} : rhs_.status();
      if constexpr (!Method::adaptive) return last_failure;
      h = adjuster_.decrease_step(dt, error, Method::error_order);
    }
    return {Status::Code::too_many_steps, ode_.element_of(worst_entry())};
  }

  Status interpolate(double t, Vector& y) override {
    if (t == t_ || t_old_ == t_) {
      y = y_;
    } else if (t == t_old_) {
      y = y_old_;
    } else if (const Status status = know_rate(); !status.ok()) {
      return status;
    } else if constexpr (requires { method_.stepper.calc_state(t, y, y_old_, f_old_, t_old_, y_, f_, t_); }) {
      method_.stepper.calc_state(t, y, y_old_, f_old_, t_old_, y_, f_, t_);
    } else {
      hermite(t, y);
    }
    return {};
  }
  bool interpolates() const override { return Method::interpolates; }

 private:
  /// t + h, or t_limit when that is within reach. Fixed steps are counted from the start of their grid so that their times do not drift.
  double end_of_step(double h, double t_limit) const {
    const double t_new = Method::adaptive ? t_ + h : grid_start_ + static_cast<double>(grid_steps_ + 1) * h;
    const double slack = (Method::adaptive ? 1e-3 : 1e-9) * h;
    return t_new + slack >= t_limit ? t_limit : t_new;
  }

  /// Fills y_new_ and f_new_; returns the error in units of the tolerance, infinite when something failed.
  double try_step(double t_new, double dt) {
    constexpr double failed = std::numeric_limits<double>::infinity();
    rhs_.forgive();
    method_.trial(stages_, {t_, dt, y_, f_, y_new_, f_new_, error_});
    rhs_.require_finite(y_new_.data());
    if (!rhs_.status().ok()) return failed;
    double error = 0;
    if constexpr (Method::adaptive) {
      odeint::range_algebra algebra;
      error = checker_.error(algebra, y_, f_, error_, dt);
    }
    if (!(error <= 1)) return std::isnan(error) ? failed : error;
    // A shorter step may end where the rate is defined; a fixed one meets the failure when it goes on.
    if constexpr (Method::adaptive && !Method::first_same_as_last) rhs_.evaluate(t_new, y_new_.data(), f_new_.data());
    return rhs_.status().ok() ? error : failed;
  }

  /// The rate at the present state, where the method's last stage did not leave it.
  Status know_rate() {
    if (f_is_current_) return {};
    rhs_.forgive();
    rhs_.evaluate(t_, y_.data(), f_.data());
    f_is_current_ = rhs_.status().ok();
    return rhs_.status();
  }

  /// Lets the Ode correct the state the next step starts from. The step before keeps the state it ended with, so that interpolation between
  /// its ends sees no jump.
  void correct() {
    y_raw_ = y_;
    if (ode_.after_step(t_, y_.data()) && differs_beyond_rounding(y_raw_, y_)) f_is_current_ = false;
  }

  void accept(double t_new, double dt, double error) {
    ++statistics_.accepted;
    statistics_.last_step = dt;
    y_old_.swap(y_), y_.swap(y_new_);
    f_old_.swap(f_), f_.swap(f_new_);
    f_is_current_ = Method::adaptive;
    t_old_ = t_, t_ = t_new;
    if constexpr (Method::adaptive) {
      // A step cut short by the limit says nothing against the step planned before it.
      const double grown = adjuster_.increase_step(dt, error, Method::order);
      const bool cut_short = dt < 0.999 * h_ && statistics_.rejected == rejected_before_;
      h_ = cut_short ? std::fmax(h_, grown) : grown;
      rejected_before_ = statistics_.rejected;
    } else {
      ++grid_steps_;
      const double on_grid = grid_start_ + static_cast<double>(grid_steps_) * h_;
      if (std::abs(t_ - on_grid) > 1e-9 * h_) grid_start_ = t_, grid_steps_ = 0;
    }
  }

  static bool differs_beyond_rounding(const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > 16 * std::numeric_limits<double>::epsilon() * std::fmax(1.0, std::abs(b[i]))) return true;
    }
    return false;
  }

  int worst_entry() const {
    const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(error_.begin(), error_.end(), larger) - error_.begin());
  }

  /// Cubic through the values and slopes at both ends of the step.
  void hermite(double t, Vector& y) const {
    const double h = t_ - t_old_, s = (t - t_old_) / h;
    const double b = s * s * (3 - 2 * s), a = 1 - b, c = h * s * (1 - s) * (1 - s), d = h * s * s * (s - 1);
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = a * y_old_[i] + b * y_[i] + c * f_old_[i] + d * f_[i];
  }

  IntegratorSettings settings_;
  IntegratorLimits limits_;
  Ode& ode_;
  CheckedRhs rhs_;
  Stages stages_;
  Method method_;
  odeint::default_error_checker<double, odeint::range_algebra, odeint::default_operations> checker_;
  odeint::default_step_adjuster<double, double> adjuster_;
  Vector y_old_, y_new_, y_raw_, f_, f_old_, f_new_, error_;
  bool f_is_current_ = false;         // f_ is the rate at the present state
  double h_ = 0;                      // next step
  std::int64_t rejected_before_ = 0;  // rejected steps before the present one
  double grid_start_ = 0;             // fixed steps: time of the first, and how many since
  std::int64_t grid_steps_ = 0;
};

}  // namespace arthron::runge_kutta
