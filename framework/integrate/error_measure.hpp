#pragma once
#include <cmath>
#include <vector>

#include "arthron/model/model.hpp"

namespace arthron {

/// max_i |v_i| / (atol + rtol |s_i|) over the sizes s that tolerances are relative to; NaN where some v_i is.
[[nodiscard]] inline double in_tolerances(const std::vector<double>& v, const std::vector<double>& sizes,
                                          const IntegratorSettings& settings) {
  double most = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double part = std::abs(v[i]) / (settings.absolute_tolerance + settings.relative_tolerance * std::abs(sizes[i]));
    if (part > most || std::isnan(part)) most = part;
  }
  return most;
}

}  // namespace arthron
