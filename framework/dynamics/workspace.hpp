#pragma once
#include <memory>
#include <vector>

#include "arthron/plan/plan.hpp"

namespace arthron {

struct PairWorkspace;

/// Every intermediate number of one simulation, grouped by the stage that writes it; sized once and filled with NaN, so that a value read
/// before it is written shows. Per body unless said otherwise; world axes, at the body's handle O_k.
struct Workspace {
  explicit Workspace(const Plan& plan);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  // Inputs: time, coordinates and velocities of all joints, driven ones behind the free ones; momenta of the free ones.
  double t = 0;
  std::vector<double> q, u, p;
  std::vector<double> qdot;                // where it differs from u
  std::vector<double> drive_acceleration;  // per velocity column of driven joints, others zero

  // Joint batches, per joint and per velocity column.
  std::vector<Pose<double>> X_FM;
  std::vector<Spatial6> H_F, Hdot_F;

  // Kinematics.
  std::vector<Pose<double>> X_WB;
  std::vector<Vec3> arm;                   // from the parent's O to the body's O
  std::vector<Spatial6> H;                 // per velocity column
  std::vector<Vec3> first_moment;
  std::vector<Sym3> second_moment;

  // Phase one, folding: what the children add, and per velocity column U = M h, 1/d, and the velocity it would have on a parent at rest.
  std::vector<ArticulatedInertia<double>> M_children;
  std::vector<Spatial6> bias_children;
  std::vector<Spatial6> U;
  std::vector<double> d_inverse, u_at_rest;

  std::vector<Spatial6> V;

  // Phase two.
  std::vector<HandleState> handles;        // per handle
  std::vector<Spatial6> wrenches;          // per force handle
  std::vector<Spatial6> load;              // of forces, at O
  std::vector<double> tau;                 // per velocity column: springs, dampers, efforts
  std::vector<Spatial6> P, Q;              // momentum and load of the subtree

  // Accelerations and reactions, on demand.
  std::vector<Spatial6> gamma;             // velocity-dependent part of the relative acceleration
  std::vector<Spatial6> bias;              // of the body alone
  std::vector<Spatial6> A, F;              // F: what the tree parent exerts on the body
  std::vector<double> udot;                // per velocity column

  std::unique_ptr<PairWorkspace> pair;     // only where the plan pairs
};

[[nodiscard]] std::unique_ptr<Workspace> make_workspace(const Plan& plan);

}  // namespace arthron
