#pragma once
#include "arthron/components/joints/plane_axes.hpp"
#include "arthron/components/joints/sliding_ball.hpp"

namespace arthron {

/// A point of the child stays in a plane of the parent: slides along two directions of the plane, then any rotation.
struct PointInPlaneJoint : SlidingBall<2> {
  static constexpr std::string_view type = "point_in_plane";
  static PointInPlaneJoint parse(const JsonReader& in) {
    const PlaneAxes plane = PlaneAxes::parse(in);
    return {{{plane.ex, plane.ey}}};
  }
};

}  // namespace arthron
