#include "arthron/component/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arthron {

namespace {

double previous(double t) { return std::nextafter(t, -std::numeric_limits<double>::infinity()); }

bool jumps(double a, double b, double rounding) {
  constexpr double noise = 1e-9;
  return std::abs(a - b) > noise * std::max(std::abs(a), std::abs(b)) + rounding;
}

bool is_kink(const TimeFunction& function, const Kink& kink) {
  const TimeFunction::Sample a = function.sample(kink.before), b = function.sample(kink.after);
  // What a smooth function changes by from `before` to `after`, generously.
  const double moment = 100 * (kink.after - kink.before);
  return jumps(a.rate, b.rate, moment * std::max(std::abs(a.acceleration), std::abs(b.acceleration))) ||
         jumps(a.value, b.value, moment * std::max(std::abs(a.rate), std::abs(b.rate)));
}

}  // namespace

std::vector<Kink> kinks(const TimeFunction& function, double from, double to) {
  std::vector<double> breaks = function.breaks(from, to);
  std::sort(breaks.begin(), breaks.end());
  std::vector<Kink> list;
  for (const double at : breaks) {
    // A side that is taken at one instant alone, as sign(t - 1) is zero at 1, is none.
    const bool same = !list.empty() && at - list.back().after <= 4 * (list.back().after - previous(list.back().after));
    if (same)
      list.back().after = at;
    else
      list.push_back({at, previous(at), at});
  }
  // A side that is taken where the interval begins and nowhere else is none either.
  std::erase_if(list, [&](const Kink& kink) { return kink.before <= from || !is_kink(function, kink); });
  return list;
}

}  // namespace arthron
