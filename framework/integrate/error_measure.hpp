#pragma once
#include <cmath>
#include <span>

namespace arthron {

/// max_i |v_i| / (atol + rtol |s_i|) over the sizes s that tolerances are relative to; NaN where some v_i is.
[[nodiscard]] inline double in_tolerances(std::span<const double> v, std::span<const double> sizes, double absolute, double relative) {
  double most = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double part = std::abs(v[i]) / (absolute + relative * std::abs(sizes[i]));
    if (part > most || std::isnan(part)) most = part;
  }
  return most;
}

}  // namespace arthron
