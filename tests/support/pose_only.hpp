#pragma once
#include "arthron/component/registry.hpp"

namespace arthron::test {

/// The built-in types, the built-in joints without their closed forms (`pose/NAME`), so that columns and rates come from their poses, and
/// one with coordinates of its own.
[[nodiscard]] Registry pose_only_registry();

}  // namespace arthron::test
