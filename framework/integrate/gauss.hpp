#pragma once
#include "arthron/integrate/anderson.hpp"
#include "arthron/integrate/gauss_table.hpp"
#include "arthron/integrate/methods.hpp"

namespace arthron::runge_kutta {

/// Gauss's method with s stages, order 2 s: symmetric, and symplectic where y = [q; p] are canonical, so that the energy of a conservative
/// model stays within a bound instead of drifting. An Ode with constraints is stepped freely between impulses at the Lobatto nodes, which
/// are found so that the constraints are met there.
///   K_a = free_rhs(t + c_a h, y + h sum_b a_ab K_b + sum_n toward_an k_n),     k_n = impulse(node n, e_n),
///   y_new = y + h sum_b b_b K_b + sum_n weight_n k_n,     e_n such that opening(node m) = 0 for m > 0
/// Rates K and e are iterated together until rounding keeps them from coming closer: an iteration that stops at a tolerance leaves an error
/// of one sign, which adds up (Hairer, McLachlan, Razakarivony, BIT 48, 2008).
template <std::size_t s>
class Gauss {
 public:
  static constexpr int order = 2 * static_cast<int>(s), error_order = 0;
  static constexpr bool adaptive = false, first_same_as_last = false, interpolates = true;

  void make_room(Ode& ode) {
    ode_ = &ode;
    constraints_ = ode.constraints();
    states_ = static_cast<std::size_t>(ode.size());
    openings_ = constraints_ ? static_cast<std::size_t>(constraints_->openings()) : 0;
    const std::size_t rates = s * (states_ + openings_);
    for (Vector* v : {&rates_, &next_, &weight_}) v->assign(rates, 0.0);
    for (Vector* v : {&start_, &point_, &size_}) v->assign(states_, 0.0);
    for (Vector& v : k_) v.assign(constraints_ ? states_ : 0, 0.0);
    for (Vector& v : g_) v.assign(openings_, 0.0);
    anderson_.make_room(rates);
    forget();
  }

  /// What the next guess starts from: length of the last step, the rate at its start, and its rates.
  void forget() { h_ = 0; }
  void save(Vector& carried) const {
    carried.reserve(1 + start_.size() + rates_.size());
    carried.assign(1, h_);
    if (h_ == 0) return;
    for (const Vector* v : {&start_, &rates_}) carried.insert(carried.end(), v->begin(), v->end());
  }
  void recall(const Vector& carried) {
    if (carried.size() != 1 + start_.size() + rates_.size()) return forget();
    h_ = carried.front();
    std::copy_n(carried.begin() + 1, start_.size(), start_.begin());
    std::copy_n(carried.end() - static_cast<std::ptrdiff_t>(rates_.size()), rates_.size(), rates_.begin());
  }

  /// False when the iteration does not converge; step.error then says which states kept it from it.
  bool trial(Stages& stages, const Trial& step) {
    guess(step);
    if (!iterate(stages.rhs, step)) return false;
    start_ = step.f, h_ = step.h;
    advance(step, table.b, rates_, step.y_new);
    if (constraints_) close(stages.rhs, step);
    return stages.rhs.status().ok();
  }

  /// Gives a cubic between the ends of the last step the constraints' part of its slopes, which have the weights `at_start` and `at_end`.
  void add_pulls(double at_start, double at_end, Vector& y) const {
    if (!constraints_) return;
    add(at_start / h_, k_[0].data(), y.data(), states_), add(at_end / h_, k_[s].data(), y.data(), states_);
  }

 private:
  static constexpr GaussTable<s> table = gauss_table<s>();
  static constexpr double small = 0.1;  // what tolerances speak of, and openings, are measured with at least this [m, rad, m/s, rad/s]

  // Of all rates: those of stage a, and those of the impulse at node n.
  [[nodiscard]] std::size_t stage(std::size_t a) const { return a * states_; }
  [[nodiscard]] std::size_t impulse(std::size_t n) const { return s * states_ + n * openings_; }

  /// From the polynomial through the rates of the last step, at its start and at its stages, and the present one; impulses likewise, from
  /// those of the last step alone.
  void guess(const Trial& step) {
    if (h_ == 0) {
      std::fill(rates_.begin(), rates_.end(), 0.0);
      for (std::size_t a = 0; a < s; ++a) std::copy(step.f.begin(), step.f.end(), at(rates_, stage(a)));
      return;
    }
    const double ratio = step.h / h_;
    std::array<double, s + 2> times{-1};  // the last is 0
    std::array<double, s> nodes;
    for (std::size_t j = 0; j < s; ++j) times[j + 1] = table.c[j] - 1, nodes[j] = table.node[j] - 1;
    std::fill(next_.begin(), next_.end(), 0.0);
    for (std::size_t a = 0; a < s; ++a) {
      const std::array<double, s + 2> of_rates = lagrange(times, ratio * table.c[a]);
      const std::array<double, s> of_impulses = lagrange(nodes, ratio * table.node[a]);
      add(of_rates.front(), start_.data(), at(next_, stage(a)), states_), add(of_rates.back(), step.f.data(), at(next_, stage(a)), states_);
      for (std::size_t j = 0; j < s; ++j) {
        add(of_rates[j + 1], at(rates_, stage(j)), at(next_, stage(a)), states_);
        add(ratio * of_impulses[j], at(rates_, impulse(j)), at(next_, impulse(a)), openings_);
      }
    }
    rates_.swap(next_);
  }

  template <std::size_t count>
  static std::array<double, count> lagrange(const std::array<double, count>& nodes, double x) {
    std::array<double, count> weights;
    for (std::size_t i = 0; i < count; ++i) {
      weights[i] = 1;
      for (std::size_t j = 0; j < count; ++j)
        if (j != i) weights[i] *= (x - nodes[j]) / (nodes[i] - nodes[j]);
    }
    return weights;
  }

  /// Until the rates no longer come closer: they are at rounding then, however large that is on the model. An iteration that stays above
  /// `far` has not converged. One that is slow is accelerated, but not among rounding errors.
  bool iterate(CheckedRhs& rhs, const Trial& step) {
    constexpr int most = 100, patience = 2;
    constexpr double far = 1e-9, near = std::numeric_limits<double>::epsilon(), nothing = 1e-3 * near, slow = 0.3, growth = 10;
    // Next to rounding, what comes closer by less than a tenth comes no closer: openings in singular positions do for ever.
    constexpr double beside = 1e3 * near, standing = 0.9;
    double smallest = std::numeric_limits<double>::infinity(), before = smallest, ceiling = smallest;
    weigh(step);
    anderson_.restart();
    bool accelerates = false;
    for (int i = 0, stalled = 0; i < most; ++i) {
      evaluate(rhs, step);
      if (!rhs.status().ok()) {
        // Where the iteration ran away, the failure is not the model's.
        if (before > smallest) rhs.forgive();
        return false;
      }
      const double change = largest_change(step);
      stalled = change < (change < beside ? standing : 1) * smallest ? 0 : stalled + 1;
      accelerates |= i > 0 && change > slow * before && change > far;
      before = change;
      if (stalled == 0) smallest = ceiling = change;
      // The longer it does not come closer, the more may rounding be to blame.
      ceiling = std::fmin(far, std::fmax(growth * ceiling, near));
      const bool at_rounding = change < near ? stalled > 0 : stalled >= patience && change < ceiling;
      const bool there = change <= nothing || at_rounding;
      const bool among_rounding = change < near || (change < far && stalled > 0);
      if (accelerates && !among_rounding) anderson_.improve(rates_, weight_, next_);
      rates_.swap(next_);
      if (there) return true;
    }
    return false;
  }

  /// What a change of each rate means: a part of the state, or of the velocity that goes with a momentum, which counts as at least `small`.
  void weigh(const Trial& step) {
    std::fill(weight_.begin(), weight_.end(), step.h / small);
    ode_->allowances(step.t, step.y.data(), small, 0, size_.data());
    for (std::size_t a = 0; a < s; ++a)
      for (std::size_t i = 0; i < states_; ++i) weight_[stage(a) + i] = step.h / std::fmax(size_[i], std::abs(step.y[i]));
  }

  /// Of the states by new rates of the stages, and of the constraints.
  double largest_change(const Trial& step) const {
    double largest = 0;
    for (std::size_t i = 0; i < states_; ++i) {
      step.error[i] = 0;
      for (std::size_t a = 0; a < s; ++a)
        step.error[i] = std::fmax(step.error[i], weight_[i] * std::abs(next_[stage(a) + i] - rates_[stage(a) + i]));
      largest = std::fmax(largest, step.error[i]);
    }
    for (const Vector& g : g_)
      for (const double opening : g) largest = std::fmax(largest, std::abs(opening) / small);
    return largest;
  }

  /// The rates that follow from the present ones.
  void evaluate(CheckedRhs& rhs, const Trial& step) {
    for (std::size_t n = 0; constraints_ && n < s; ++n) {
      advance(step, table.reach[n], rates_, point_);
      rhs.attempt(
          [&] { return constraints_->impulse(step.t + table.node[n] * step.h, point_.data(), at(rates_, impulse(n)), k_[n].data()); });
    }
    for (std::size_t a = 0; a < s; ++a) {
      advance(step, table.a[a], rates_, point_);
      for (std::size_t n = 0; constraints_ && n < s; ++n) add(table.toward[a][n], k_[n].data(), point_.data(), states_);
      const double t = step.t + table.c[a] * step.h;
      if (constraints_)
        rhs.evaluate(*constraints_, t, point_.data(), at(next_, stage(a)));
      else
        rhs.evaluate(t, point_.data(), at(next_, stage(a)));
    }
    if (constraints_ && rhs.status().ok()) answer_openings(step);
  }

  /// Newton's step for the impulses: one that opens with the rate e moves the nodes by h reach toward e.
  void answer_openings(const Trial& step) {
    for (std::size_t n = 0; n < s; ++n) {
      advance(step, table.reach[n + 1], next_, point_);
      constraints_->opening(step.t + table.node[n + 1] * step.h, point_.data(), g_[n].data());
    }
    for (std::size_t n = 0; n < s; ++n) {
      std::copy_n(at(rates_, impulse(n)), openings_, at(next_, impulse(n)));
      for (std::size_t m = 0; m < s; ++m) add(-table.answer[n][m] / step.h, g_[m].data(), at(next_, impulse(n)), openings_);
    }
  }

  /// Adds the impulses of the step, and the last one.
  void close(CheckedRhs& rhs, const Trial& step) {
    for (std::size_t n = 0; n < s; ++n) add(table.weight[n], k_[n].data(), step.y_new.data(), states_);
    point_ = step.y_new;
    rhs.attempt([&] { return constraints_->settle(step.t + step.h, step.y_new.data()); });
    for (std::size_t i = 0; i < states_; ++i) k_[s][i] = (step.y_new[i] - point_[i]) / table.weight[s];
  }

  /// y = step.y + h sum_a weights_a K_a.
  void advance(const Trial& step, const std::array<double, s>& weights, const Vector& rates, Vector& y) const {
    for (std::size_t i = 0; i < states_; ++i) {
      double rate = 0;
      for (std::size_t a = 0; a < s; ++a) rate += weights[a] * rates[stage(a) + i];
      y[i] = step.y[i] + step.h * rate;
    }
  }

  static double* at(Vector& v, std::size_t place) { return v.data() + place; }
  static void add(double factor, const double* from, double* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
  }

  Ode* ode_ = nullptr;
  Constraints* constraints_ = nullptr;
  std::size_t states_ = 0, openings_ = 0;
  double h_ = 0;                 // of the last step, 0 when there is none
  Vector start_;                 // rate at the last step's start
  Vector rates_, next_;          // of the stages and of the impulses, and those to come
  Vector weight_;                // of a change of each rate
  std::array<Vector, s> g_;      // openings at the nodes behind the first
  std::array<Vector, s + 1> k_;  // impulses at the nodes
  Vector point_;
  Vector size_;  // below which states are small
  Anderson anderson_;
};

}  // namespace arthron::runge_kutta
