#pragma once
#include "arthron/component/lane_force.hpp"

namespace arthron {

template <class T>
struct TorsionSpringNumbers {
  Vector3<T> axis;
  T stiffness, damping, rest_angle;
};

/// Torsion spring and damper between two bodies about an axis fixed in the first.
///   tau = stiffness (angle - rest_angle) + damping d(angle)/dt   [N m], turning B back towards A.
/// `angle` is the turn of B against A about the axis since the drawn position, over as many turns as it takes. The bodies' rotations tell
/// it up to whole turns alone; which turn it is an internal state tells, the integral of the angle's rate, so that statics know the turn
/// nearest to `start_angle` only.
/// The torque acts along the gradient of the angle, so that the spring stores energy exactly even when the bodies swing out of the axis.
struct TorsionSpringForce {
  static constexpr std::string_view type = "torsion_spring";
  static constexpr std::array<OutputChannel, 2> channels{{{"torque", "N m"}, {"angle", "rad"}}};
  static constexpr std::array<OutputChannel, 1> states{{{"followed_angle", "rad"}}};
  TorsionSpringNumbers<double> spring;
  double start_angle;

  template <class T>
  class On;
  using OnLanes = On<Lanes>;

  static TorsionSpringForce parse(const JsonReader& in);
  void load(const Instant& now, const HandleState* h, const double* x, Spatial6* wrench) const;
  void state_rates(const Instant& now, const HandleState* h, const double* x, double* xdot) const;
  void initial_states(double* x) const { x[0] = start_angle; }
  /// Whole turns are all that is asked of it.
  void state_sizes(double* size) const { size[0] = 100; }
  [[nodiscard]] double energy(const Instant& now, const HandleState* h, const double* x) const;
  [[nodiscard]] bool conservative() const { return spring.damping == 0; }
  void measure(const Instant& now, const HandleState* h, const double* x, double* values) const;
};

/// The same on a number type: of several on lanes, of the first on numbers that carry derivatives.
template <class T>
class TorsionSpringForce::On {
 public:
  On(const PerLane<const TorsionSpringForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = true;
  [[nodiscard]] bool applies() const { return true; }
  void load(const LaneInstant& now, const HandleStateOf<T>* h, const T* x, Spatial<T>* wrench, T* xdot) const;

 private:
  TorsionSpringNumbers<T> spring_;
};

}  // namespace arthron
