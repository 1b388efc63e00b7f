#pragma once
#include <vector>

#include "arthron/simulation/channels.hpp"
#include "plotting/figure.hpp"

namespace arthron::cli {

/// Channels of one unit share a pane, few enough to be told apart; components of one quantity stay together.
[[nodiscard]] std::vector<Pane> channel_panes(const std::vector<ChannelColumn>& columns, const std::vector<double>& t,
                                              const std::vector<std::vector<double>>& values);

/// Of the rows that are finite; NaN where there are none.
struct ChannelFigures {
  double start, end, least, largest, rms;
};
[[nodiscard]] ChannelFigures figures_of(const std::vector<double>& values);

}  // namespace arthron::cli
