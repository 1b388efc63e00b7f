#pragma once
#include <memory>

#include "arthron/component/author_code.hpp"
#include "arthron/component/json_source.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {

/// Runs a function that the author of a component type wrote. False when it throws, which is reported at the user's "type": an author tells
/// the user's mistakes by JsonReader::complain, so a function that throws is wrong itself.
template <class Call>
bool run_author(const JsonReader& in, const ComponentType& type, const std::string& function, const Call& call) {
  std::string thrown;
  try {
    call();
    return true;
  } catch (const InternalError&) {
    throw;
  } catch (...) {
    thrown = name_and_library(type) + ", whose " + function + " throws: " + words_of_exception();
  }
  const std::string expected = "a type that throws nothing";
  if (in.describing()) throw ModelError({{"", 0, type.library(), thrown, expected, ""}});
  in.source().report("type", thrown, expected);
  return false;
}

/// What parse() of a type makes of a definition; nullptr when it throws.
template <class Type>
auto parse_component(const Type& type, const JsonReader& in) -> decltype(type.parse(in)) {
  decltype(type.parse(in)) definition;
  run_author(in, type, "parse()", [&] { definition = type.parse(in); });
  return definition;
}

}  // namespace arthron
