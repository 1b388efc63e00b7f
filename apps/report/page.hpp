#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Static HTML pages that stand alone: no script, nothing from outside, well-formed as XML, made for a screen and for A4 paper.
namespace arthron::cli {

/// A text of the user's within HTML, also within an attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// A picture in place, such that names within it cannot meet those of another.
[[nodiscard]] std::string picture(const std::string& svg, const std::string& description);

/// Cells are HTML already; those behind the first are numbers, aligned at the right, unless told otherwise.
struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  bool words = false;  // all cells are words
  std::string style{};
};
[[nodiscard]] std::string to_html(const Table& table);

/// The whole page; `body` is HTML.
[[nodiscard]] std::string page(const std::string& title, const std::string& body);

/// A section with a heading; one that `begins_page` does so on paper.
[[nodiscard]] std::string section(const std::string& heading, const std::string& body, bool begins_page = false);

[[nodiscard]] std::string paragraph(const std::string& text);

}  // namespace arthron::cli
