#include "arthron/component/lane_time_functions.hpp"

#include <algorithm>

namespace arthron {

int LaneTimeFunctions::add(const PerLane<const TimeFunction*>& functions, Wanted wanted) {
  static const TimeFunction zero;
  Entry entry{functions, wanted == Wanted::value_and_rate, true};
  for (const TimeFunction*& function : entry.functions) {
    if (!function) function = &zero;
    entry.same = entry.same && *function == *entry.functions[0];
  }
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& other) {
    return other.rate == entry.rate && std::equal(entry.functions.begin(), entry.functions.end(), other.functions.begin(),
                                                  [](const TimeFunction* a, const TimeFunction* b) { return *a == *b; });
  });
  if (known != entries_.end()) return static_cast<int>(known - entries_.begin());
  entries_.push_back(entry);
  return static_cast<int>(entries_.size()) - 1;
}

void LaneTimeFunctions::sample(const LaneInstant& now, Lanes* values, Lanes* rates) const {
  for (const Entry& entry : entries_) {
    const bool once = entry.same && now.signals_agree;
    const int asked = once ? 1 : lane_count;
    for (int lane = 0; lane < asked; ++lane) {
      const std::size_t l = lane;
      TimeFunction::Sample sample;
      if (entry.rate)
        sample = entry.functions[l]->sample(now.of(lane));
      else
        sample.value = entry.functions[l]->value(now.of(lane));
      values->set(lane, sample.value), rates->set(lane, sample.rate);
    }
    if (once) *values = Lanes((*values)[0]), *rates = Lanes((*rates)[0]);
    ++values, ++rates;
  }
}

}  // namespace arthron
