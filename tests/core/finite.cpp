#include "arthron/core/finite.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace arthron;

TEST_CASE("one value that is not finite is found wherever it stands, and no other") {
  using Limits = std::numeric_limits<double>;
  const double strange[] = {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::signaling_NaN()};
  const double fine[] = {0, -0.0, 1, Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min()};
  for (int count = 0; count < 19; ++count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(fine[i % std::size(fine)]);
    CHECK(all_finite(values.data(), count));
    for (int i = 0; i < count; ++i)
      for (const double bad : strange) {
        std::vector<double> spoilt = values;
        spoilt[i] = bad;
        CHECK_FALSE(all_finite(spoilt.data(), count));
      }
  }
}
