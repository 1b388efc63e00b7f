#include "pages/pages.hpp"

#include <nlohmann/json.hpp>

#include "arthron/core/diagnostic.hpp"

namespace arthron::cli {

PageData json_data(std::string id, const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // Nothing in a name can end the element that carries it.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return {std::move(id), "application/json", std::move(text)};
}

std::string with_data(std::string_view page, const std::vector<PageData>& data, const std::string& option) {
  constexpr std::string_view marker = "<!--ARTHRON-DATA-->";
  if (page.empty())
    throw ModelError(
        {{"", 0, option, "a program built without its pages (ARTHRON_WITH_PAGES)", "one that was built with Node.js and npm", ""}});
  const std::size_t place = page.find(marker);
  if (place == std::string_view::npos) throw InternalError("a page has a place for its data");
  std::string text(page.substr(0, place));
  for (const PageData& element : data)
    text += "<script type=\"" + element.type + "\" id=\"" + element.id + "\">" + element.text + "</script>\n";
  text += page.substr(place + marker.size());
  return text;
}

}  // namespace arthron::cli
