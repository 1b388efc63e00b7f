#pragma once
#include <string>

#include "arthron/model/model.hpp"

/// Places of what a path names in a model's lists. Each throws ModelError, with the nearest path there is, when it names nothing of the
/// kind.
namespace arthron {

[[nodiscard]] BodyIndex find_body(const Model& model, const std::string& path);
[[nodiscard]] JointIndex find_joint(const Model& model, const std::string& path);
[[nodiscard]] int find_force(const Model& model, const std::string& path);
[[nodiscard]] int find_marker(const Model& model, const std::string& path);
[[nodiscard]] int find_port(const Model& model, const std::string& path);
/// "" is the model itself. A path that came in by an option of the command line is complained of by its name.
[[nodiscard]] int find_subsystem(const Model& model, const std::string& path, const std::string& option = "");

}  // namespace arthron
