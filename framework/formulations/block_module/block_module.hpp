#pragma once
#include <array>
#include <vector>

#include "arthron/core/parallel.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/core/status.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// The block-module formulation, steps 2 to 4 of section 2 of its paper: accelerations from a hierarchy of submodels, each known to the
/// next by its dependency matrices alone,
///   a = D Q + R,
/// accelerations of its border bodies, six numbers each at their O, by the wrenches Q in its external links, six numbers each at the same
/// points. A single body has D = M^-1, R = -M^-1 bias. One assembly eliminates one constraint G a = c, a tree joint, a cut joint or a
/// coupling, between or within the modules of the bodies it acts on; its wrenches on them are G^T lambda:
///   W = D G^T,   S = G W,   D := D - W S^+ W^T,   R := R + W S^+ (c - G R),   lambda = S^+ (c - G R - W^T Q)
/// Bodies with no link left become internal, so that matrices stay small and a body is one handle however many links it has. Lambda, and
/// with it the wrenches on the parts, comes back from the last assembly to the first. Tree joints are never redundant, for a closure is
/// eliminated only when its sides are connected by tree joints that are gone.
namespace arthron {

struct BlockModuleWork : FormulationWork {
  /// Assemblies that together are expected to take `grain` [ns] are worth a task.
  explicit BlockModuleWork(const Plan& plan, double grain = 30e3);

  // The schedule. Modules are numbered: bodies first (those of grounds are empty), then one for each assembly.
  struct Module {
    Slice border;       // its border bodies, in `slots`
    std::size_t D = 0;  // where its blocks begin in `D`, row by row
  };
  /// A border body of a module, and where it comes from.
  struct Slot {
    int body = 0;
    int module = 0, slot = -1;  // of the part it was a border body of; -1: a body by itself
    int touch = -1;             // number among the touches, where the constraint acts on it
  };
  /// A body that a constraint acts on, as a border body of one of the parts.
  struct Touch {
    int body = 0, module = 0, slot = 0;
  };
  /// A block of a module that is part of the trace a closure is measured with: those of its touches a and b before other closures that
  /// become complete at the same time take their part.
  struct Reference {
    int a = 0, b = 0;  // among the touches
    int module = 0, slot_a = 0, slot_b = 0;
  };
  struct Assembly {
    int body = -1;      // of its inboard joint, or -1
    int closure = -1;   // or -1
    int subsystem = 0;  // of the Model, in which it is made
    int rows = 0;       // of a tree joint those that its columns leave
    Slice parts;        // modules, in `parts`
    Slice touches, references;
  };
  std::vector<Module> modules;
  std::vector<Slot> slots;
  std::vector<Assembly> assemblies;
  std::vector<int> parts;
  std::vector<Touch> touches;
  std::vector<Reference> references;
  std::vector<int> loose;  // bodies without any constraint

  /// Assemblies that one worker makes one after the other, and the bodies that these are the first to use. Which ones does not depend on
  /// the number of workers.
  struct Task {
    std::vector<int> assemblies, bodies;  // ascending
    // What it found.
    int singular = -1;     // assembly
    bool finite = true;    // its bodies' accelerations
    double remainder = 0;  // the largest of its constraints, in parts of what its bodies would have it be
  };
  std::vector<Task> tasks;
  std::vector<std::vector<int>> children;  // per body, in the tree
  /// Passes over the tasks: each by itself, or from the bodies up, every one after those whose modules it assembles, and back down.
  struct Passes {
    TaskGraph directions, solve, finish, refine, null_space, transposed_null_space;
  };
  Passes passes;
  /// Whom the passes work for.
  struct Caller {
    const Plan* plan = nullptr;
    Workspace* work = nullptr;
  };
  Caller caller;

  /// A subsystem of the Model as a submodel, when all is done that can be done within it.
  struct Submodel {
    int level = 0;  // 1: no nested ones; else one more than the highest of these
    int border = 0, pieces = 0;
  };
  std::vector<Submodel> submodels;

  // Constants of the bodies.
  struct InverseInertia {
    Sym3 moment;         // about the centre of mass, B axes [1/(kg m^2)]
    double mass = 0;     // [1/kg]
    Vec3 com_to_handle;  // B axes [m]
  };
  std::vector<InverseInertia> inverse;

  // Numbers. G^T per touch; D per block; W per slot, with the columns of the rows eliminated before taken out.
  struct JointSpace {
    Columns6 H_dual, D;  // as split_directions gives them, world axes at O
  };
  struct Factors {
    Matrix6 L;          // S = L d L^T with rows in the order of `pivot`
    Vector6 d_inverse;  // 0 for dependent rows
    Vector6 known;      // c
    Matrix6 null;       // columns [rank, rows): orthonormal combinations of the rows that depend on what is gone before
    std::array<int, 6> pivot;
    int rank = 0;
  };
  std::vector<JointSpace> joints;  // inboard, per body
  std::vector<Matrix6> G, D, W;
  std::vector<Factors> factors;  // per assembly
  std::vector<double> loss;      // per module: how much smaller pivots of its closures were than their diagonals
  std::vector<Matrix6> W_touch;  // W of the bodies a constraint acts on, as it was before rows were taken out

  /// What goes up and down the hierarchy: R and Q per slot, the right-hand side with the rows before taken out and lambda per assembly.
  struct Flow {
    std::vector<Vector6> R, Q, g, lambda;
  };
  Flow flow;
  Flow search;                               // for corrections, and for multipliers of least norm
  std::vector<Vector6> A;                    // per body: solution
  int search_steps = 0;                      // that these took: none where each redundancy stays within its closure
  std::vector<Vector6> residual, direction;  // per assembly, [rank, rows): along the columns of `null`
};

/// Accelerations of all bodies and joints, and multipliers of the cut joints and couplings: the smallest ones where closures are redundant.
/// `work` as after acceleration_terms() and closure_acceleration_terms(); closure_reactions() and reactions() may follow.
/// Constraints that are not met to rounding are solved for once or twice more. Status::singular_joint names a tree joint whose S is not
/// positive definite. Allocates nothing.
[[nodiscard]] Status block_module_accelerations(const Plan& plan, Workspace& work, BlockModuleWork& modules);

}  // namespace arthron
