#pragma once
#include <CLI/CLI.hpp>

#include "arthron/core/diagnostic.hpp"

namespace arthron::cli {

/// What CLI11 complains of, in the house's form and with the nearest option or command.
[[nodiscard]] ModelError to_model_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace arthron::cli
