#pragma once
#include <span>
#include <string>

#include "arthron/simulation/channels.hpp"

/// Results as comma-separated text: a header with names and units, then one line a row; numbers read back exactly.
namespace arthron {

/// The text as one field: quoted when it has separators or quotes in it (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);
/// t [s],tip.position.x [m],...
[[nodiscard]] std::string csv_header(const std::vector<ChannelColumn>& columns);
void append_csv_row(std::string& text, double t, std::span<const double> values);

}  // namespace arthron
