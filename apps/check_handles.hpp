#pragma once
#include <memory>
#include <string>

#include "arthron/model/model.hpp"
#include "cli.hpp"

namespace arthron::cli {

/// Writes the handle equations of a subsystem, as mounted and alone, at a time of the motion: in words, or as JSON where there is a file
/// for it. Returns the exit code.
[[nodiscard]] int write_handles(const std::shared_ptr<const Model>& model, const std::string& subsystem, double time,
                                const std::string& file, Console& console);

}  // namespace arthron::cli
