#pragma once
#include <optional>

#include "arthron/component/json_reader.hpp"

namespace arthron {

/// The mass of a homogeneous body: said, or that of its volume.
struct Mass {
  std::optional<double> mass, density;  // [kg], [kg/m^3]

  static Mass parse(const JsonReader& in) {
    const Mass read{in.number_or_none({"mass", "kg", "mass; or the density"}, Range::positive()),
                    in.number_or_none({"density", "kg/m^3", "density; or the mass"}, Range::positive())};
    if (read.mass && read.density) in.complain("density", "a density beside a mass", "one of the two");
    if (!read.mass && !read.density) in.complain("", "neither a mass nor a density", "one of the two");
    return read;
  }
  [[nodiscard]] double of(double volume) const { return mass ? *mass : *density * volume; }
};

}  // namespace arthron
