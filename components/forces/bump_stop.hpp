#pragma once
#include "arthron/component/lane_force.hpp"

namespace arthron {

/// One-sided spring and damper along the line between points A and B: acts while they are nearer than `length`, or farther for a
/// rebound stop.
///   f = (stiffness d + cubic d^3, or law(d)) (1 + damping d')   [N],  d = length - |p_AB| > 0, its negative for rebound; never a pull
/// on a bump stop nor a push on a rebound stop.
struct BumpStopForce {
  static constexpr std::string_view type = "bump_stop";
  static constexpr bool frame_indifferent = true;
  static constexpr std::array<OutputChannel, 3> channels{{{"force", "N"}, {"compression", "m"}, {"rate", "m/s"}}};
  double length, stiffness, cubic, damping;
  Table law;  // used instead of the polynomial when not empty
  bool rebound;

  template <class T>
  class On;
  using OnLanes = On<Lanes>;

  static BumpStopForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  [[nodiscard]] bool conservative() const { return damping == 0; }
  void measure(double t, const HandleState* h, double* values) const;

 private:
  struct Contact;
  [[nodiscard]] Contact contact(const HandleState* h) const;
};

/// The same on a number type, without tables: of several on lanes, of the first on numbers that carry derivatives.
template <class T>
class BumpStopForce::On {
 public:
  On(const PerLane<const BumpStopForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = false;
  [[nodiscard]] bool applies() const { return !tables_; }
  void load(const LaneInstant& now, const HandleStateOf<T>* h, Spatial<T>* wrench) const;

 private:
  T length_, stiffness_, cubic_, damping_;
  T sign_;  // 1 of bump stops, -1 of rebound stops
  bool tables_ = false;
};

}  // namespace arthron
