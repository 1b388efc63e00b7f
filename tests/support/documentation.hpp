#pragma once
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace arthron::test {

/// The text of a file of the repository.
inline std::string page(const std::string& path) {
  std::ifstream stream(std::string(ARTHRON_SOURCE_DIR) + "/" + path);
  if (!stream) throw std::runtime_error("no page " + path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What stands in a page's fenced blocks of a language.
inline std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> found;
  const std::string fence = "\n```" + language + "\n";
  for (auto begin = page.find(fence); begin != std::string::npos; begin = page.find(fence, begin + 1)) {
    const auto first = begin + fence.size(), last = page.find("\n```", first);
    found.push_back(page.substr(first, last - first + 1));
  }
  return found;
}

/// A page's blocks of JSON, each a whole file or some sections of one; discarded where they are no JSON.
inline std::vector<nlohmann::ordered_json> fragments(const std::string& page) {
  std::vector<nlohmann::ordered_json> found;
  for (const std::string& block : blocks(page, "json"))
    found.push_back(nlohmann::ordered_json::parse(block.starts_with('{') ? block : '{' + block + '}', nullptr, false));
  return found;
}

}  // namespace arthron::test
