#pragma once
#include <array>
#include <memory>

#include "arthron/spatial/spatial.hpp"

/// A subsystem that shows nothing of what it is made of: no bodies, no joints, only its handle equations. It hangs on one mount, and
/// another box may hang on its output. `HandleMachine` moves a row of them.
namespace arthron {

/// A handle: its frame, and its velocity [v of the origin; w]. World axes.
struct HandleMotion {
  Pose<double> X_WH;
  Spatial6 V;
};

/// What the mount has to exert for it to accelerate with A, and how the output accelerates, where it exerts f on what hangs there:
///   F = M A + b + X f       a = X^T A + g - Gamma f
/// A, a: rates of velocities [m/s^2, rad/s^2] of the handles' origins; F, f: [N, N m] about these. World axes, [linear; angular]; matrices
/// 6 x 6, row by row, M and Gamma symmetric and positive semidefinite. Without an output X, Gamma and g are zero.
struct BoxEquations {
  std::array<double, 36> M{}, X{}, Gamma{};
  std::array<double, 6> b{}, g{};
};

class HandleBox {
 public:
  virtual ~HandleBox() = default;
  /// Numbers of its state, coordinates and velocities as it likes, and those it starts with.
  [[nodiscard]] virtual int states() const = 0;
  virtual void start(double* y) const = 0;
  [[nodiscard]] virtual bool has_output() const = 0;
  /// Moves to a state at time t with its mount moving so; returns how its output moves. The others speak of this.
  virtual HandleMotion move(double t, const double* y, const HandleMotion& mount) = 0;
  [[nodiscard]] virtual BoxEquations equations() = 0;
  /// Rate of the state when the mount accelerates with A and the output exerts f.
  virtual void rates(const Spatial6& A, const Spatial6& f, double* rate) = 0;
};

}  // namespace arthron

/// In a library of its own: the one function by which it hands out its box.
#define ARTHRON_HANDLE_BOX(Box) \
  extern "C" arthron::HandleBox* arthron_handle_box() { return new Box; }
