#include <arthron/component/plugin.hpp>

using namespace arthron;

/// To begin with, a chain: equal slender links that hang down from the mount "start" on hinges about y, the last one is the output "end".
struct NameSubsystem {
  static constexpr std::string_view type = "vendor/name";  // its name in model files
  int links;
  double length, mass;  // [m], [kg]

  /// Keys in model files. Numbers are parameters of every use, so that --set and studies can change them.
  static NameSubsystem parse(const JsonReader& in) {
    return {in.integer({"links", "", "number of links"}, 1, 1000), in.number({"length", "m", "of the whole chain"}, Range::positive()),
            in.number_or({"mass", "kg", "of the whole chain"}, 1, Range::positive())};
  }

  /// Writes what a model file would say, in the subsystem's own frame. Others reach it by its ports alone.
  void build(SubsystemBuilder& out) const {
    const double a = length / links, m = mass / links, transverse = m * a * a / 12;
    std::string above = "start";
    out.mount(above);
    for (int i = 0; i < links; ++i) {
      const std::string n = std::to_string(i), link = "link_" + n;
      out.body(link).mass(m).com({0, 0, -(i + 0.5) * a}).inertia({transverse, transverse, 0.01 * transverse});
      out.joint("hinge_" + n, "revolute").parent(above).child(link).at({0, 0, -i * a}).axis({0, 1, 0});
      above = link;
    }
    out.output("end", above).at({0, 0, -length});
  }
};

ARTHRON_PLUGIN(registry) { registry.add_subsystem<NameSubsystem>(); }
