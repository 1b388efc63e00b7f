#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace arthron::cli {
struct PageData {
  std::string id, type, text;
};
[[nodiscard]] std::string_view view_page();
[[nodiscard]] std::string_view plot_page();
[[nodiscard]] std::string with_data(std::string_view page, const std::vector<PageData>& data);
}  // namespace arthron::cli
