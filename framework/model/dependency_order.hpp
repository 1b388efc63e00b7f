#pragma once
#include <vector>

namespace arthron {

/// In which order things that need one another can be worked out.
struct DependencyOrder {
  std::vector<int> order;                // everything that can be worked out, needs first
  std::vector<std::vector<int>> cycles;  // each as a round trip without the repeated first element
};

/// needs[i] lists what i needs.
[[nodiscard]] DependencyOrder dependency_order(const std::vector<std::vector<int>>& needs);

}  // namespace arthron
