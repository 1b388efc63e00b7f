#pragma once
#include <algorithm>

#include "arthron/simulation/channels.hpp"
#include "run_options.hpp"

namespace arthron::cli {

/// Channels for a page that shows a model: those that the user names; else everything, or, where that is more than `most` columns, what the
/// file says or the usual ones.
inline ChannelSet page_channels(const RunOptions& options, const Plan& plan, double most) {
  const std::vector<ChannelRequest> requests = options.channel_requests(*plan.model);
  if (options.chooses_channels()) return {plan, requests};
  std::vector<ChannelRequest> all = requests;
  const std::vector<Quantity> quantities = all_quantities(plan);
  for (const char* path : {"energy", "momentum", "mass_centre"})
    if (std::any_of(quantities.begin(), quantities.end(), [&](const Quantity& quantity) { return quantity.element == path; }))
      all.push_back({path, "", "--channel"});
  all.push_back({"*", "", "--channel"});
  ChannelSet everything(plan, all);
  return static_cast<double>(everything.columns().size()) <= most ? everything : ChannelSet(plan, requests);
}

}  // namespace arthron::cli
