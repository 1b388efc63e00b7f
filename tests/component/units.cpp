#include "arthron/component/units.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace arthron;

namespace {

double si_value(const std::string& text) {
  const QuantityReading reading = read_quantity(text);
  REQUIRE(reading.is_one);
  REQUIRE(reading.unknown.empty());
  return reading.unit.to_si(reading.number);
}

std::string dimension_text(const std::string& text) { return unit_text(read_unit(text).unit.value().dimension); }

}  // namespace

TEST_CASE("whole numbers in decimal units give the nearest double to the decimal number") {
  CHECK(si_value("180 mm") == 0.18);
  CHECK(si_value("-244.5 mm") == -0.2445);
  CHECK(si_value("700mm") == 0.7);
  CHECK(si_value("12.3 cm") == doctest::Approx(0.123).epsilon(1e-15));
  CHECK(si_value("1.8 bar") == 180000);
  CHECK(si_value("25 N/mm") == 25000);
  CHECK(si_value("2.5 kN/mm") == 2.5e6);
  CHECK(si_value("+3 t") == 3000);
  CHECK(si_value("50 %") == 0.5);
}

TEST_CASE("units that are no powers of ten have their definitions") {
  constexpr double pi = std::numbers::pi;
  CHECK(si_value("180 deg") == doctest::Approx(pi).epsilon(1e-15));
  CHECK(si_value("60 km/h") == doctest::Approx(60 / 3.6).epsilon(1e-15));
  CHECK(si_value("60 rpm") == doctest::Approx(2 * pi).epsilon(1e-15));
  CHECK(si_value("1 in") == 0.0254);
  CHECK(si_value("1 lbf/in") == doctest::Approx(4.4482216152605 / 0.0254).epsilon(1e-15));
  CHECK(si_value("1 psi") == doctest::Approx(6894.757293168361).epsilon(1e-15));
  CHECK(si_value("2 N m/deg") == doctest::Approx(360 / pi).epsilon(1e-15));
  CHECK(si_value("1 g0") == doctest::Approx(9.80665).epsilon(1e-15));
}

TEST_CASE("units are written in several ways") {
  for (const char* text : {"kg m^2", "kg*m^2", "kg m2", "kg m²", "kg·m^2", "kg m m"}) CHECK(dimension_text(text) == "kg m^2");
  for (const char* text : {"m/s^2", "m/s2", "m/s/s", "m s^-2", "m/(s s)", "mm/ms^2"}) CHECK(dimension_text(text) == "m/s^2");
  CHECK(dimension_text("N m s/rad") == "N m s/rad");
  CHECK(dimension_text("kg/s^2") == "N/m");
  CHECK(dimension_text("N/m^1.5") == "kg/m^0.5/s^2");
  CHECK(dimension_text("1/s") == "Hz");
  CHECK(dimension_text("rad") == "rad");
  CHECK(dimension_text("m/m") == "");
}

TEST_CASE("angles are no pure numbers") {
  CHECK(dimension_text("N m") != dimension_text("N m/rad"));
  CHECK(dimension_text("Hz") != dimension_text("rad/s"));
}

TEST_CASE("what is no unit is told by the part that is none") {
  CHECK(read_unit("N/mn").unknown == "mn");
  CHECK(read_unit("dge").unknown == "dge");
  CHECK_FALSE(read_unit("").unit.has_value());
  CHECK_FALSE(read_unit("N//m").unit.has_value());
  CHECK_FALSE(read_unit("(N").unit.has_value());
  CHECK_FALSE(read_unit("m^99").unit.has_value());
  CHECK_FALSE(read_quantity("track/2").is_one);
  CHECK_FALSE(read_quantity("5").is_one);
  CHECK_FALSE(read_quantity("1 2").is_one);
  CHECK_FALSE(read_quantity("1 12").unknown.empty());
  CHECK(read_quantity("30 dge").unknown == "dge");
}

TEST_CASE("a key's unit says which dimensions it admits") {
  const auto length = read_unit("mm").unit->dimension, angle = read_unit("deg").unit->dimension;
  CHECK(dimensions_of("m").value() == std::vector{length});
  CHECK(dimensions_of("m or rad").value() == std::vector{length, angle});
  CHECK(dimensions_of("").value() == std::vector{Dimension{}});
  CHECK_FALSE(dimensions_of("any unit").has_value());
  CHECK(unit_of_entry("m, m, rad", 2) == "rad");
  CHECK(unit_of_entry("m", 2) == "m");
}

TEST_CASE("every kind of quantity has a unit, and examples that measure the same") {
  for (const QuantityKind& kind : quantity_kinds()) {
    CAPTURE(kind.name);
    const Dimension dimension = read_unit(kind.unit).unit.value().dimension;
    CHECK(quantity_name(dimension) == kind.name);
    CHECK(unit_text(dimension) == kind.unit);
    for (std::string_view rest = kind.examples; !rest.empty();) {
      const std::size_t end = std::min(rest.find(", "), rest.size());
      CAPTURE(rest.substr(0, end));
      CHECK(read_unit(rest.substr(0, end)).unit.value().dimension == dimension);
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
}
