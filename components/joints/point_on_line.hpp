#pragma once
#include "arthron/components/joints/sliding_ball.hpp"

namespace arthron {

/// A point of the child stays on a line of the parent: slide along `axis`, then any rotation.
struct PointOnLineJoint : SlidingBall<1> {
  static constexpr std::string_view type = "point_on_line";
  static PointOnLineJoint parse(const JsonReader& in) {
    return {{{in.unit_vector({"axis", "", "direction of the line, fixed in the parent"})}}};
  }
};

}  // namespace arthron
