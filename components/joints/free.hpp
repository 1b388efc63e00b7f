#pragma once
#include "arthron/components/joints/sliding_ball.hpp"

namespace arthron {

/// Six freedoms: displacement and rotation, both in the parent's axes.
struct FreeJoint : SlidingBall<3> {
  static constexpr std::string_view type = "free";
  static FreeJoint parse(const JsonReader&) { return {{{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}}}; }
};

}  // namespace arthron
