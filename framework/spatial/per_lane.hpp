#pragma once
#include <array>
#include <cstring>
#include <utility>

#include "arthron/spatial/lanes.hpp"

namespace arthron {

/// One thing of every variant, a lane each.
template <class Item>
using PerLane = std::array<Item, static_cast<std::size_t>(lane_count)>;

/// make(lane) for every lane.
template <class Item, class Make>
PerLane<Item> per_lane(const Make& make) {
  return [&]<std::size_t... lane>(std::index_sequence<lane...>) { return PerLane<Item>{make(lane)...}; }
  (std::make_index_sequence<static_cast<std::size_t>(lane_count)>());
}

static_assert(sizeof(Lanes) == sizeof(double) * static_cast<std::size_t>(lane_count), "lanes lie one behind the other");

/// Writes `count` structs of doubles into one lane of the same structs of lanes.
template <class OfLanes, class Plain>
void set_lane(OfLanes* lanes, int lane, const Plain* plain, int count) {
  static_assert(sizeof(OfLanes) == sizeof(Plain) * static_cast<std::size_t>(lane_count));
  if (count == 0) return;  // there may be no lanes to point into
  char* to = reinterpret_cast<char*>(lanes) + static_cast<std::size_t>(lane) * sizeof(double);
  const char* from = reinterpret_cast<const char*>(plain);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count) * (sizeof(Plain) / sizeof(double)); ++i)
    std::memcpy(to + i * sizeof(Lanes), from + i * sizeof(double), sizeof(double));
}

/// Reads them back.
template <class OfLanes, class Plain>
void get_lane(const OfLanes* lanes, int lane, Plain* plain, int count) {
  static_assert(sizeof(OfLanes) == sizeof(Plain) * static_cast<std::size_t>(lane_count));
  if (count == 0) return;
  const char* from = reinterpret_cast<const char*>(lanes) + static_cast<std::size_t>(lane) * sizeof(double);
  char* to = reinterpret_cast<char*>(plain);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count) * (sizeof(Plain) / sizeof(double)); ++i)
    std::memcpy(to + i * sizeof(double), from + i * sizeof(Lanes), sizeof(double));
}

}  // namespace arthron
