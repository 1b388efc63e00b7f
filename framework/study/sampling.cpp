#include "arthron/study/sampling.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

namespace arthron {
namespace {

using Generator = boost::random::mt19937_64;

double rounded(double value) {
  constexpr int digits = 12;
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1).ptr;
  std::from_chars(text, end, value);
  return value;
}

double between(double first, double last, double share, bool log) {
  const double value = log ? first * std::exp(share * std::log(last / first)) : first + share * (last - first);
  return std::clamp(rounded(value), std::min(first, last), std::max(first, last));
}

double normal_quantile(double p) {
  // Without promotion to long double, which is another type on every machine.
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  constexpr double least = 0x1p-64, most = 1 - 0x1p-53;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * std::clamp(p, least, most), Policy());
}

}  // namespace

double Distribution::quantile(double p) const {
  if (type == Type::normal) return rounded(a + b * normal_quantile(p));
  return between(a, b, p, type == Type::log_uniform);
}

std::vector<double> spaced(double first, double last, std::size_t count, bool log) {
  std::vector<double> values(count, first);
  for (std::size_t i = 1; i < count; ++i)
    values[i] = i + 1 == count ? last : between(first, last, static_cast<double>(i) / static_cast<double>(count - 1), log);
  return values;
}

Samples full_product(const std::vector<std::vector<double>>& values) {
  Samples product(1);
  for (const std::vector<double>& choices : values) {
    Samples longer;
    for (const std::vector<double>& row : product)
      for (const double choice : choices) {
        longer.push_back(row);
        longer.back().push_back(choice);
      }
    product = std::move(longer);
  }
  return product;
}

Samples random_samples(const std::vector<Distribution>& parameters, std::size_t count, std::uint64_t seed) {
  Generator generator(seed);
  boost::random::uniform_01<double> share;
  Samples samples(count, std::vector<double>(parameters.size()));
  for (std::vector<double>& row : samples)
    for (std::size_t i = 0; i < parameters.size(); ++i) row[i] = parameters[i].quantile(share(generator));
  return samples;
}

Samples latin_hypercube(const std::vector<Distribution>& parameters, std::size_t count, std::uint64_t seed) {
  Generator generator(seed);
  boost::random::uniform_01<double> share;
  Samples samples(count, std::vector<double>(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<std::size_t> interval(count);
    std::iota(interval.begin(), interval.end(), std::size_t{0});
    // The order of std::shuffle is left to each library.
    for (std::size_t last = count; last-- > 1;)
      std::swap(interval[last], interval[boost::random::uniform_int_distribution<std::size_t>(0, last)(generator)]);
    for (std::size_t row = 0; row < count; ++row)
      samples[row][i] = parameters[i].quantile((static_cast<double>(interval[row]) + share(generator)) / static_cast<double>(count));
  }
  return samples;
}

}  // namespace arthron
