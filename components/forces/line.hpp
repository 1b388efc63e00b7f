#pragma once
#include "arthron/component/force.hpp"
#include "arthron/spatial/lanes.hpp"

namespace arthron {

/// The line between the points A and B of a force. Below 1e-9 m its direction is undefined and given as zero.
template <class T>
struct LineOf {
  Vector3<T> direction;  // unit, from A to B
  T length, rate;

  static LineOf between(const HandleStateOf<T>* h) {
    const Vector3<T> p_AB = h[1].position - h[0].position;
    const T length = norm(p_AB);
    const Vector3<T> direction = select(length > T(1e-9), T(1) / length, T(0)) * p_AB;
    return {direction, length, dot(direction, h[1].velocity.linear - h[0].velocity.linear)};
  }
  /// Wrenches of a pull of A and B towards one another.
  void pull(const T& tension, Spatial<T>* wrench) const {
    wrench[0] = {tension * direction, {}};
    wrench[1] = {-tension * direction, {}};
  }
};
using Line = LineOf<double>;

}  // namespace arthron
