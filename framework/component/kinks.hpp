#pragma once
#include <vector>

#include "arthron/component/time_function.hpp"

namespace arthron {

/// Where the rate of a function of time, or its value, jumps. Up to `before` it is one smooth function, from `after` on another; at `time`
/// itself, which lies between them by no more than rounding, it may be neither.
struct Kink {
  double time, before, after;  // [s]
};

/// The kinks of a function in (from, to], in order: at points of linear tables, and where conditions, min, max, abs and sign of an
/// expression change sides. Two such changes that no constant of the expression tells of and that are nearer than the 1024th part of the
/// interval may stay unseen. Inputs count as not set.
[[nodiscard]] std::vector<Kink> kinks(const TimeFunction& function, double from, double to);

}  // namespace arthron
