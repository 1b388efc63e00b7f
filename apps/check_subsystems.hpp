#pragma once
#include <string>
#include <vector>

#include "arthron/plan/plan.hpp"

namespace arthron::cli {

struct SubsystemWords {
  std::string path;
  std::string made_of;  // "double_wishbone, double_wishbone.json, mirror image"
  std::string mass;     // "17.5 kg"
  std::string ports;    // "; mounts chassis on body, rack open; outputs hub"
};
/// All within the model, in the Model's order.
[[nodiscard]] std::vector<SubsystemWords> subsystems_in_words(const Plan& plan);

/// The tree of subsystems, indented by depth: name, file, mass, ports and what they are connected to, and the file's own loops.
[[nodiscard]] std::string describe_subsystems(const Plan& plan);
/// How long an evaluation of each takes alone, and its share of one of the whole model.
[[nodiscard]] std::string describe_times(const Plan& plan);

}  // namespace arthron::cli
