#pragma once
#include "arthron/integrate/error_measure.hpp"
#include "arthron/integrate/methods.hpp"
#include "arthron/integrate/starting_step.hpp"
#include "arthron/integrate/step_length.hpp"

namespace arthron::runge_kutta {

/// A method that iterates, from a guess by what it carries from the step before.
template <class Method>
concept Implicit = requires(Method method, std::vector<double>& carried) {
  method.save(carried), method.recall(carried);
};

/// Walks with one of the methods above; allocates nothing after start. A step is accepted when max_i |e_i| / (atol + rtol |y_i|) <= 1,
/// errors e and sizes y as the Ode measures them at the end of the step, those of y at its beginning where it does not;
/// the next step is as long as the error suggests, and after a rejected one no longer than the last. A trial in which the right-hand side
/// fails is a rejected step. Fixed-step methods have no smaller step to try: they stop at the first failure.
template <class Method>
class Walker final : public Integrator {
 public:
  Walker(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode)
      : settings_(settings), limits_(limits), ode_(ode), rhs_(ode, statistics_), stages_{rhs_} {}

  Status start(double t0, const Vector& y0) override {
    make_room(y0);
    y_ = y0, t_ = t_old_ = t0;
    grid_start_ = t0, grid_steps_ = 0;
    corrected_ = limited_ = false;
    rhs_.forgive();
    rhs_.evaluate(t0, y_.data(), f_.data());
    if (!rhs_.status().ok()) return rhs_.status();
    f_is_current_ = true;
    if constexpr (Implicit<Method>) method_.forget();
    if constexpr (Method::adaptive) {
      h_ = starting_step(rhs_, t0, y_, f_, Method::order, settings_);
    } else {
      h_ = settings_.step;
    }
    trial_.y = y_, trial_.f = f_;
    note_knowledge(t0);
    std::swap(last_, trial_);
    return {};
  }

  Status step(double t_limit) override {
    if (t_ >= t_limit) return {};
    remember(memory_before_);
    const Status status = find_step(t_limit);
    if (!status.ok()) recall(memory_before_);
    return status;
  }

  StepRecord last_step() const override { return limited_ ? unlimited_ : last_; }

  Status repeat(const StepRecord& record) override {
    if (record.anew) {
      statistics_ = record.statistics;
      recall(record.memory);
      return start(record.t, record.y);
    }
    make_room(record.y);
    rewind(record);
    return {};
  }

  void reopen() override {
    if (limited_) rewind(unlimited_);
  }

  Status interpolate(double t, Vector& y) override {
    if (t == t_ || t_old_ == t_) {
      y = y_;
    } else if (t == t_old_) {
      y = last_.y;
    } else if (const Status status = know_rate(); !status.ok()) {
      return status;
    } else if constexpr (requires { method_.stepper.calc_state(t, y, last_.y, last_.f, t_old_, y_, f_, t_); }) {
      method_.stepper.calc_state(t, y, last_.y, last_.f, t_old_, y_, f_, t_);
    } else {
      hermite(t, y);
    }
    return {};
  }
  bool interpolates() const override { return Method::interpolates; }

 private:
  /// Tries steps of decreasing length until one is accepted.
  Status find_step(double t_limit) {
    if (const Status status = correct(); !status.ok()) return status;
    note_knowledge(t_limit);
    // However short the step that was planned, one is tried.
    double h = Method::adaptive ? std::fmax(std::fmin(h_, limits_.max_step), smallest_step(t_, t_limit)) : h_;
    Status last_failure{Status::Code::step_too_small, -1};
    bool limited = false;
    while (statistics_.accepted + statistics_.rejected < limits_.max_steps) {
      const double t_new = end_of_step(h, t_limit);
      const double dt = t_new - t_;
      limited = limited || t_new != end_of_step(h, std::numeric_limits<double>::infinity());
      if (Method::adaptive && h < smallest_step(t_, t_limit)) return last_failure;
      const double error = try_step(t_new, dt);
      if (error <= 1) {
        accept(t_new, dt, error);
        if (limited && Method::interpolates && !limited_) limited_ = true, unlimited_ = last_;
        return {};
      }
      ++statistics_.rejected;
      last_failure = rhs_.status().ok() ? Status{Status::Code::step_too_small, ode_.element_of(worst_entry())} : rhs_.status();
      if constexpr (Implicit<Method>) method_.recall(trial_.carried);
      if constexpr (!Method::adaptive) return last_failure;
      h = next_step_length(dt, error, Method::error_order + 1, 1);
    }
    return {Status::Code::too_many_steps, ode_.element_of(worst_entry())};
  }

  void make_room(const Vector& y) {
    if constexpr (Implicit<Method>)
      method_.make_room(ode_);
    else
      method_.stepper.adjust_size(y);
    for (StepRecord* record : {&trial_, &last_, &unlimited_}) {
      record->y.assign(y.size(), 0.0), record->f.assign(y.size(), 0.0);
      remember(record->memory);
      if constexpr (Implicit<Method>) method_.save(record->carried);
    }
    for (Vector* v : {&y_new_, &f_, &f_new_, &error_, &sizes_}) v->assign(y.size(), 0.0);
    remember(memory_before_);
    y_ = y;
  }

  void remember(Vector& memory) const { memory.assign(ode_.memory().begin(), ode_.memory().end()); }
  void recall(const Vector& memory) { std::copy(memory.begin(), memory.end(), ode_.memory().begin()); }

  /// All of the step that begins now but its state.
  void note_knowledge(double t_limit) {
    trial_.t = t_, trial_.limit = t_limit, trial_.h = h_;
    trial_.grid_start = grid_start_, trial_.grid_steps = grid_steps_;
    trial_.statistics = statistics_;
    remember(trial_.memory);
    if constexpr (Implicit<Method>) method_.save(trial_.carried);
  }

  /// Back to the beginning of a step.
  void rewind(const StepRecord& record) {
    last_ = record;
    t_ = t_old_ = last_.t, y_ = last_.y, f_ = last_.f, h_ = last_.h;
    grid_start_ = last_.grid_start, grid_steps_ = last_.grid_steps;
    statistics_ = last_.statistics;
    recall(last_.memory);
    if constexpr (Implicit<Method>) method_.recall(last_.carried);
    corrected_ = last_.limit > last_.t, limited_ = false;
    f_is_current_ = true;
  }

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
    const Trial trial{t_, dt, trial_.y, trial_.f, y_new_, f_new_, error_};
    if constexpr (Implicit<Method>) {
      if (!method_.trial(stages_, trial)) return failed;
    } else {
      method_.trial(stages_, trial);
    }
    rhs_.require_finite(y_new_.data());
    if (!rhs_.status().ok()) return failed;
    if constexpr (!Method::adaptive) return 0;
    // A shorter step may end where the rate is defined; a fixed one meets the failure when it goes on.
    if constexpr (!Method::first_same_as_last) rhs_.evaluate(t_new, y_new_.data(), f_new_.data());
    sizes_ = trial_.y;
    rhs_.measure(t_new, y_new_.data(), error_.data(), sizes_.data());
    const double error = in_tolerances(error_, sizes_, settings_.absolute_tolerance, settings_.relative_tolerance);
    return rhs_.status().ok() && !std::isnan(error) ? error : failed;
  }

  /// The rate at the present state, where the method's last stage did not leave it.
  Status know_rate() {
    if (f_is_current_) return {};
    rhs_.forgive();
    rhs_.evaluate(t_, y_.data(), f_.data());
    f_is_current_ = rhs_.status().ok();
    return rhs_.status();
  }

  /// Lets the Ode correct the state the next step starts from, in trial_. The step before keeps the state it ended with, so that
  /// interpolation between its ends sees no jump.
  Status correct() {
    trial_.y = y_, trial_.f = f_;
    const bool changed = !corrected_ && ode_.after_step(t_, trial_.y.data());
    // Adaptive methods know the rate anyhow; of the others it depends on whether somebody interpolated, which must not change the motion.
    if (f_is_current_ && !(changed && (!Method::adaptive || is_corrected_beyond_rounding()))) return {};
    rhs_.forgive();
    rhs_.evaluate(t_, trial_.y.data(), trial_.f.data());
    return rhs_.status();
  }

  void accept(double t_new, double dt, double error) {
    ++statistics_.accepted;
    statistics_.last_step = dt;
    std::swap(last_, trial_);
    y_.swap(y_new_), f_.swap(f_new_);
    f_is_current_ = Method::adaptive;
    t_old_ = t_, t_ = t_new;
    corrected_ = false;
    if constexpr (Method::adaptive) {
      const bool rejected = statistics_.rejected != last_.statistics.rejected;
      const double next = next_step_length(dt, error, Method::error_order + 1, rejected ? 1 : 5);
      // A step cut short by the limit says nothing against the step planned before it.
      const bool cut = dt < 0.999 * h_ && !rejected;
      h_ = cut ? std::fmax(h_, next) : next;
    } else {
      ++grid_steps_;
      const double on_grid = grid_start_ + static_cast<double>(grid_steps_) * h_;
      if (std::abs(t_ - on_grid) > 1e-9 * h_) grid_start_ = t_, grid_steps_ = 0;
    }
  }

  /// Whether trial_.y is y_ but for rounding. What entries of a state are small against are the values that they have themselves, now or a
  /// step ago: momenta have no size of their own.
  [[nodiscard]] bool is_corrected_beyond_rounding() const {
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (std::abs(trial_.y[i] - y_[i]) > rounding * std::fmax(std::abs(y_[i]), std::abs(last_.y[i]))) return true;
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
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = a * last_.y[i] + b * y_[i] + c * last_.f[i] + d * f_[i];
    if constexpr (Implicit<Method>) method_.add_pulls(c, d, y);
  }

  IntegratorSettings settings_;
  IntegratorLimits limits_;
  Ode& ode_;
  CheckedRhs rhs_;
  Stages stages_;
  Method method_;
  StepRecord last_, trial_;  // the last accepted step, and the one that is tried
  StepRecord unlimited_;     // the first step that had to heed its limit, where there was one: limited_
  bool limited_ = false;
  Vector y_new_, f_, f_new_, error_, sizes_, memory_before_;
  bool f_is_current_ = false;  // f_ is the rate at the present state
  double h_ = 0;               // next step
  double grid_start_ = 0;      // fixed steps: time of the first, and how many since
  std::int64_t grid_steps_ = 0;
  bool corrected_ = false;  // y_ is the corrected state of a step that is repeated
};

}  // namespace arthron::runge_kutta
