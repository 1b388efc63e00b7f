#include "arthron/formulation/formulation.hpp"

#include <algorithm>

namespace arthron {

static std::vector<std::unique_ptr<const Formulation>>& list() {
  static std::vector<std::unique_ptr<const Formulation>> all = builtin_formulations();
  return all;
}

std::span<const std::unique_ptr<const Formulation>> formulations() { return list(); }

std::vector<std::string> formulation_names() {
  std::vector<std::string> names;
  for (const auto& formulation : list()) names.emplace_back(formulation->name());
  return names;
}

const Formulation* find_formulation(std::string_view name) {
  const auto found = std::find_if(list().begin(), list().end(), [&](const auto& formulation) { return formulation->name() == name; });
  return found == list().end() ? nullptr : found->get();
}

const Formulation& formulation_named(std::string_view name) {
  if (const Formulation* const found = find_formulation(name)) return *found;
  throw InternalError("there is no formulation \"" + std::string(name) + '"');
}

void add_formulation(std::unique_ptr<const Formulation> formulation) {
  if (find_formulation(formulation->name()))
    throw InternalError("formulation \"" + std::string(formulation->name()) + "\" is registered twice");
  list().push_back(std::move(formulation));
}

}  // namespace arthron
