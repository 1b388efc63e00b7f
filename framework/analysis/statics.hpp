#pragma once
#include <memory>

#include "arthron/dynamics/dynamics.hpp"

namespace arthron {

/// Outcome of a search for rest.
struct Equilibrium {
  Status status;        // not_balanced names the joint that is left with the largest effort; not_closed as of project()
  double residual = 0;  // largest effort left along an admissible direction over the largest load, or what 1e-4 of deflection makes
};

/// How firm an equilibrium is: numbers of admissible directions.
struct Firmness {
  int loose = 0;     // that nothing holds, and nothing loads
  int unstable = 0;  // of negative stiffness: rest, but not for long
};

/// Rest of a model whose loops are closed. With f the efforts of all loads along the tree joints (dp/dt at p = 0) and J the closures,
///   N^T f = 0,   J N = 0          N: orthonormal basis of the admissible directions
/// is solved by Newton's method along N; its tangent N^T d(f + J^T lambda), which holds the stiffness of springs and that of the
/// constraint forces lambda, comes from differences of fourth order. What is prescribed counts with its position at t and stands still;
/// masses matter through their weight alone. Metres and radians are taken as of one size.
class Statics {
 public:
  explicit Statics(const Plan& plan);
  ~Statics();
  Statics(Statics&&) noexcept;
  Statics& operator=(Statics&&) noexcept;

  /// Moves q to the equilibrium near it, down to rounding. After a failure q is as it was.
  [[nodiscard]] Equilibrium settle(double t, double* q, Workspace& work);
  /// Of the equilibrium q that settle found last.
  [[nodiscard]] Firmness firmness(double t, const double* q, Workspace& work);
  /// How the equilibrium q, that settle found last, moves while time goes by and prescribed motions and loads change slowly: leaves the
  /// workspace as solve_velocities would with these velocities. Loads are compared over +-2 `interval` [s].
  [[nodiscard]] Status rate(double t, const double* q, double interval, Workspace& work);
  /// Moves q, the equilibrium that settle found last, on by that rate: where the one at t + span will be, up to the second order of the
  /// span, and open by as much.
  [[nodiscard]] Status predict(double t, double span, double* q, Workspace& work);

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

}  // namespace arthron
