#include "arthron/study/sampling.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace arthron;

namespace {

constexpr Distribution unit{Distribution::Type::uniform, 0, 1};
constexpr Distribution decades{Distribution::Type::log_uniform, 0.1, 1000};
constexpr Distribution bell{Distribution::Type::normal, 5, 2};

// Values in full come from the generator, quantiles and draws of whole numbers programmed anew in another language.

/// Rounding to twelve digits.
constexpr double digits12 = 1e-11;

/// Share of a normal distribution below x, from the error function.
double below(double x, double mean, double deviation) { return std::erfc((mean - x) / (deviation * std::sqrt(2.0))) / 2; }

}  // namespace

TEST_CASE("a grid is the full product, its last parameter changing fastest") {
  CHECK(full_product({{1, 2}, {10, 20, 30}}) == Samples{{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}});
}

TEST_CASE("spaced values hit both ends, and the decimals people mean") {
  CHECK(spaced(0, 0.6, 7, false) == std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  CHECK(spaced(1, 1000, 4, true) == std::vector<double>{1, 10, 100, 1000});
  CHECK(spaced(3, -3, 3, false) == std::vector<double>{3, 0, -3});
  CHECK(spaced(-1, -100, 3, true) == std::vector<double>{-1, -10, -100});
  CHECK(spaced(7, 9, 1, false) == std::vector<double>{7});
}

TEST_CASE("quantiles are those of the closed forms") {
  CHECK(unit.quantile(0.25) == 0.25);
  CHECK(decades.quantile(0.5) == doctest::Approx(10).epsilon(digits12));
  CHECK(bell.quantile(0.5) == 5);
  for (const double p : {1e-6, 0.01, 0.3, 0.975, 0.999999}) CHECK(below(bell.quantile(p), 5, 2) == doctest::Approx(p).epsilon(1e-9));
  CHECK(std::isfinite(bell.quantile(0)));
  CHECK(std::isfinite(bell.quantile(1)));
}

TEST_CASE("random samples follow the generator of the C++ standard, on every machine") {
  std::mt19937_64 generator(42);
  const Samples samples = random_samples({unit, unit}, 500, 42);
  for (const std::vector<double>& row : samples)
    for (const double value : row) CHECK(value == doctest::Approx(static_cast<double>(generator()) * 0x1p-64).epsilon(digits12));
  CHECK(random_samples({unit, decades, bell}, 2, 42) ==
        Samples{{0.755155532955, 35.9853371028, 6.36251174946}, {0.136272683632, 410.275766677, 2.36777701103}});
  CHECK(random_samples({unit, unit}, 20, 42) == Samples(samples.begin(), samples.begin() + 20));
  CHECK(random_samples({unit, unit}, 20, 43) != Samples(samples.begin(), samples.begin() + 20));
}

TEST_CASE("a Latin hypercube has one sample in every interval of equal probability") {
  constexpr std::size_t count = 200;
  const Samples samples = latin_hypercube({unit, decades, bell}, count, 3);
  REQUIRE(samples.size() == count);
  std::set<int> of_unit, of_decades, of_bell;
  for (const std::vector<double>& row : samples) {
    of_unit.insert(static_cast<int>(row[0] * count));
    of_decades.insert(static_cast<int>(std::log(row[1] / 0.1) / std::log(1e4) * count));
    of_bell.insert(static_cast<int>(below(row[2], 5, 2) * count));
  }
  CHECK(of_unit.size() == count);
  CHECK(of_decades.size() == count);
  CHECK(of_bell.size() == count);
  CHECK(latin_hypercube({unit, bell}, 3, 42) ==
        Samples{{0.250715066916, 6.61953133931}, {0.378757561211, 4.61984755259}, {0.967756322143, 2.74807119686}});
  // The parameters are not in step: their ranks are hardly correlated.
  double correlation = 0;
  for (const std::vector<double>& row : samples) correlation += 12 * (row[0] - 0.5) * (below(row[2], 5, 2) - 0.5) / count;
  CHECK(std::abs(correlation) < 0.25);
}
