#pragma once
#include <vector>

#include "arthron/component/registry.hpp"

namespace arthron {

/// Every key of a model file, found out by letting the loader read in describe mode.
[[nodiscard]] std::vector<KeyDescription> describe_file(const Registry& registry);

}  // namespace arthron
