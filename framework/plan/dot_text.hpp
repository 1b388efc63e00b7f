#pragma once
#include <string>
#include <string_view>

/// Texts of the user's in Graphviz's language, where none of them can be taken for anything but a text.
namespace arthron {

/// As a string in quotes; `\n` in it begins a line.
[[nodiscard]] std::string quoted(std::string_view text);
/// Within a label of Graphviz's HTML kind.
[[nodiscard]] std::string html_text(std::string_view text);

}  // namespace arthron
