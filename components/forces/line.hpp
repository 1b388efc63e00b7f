#pragma once
#include "arthron/component/force.hpp"

namespace arthron {

/// The line between the points A and B of a force. Below 1e-9 m its direction is undefined and given as zero.
struct Line {
  Vec3 direction;  // unit, from A to B
  double length, rate;

  static Line between(const HandleState* h) {
    const Vec3 p_AB = h[1].position - h[0].position;
    const double length = norm(p_AB);
    const Vec3 direction = length > 1e-9 ? (1 / length) * p_AB : Vec3{};
    return {direction, length, dot(direction, h[1].velocity.linear - h[0].velocity.linear)};
  }
  /// Wrenches of a pull of A and B towards one another.
  void pull(double tension, Spatial6* wrench) const {
    wrench[0] = {tension * direction, {}};
    wrench[1] = {-tension * direction, {}};
  }
};

}  // namespace arthron
