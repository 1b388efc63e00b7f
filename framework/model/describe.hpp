#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "arthron/component/registry.hpp"

namespace arthron {

/// Every key of a model file, found out by letting the loader read in describe mode.
[[nodiscard]] std::vector<KeyDescription> describe_file(const Registry& registry);
/// JSON Schema (draft 7) of files with these keys, which say nothing of models within them.
[[nodiscard]] nlohmann::ordered_json schema_of(const std::string& title, const std::vector<KeyDescription>& keys);
/// What a key holds, in words: "number > 0".
[[nodiscard]] std::string kind_words(const KeyDescription& key);

/// A paragraph of the reference: a section of the language or a component type.
struct ReferenceEntry {
  std::string word;  // "joint", "force", "body" or "subsystem"; empty for sections
  std::string name, about{};
  std::string library{};  // plug-in that brings the type
  std::vector<KeyDescription> keys{};
  std::vector<std::string> notes{};  // what it reports, keeps or opens
  std::string_view example{};        // JSON object with the author's own keys

  [[nodiscard]] std::string heading() const { return (word.empty() ? "" : word + " ") + name; }
};
/// Every section, then every type.
[[nodiscard]] std::vector<ReferenceEntry> reference_of(const Registry& registry);
/// For terminals: a line for each key and for those within it.
[[nodiscard]] std::string entry_text(const ReferenceEntry& entry);
/// For pages: a heading, a table of keys, and the example, sections of a model file; without one, the author's, and without that one that
/// is made up.
[[nodiscard]] std::string entry_markdown(const ReferenceEntry& entry, const std::string& example);
/// Operators and names of expressions.
[[nodiscard]] std::string expression_words();

}  // namespace arthron
