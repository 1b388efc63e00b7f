#pragma once
#include "arthron/integrate/gauss_table.hpp"
#include "arthron/integrate/methods.hpp"

namespace arthron::runge_kutta {

/// Gauss's method with s stages, order 2 s: symmetric, and symplectic where y = [q; p] are canonical, so that the energy of a conservative
/// model stays within a bound instead of drifting. An Ode with constraints is stepped freely between impulses at the Lobatto nodes, which
/// are found so that the constraints are met there.
///   K_i = free_rhs(t + c_i h, y + h sum_j a_ij K_j + sum_n toward_in k_n),     k_n = impulse(node n, e_n),
///   y_new = y + h sum_j b_j K_j + sum_n weight_n k_n,     e_n such that opening(node m) = 0 for m > 0
/// Both are iterated together until rounding keeps them from coming closer: an iteration that stops at a tolerance leaves an error of one
/// sign, which adds up (Hairer, McLachlan, Razakarivony, BIT 48, 2008).
template <std::size_t s>
class Gauss {
 public:
  static constexpr int order = 2 * static_cast<int>(s), error_order = 0;
  static constexpr bool adaptive = false, first_same_as_last = false, interpolates = true;

  void make_room(Ode& ode) {
    constraints_ = ode.constraints();
    const std::size_t n = static_cast<std::size_t>(ode.size()), m = constraints_ ? static_cast<std::size_t>(constraints_->openings()) : 0;
    for (Vector* v : {&start_, &point_}) v->assign(n, 0.0);
    for (Vector& v : K_) v.assign(n, 0.0);
    for (Vector& v : next_) v.assign(n, 0.0);
    for (Vector& v : k_) v.assign(constraints_ ? n : 0, 0.0);
    for (Vector& v : e_) v.assign(m, 0.0);
    for (Vector& v : g_) v.assign(m, 0.0);
    forget();
    knowledge_ = 1 + n * (s + 1) + m * s;
  }

  /// What the next guess starts from.
  void forget() { h_ = 0; }
  void save(Vector& carried) const {
    carried.reserve(knowledge_);
    carried.assign(1, h_);
    if (h_ != 0) for_knowledge(*this, [&](const Vector& v) { carried.insert(carried.end(), v.begin(), v.end()); });
  }
  void recall(const Vector& carried) {
    if (carried.size() != knowledge_) return forget();
    auto from = carried.begin();
    h_ = *from++;
    for_knowledge(*this, [&](Vector& v) { std::copy_n(from, v.size(), v.begin()), from += static_cast<std::ptrdiff_t>(v.size()); });
  }

  /// False when the iteration does not converge; s.error then says which states kept it.
  bool trial(Stages& stages, const Trial& step) {
    guess(step);
    if (!iterate(stages.rhs, step) || !stages.rhs.status().ok()) return false;
    start_ = step.f, h_ = step.h;
    add_rates(step, table.b, step.y_new);
    if (constraints_) close(stages.rhs, step);
    return stages.rhs.status().ok();
  }

  /// Between the ends of the last step, a cubic with slopes of weights `at_start` and `at_end`, which have the constraints' part besides
  /// the Ode's: that of the impulses.
  void add_pulls(double at_start, double at_end, Vector& y) const {
    if (!constraints_) return;
    add(at_start / h_, k_[0], y), add(at_end / h_, k_[s], y);
  }

 private:
  static constexpr GaussTable<s> table = gauss_table<s>();

  template <class Self, class Action>
  static void for_knowledge(Self& self, Action action) {
    action(self.start_);
    for (auto& v : self.K_) action(v);
    for (auto& v : self.e_) action(v);
  }

  /// Rates of the stages from the polynomial through those of the last step, at its start and at its stages, and the present one; impulses
  /// likewise, from those of the last step alone.
  void guess(const Trial& step) {
    if (h_ == 0) {
      for (Vector& K : K_) K = step.f;
      for (Vector& e : e_) std::fill(e.begin(), e.end(), 0.0);
    } else {
      const double ratio = step.h / h_;
      std::array<double, s + 2> nodes{-1};
      for (std::size_t j = 0; j < s; ++j) nodes[j + 1] = table.c[j] - 1;
      std::array<std::array<double, s + 2>, s> weights;
      for (std::size_t i = 0; i < s; ++i) weights[i] = lagrange(nodes, table.c[i] * ratio);
      for (std::size_t i = 0; i < step.y.size(); ++i) {
        std::array<double, s> K{};
        for (std::size_t a = 0; a < s; ++a) {
          K[a] = weights[a][0] * start_[i] + weights[a][s + 1] * step.f[i];
          for (std::size_t j = 0; j < s; ++j) K[a] += weights[a][j + 1] * K_[j][i];
        }
        for (std::size_t a = 0; a < s; ++a) K_[a][i] = K[a];
      }
      guess_impulses(ratio);
    }
  }

  void guess_impulses(double ratio) {
    std::array<double, s> nodes{};
    for (std::size_t n = 0; n < s; ++n) nodes[n] = table.node[n] - 1;
    std::array<std::array<double, s>, s> weights;
    for (std::size_t n = 0; n < s; ++n) weights[n] = lagrange(nodes, table.node[n] * ratio);
    for (std::size_t i = 0; i < e_[0].size(); ++i) {
      std::array<double, s> e{};
      for (std::size_t n = 0; n < s; ++n)
        for (std::size_t j = 0; j < s; ++j) e[n] += ratio * weights[n][j] * e_[j][i];
      for (std::size_t n = 0; n < s; ++n) e_[n][i] = e[n];
    }
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

  /// Until the rates of the stages no longer come closer. They are at rounding then, however large that is on the model; an iteration that
  /// stays above `far` has not converged.
  bool iterate(CheckedRhs& rhs, const Trial& step) {
    constexpr int most = 100, patience = 2;
    constexpr double far = 1e-9, nothing = 1e-3 * std::numeric_limits<double>::epsilon();
    double smallest = std::numeric_limits<double>::infinity(), last = smallest;
    for (int i = 0, stalled = 0; i < most; ++i) {
      if (constraints_) find_impulses(rhs, step);
      evaluate_stages(rhs, step);
      if (constraints_) answer_openings(step);
      if (!rhs.status().ok()) {
        // Where the iteration ran away, the failure is not the model's.
        if (last > smallest) rhs.forgive();
        return false;
      }
      last = take_over(step);
      stalled = last < smallest ? 0 : stalled + 1;
      smallest = std::fmin(smallest, last);
      if (last <= nothing || (smallest < far && stalled == patience)) return true;
    }
    return false;
  }

  /// Impulses at the nodes before the last.
  void find_impulses(CheckedRhs& rhs, const Trial& step) {
    for (std::size_t n = 0; n < s; ++n) {
      place_node(n, step);
      rhs.attempt([&] { return constraints_->impulse(step.t + table.node[n] * step.h, point_.data(), e_[n].data(), k_[n].data()); });
    }
  }

  void evaluate_stages(CheckedRhs& rhs, const Trial& step) {
    for (std::size_t a = 0; a < s; ++a) {
      add_rates(step, table.a[a], point_);
      for (std::size_t n = 0; constraints_ && n < s; ++n) add(table.toward[a][n], k_[n], point_);
      const double t = step.t + table.c[a] * step.h;
      if (constraints_)
        rhs.evaluate(*constraints_, t, point_.data(), next_[a].data());
      else
        rhs.evaluate(t, point_.data(), next_[a].data());
    }
  }

  /// Newton's step for the impulses: an impulse that opens with the rate e moves the nodes by h reach toward e.
  void answer_openings(const Trial& step) {
    K_.swap(next_);
    for (std::size_t n = 1; n <= s; ++n) {
      place_node(n, step);
      constraints_->opening(step.t + table.node[n] * step.h, point_.data(), g_[n - 1].data());
    }
    K_.swap(next_);
    for (std::size_t n = 0; n < s; ++n)
      for (std::size_t m = 0; m < s; ++m) add(-table.answer[n][m] / step.h, g_[m], e_[n]);
  }

  /// The new rates in place of the old ones; their largest change, as a part of the state.
  double take_over(const Trial& step) {
    constexpr double small = 0.1;  // states below count as if they were this large
    double largest = 0;
    for (std::size_t i = 0; i < step.y.size(); ++i) {
      double change = 0;
      for (std::size_t a = 0; a < s; ++a) change = std::fmax(change, std::abs(next_[a][i] - K_[a][i]));
      step.error[i] = step.h * change / std::fmax(small, std::abs(step.y[i]));
      largest = std::fmax(largest, step.error[i]);
    }
    K_.swap(next_);
    return largest;
  }

  /// Impulses of the step, and the last one.
  void close(CheckedRhs& rhs, const Trial& step) {
    for (std::size_t n = 0; n < s; ++n) add(table.weight[n], k_[n], step.y_new);
    point_ = step.y_new;
    rhs.attempt([&] { return constraints_->settle(step.t + step.h, step.y_new.data()); });
    for (std::size_t i = 0; i < point_.size(); ++i) k_[s][i] = (step.y_new[i] - point_[i]) / table.weight[s];
  }

  void place_node(std::size_t n, const Trial& step) { add_rates(step, table.reach[n], point_); }

  void add_rates(const Trial& step, const std::array<double, s>& weights, Vector& y) const {
    for (std::size_t i = 0; i < y.size(); ++i) {
      double rate = 0;
      for (std::size_t j = 0; j < s; ++j) rate += weights[j] * K_[j][i];
      y[i] = step.y[i] + step.h * rate;
    }
  }

  static void add(double factor, const Vector& from, Vector& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
  }

  Constraints* constraints_ = nullptr;
  double h_ = 0;                    // of the last step, 0 when there is none
  Vector start_;                    // rate at the last step's start
  std::array<Vector, s> K_, next_;  // rates of the stages, and those to come
  std::array<Vector, s> e_, g_;     // rates with which the impulses would open the constraints; openings at the later nodes
  std::array<Vector, s + 1> k_;     // impulses
  Vector point_;
  std::size_t knowledge_ = 1;  // numbers that save() writes
};

}  // namespace arthron::runge_kutta
