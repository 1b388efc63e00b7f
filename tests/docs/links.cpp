#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/documentation.hpp"

using namespace arthron;
namespace fs = std::filesystem;

namespace {

const fs::path root = ARTHRON_SOURCE_DIR;

/// Every page of the repository, from its root.
std::vector<fs::path> pages() {
  std::vector<fs::path> found = {"README.md"};
  for (const char* folder : {"docs", "examples", "subsystems"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md") found.push_back(fs::relative(entry.path(), root));
  return found;
}

/// A page's lines outside its fenced blocks.
std::vector<std::string> prose(const fs::path& page) {
  std::istringstream stream(test::page(page));
  std::vector<std::string> lines;
  bool fenced = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```"))
      fenced = !fenced;
    else if (!fenced)
      lines.push_back(line);
  }
  return lines;
}

/// Names under which the headings of a page are linked: small letters, blanks as hyphens, no other signs, a number where one comes again.
std::set<std::string> anchors(const fs::path& page) {
  std::map<std::string, int> times;
  std::set<std::string> names;
  for (const std::string& line : prose(page)) {
    if (!line.starts_with('#')) continue;
    std::string name;
    for (const unsigned char c : line.substr(std::min(line.find_first_not_of("# "), line.size())))
      if (std::isalnum(c) || c == '_' || c == '-' || c >= 0x80)
        name += static_cast<char>(std::tolower(c));
      else if (c == ' ')
        name += '-';
    const int before = times[name]++;
    names.insert(before == 0 ? name : name + "-" + std::to_string(before));
  }
  return names;
}

/// Targets of links and pictures.
std::vector<std::string> targets(const fs::path& page) {
  static const std::regex code("`[^`]*`"), link(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> found;
  for (const std::string& line : prose(page)) {
    const std::string text = std::regex_replace(line, code, "");
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) found.push_back((*match)[1]);
  }
  return found;
}

/// What is wrong with a link of a page; "" when it leads somewhere.
std::string trouble_with(const fs::path& page, const std::string& target) {
  if (target.find("://") != std::string::npos) return "";
  const auto hash = target.find('#');
  const fs::path file = hash == 0 ? page : (page.parent_path() / target.substr(0, hash)).lexically_normal();
  if (!fs::exists(root / file)) return "no such file";
  return hash == std::string::npos || anchors(file).contains(target.substr(hash + 1)) ? "" : "no such heading";
}

}  // namespace

TEST_CASE("every link and every picture of the pages leads somewhere") {
  int links = 0;
  for (const fs::path& page : pages())
    for (const std::string& target : targets(page)) {
      CAPTURE(page.string());
      CAPTURE(target);
      CHECK(trouble_with(page, target) == "");
      ++links;
    }
  CHECK(links > 100);
}

TEST_CASE("links that lead nowhere are found") {
  CHECK(trouble_with("README.md", "docs/no-such-page.md") == "no such file");
  CHECK(trouble_with("docs/README.md", "theory.md#no-such-heading") == "no such heading");
}

TEST_CASE("the index of the documentation names every page") {
  const std::vector<std::string> index = targets("docs/README.md");
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() == ".md" && name != "README.md")
      CHECK_MESSAGE(std::find(index.begin(), index.end(), name) != index.end(), name);
  }
}
