#pragma once
#include <string>

#include "plotting/figure.hpp"

namespace arthron::cli {

/// The figure in gnuplot's language, for its terminal `svg` or `pngcairo`. All texts are quoted: none of them is ever a command.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const std::string& terminal);

/// The text in valid UTF-8 on one line.
[[nodiscard]] std::string plain_text(const std::string& text);

}  // namespace arthron::cli
