#include "faulty.hpp"

/// Another type of a name that the screw of the examples has.
struct OtherScrew {
  static constexpr std::string_view type = "acme/screw";
  static void parse() {}
  static void pose(double, double) {}
};

ARTHRON_PLUGIN(registry) { registry.add_joint<FaultyHinge<OtherScrew>>(); }
