#pragma once
#include <algorithm>
#include <limits>

#include "arthron/dynamics/cut_turns.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/integrate/ode.hpp"

namespace arthron {

/// The joint or force, as Status::element, that entry `entry` of [q; p; x] belongs to.
[[nodiscard]] int element_of_entry(const Plan& plan, int entry);
/// Bodies between the ground and the one that is farthest from it, this one included.
[[nodiscard]] int deepest(const Plan& plan);

/// A Plan's equations of motion as an Ode with y = [q; p; x / s], with u in the place of p under acceleration-based formulations. The sizes
/// s of internal states, as their forces give them, make one absolute tolerance fit pressures and deflections alike; they are rounded to
/// powers of two, so that nothing else notices. Elements are joints and forces as in Status.
class PlanOde final : public Ode, private Constraints {
 public:
  /// What is done after every accepted step to keep loops closed.
  struct Upkeep {
    bool reanchor = true, project = true;
    double tolerance = 0;        // opening that the projection leaves alone [m]; it goes no further than rounding
    bool keeps_history = false;  // the integrator remembers earlier states, so that every correction costs it a restart; impulses are then
                                 // re-anchored only when their rounding comes near the tolerances
    double absolute_tolerance = 0, relative_tolerance = 0;  // of the integrator
  };
  PlanOde(const Plan& plan, Workspace& work, const Upkeep& upkeep);
  int size() const override { return plan_.nq + plan_.nu + plan_.nx; }
  /// y of a state, and the state of y.
  void write(const State& state, std::vector<double>& y) const;
  void read(const std::vector<double>& y, State& state) const;
  Status rhs(double t, const double* y, double* dydt) override;
  bool after_step(double t, double* y) override;
  bool project(double t, double* y) override;
  /// Coordinates of all joints where the present step began, or where the cut joints that are only looked at were found last. Every
  /// evaluation follows the cut joints from there, not from where the last one found them, so that it does not depend on those before, and
  /// a joint may turn more than once in a step.
  std::span<double> memory() override { return memory_; }
  /// The closures of a conservative model. Where energy comes and goes there is none to keep, and the tree without its closures may be far
  /// stiffer than the model: a crank's drive that moves the whole mechanism moves the crank alone.
  Constraints* constraints() override;
  /// Momenta have no size of their own: under HDCA states differ in p by how much the velocities do that they mean, beside the velocities.
  /// So a tolerance says the same under every formulation, and whatever the masses are.
  Status measure(double t, const double* y, double* error, double* size) override;
  /// The same entry by entry: a momentum counts as much as it changes the velocity of its joint where the parent of this is at rest.
  void allowances(double t, const double* y, double absolute, double relative, double* allowance) override;
  /// Remembers the coordinates and rates that the workspace holds.
  void start_cuts(double t);
  /// The cut joints are followed to a state that somebody else has integrated, as after a step.
  void follow(double t, const double* q) {
    disturb();
    cuts_to_look_at_.follow(t, q, memory_of_looks(), work_);
    cuts_of_motion_.follow(t, q, memory_of_motion(), work_);
  }
  [[nodiscard]] std::span<const double> sizes() const { return sizes_; }
  /// Before the workspace is used for anything but an evaluation.
  void disturb() { anchored_.clear(); }
  /// Before the workspace is used for an evaluation at coordinates q; internal states are the caller's business.
  void begin_evaluation(double t, const double* q);
  /// The same where all cut joints are going to be looked at.
  void begin_look(double t, const double* q);
  /// Between two kinks of what is prescribed: evaluations at either end see it as it is in between, not beyond.
  void stay_within(double first, double last) { first_ = first, last_ = last; }
  [[nodiscard]] double within(double t) const { return std::clamp(t, first_, last_); }
  /// A force whose numbers are not finite, of the last evaluation, is to blame for whatever is not finite elsewhere.
  int element_of(int entry) const override;

 private:
  // Six numbers a closure: displacement and rotation.
  int openings() const override { return 6 * static_cast<int>(plan_.closures.size()); }
  Status free_rhs(double t, const double* y, double* dydt) override;
  void opening(double t, const double* y, double* g) override;
  Status impulse(double t, const double* y, double* rate, double* dy) override;
  Status settle(double t, double* y) override;

  /// begin_evaluation, with the internal states of y.
  void begin_rates(double t, const double* y);
  void set_states(const double* y);
  /// Rates of y with other coordinates.
  Status rates_at(double t, const double* q, const double* y, double* dydt);
  /// Near a singular position rates are those of the nearest position in which the loops are closed. Stages are off the closures, by
  /// rounding or by their order, and there an opening e turns velocities by e / s^2 and so moves the stages behind it still farther off.
  [[nodiscard]] bool keeps_stages_closed() const;
  /// Its coordinates, or those of y.
  const double* nearest_closed(double t, const double* y);
  /// Differences of the velocities from `size` when those of the coordinates from projected_ are `error`; momenta are those of other_.
  Status compare(double t, double* error, const double* size);
  /// Whether the square of a difference of coordinates is below the tolerance.
  [[nodiscard]] bool is_small(const double* q, const double* other, const double* size) const;
  /// Takes from a small difference of coordinates what projection takes from both, to first order.
  Status leave_openings(double t, const double* q, double* dq);
  /// Rates of the internal states, as the workspace holds them.
  void write_state_rates(double* dydt) const;
  /// Projection and re-anchoring; true when y was changed.
  bool keep_closed(double t, double* y);
  /// `in_place`: the workspace then has the bodies where y puts them.
  bool project_positions(double t, double* y, bool& in_place);
  bool reanchor_momenta(double t, double* y, bool in_place);
  /// Whether impulses have grown so large beside the momenta of the motion that their rounding comes near the tolerances.
  bool impulses_cost_digits(double t, const double* y);
  /// Whether the workspace is where the last evaluation was asked for this state.
  bool is_at(double t, const double* y) const;
  [[nodiscard]] std::span<double> memory_of_motion() { return std::span(memory_).first(cuts_of_motion_.size()); }
  [[nodiscard]] std::span<double> memory_of_looks() { return std::span(memory_).subspan(cuts_of_motion_.size()); }

  const Plan& plan_;
  Workspace& work_;
  Upkeep upkeep_;
  std::size_t motion_;             // entries of y before the internal states
  std::vector<double> sizes_;      // s
  std::vector<double> projected_;  // q
  std::vector<double> anchored_;   // state that the last correction left, whose loads are still in the workspace; empty when there is none
  std::vector<double> anchored_rates_;     // qdot and pdot there
  std::vector<double> other_;              // q and p of a second state
  std::vector<double> inertia_, impulse_;  // per momentum
  std::vector<double> allowance_;          // per entry of y
  double rounding_;                        // of velocities, in units of the largest
  double anchored_time_ = 0;
  double first_ = -std::numeric_limits<double>::infinity(), last_ = -first_;  // times of evaluations
  CutTurns cuts_of_motion_, cuts_to_look_at_;
  std::vector<double> memory_;
  std::vector<Spatial6> rates_;  // of the closures
};

}  // namespace arthron
