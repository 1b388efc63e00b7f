#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/fuzz/random.hpp"

namespace arthron::fuzz {

/// Parts of other files, by the keys they stand under there: what a user would copy from one model to another.
class Donors {
 public:
  /// Takes the parts of a JSON text; nothing of one that is none.
  void add(const std::string& text);
  /// A part that stands under this key somewhere, or any part.
  [[nodiscard]] nlohmann::ordered_json part(const std::string& key, Random& random) const;
  [[nodiscard]] std::string key(Random& random) const;

 private:
  std::map<std::string, std::vector<nlohmann::ordered_json>> parts_;
  std::vector<std::string> keys_;
};

/// A copy of a JSON text with one to four mistakes in its tree: values of other types and sizes, keys lost, renamed or given twice, arrays
/// of other lengths and depths, references that point elsewhere, parts of other files; or in its numbers and expressions alone. A text that
/// is no JSON loses bytes instead.
[[nodiscard]] std::string damaged_json(const std::string& text, const Donors& donors, const std::vector<std::string>& files,
                                       Random& random);

}  // namespace arthron::fuzz
