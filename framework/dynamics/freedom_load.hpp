#pragma once
#include "arthron/spatial/lane_functions.hpp"

namespace arthron {

/// Springs, dampers, stops, friction, drive and effort along one freedom (formulas beside Joint) on a number type T; neutral numbers where
/// a variant has none.
template <class T>
struct FreedomLoad {
  int q = 0, u = 0;
  bool springs = false, stops = false, rubs = false, drives = false;  // which parts there are, in any variant
  T stiffness, rest, damping;
  T lower, upper, stop_stiffness, stop_damping;
  T friction, static_friction, friction_speed, stribeck_speed;
  T drive_stiffness, drive_damping, max_effort;
  int target = -1, target_rate = -1, effort = -1;  // functions; -1 for none
};

/// The same on another number type.
template <class T, class Of, class Map>
FreedomLoad<T> map_numbers(const FreedomLoad<Of>& load, const Map& map) {
  return {load.q,
          load.u,
          load.springs,
          load.stops,
          load.rubs,
          load.drives,
          map(load.stiffness),
          map(load.rest),
          map(load.damping),
          map(load.lower),
          map(load.upper),
          map(load.stop_stiffness),
          map(load.stop_damping),
          map(load.friction),
          map(load.static_friction),
          map(load.friction_speed),
          map(load.stribeck_speed),
          map(load.drive_stiffness),
          map(load.drive_damping),
          map(load.max_effort),
          load.target,
          load.target_rate,
          load.effort};
}

/// joint_loads() along one freedom, with the values and rates of functions of time.
template <class T>
T effort(const FreedomLoad<T>& load, const T& x, const T& u, const T* values, const T* rates) {
  using std::exp, std::tanh;
  T force = -(load.damping * u);
  if (load.springs) force -= load.stiffness * (x - load.rest);
  if (load.stops) {
    const T beyond = select(x > load.upper, x - load.upper, select(x < load.lower, x - load.lower, T(0.0)));
    const T inward = select(beyond > T(0.0), u, -u), damped = 1.0 + load.stop_damping * inward;
    force -= load.stop_stiffness * beyond * select(damped > T(0.0), damped, T(0.0));
  }
  if (load.drives) {
    T wanted = -(load.drive_stiffness * x) - load.drive_damping * u;
    if (load.target >= 0) wanted += load.drive_stiffness * values[load.target];
    if (load.target_rate >= 0)
      wanted += load.drive_damping * values[load.target_rate];
    else if (load.target >= 0)
      wanted += load.drive_damping * rates[load.target];
    const T most = load.max_effort;
    force += select(wanted < -most, -most, select(wanted > most, most, wanted));
  }
  if (load.rubs) {
    const T ratio = u / load.stribeck_speed;
    const T limit = load.friction + (load.static_friction - load.friction) * exp(-(ratio * ratio));
    force -= limit * tanh(u / load.friction_speed);
  }
  if (load.effort >= 0) force += values[load.effort];
  return force;
}

}  // namespace arthron
