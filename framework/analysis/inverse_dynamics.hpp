#pragma once
#include <memory>
#include <span>

#include "arthron/dynamics/dynamics.hpp"

namespace arthron {

struct JointSpaceWork;

/// Newton-Euler recursion: efforts along all tree columns that give the free ones the accelerations `udot`, while driven joints and grounds
/// move as they do and the closures exert the multipliers sigma that `work` holds. Springs, dampers and given efforts (work.tau) are part
/// of them, what couplings give is not. Needs gamma and bias of acceleration_terms(); writes A and F.
void inverse_dynamics(const Plan& plan, const double* udot, Workspace& work, double* efforts);

/// Efforts of drives. In a model whose driven joints determine all motion the closures give positions, velocities and accelerations at any
/// time, and with these the equations of motion read the other way:
///   tau + J^T lambda = Mq udot - phi
/// The rows of the free joints give lambda, the smallest there is, those of the driven joints then tau.
class InverseDynamics {
 public:
  explicit InverseDynamics(std::shared_ptr<const Plan> plan);
  ~InverseDynamics();

  /// Puts the model where its drives have it at time t. Loops are followed from where they were the last time, in steps that are short
  /// enough, so that a model with several ways to close stays on its own; the first time from where the model's joints start.
  /// Fails with not_determined and a joint that the drives leave free to move, with contradictory_drives or not_closed where loops cannot
  /// follow them, and like evaluate. Allocates nothing after the first time.
  [[nodiscard]] Status at(double t);

  /// After at(): efforts of all velocity columns, cut joints' among them: of driven joints what the drive delivers, of the others springs,
  /// dampers and given efforts.
  [[nodiscard]] std::span<const double> efforts() const { return efforts_; }
  /// Of one joint, one number a freedom.
  [[nodiscard]] std::span<const double> efforts(JointIndex joint) const;
  /// Coordinates of the free joints.
  [[nodiscard]] std::span<const double> q() const { return state_.q; }
  /// Positions, velocities, accelerations and reactions, for the functions of observe.hpp; its signals may be set.
  [[nodiscard]] Workspace& workspace() { return *work_; }

 private:
  /// Time within which nothing moves far, so that loops cannot be closed in another way than their own.
  [[nodiscard]] double safe_step() const;
  [[nodiscard]] Status follow_to(double t);
  [[nodiscard]] Status move_to(double t);
  [[nodiscard]] Status close_loops(double t);
  /// Status::not_determined with the joint that moves most easily, if any does.
  [[nodiscard]] Status determined(double t);
  void find_efforts();

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workspace> work_;
  std::unique_ptr<JointSpaceWork> own_;  // where no parts are joined
  State state_;
  std::vector<double> rest_;     // momenta of the free joints: none
  std::vector<double> qdot_;     // rates of state_.q
  std::vector<double> efforts_;  // per velocity column
  bool begun_ = false;
};

}  // namespace arthron
