#include "faulty.hpp"

/// Types whose author code throws: in parse(), in pose(), in load(), in energy().

struct InParse {
  static constexpr std::string_view type = "faulty/parse";
  static void parse() { throw std::runtime_error("no licence for hinges"); }
  static void pose(double, double) {}
};
struct InPose {
  static constexpr std::string_view type = "faulty/pose";
  static void parse() {}
  static void pose(double q, double limit) {
    if (q > limit) throw std::runtime_error("turned too far");
  }
};
struct SomethingElse {
  static constexpr std::string_view type = "faulty/number";
  static void parse() {}
  static void pose(double q, double limit) {
    if (q > limit) throw 42;
  }
};

struct ThrowingLoad {
  static constexpr std::string_view type = "faulty/load";
  double after;  // [s]
  static ThrowingLoad parse(const arthron::JsonReader& in) {
    in.handle({"on", "", "where it acts"});
    return {in.number({"after", "s", "time from which on it throws"})};
  }
  void load(double t, const arthron::HandleState*, arthron::Spatial6* wrench) const {
    if (t > after) throw std::runtime_error("out of oil");
    wrench[0] = {};
  }
};

struct ThrowingEnergy {
  static constexpr std::string_view type = "faulty/energy";
  double after;  // [s]
  static ThrowingEnergy parse(const arthron::JsonReader& in) {
    in.handle({"on", "", "where it acts"});
    return {in.number({"after", "s", "time from which on it throws"})};
  }
  void load(double, const arthron::HandleState*, arthron::Spatial6* wrench) const { wrench[0] = {}; }
  double energy(double t, const arthron::HandleState*) const {
    if (t > after) throw std::runtime_error("no energy left");
    return 0;
  }
};

ARTHRON_PLUGIN(registry) {
  registry.add_joint<FaultyHinge<InParse>>();
  registry.add_joint<FaultyHinge<InPose>>();
  registry.add_joint<FaultyHinge<SomethingElse>>();
  registry.add_force<ThrowingLoad>();
  registry.add_force<ThrowingEnergy>();
}
