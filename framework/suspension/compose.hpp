#pragma once
#include <string>
#include <vector>

#include "arthron/model/load.hpp"

namespace arthron {

/// A suspension file together with what the rig adds to it.
struct ComposedRig {
  Model model;
  bool corner = true;  // the file has one wheel, and its mirror image stands on the other side
};

/// Names of what the rig adds: grounds `post_left`, `post_right`, `rack`, markers `wheel_left`, `wheel_right`.
/// Throws ModelError when the file has no wheel to hold.
[[nodiscard]] ComposedRig compose_rig(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides);

}  // namespace arthron
