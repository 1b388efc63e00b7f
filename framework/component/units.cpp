#include "arthron/component/units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

namespace arthron {

namespace {

constexpr double pi = std::numbers::pi;

Dimension power_of(const Dimension& dimension, double exponent) {
  Dimension result;
  for (std::size_t i = 0; i < result.power.size(); ++i) result.power[i] = dimension.power[i] * exponent;
  return result;
}

void multiply(Unit& unit, const Unit& factor, double exponent) {
  const Dimension raised = power_of(factor.dimension, exponent);
  for (std::size_t i = 0; i < raised.power.size(); ++i) unit.dimension.power[i] += raised.power[i];
  double numerator = std::pow(factor.numerator, std::abs(exponent)), denominator = std::pow(factor.denominator, std::abs(exponent));
  if (exponent < 0) std::swap(numerator, denominator);
  unit.numerator *= numerator, unit.denominator *= denominator;
}

using Symbols = std::map<std::string, Unit, std::less<>>;

Symbols make_symbols() {
  const Dimension none{}, m{{1}}, kg{{0, 1}}, s{{0, 0, 1}}, rad{{0, 0, 0, 1}}, A{{0, 0, 0, 0, 1}}, K{{0, 0, 0, 0, 0, 1}};
  const Dimension speed{{1, 0, -1}}, acceleration{{1, 0, -2}}, spin{{0, 0, -1, 1}}, N{{1, 1, -2}}, Nm{{2, 1, -2}}, Pa{{-1, 1, -2}},
      W{{2, 1, -3}}, Hz{{0, 0, -1}}, V{{2, 1, -3, 0, -1}};
  return {{"m", {1, 1, m}},
          {"km", {1000, 1, m}},
          {"dm", {1, 10, m}},
          {"cm", {1, 100, m}},
          {"mm", {1, 1000, m}},
          {"um", {1, 1e6, m}},
          {"µm", {1, 1e6, m}},
          {"in", {254, 1e4, m}},
          {"ft", {3048, 1e4, m}},
          {"mi", {1609344, 1000, m}},
          {"rad", {1, 1, rad}},
          {"mrad", {1, 1000, rad}},
          {"deg", {pi, 180, rad}},
          {"°", {pi, 180, rad}},
          {"rev", {2 * pi, 1, rad}},
          {"kg", {1, 1, kg}},
          {"g", {1, 1000, kg}},
          {"t", {1000, 1, kg}},
          {"lb", {45359237, 1e8, kg}},
          {"s", {1, 1, s}},
          {"ms", {1, 1000, s}},
          {"us", {1, 1e6, s}},
          {"min", {60, 1, s}},
          {"h", {3600, 1, s}},
          {"N", {1, 1, N}},
          {"kN", {1000, 1, N}},
          {"MN", {1e6, 1, N}},
          {"mN", {1, 1000, N}},
          {"daN", {10, 1, N}},
          {"kgf", {980665, 1e5, N}},
          {"lbf", {44482216152605, 1e13, N}},
          {"Nm", {1, 1, Nm}},
          {"kNm", {1000, 1, Nm}},
          {"Nmm", {1, 1000, Nm}},
          {"J", {1, 1, Nm}},
          {"kJ", {1000, 1, Nm}},
          {"W", {1, 1, W}},
          {"kW", {1000, 1, W}},
          {"Pa", {1, 1, Pa}},
          {"kPa", {1000, 1, Pa}},
          {"MPa", {1e6, 1, Pa}},
          {"GPa", {1e9, 1, Pa}},
          {"bar", {1e5, 1, Pa}},
          {"mbar", {100, 1, Pa}},
          {"psi", {44482216152605, 64516e5, Pa}},
          {"Hz", {1, 1, Hz}},
          {"kHz", {1000, 1, Hz}},
          {"rpm", {2 * pi, 60, spin}},
          {"kph", {1000, 3600, speed}},
          {"mph", {1609344, 3600e3, speed}},
          {"g0", {980665, 1e5, acceleration}},
          {"A", {1, 1, A}},
          {"mA", {1, 1000, A}},
          {"V", {1, 1, V}},
          {"K", {1, 1, K}},
          {"%", {1, 100, none}},
          {"-", {1, 1, none}}};
}

const Symbols& symbols() {
  static const Symbols known = make_symbols();
  return known;
}

/// Reads a unit from the left.
class UnitText {
 public:
  explicit UnitText(std::string_view text) : text_(text) {}

  UnitReading read() {
    Unit unit;
    bool well = product(unit, 1);
    if (well && at_ < text_.size()) well = false, unknown_ = text_.substr(at_);
    return well ? UnitReading{unit, ""} : UnitReading{{}, unknown_.empty() ? std::string(text_) : unknown_};
  }

 private:
  bool product(Unit& unit, double sign) {
    bool divides = false, any = false;
    for (; skip_spaces(), at_ < text_.size() && text_[at_] != ')'; any = true) {
      if (any && (text_[at_] == '*' || text_[at_] == '/'))
        divides = text_[at_++] == '/', skip_spaces();
      else if (any && text_.substr(at_).starts_with("·"))
        at_ += std::string_view("·").size();
      if (!factor(unit, divides ? -sign : sign)) return false;
      divides = false;
    }
    return any;
  }

  bool factor(Unit& unit, double sign) {
    skip_spaces();
    Unit read;
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      if (!product(read, 1) || at_ >= text_.size()) return false;
      ++at_;
    } else if (at_ < text_.size() && text_[at_] == '1') {
      // The 1 of "1/s"; in front of a digit it is a number, which no unit has.
      ++at_;
      return at_ == text_.size() || text_[at_] == '/' || text_[at_] == ' ';
    } else {
      std::size_t end = at_;
      while (end < text_.size() && std::string_view(" */^()0123456789").find(text_[end]) == std::string_view::npos &&
             !text_.substr(end).starts_with("·") && !text_.substr(end).starts_with("²") && !text_.substr(end).starts_with("³"))
        ++end;
      if (text_.substr(at_, 2) == "g0") end = at_ + 2;
      const auto found = symbols().find(text_.substr(at_, end - at_));
      if (found == symbols().end()) return unknown_ = text_.substr(at_, end - at_), false;
      read = found->second, at_ = end;
    }
    double exponent = 1;
    if (!power(exponent)) return false;
    multiply(unit, read, sign * exponent);
    return true;
  }

  /// "^2", "2", "²" or nothing.
  bool power(double& exponent) {
    for (const auto& [sign, value] : {std::pair("²", 2.0), std::pair("³", 3.0)})
      if (text_.substr(at_).starts_with(sign)) return at_ += std::string_view(sign).size(), exponent = value, true;
    const bool caret = at_ < text_.size() && text_[at_] == '^';
    const std::size_t begin = at_ + (caret ? 1 : 0);
    if (!caret && !(begin < text_.size() && text_[begin] >= '0' && text_[begin] <= '9')) return true;
    const auto [rest, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), exponent, std::chars_format::fixed);
    if (error != std::errc() || std::abs(exponent) > 16) return unknown_ = text_.substr(at_), false;
    at_ = static_cast<std::size_t>(rest - text_.data());
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string unknown_;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct NamedDimension {
  Dimension dimension;
  std::string_view name, unit;
};

const std::vector<NamedDimension>& named_dimensions() {
  static const std::vector<NamedDimension> named = [] {
    std::vector<NamedDimension> list;
    for (const QuantityKind& kind : quantity_kinds()) list.push_back({read_unit(kind.unit).unit->dimension, kind.name, kind.unit});
    for (const std::string_view unit : {"N/m^3", "N/rad", "Hz", "s/m", "s/rad", "A", "V", "K"})
      list.push_back({read_unit(unit).unit->dimension, "", unit});
    return list;
  }();
  return named;
}

}  // namespace

UnitReading read_unit(std::string_view text) { return UnitText(trimmed(text)).read(); }

std::optional<Unit> unit_of_symbol(std::string_view symbol) {
  const auto found = symbols().find(symbol);
  return found == symbols().end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string>& unit_symbols() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, unit] : symbols()) list.push_back(name);
    return list;
  }();
  return names;
}

QuantityReading read_quantity(std::string_view text) {
  QuantityReading reading;
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), reading.number);
  if (error != std::errc() || !std::isfinite(reading.number)) return reading;
  const std::string_view behind = trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
  // Digits, points and operators do not begin a unit, but for "1/s".
  if (behind.empty() || (std::string_view("023456789.*/+^,)<>=&|!").find(behind.front()) != std::string_view::npos)) return reading;
  reading.is_one = true;
  UnitReading unit = read_unit(behind);
  if (unit.unit)
    reading.unit = *unit.unit;
  else
    reading.unknown = std::move(unit.unknown);
  return reading;
}

const std::optional<std::vector<Dimension>>& dimensions_of(std::string_view unit) {
  static thread_local std::unordered_map<std::string, std::optional<std::vector<Dimension>>> known;
  const auto [entry, fresh] = known.try_emplace(std::string(unit));
  if (!fresh) return entry->second;
  std::vector<Dimension> dimensions;
  for (std::string_view rest = unit;;) {
    const std::size_t end = rest.find(" or ");
    const std::string_view one = trimmed(rest.substr(0, end));
    const UnitReading read = one.empty() ? UnitReading{Unit{}, ""} : read_unit(one);
    if (!read.unit) return entry->second;
    dimensions.push_back(read.unit->dimension);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 4);
  }
  return entry->second = std::move(dimensions);
}

std::string_view unit_of_entry(std::string_view units, std::size_t i) {
  for (; units.find(", ") != std::string_view::npos && i > 0; --i) units.remove_prefix(units.find(", ") + 2);
  return units.substr(0, units.find(", "));
}

std::string unit_text(const Dimension& dimension) {
  if (dimension == Dimension{}) return "";
  for (const NamedDimension& named : named_dimensions())
    if (named.dimension == dimension) return std::string(named.unit);
  static constexpr std::array bases{"m", "kg", "s", "rad", "A", "K"};
  std::string above, below;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const double power = dimension.power[i];
    if (power == 0) continue;
    std::string& side = power > 0 ? above : below;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(power)).ptr;
    side += power > 0 ? (side.empty() ? "" : " ") : "/";
    side += bases[i] + (std::abs(power) == 1 ? "" : '^' + std::string(digits.data(), end));
  }
  return (above.empty() ? "1" : above) + below;
}

std::string_view quantity_name(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions())
    if (named.dimension == dimension) return named.name;
  return "";
}

const std::vector<QuantityKind>& quantity_kinds() {
  static const std::vector<QuantityKind> kinds{{"length", "m", "mm, cm, km, um, in, ft, mi"},
                                               {"angle", "rad", "deg, mrad, rev"},
                                               {"mass", "kg", "g, t, lb"},
                                               {"time", "s", "ms, us, min, h"},
                                               {"force", "N", "kN, mN, daN, kgf, lbf"},
                                               {"torque", "N m", "Nm, kNm, Nmm, lbf ft"},
                                               {"speed", "m/s", "km/h, kph, mm/s, mph"},
                                               {"angular_speed", "rad/s", "deg/s, rpm, rev/s"},
                                               {"acceleration", "m/s^2", "mm/s^2, g0"},
                                               {"stiffness", "N/m", "N/mm, kN/m, lbf/in"},
                                               {"rotational_stiffness", "N m/rad", "N m/deg, kN m/rad"},
                                               {"damping", "N s/m", "N s/mm, kN s/m"},
                                               {"rotational_damping", "N m s/rad", "N m s/deg"},
                                               {"inertia", "kg m^2", "kg mm^2, g mm^2, kg cm^2"},
                                               {"pressure", "Pa", "bar, mbar, kPa, MPa, GPa, psi"},
                                               {"density", "kg/m^3", "g/cm^3, kg/dm^3"},
                                               {"power", "W", "kW"}};
  return kinds;
}

}  // namespace arthron
