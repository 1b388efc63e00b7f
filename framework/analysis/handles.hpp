#pragma once
#include <optional>
#include <string>
#include <vector>

#include "arthron/analysis/mounted_handles.hpp"

/// Handle equations of a subsystem: what it says to the rest of the model at a state, in the letters of the kernel and of the papers.
namespace arthron {

/// Where a handle is. Its six numbers are [linear; angular], world axes, about this point, which moves with the body.
struct HandlePoint {
  std::string body;
  std::vector<std::string> ports;  // of the subsystem on that body; the point is the first one's, the body's O where there are none
  Vec3 position;                   // [m]
};

/// A loop that leaves the subsystem: rows are the directions that its cut joint holds.
struct HandleLoop {
  std::string name;                  // the cut joint, or the coupling
  std::vector<Spatial6> directions;  // wrench of a unit multiplier on the joint's child at the cut point; of a coupling none
  Vec3 position;                     // the cut point [m]
};

/// What a subsystem has on one body outside it, its base. It takes up the impulse P when the base moves with V, and its open rows move with
/// w when they take the impulses s:
///   P = M V + b + X s        w = X^T V + g - Gamma s.
/// Alone, rows are six for every body on which something else hangs, and those of the loops that leave it: s is what it gives to what hangs
/// there, w that body's velocity. As mounted, with all that hangs on it, the loops alone are left.
/// Where M has an inverse, the same in the papers' letters, with T1 = P and T2 = -s:
///   V = xi11 T1 + xi12 T2 + xi10        w = xi21 T1 + xi22 T2 + xi20.
/// M, Gamma, xi11 and xi22 are symmetric and positive semidefinite. Matrices are row by row.
struct HandleEquations {
  std::string subsystem;
  bool mounted = false;
  bool grounded = false;  // the base is a ground, whose motion is known: no M, X and b
  HandlePoint base;
  std::vector<HandlePoint> outputs;  // six rows each, then
  std::vector<HandleLoop> loops;
  int rows = 0;
  std::vector<double> M, b, X, Gamma, g;  // 6 x 6, 6, 6 x rows, rows x rows, rows

  struct Xi {
    std::vector<double> xi11, xi12, xi21, xi22, xi10, xi20;
  };
  /// Nothing where M has no inverse: a massless base, or one that moves without moving anything.
  [[nodiscard]] std::optional<Xi> xi() const;
};

/// As mounted, of the last `read`: one for each body that the subsystem hangs on. Loops that act on nothing but the subsystem, what hangs
/// on it and its base are closed.
[[nodiscard]] std::vector<HandleEquations> mounted_handles(const Plan& plan, const MountedHandles& handles, int subsystem,
                                                           const Workspace& work);
/// Alone: from an evaluation in elimination "modular", where every subsystem has them.
[[nodiscard]] std::vector<HandleEquations> handles_alone(const Plan& plan, int subsystem, const Workspace& work);

}  // namespace arthron
