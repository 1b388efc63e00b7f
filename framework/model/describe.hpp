#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arthron/component/registry.hpp"

namespace arthron {

/// Every key of a model file, found out by letting the loader read in describe mode.
[[nodiscard]] std::vector<KeyDescription> describe_file(const Registry& registry);
/// JSON Schema (draft 7) of files with these keys, which say nothing of models within them.
[[nodiscard]] nlohmann::ordered_json schema_of(const std::string& title, const std::vector<KeyDescription>& keys);
/// A line for each key and for those within it.
[[nodiscard]] std::string keys_text(const std::vector<KeyDescription>& keys);

}  // namespace arthron
