#pragma once
#include <string>

#include "arthron/component/subsystem.hpp"
#include "arthron/components/builtins.hpp"

namespace arthron::test {

/// A rope of equal links along y, hinged about x and z in turn; built in C++ by this, and written as a file below.
struct Rope {
  static constexpr std::string_view type = "acme/rope";
  int links;
  double length, mass;

  static Rope parse(const JsonReader& in) {
    return {in.integer({"links", "", "number of links"}, 1, 10000), in.number({"length", "m", "of the whole rope"}, Range::positive()),
            in.number_or({"mass", "kg", "of the whole rope"}, 0.75, Range::positive())};
  }
  void build(SubsystemBuilder& out) const {
    const double a = length / links, m = mass / links, I = m * a * a / 12;
    out.mount("start");
    out.signal_input("pull").set("default", 1);
    std::string above = "start";
    for (int i = 0; i < links; ++i) {
      const std::string number = std::to_string(i), link = "link_" + number;
      out.body(link).mass(m).com({0.01, (i + 0.5) * a, 0}).inertia({I, I / 4, I});
      out.joint("hinge_" + number, "revolute").parent(above).child(link).at({0, i * a, 0}).axis(i % 2 == 0 ? Json{1, 0, 0} : Json{0, 0, 1});
      above = link;
    }
    out.force("wind", "force").on(above, {0, length, 0}).set("force", {"=pull", 0, 0.25});
    out.output("end", above).at({0, length, 0}).axis({0, 1, 0});
    out.signal_output("height", above + ".position.z");
  }
};

/// What a rope of three links, 1.5 m and 0.75 kg is as a file.
inline constexpr auto rope_file = R"({"arthron": 1, "name": "rope",
  "ports": {"start": {"mount": true}, "pull": {"signal": "input", "default": 1},
            "end": {"output": "link_2", "at": [0, 1.5, 0], "axis": [0, 1, 0]},
            "height": {"signal": "output", "channel": "link_2.position.z"}},
  "bodies": {"link_0": {"mass": 0.25, "com": [0.01, 0.25, 0], "inertia": ["=0.0625/12", "=0.0625/48", "=0.0625/12"]},
             "link_1": {"mass": 0.25, "com": [0.01, 0.75, 0], "inertia": ["=0.0625/12", "=0.0625/48", "=0.0625/12"]},
             "link_2": {"mass": 0.25, "com": [0.01, 1.25, 0], "inertia": ["=0.0625/12", "=0.0625/48", "=0.0625/12"]}},
  "joints": {"hinge_0": {"type": "revolute", "parent": "start", "child": "link_0", "at": [0, 0, 0], "axis": [1, 0, 0]},
             "hinge_1": {"type": "revolute", "parent": "link_0", "child": "link_1", "at": [0, 0.5, 0], "axis": [0, 0, 1]},
             "hinge_2": {"type": "revolute", "parent": "link_1", "child": "link_2", "at": [0, 1, 0], "axis": [1, 0, 0]}},
  "forces": {"wind": {"type": "force", "on": ["link_2", [0, 1.5, 0]], "force": ["=pull", 0, 0.25]}}})";

/// The built-in types and the rope.
inline const Registry& types_with_rope() {
  static const Registry registry = [] {
    Registry types = builtin_registry();
    types.add_subsystem<Rope>();
    return types;
  }();
  return registry;
}

}  // namespace arthron::test
