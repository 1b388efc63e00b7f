#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

/// Values of parameters, the same on every machine for the same seed. Sampled and spaced values are rounded to twelve digits, so that they
/// read well and do not hang on the last bit of a mathematical library.
namespace arthron {

/// How the values of a parameter are spread.
struct Distribution {
  enum class Type { uniform, log_uniform, normal } type = Type::uniform;
  double a = 0, b = 1;  // lowest and highest, or mean and standard deviation

  /// The value that a share p of all values lies below, 0 <= p <= 1.
  [[nodiscard]] double quantile(double p) const;
};

/// One row a variant, one column a parameter.
using Samples = std::vector<std::vector<double>>;

/// `count` values from the first to the last, both included: equal steps, or equal ratios.
[[nodiscard]] std::vector<double> spaced(double first, double last, std::size_t count, bool log);
/// All combinations, the last parameter changing fastest.
[[nodiscard]] Samples full_product(const std::vector<std::vector<double>>& values);
/// Independent draws. More of them begin with the same rows.
[[nodiscard]] Samples random_samples(const std::vector<Distribution>& parameters, std::size_t count, std::uint64_t seed);
/// Of every parameter, one draw from each of `count` intervals of equal probability, in an order of its own.
[[nodiscard]] Samples latin_hypercube(const std::vector<Distribution>& parameters, std::size_t count, std::uint64_t seed);

}  // namespace arthron
