// A rope as a subsystem type and a ring as a body type: both are then words of the language that JSON files may use.
#include <arthron/component/subsystem.hpp>
#include <arthron/components/builtins.hpp>
#include <arthron/core/diagnostic.hpp>
#include <arthron/model/load.hpp>
#include <arthron/simulation/simulation.hpp>
#include <cmath>
#include <cstdio>

/// A rope of equal slender links that hangs down from its mount, on hinges about x and y in turn.
struct Rope {
  static constexpr std::string_view type = "acme/rope";
  int links;
  double length, mass;  // [m], [kg]

  static Rope parse(const arthron::JsonReader& in) {
    return {in.integer({"links", "", "number of links"}, 1, 1000),
            in.number({"length", "m", "of the whole rope"}, arthron::Range::positive()),
            in.number_or({"mass", "kg", "of the whole rope"}, 1, arthron::Range::positive())};
  }
  void build(arthron::SubsystemBuilder& out) const {
    const double a = length / links;
    std::string above = "start";
    out.mount(above);
    for (int i = 0; i < links; ++i) {
      const std::string n = std::to_string(i);
      const arthron::Json axis = i % 2 == 0 ? arthron::Json{1, 0, 0} : arthron::Json{0, 1, 0};
      out.body("link" + n, "cylinder").set("from", {0, 0, -i * a}).set("to", {0, 0, -(i + 1) * a}).set("radius", 0.01).mass(mass / links);
      out.joint("hinge" + n, "revolute").parent(above).child("link" + n).at({0, 0, -i * a}).axis(axis);
      above = "link" + n;
    }
    out.output("end", above).at({0, 0, -length});
  }
};

/// A thin ring around z.
struct Ring {
  static constexpr std::string_view type = "acme/ring";
  double radius, mass;  // [m], [kg]

  static Ring parse(const arthron::JsonReader& in) {
    return {in.number({"radius", "m", "radius"}, arthron::Range::positive()),
            in.number({"mass", "kg", "mass"}, arthron::Range::positive())};
  }
  [[nodiscard]] arthron::BodyProperties properties() const {
    const double I = mass * radius * radius;
    return {mass, {0, 0, 0}, {I / 2, I / 2, I, 0, 0, 0}};
  }
};

constexpr auto swing = R"({
  "arthron": 1, "name": "swing",
  "bodies": { "ring": { "type": "acme/ring", "radius": 0.4, "mass": 2, "frame": { "at": [0, 0, -2.4] } } },
  "joints": { "knot": { "type": "spherical", "parent": "rope.end", "child": "ring", "at": "rope.end",
                        "initial": { "velocity": [0.5, 1, 0] } } },
  "subsystems": { "rope": { "type": "acme/rope", "links": 8, "length": 2, "connect": { "start": "ground" } } },
  "markers": { "rim": { "body": "ring", "at": [0.4, 0, -2.4] } },
  "simulate": { "integrator": { "tolerance": 1e-9 } }
})";

int main() {
  arthron::Registry types = arthron::builtin_registry();
  types.add_subsystem<Rope>();
  types.add_body<Ring>();

  try {  // a mistake is told as in any file
    (void)arthron::parse_model(swing, "swing.json", types, {{"rope.links", 0}});
    return 1;
  } catch (const arthron::ModelError& mistake) {
    std::printf("%s\n", mistake.what());
  }
  for (const double links : {8.0, 16.0}) {  // the type's own numbers are parameters of the subsystem
    arthron::Simulation simulation(
        std::make_shared<const arthron::Model>(arthron::parse_model(swing, "swing.json", types, {{"rope.links", links}})));
    arthron::Channel rim = simulation.channel("rim.position"), energy = simulation.channel("energy.total");
    if (!simulation.start().ok() || !simulation.observe().ok()) return 1;
    const double energy_start = energy.value();
    if (!simulation.advance_to(1).ok() || !simulation.observe().ok()) return 1;
    std::printf("%g links: after 1 s the rim is at %.4f %.4f %.4f m\n", links, rim.value(0), rim.value(1), rim.value(2));
    if (std::abs(energy.value() - energy_start) > 1e-6) return 1;
  }
}
