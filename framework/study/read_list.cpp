#include <algorithm>
#include <charconv>
#include <sstream>

#include "arthron/component/json_document.hpp"
#include "arthron/study/definition.hpp"

namespace arthron {
namespace {

constexpr auto byte_order_mark = "\xEF\xBB\xBF";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line + ',');
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(trimmed(cell));
  return cells;
}

}  // namespace

void read_list(const std::string& text, const std::string& file, StudyDefinition& study, std::vector<Diagnostic>& diagnostics) {
  std::istringstream stream(text.starts_with(byte_order_mark) ? text.substr(3) : text);
  int line_number = 0;
  const auto complain = [&](std::string found, std::string expected, const std::string& column = "") {
    diagnostics.push_back({file, line_number, column, std::move(found), std::move(expected), ""});
  };
  for (std::string line; std::getline(stream, line);) {
    ++line_number;
    if (trimmed(line).empty()) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (study.parameters.empty()) {
      for (const std::string& path : cells) study.parameters.push_back({path, {file, line_number, path}});
      continue;
    }
    if (cells.size() != study.parameters.size()) {
      complain("a row of " + std::to_string(cells.size()), "one of " + std::to_string(study.parameters.size()) + ", as the head has names");
      continue;
    }
    std::vector<double> row(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const char* end = cells[i].data() + cells[i].size();
      const auto [rest, error] = std::from_chars(cells[i].data(), end, row[i]);
      if (error != std::errc() || rest != end) complain(quote_text(cells[i]), "a number", study.parameters[i].path);
    }
    study.samples.push_back(std::move(row));
    study.lines.push_back(line_number);
  }
  line_number = std::max(line_number, 1);  // of an empty file too
  if (study.samples.empty() && diagnostics.empty())
    complain("no variants", "a head with paths of parameters, and a line of numbers for each variant");
  if (study.samples.size() > most_variants)
    complain(std::to_string(study.samples.size()) + " variants", "at most " + std::to_string(most_variants));
}

}  // namespace arthron
