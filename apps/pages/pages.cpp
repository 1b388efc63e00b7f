#include "pages/pages.hpp"

namespace arthron::cli {

std::string_view view_page() { return "<!doctype html><html><body><!--ARTHRON-DATA--></body></html>"; }
std::string_view plot_page() { return "<!doctype html><html><body><!--ARTHRON-DATA--></body></html>"; }

std::string with_data(std::string_view page, const std::vector<PageData>& data) {
  std::string elements;
  for (const PageData& item : data) {
    elements += "<script type=\"" + item.type + "\" id=\"" + item.id + "\">";
    for (const char c : item.text) elements += c == '<' ? "\\u003c" : std::string(1, c);
    elements += "</script>\n";
  }
  constexpr std::string_view marker = "<!--ARTHRON-DATA-->";
  const std::size_t at = page.find(marker);
  return std::string(page.substr(0, at)) + elements + std::string(page.substr(at + marker.size()));
}

}  // namespace arthron::cli
