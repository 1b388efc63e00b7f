#pragma once
#include <string_view>
#include <vector>

namespace arthron::cli {

/// A file of apps/templates.
struct Template {
  std::string_view kind, file, text;
};

[[nodiscard]] const std::vector<Template>& templates();

}  // namespace arthron::cli
