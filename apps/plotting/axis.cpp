#include "plotting/axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace arthron::cli {
namespace {

std::string superscript(int number) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
  return text;
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

Axis make_axis(double low, double high, int count, bool tight) {
  constexpr double rounding = 1e-9;
  constexpr double least = 1e-290, most = 1e290;  // beyond them differences and their powers of ten are no numbers
  if (!(low <= high)) low = 0, high = 1;
  low = std::clamp(low, -most, most), high = std::clamp(high, -most, most);
  if (std::max(std::abs(low), std::abs(high)) < least) low = high = 0;
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= rounding * size || size == 0) {
    const double around = size == 0 ? 1 : size / 10;
    low -= around, high += around;
  }
  const double step = round_step((high - low) / count);
  Axis axis;
  axis.low = tight ? low : step * std::floor(low / step + rounding);
  axis.high = tight ? high : step * std::ceil(high / step - rounding);

  // Numbers below 10,000 stand as they are, others in thousands, millions, ...
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  if (largest >= 1e4 || largest < 1e-2) axis.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
  const double unit = std::pow(10, axis.exponent);
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step / unit) + rounding)), 0, 12);
  const double first = std::ceil(axis.low / step - rounding), last = std::floor(axis.high / step + rounding);
  for (double k = first; k <= last; ++k) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, k == 0 ? 0 : k * step / unit);
    axis.tics.push_back({k * step, text[0] == '-' ? "−" + std::string(text + 1) : text});
  }
  return axis;
}

std::string with_exponent(const std::string& label, int exponent) {
  if (exponent == 0) return label;
  const std::string power = "10" + superscript(exponent);
  const std::size_t bracket = label.rfind('[');
  if (bracket == std::string::npos || !label.ends_with(']')) return label.empty() ? power : label + " [" + power + ']';
  return label.substr(0, bracket + 1) + power + ' ' + label.substr(bracket + 1);
}

}  // namespace arthron::cli
