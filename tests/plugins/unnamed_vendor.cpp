#include "faulty.hpp"

/// Takes the name of a built-in type, without a vendor.
struct Revolute {
  static constexpr std::string_view type = "revolute";
  static void parse() {}
  static void pose(double, double) {}
};

ARTHRON_PLUGIN(registry) { registry.add_joint<FaultyHinge<Revolute>>(); }
