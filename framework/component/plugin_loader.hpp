#pragma once
#include <string>
#include <vector>

#include "arthron/component/registry.hpp"

namespace arthron {

/// Why a library cannot be used, for a Diagnostic.
struct PluginMistake {
  std::string found, expected, suggestion;
};

/// Adds the types of a library to the registry. `file` is a shared library, or its name without prefix and suffix: "./acme" for
/// "./libacme.so"; `written` is how the user calls it. Nothing of the library runs before the record of its build has been compared. It
/// stays loaded as long as the process lives; adding it again adds nothing. On mistakes the registry is as it was, or has those types that
/// nobody else had. May be called from several threads, for registries of their own.
[[nodiscard]] std::vector<PluginMistake> add_plugin(const std::string& file, const std::string& written, Registry& registry);

/// The same for a program of its own, or for one that names the `option` at fault. Throws ModelError.
void load_plugin(const std::string& file, Registry& registry, const std::string& option = "");

}  // namespace arthron
