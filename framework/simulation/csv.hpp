#pragma once
#include <span>
#include <string>

#include "arthron/simulation/channels.hpp"

/// Results as comma-separated text: a header with names and units, then one line a row; numbers read back exactly.
namespace arthron {

/// t [s],tip.position.x [m],...
[[nodiscard]] std::string csv_header(const std::vector<ChannelColumn>& columns);
void append_csv_row(std::string& text, double t, std::span<const double> values);

}  // namespace arthron
