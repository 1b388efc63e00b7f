#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arthron {

/// What a number measures: powers of metre, kilogram, second, radian, ampere and kelvin. An angle is no pure number here, so that
/// revolutions and hertz, degrees and slopes are not taken for one another.
struct Dimension {
  std::array<double, 6> power{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A unit of measure. A number x of it is x numerator / denominator in SI: two numbers, since 180 / 1000 is the double nearest to 0.18 and
/// 180 * 0.001 is not.
struct Unit {
  double numerator = 1, denominator = 1;
  Dimension dimension;
  [[nodiscard]] double to_si(double x) const { return x * numerator / denominator; }
  [[nodiscard]] double from_si(double x) const { return x * denominator / numerator; }
};

/// A text that should be a unit.
struct UnitReading {
  std::optional<Unit> unit;
  std::string unknown;  // the part of it that is none
};
/// "N/mm", "kg m^2", "N m/rad", "1/s", "m/s2": factors side by side or with *, each / dividing by the next one; powers as ^2, 2 or ².
[[nodiscard]] UnitReading read_unit(std::string_view text);
/// A single symbol, "mm".
[[nodiscard]] std::optional<Unit> unit_of_symbol(std::string_view symbol);
[[nodiscard]] const std::vector<std::string>& unit_symbols();

/// A number with a unit behind it, "25 N/mm" or "30deg".
struct QuantityReading {
  bool is_one = false;  // it begins with a number and goes on with something else
  double number = 0;    // as it is written
  Unit unit;
  std::string unknown;  // not empty: what follows the number is no unit, and this part is why
};
[[nodiscard]] QuantityReading read_quantity(std::string_view text);

/// What a key's unit admits: "m" one dimension, "m or rad" two, "" pure numbers. Nothing where the text is no unit: any dimension will do.
[[nodiscard]] const std::optional<std::vector<Dimension>>& dimensions_of(std::string_view unit);
/// The i-th of "m, m, rad"; the text itself where there is no list.
[[nodiscard]] std::string_view unit_of_entry(std::string_view units, std::size_t i);
/// SI unit in the usual way of writing, "N/m"; "" of pure numbers.
[[nodiscard]] std::string unit_text(const Dimension& dimension);
/// "stiffness"; "" when it has no name.
[[nodiscard]] std::string_view quantity_name(const Dimension& dimension);

/// A kind of quantity with a name of its own, and units in which it is often given.
struct QuantityKind {
  std::string_view name, unit, examples;
};
[[nodiscard]] const std::vector<QuantityKind>& quantity_kinds();

}  // namespace arthron
