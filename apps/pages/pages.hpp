#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

/// The pages of web/, built into the program: self-contained HTML that reads its data from elements of its own.
namespace arthron::cli {

[[nodiscard]] std::string_view view_page();
[[nodiscard]] std::string_view plot_page();

/// An element that carries data to a page.
struct PageData {
  std::string id, type, text;
};
[[nodiscard]] PageData json_data(std::string id, const nlohmann::ordered_json& json);

/// The page with its data. Throws ModelError naming `option` in a program built without pages.
[[nodiscard]] std::string with_data(std::string_view page, const std::vector<PageData>& data, const std::string& option);

}  // namespace arthron::cli
