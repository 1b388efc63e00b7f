#pragma once
#include <map>
#include <string>
#include <vector>

#include "arthron/model/model.hpp"

/// What a model is made of, in words that several commands share.
namespace arthron::cli {

/// "1 body", "2 bodies"
[[nodiscard]] inline std::string counted(std::size_t count, const std::string& singular, const std::string& plural) {
  return std::to_string(count) + ' ' + (count == 1 ? singular : plural);
}

/// "3 revolute, 1 spherical" of anything with a definition.
template <class Elements>
[[nodiscard]] std::string by_type(const Elements& elements) {
  std::map<std::string, int> counts;
  for (const auto& element : elements) ++counts[std::string(element.definition->type().name())];
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + name;
  return text;
}

/// "a, b, c", shortened after some names.
template <class Elements>
[[nodiscard]] std::string names(const Elements& elements) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < elements.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + elements[i].path;
  return elements.size() > most ? text + ", ..." : text;
}

/// "hdca, dca, ... or augmented"
[[nodiscard]] std::string formulation_list();

/// "total mass 3 kg, centre of mass at (1, 0, 0) m in the design position"
[[nodiscard]] std::string masses(const Model& model);

/// "chassis (mount)", ... of ports that nothing is connected to.
[[nodiscard]] std::vector<std::string> open_ports(const Model& model);

/// The moving bodies, the grounds and the driven joints.
[[nodiscard]] std::vector<Body> moving_bodies(const Model& model);
[[nodiscard]] std::vector<Body> grounds(const Model& model);
[[nodiscard]] std::vector<Joint> driven_joints(const Model& model);

}  // namespace arthron::cli
