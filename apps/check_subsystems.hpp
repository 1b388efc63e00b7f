#pragma once
#include <string>
#include <vector>

#include "arthron/plan/subsystem_tree.hpp"

namespace arthron::cli {

struct SubsystemWords {
  AlikeSubsystems alike;
  std::string made_of;  // "double_wishbone, double_wishbone.json, mirror image"
  std::string mass;     // "17.5 kg"
  std::string ports;    // "; mounts chassis on body, rack open; outputs hub"
};
/// The tree of subsystems, alike ones once.
[[nodiscard]] std::vector<SubsystemWords> subsystems_in_words(const Plan& plan);

/// The tree of subsystems, indented by depth, alike ones once: name, file, mass, ports and what they are connected to, closure rows that
/// are closed there and passed on, and the file's own loops.
[[nodiscard]] std::string describe_subsystems(const Plan& plan);
/// How long an evaluation of each takes alone, and its share of one of the whole model.
[[nodiscard]] std::string describe_times(const Plan& plan);

}  // namespace arthron::cli
