#pragma once
#include <optional>
#include <string>

#include "arthron/plan/plan.hpp"

namespace arthron {

struct GraphOptions {
  std::optional<int> depth{};  // levels of subsystems whose inside is drawn; none: as many as leave the picture readable
  bool forces = false;         // also those that act on one body alone
  std::size_t readable = 80;   // boxes that a picture may hold when no depth is given
};

/// What a model is made of, in Graphviz's language: subsystems as nested boxes, bodies, grounds and ports as nodes, joints as edges (cut
/// ones dashed), forces and couplings as edges of other kinds. What is left out, and what the lines mean, stands below the picture.
[[nodiscard]] std::string component_graph(const Plan& plan, const GraphOptions& options = {});

}  // namespace arthron
