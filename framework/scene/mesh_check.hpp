#pragma once
#include <string>
#include <string_view>

namespace arthron {

/// What keeps the contents of a mesh file from being drawn; "" when nothing does.
[[nodiscard]] std::string trouble_with_stl(std::string_view bytes);
[[nodiscard]] std::string trouble_with_obj(std::string_view text);

}  // namespace arthron
