#pragma once
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/integrate/integrator.hpp"

namespace arthron {

/// Walks all variants of a LanePlan through time together, with the fixed-step methods rk2 and rk4: step by step what Walker does with each
/// of them alone. A variant that fails stays in the state of its last good step, and the others go on. Allocates nothing after start.
class LaneWalker {
 public:
  LaneWalker(const LanePlan& plan, LaneWorkspace& work, const IntegratorSettings& settings);

  /// Which methods it has.
  [[nodiscard]] static bool knows(const std::string& type) { return type == "rk2" || type == "rk4"; }

  void start(double t0, const std::vector<Lanes>& y0);
  /// One step, never past `t_limit` and exactly onto it when it comes within reach.
  void step(double t_limit);
  /// State at t in the last step.
  void interpolate(double t, std::vector<Lanes>& y);

  [[nodiscard]] double time() const { return t_; }
  /// Where the last good step of each variant ended.
  [[nodiscard]] const std::vector<Lanes>& state() const { return y_; }
  [[nodiscard]] const PerLane<Status>& status() const { return status_; }
  [[nodiscard]] const PerLane<IntegratorStatistics>& statistics() const { return statistics_; }
  /// The variant takes no further part.
  void leave(std::size_t lane, const Status& status) { status_[lane] = status; }

 private:
  void rhs(double t, const std::vector<Lanes>& y, std::vector<Lanes>& dydt);
  void trial(double h);
  void correct();
  void know_rate();
  void note(std::size_t lane, const Status& status);
  void require_finite(std::vector<Lanes>& values);
  [[nodiscard]] double end_of_step(double t_limit) const;

  const LanePlan& plan_;
  LaneWorkspace& work_;
  bool midpoint_;
  double h_, t_ = 0, t_old_ = 0;
  double grid_start_ = 0;  // time of the first step, and how many since
  std::int64_t grid_steps_ = 0;
  std::vector<Lanes> y_, f_, y_old_, f_old_, y_new_;
  std::vector<Lanes> k2_, k3_, k4_, stage_;
  bool f_is_current_ = false;
  PerLane<Status> status_;
  PerLane<IntegratorStatistics> statistics_;
};

}  // namespace arthron
