#pragma once
#include "arthron/component/lane_force.hpp"
#include "arthron/component/numbers_on.hpp"
#include "arthron/components/forces/line.hpp"

namespace arthron {

/// Spring and damper along the line between points A and B.
///   f = spring(|p_AB| - free_length) + damper(d|p_AB|/dt) + preload   [N], positive when pulling; each law linear or tabulated.
/// Below 1e-9 m between the points the direction is undefined and the force is zero.
struct SpringDamperForce {
  static constexpr std::string_view type = "spring_damper";
  static constexpr bool frame_indifferent = true;
  static constexpr ForceLook look = ForceLook::coil;
  static constexpr std::array<OutputChannel, 3> channels{{{"force", "N"}, {"length", "m"}, {"rate", "m/s"}}};
  double stiffness, damping, free_length, preload;
  Table spring_law, damper_law;  // used instead of the linear law when not empty

  template <class T>
  class On;
  using OnLanes = On<Lanes>;

  static SpringDamperForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  [[nodiscard]] bool conservative() const { return damping == 0 && damper_law.empty(); }
  void measure(double t, const HandleState* h, double* values) const;

 private:
  [[nodiscard]] double tension(const Line& line) const;
};

/// The same on a number type: of several on lanes, of the first on numbers that carry derivatives.
template <class T>
class SpringDamperForce::On {
 public:
  On(const PerLane<const SpringDamperForce*>& forces, LaneTimeFunctions& functions);
  static constexpr bool uses_rotation = false;
  [[nodiscard]] bool applies() const { return true; }
  void load(const LaneInstant& now, const HandleStateOf<T>* h, Spatial<T>* wrench) const;

 private:
  T stiffness_, damping_, free_length_, preload_;
  TablesOn<T> springs_, dampers_;
};

}  // namespace arthron
