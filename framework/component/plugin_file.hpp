#pragma once
#include <optional>
#include <string>

#include "arthron/component/plugin_record.hpp"

namespace arthron {

/// The record in a library's file, without loading it; empty, and why in `trouble`, when there is none.
[[nodiscard]] std::optional<PluginRecord> read_plugin_record(const std::string& file, std::string& trouble);

}  // namespace arthron
