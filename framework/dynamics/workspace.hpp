#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arthron/core/parallel.hpp"
#include "arthron/core/status.hpp"
#include "arthron/plan/plan.hpp"
#include "arthron/spatial/wide.hpp"

namespace arthron {

/// Whether equations give velocities from momenta or accelerations from forces: their matrices are the same.
enum class Level { velocity, acceleration };

struct ClosureWork;
struct ChainWork;
struct ModuleWork;
struct GroupWork;
struct Programs;

/// What a program of tasks is asked for.
struct Request {
  /// Branches that are alike may be computed on SIMD lanes where nobody will look at more than positions, velocities and loads.
  enum class Branches : unsigned char { single, grouped };
  /// Open: the tree alone, cut joints and couplings transmitting nothing; their multipliers are left as they are. Single branches only.
  enum class Loops : unsigned char { closed, open };

  double *qdot = nullptr, *pdot = nullptr;  // to be filled, if given
  Branches branches = Branches::single;
  Loops loops = Loops::closed;
};

/// Numbers of one body, in the order of the stages that write them. One record a body keeps a stage's reads and writes together.
struct BodyWork {
  // Kinematics.
  WidePose X_WB;
  Wide3 arm;  // from the parent's O to the body's O
  Wide3 first_moment;
  WideSymmetric3 second_moment;
  // Phase one: what the children add when they fold in, then the velocity.
  WideInertia M_children;
  Wide6 bias_children;
  Wide6 V;
  // Phase two: momentum and load of the subtree.
  Wide6 P, Q;
};

/// Numbers of one velocity column: direction h, U = M h, 1/d with d = h.U, and the velocity it would have on a parent at rest.
struct ColumnWork {
  Wide6 H, U;
  Wide6 K;  // of a single column, a rotation or a translation: U / d at the parent's O
  double d_inverse, u_at_rest;
};

/// Numbers of one part: what it passes on to the body it hangs on, at that body's O.
struct PartWork {
  WideInertia M;
  Wide6 bias;
  Wide6 P, Q;
  Status status;
  bool grouped = false;  // its groups are computed on SIMD lanes
};

/// Every intermediate number of one simulation, grouped by the stage that writes it; sized once and filled with NaN, so that a value read
/// before it is written shows. Per body unless said otherwise; world axes, at the body's handle O_k.
struct Workspace {
  explicit Workspace(const Plan& plan);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  [[nodiscard]] Instant now() const { return {t, signals.data()}; }
  [[nodiscard]] ForceInputs force_inputs() const { return {handles.data(), drawn.data(), x.data()}; }

  const Plan* plan;

  // Inputs: time, coordinates and velocities of all joints, driven ones behind the free ones; momenta of the free ones.
  double t = 0;
  std::vector<Signal> signals;  // of the model: inputs are set from outside, measurements by apply_loads
  std::vector<double> q, u, p;
  std::vector<double> x;                   // internal states of forces: initial ones until somebody who integrates them writes others
  std::vector<double> qdot;                // where it differs from u
  std::vector<double> drive_acceleration;  // per velocity column of driven joints, others zero

  // Turns: of the angle, in the sense of the turn.
  struct Turned {
    double sine, cosine;
  };
  std::vector<Turned> turned;
  // Joint batches, per joint and per velocity column; no poses of turns and slides.
  std::vector<Pose<double>> X_FM;
  std::vector<Spatial6> H_F, Hdot_F;

  // Kinematics and phases one and two.
  std::vector<BodyWork> body;
  std::vector<ColumnWork> column;
  std::vector<PartWork> part;
  std::vector<unsigned char> held;  // per velocity column: phase one leaves it at the u it finds, as if driven; only while starting

  // Loads.
  std::vector<HandleState> handles;  // per handle
  std::vector<HandleState> drawn;    // per force handle, as its drawing sees it; only where some drawing's axes are not the world's
  std::vector<Spatial6> wrenches;    // per force handle
  std::vector<double> xdot;          // per internal state
  std::vector<Wide6> load;           // of forces, at O
  std::vector<double> tau;           // per velocity column: springs, dampers, efforts

  // Accelerations and reactions, on demand.
  std::vector<Wide6> gamma;  // velocity-dependent part of the relative acceleration
  std::vector<Wide6> bias;   // of the body alone
  std::vector<Wide6> A, F;   // F: what the tree parent exerts on the body
  std::vector<double> udot;  // per velocity column

  Request request;                  // of the last program
  const double* state_q = nullptr;  // free coordinates that the kinematics are to take

  std::unique_ptr<ClosureWork> closures;  // only where there are cut joints
  std::unique_ptr<ChainWork> chains;      // only where parts are joined
  std::unique_ptr<ModuleWork> modules;    // only in elimination by subsystems
  std::vector<std::unique_ptr<GroupWork>> groups;
  std::unique_ptr<const Programs> programs;
  std::unique_ptr<FormulationWork> formulation;  // what the Plan's formulation alone needs
  std::string failure;                           // words of a Status::component_failed
  Parallel* parallel = nullptr;                  // who runs the programs; not owned, serial when null
  Wide3 gravity;
};

[[nodiscard]] std::unique_ptr<Workspace> make_workspace(const Plan& plan);

}  // namespace arthron
