#include "arthron/component/author_code.hpp"

#include "arthron/component/component_type.hpp"

namespace arthron {

ComponentError::ComponentError(Kind kind, std::string_view type, int place, const std::string& message)
    : std::runtime_error(std::string(kind == Kind::joint ? "joint" : "force") + " type \"" + std::string(type) + "\" threw: " + message),
      kind_(kind),
      type_(type),
      message_(message),
      place_(place) {}

std::string words_of_exception() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

void throw_component_error(ComponentError::Kind kind, std::string_view type, int place) {
  throw ComponentError(kind, type, place, words_of_exception());
}

std::string name_and_library(const ComponentType& type) {
  const std::string name = '"' + std::string(type.name()) + '"';
  return type.library().empty() ? name : name + " from " + type.library();
}

}  // namespace arthron
