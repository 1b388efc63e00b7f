#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/documentation.hpp"

/// The table of the papers' formulas in docs/theory.md: the papers' numbers, and names in our files.
using namespace arthron;

namespace {

const std::string& table() {
  static const std::string text = [] {
    const std::string page = test::page("docs/theory.md");
    const auto begin = page.find("\n## The papers' formulas\n");
    REQUIRE(begin != std::string::npos);
    return page.substr(begin, page.find("\n## ", begin + 1) - begin);
  }();
  return text;
}

template <class Use>
void each_match(const std::string& text, const char* pattern, Use use) {
  const std::regex words(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), words); at != std::sregex_iterator(); ++at) use(*at);
}

/// The cells of a row; none of another line.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream parts(line.starts_with("| ") ? line.substr(1) : "");
  for (std::string cell; std::getline(parts, cell, '|');) list.push_back(cell);
  return list;
}

}  // namespace

TEST_CASE("every numbered formula of the papers stands in the table of docs/theory.md") {
  const std::map<std::string, int> last{{"O", 45}, {"C", 77}, {"L", 56}, {"B", 6}};
  std::map<std::string, std::set<int>> found;
  std::istringstream lines(table());
  for (std::string line; std::getline(lines, line);) {
    if (cells(line).size() != 3) continue;
    each_match(cells(line)[0], R"(([OCLB])\((\d+)\)(?:-\((\d+)\))?)", [&](const std::smatch& range) {
      const int from = std::stoi(range[2]), to = range[3].matched ? std::stoi(range[3]) : from;
      for (int number = from; number <= to; ++number) found[range[1]].insert(number);
    });
  }
  for (const auto& [paper, count] : last)
    for (int number = 1; number <= count; ++number) {
      const std::string formula = paper + '(' + std::to_string(number) + ')';
      CHECK_MESSAGE(found[paper].contains(number), formula);
    }
}

TEST_CASE("the names in the table of formulas stand in the files that they are linked with") {
  int names = 0;
  std::istringstream lines(table());
  for (std::string line; std::getline(lines, line);) {
    if (cells(line).size() != 3) continue;
    std::vector<std::string> waiting;  // for their file
    each_match(cells(line)[2], R"(`([^`]+)`|\]\(\.\./([^)]+)\))", [&](const std::smatch& word) {
      if (word[1].matched) return waiting.push_back(word[1]);
      const std::string file = test::page(word[2]);
      for (const std::string& name : waiting) {
        CAPTURE(name);
        CAPTURE(word[2].str());
        CHECK(std::regex_search(file, std::regex("\\b" + name + "\\b")));
        ++names;
      }
      waiting.clear();
    });
    CHECK(waiting.empty());
  }
  CHECK(names > 50);
}
