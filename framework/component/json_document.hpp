#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

using Json = nlohmann::ordered_json;

/// JSON text as a tree in which every value knows its line. Members keep the order of the text.
class JsonDocument {
 public:
  static constexpr int max_depth = 64;

  /// Reads the text, in which there may be comments and commas before closing brackets; `file` names it in messages. Syntax errors,
  /// repeated keys, numbers beyond double and nesting deeper than max_depth are appended to `diagnostics`; root() is what could be read
  /// before the first syntax error.
  JsonDocument(const std::string& written, std::string file, std::vector<Diagnostic>& diagnostics);

  /// A tree that no text stands behind; `name` stands for its file, and there are no lines.
  [[nodiscard]] static JsonDocument without_text(Json root, std::string name, std::vector<Diagnostic>& diagnostics);

  [[nodiscard]] const Json& root() const { return root_; }
  /// False when reading stopped at a mistake.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// 1-based line of the value (of its key, for a member of an object); of the nearest enclosing value when the pointer leads nowhere;
  /// 0 without lines.
  [[nodiscard]] int line(std::string pointer) const;

 private:
  friend class JsonDocumentBuilder;
  JsonDocument() = default;

  std::string file_;
  Json root_;
  bool complete_ = false;
  std::unordered_map<std::string, int> lines_;
};

/// `pointer` extended by a key or a list index, as RFC 6901 writes it.
[[nodiscard]] std::string join_pointer(const std::string& pointer, std::string_view key);
/// The value as the user wrote it, shortened to fit a line.
[[nodiscard]] std::string quote(const Json& value);
/// Text in quotes on one line: unprintable bytes escaped, long texts shortened.
[[nodiscard]] std::string quote_text(std::string_view text);

}  // namespace arthron
