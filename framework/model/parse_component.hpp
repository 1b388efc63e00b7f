#pragma once
#include <memory>

#include "arthron/component/author_code.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {

/// What parse() of a type makes of a definition; nullptr when it throws, which is reported. An author tells the user's mistakes by
/// JsonReader::complain, so a parse() that throws is wrong itself.
template <class Type>
auto parse_component(const Type& type, const JsonReader& in) -> decltype(type.parse(in)) {
  std::string thrown;
  try {
    return type.parse(in);
  } catch (const InternalError&) {
    throw;
  } catch (...) {
    thrown = "type " + name_and_library(type) + ", whose parse() throws: " + words_of_exception();
  }
  const std::string expected = "a parse() that throws nothing, and reports mistakes by complain()";
  if (in.describing()) throw ModelError({{"", 0, type.library(), thrown, expected, ""}});
  in.source().report("type", thrown, expected);
  return nullptr;
}

}  // namespace arthron
