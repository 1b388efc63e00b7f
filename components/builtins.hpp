#pragma once
#include "arthron/component/registry.hpp"

namespace arthron {

/// Registers every component type that ships with the program. The one explicit list: a type that is not here does not exist.
void register_builtins(Registry& registry);

/// A registry with the built-in types alone.
[[nodiscard]] Registry builtin_registry();

}  // namespace arthron
