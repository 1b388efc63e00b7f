#pragma once
#include <memory>
#include <vector>

#include "arthron/core/status.hpp"
#include "arthron/dynamics/workspace.hpp"
#include "arthron/model/hierarchy.hpp"

/// Handle equations of a subsystem: phase one of all that lies within it, as the rest of the model sees it (formulation sections 2 and 3).
namespace arthron {

/// A linear map that exists for every subsystem: mounts give a velocity and take a momentum, outputs take an impulse and give a velocity,
/// and loops from mount to mount stay open with an impulse s along the constrained directions D of their cut:
///
///   [ P_m ]   [ M    -X   -Y ] [ V_m ]   [ b ]       P_m  impulse that what carries the mount gives to the subsystem
///   [ V_o ] = [ X^T  Xi    Z ] [ T_o ] + [ g ]       T_o  impulse that others give to the subsystem at the output
///   [ w_c ]   [ Y^T  Z^T   G ] [ s_c ]   [ h ]       w_c  D^T (V_child - V_parent) less what a drive prescribes: zero once the loop is
///   closed
///
/// M, Xi and G are symmetric and positive semidefinite; loops within the subsystem are closed, with their impulses eliminated. World axes,
/// [linear; angular]; mounts at the origin of the subsystem's frame as it moves with their bodies, outputs at their places (port_position).
///
/// Momenta are impulses that bring the model from rest to its motion, and p is their part along a joint. So the momenta of the joints
/// within are those of the whole model's state, and T_o of an output that carries something is the negative of the momentum P of all that
/// hangs there: outside parts need no mention in p.
struct HandleEquations {
  std::vector<int> mounts, outputs;  // ports, in the Model's order: six rows each
  std::vector<int> cuts;             // joints of the Model at which loops from mount to mount are open
  std::vector<int> cut_rows;         // rows of each
  std::vector<double> matrix;        // row by row
  std::vector<double> constant;

  [[nodiscard]] int rows() const { return static_cast<int>(constant.size()); }
  [[nodiscard]] double at(int row, int column) const { return matrix[row * rows() + column]; }
};

/// Finds them for one subsystem of a plan, at any state of it. On demand: each solution runs phase one of the subsystem alone once for
/// every column.
class SubsystemHandles {
 public:
  /// Throws ModelError where the subsystem alone cannot be computed.
  SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem);
  /// With the joints of the subsystem alone cut where `cuts` says (joints of the Model): results do not depend on it.
  SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem, const std::vector<int>& cuts);
  ~SubsystemHandles();

  /// At the state that `work`, the whole model's, was observed at (Simulation::observe).
  [[nodiscard]] Status solve(const Workspace& work);
  [[nodiscard]] const HandleEquations& equations() const { return equations_; }
  /// The subsystem alone, all its loops closed.
  [[nodiscard]] const Plan& plan() const { return *closed_; }

 private:
  struct Impulse;
  struct Direction;
  SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem, Alone part);
  void take_positions(const Plan& plan, const std::vector<int>& joints, const Workspace& from, Workspace& work) const;
  void take_momenta(const Workspace& from);
  void find_directions();
  [[nodiscard]] Status respond(const std::vector<double>& p, const std::vector<Impulse>& impulses);
  [[nodiscard]] Status excite(const Direction& direction);
  [[nodiscard]] double observed(const Direction& direction) const;
  [[nodiscard]] int in_open(int closed_body) const;

  std::shared_ptr<const Plan> whole_;
  Alone alone_;
  std::shared_ptr<const Plan> closed_, open_;   // open_: without the joints at which loops from mount to mount are cut
  std::vector<int> closed_joint_, open_joint_;  // joint of the plan -> joint of alone_
  std::vector<int> outputs_;                    // ports of the plans
  std::vector<int> cut_closures_;               // of closed_, that open_ does not have
  std::unique_ptr<Workspace> closed_work_, open_work_;
  std::vector<double> momenta_;        // of open_
  std::vector<Impulse> known_;         // along joints that are cut here, but not in the whole
  std::vector<Direction> directions_;  // of mounts, floating bodies, outputs, rows of open cuts
  std::vector<Wide6> from_ground_;     // impulse each ground of open_ gives, of the last response
  HandleEquations equations_;
};

}  // namespace arthron
