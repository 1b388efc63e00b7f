#pragma once
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/integrate/integrator.hpp"

namespace arthron {

class LaneMethod;

/// What a LaneWalker has to know; tolerances of each variant.
struct LaneSettings {
  std::string method;
  double step = 0;  // of fixed-step methods; of adaptive ones the first that is tried [s]
  IntegratorLimits limits{};
  Lanes absolute_tolerance{}, relative_tolerance{};
  std::vector<Lanes> sizes{};            // of internal states, as PlanOde has them
  bool reanchor = true, project = true;  // what keeps loops closed, see PlanOde::Upkeep
  Lanes opening{};                       // that the projection leaves alone [m]
  bool follows = false;                  // some joint or ground is driven, which loops may contradict
};

/// Walks all variants of a LanePlan through time together, step by step what runge_kutta::Walker does with each of them alone; adaptive
/// methods take the steps of the variant that wants the shortest. A variant that fails stays in the state of its last good step, and the
/// others go on. Allocates nothing after start.
class LaneWalker {
 public:
  LaneWalker(const LanePlan& plan, LaneWorkspace& work, LaneSettings settings);
  ~LaneWalker();
  LaneWalker(const LaneWalker&) = delete;
  LaneWalker& operator=(const LaneWalker&) = delete;

  /// Which methods it has.
  [[nodiscard]] static bool knows(const std::string& type);

  /// `workspaces`: of the variants, where cut joints are where they start.
  void start(double t0, const std::vector<Lanes>& y0, const PerLane<const Workspace*>& workspaces);
  /// One step, never past `t_limit` and exactly onto it when it comes within reach.
  void step(double t_limit);
  /// State at t in the last step; loops are closed there.
  void interpolate(double t, std::vector<Lanes>& y);

  [[nodiscard]] double time() const { return t_; }
  /// Where the last good step of each variant ended.
  [[nodiscard]] const std::vector<Lanes>& state() const { return y_; }
  [[nodiscard]] const PerLane<Status>& status() const { return status_; }
  /// The variant wants steps that are not for the others: it has to go on alone.
  [[nodiscard]] bool leaves(std::size_t lane) const { return leaves_[lane]; }
  /// Loops of the variant open at a rate that is no rounding, so that its drives may contradict them.
  [[nodiscard]] bool may_open(std::size_t lane) const { return may_open_[lane]; }
  [[nodiscard]] const PerLane<IntegratorStatistics>& statistics() const { return statistics_; }
  /// The variant takes no further part.
  void leave(std::size_t lane, const Status& status) { status_[lane] = status; }

 private:
  friend struct LaneStages;
  void rhs(double t, const std::vector<Lanes>& y, std::vector<Lanes>& dydt);
  [[nodiscard]] bool is_accepted(double t_new, double h);
  void accept(double t_new, double h);
  void plan_step(double h, bool rejected);
  /// Errors of the trial in units of the tolerance.
  [[nodiscard]] Lanes measure(double t_new);
  void correct();
  /// True when the rate of y_old_ is known with it.
  [[nodiscard]] bool keep_closed();
  void know_rate();
  void note(std::size_t lane, const Status& status);
  void require_finite(std::vector<Lanes>& values);
  void count_evaluation();
  [[nodiscard]] LaneMask going() const;
  [[nodiscard]] bool is_going(std::size_t lane) const { return status_[lane].ok() && !leaves_[lane]; }
  [[nodiscard]] bool any_going() const;
  [[nodiscard]] double end_of_step(double h, double t_limit) const;

  const LanePlan& plan_;
  LaneWorkspace& work_;
  LaneSettings settings_;
  std::unique_ptr<LaneMethod> method_;
  double h_, t_ = 0, t_old_ = 0;
  double grid_start_ = 0;  // time of the first step, and how many since
  std::int64_t grid_steps_ = 0;
  double error_ = 0;     // of the last trial, of the worst lane
  double rounding_ = 0;  // of velocities, in units of the largest
  std::vector<Lanes> y_, f_, y_old_, f_old_, y_new_, f_new_, errors_, other_;
  std::vector<Lanes> velocities_;  // at the end of a trial
  bool f_is_current_ = false;
  PerLane<Status> status_;
  PerLane<bool> leaves_{}, may_open_{};
  PerLane<IntegratorStatistics> statistics_;
};

}  // namespace arthron
