#include "faulty.hpp"

/// Registers one type twice.
struct Twice {
  static constexpr std::string_view type = "faulty/twice";
  static void parse() {}
  static void pose(double, double) {}
};

ARTHRON_PLUGIN(registry) {
  registry.add_joint<FaultyHinge<Twice>>();
  registry.add_joint<FaultyHinge<Twice>>();
}
