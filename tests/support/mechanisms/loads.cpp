#include "support/mechanisms/drawing.hpp"
#include "support/mechanisms/mobility.hpp"

/// What moves and loads a mechanism. Rates are such that nothing swings faster than a hundred radians a second, and light bodies bear no
/// load: those would.
namespace arthron::test {

template <class Make>
Json Drawing::per_freedom(const Json& joint, const Make& make) {
  const int freedoms = types_.joint(joint["type"].get<std::string>())->nu();
  Json list = Json::array();
  for (int i = 0; i < freedoms; ++i) list.push_back(make());
  return freedoms == 1 ? list[0] : list;
}

void Drawing::draw_drive() {
  const int which = integer(0, static_cast<int>(joints().size()) - 1);
  auto entry = joints().begin();
  std::advance(entry, which);
  Json& joint = entry.value();
  const int freedoms = types_.joint(joint["type"].get<std::string>())->nu();
  if (freedoms == 0 || freedoms > 2 || joint.contains("initial")) return;
  // Only what the rest can follow is driven. It starts where it is drawn.
  const Mobility before = drawn_mobility(types_, drawn_.model);
  const Json undriven = joint;
  joint["motion"] = per_freedom(joint, [&] { return Wave{number(-0.2, 0.2), number(1, 8), 0}.json(); });
  const Mobility driven = drawn_mobility(types_, drawn_.model);
  if (driven.freedom != before.freedom - freedoms || driven.near_singular())
    joint = undriven;
  else
    drawn_.conservative = false;
}

void Drawing::draw_joint_loads() {
  for (auto& [name, joint] : joints().items()) {
    const std::string type = joint["type"];
    const int freedoms = types_.joint(type)->nu();
    if (freedoms == 0 || joint.contains("motion") || bears_no_load(joint) || !chance(0.25)) continue;
    joint["spring"]["stiffness"] = number(1, 20);
    if (chance(0.5)) joint["spring"]["rest"] = per_freedom(joint, [&] { return Json(number(-0.3, 0.3)); });
    if (drawn_.conservative) continue;
    joint["spring"]["damping"] = number(0.1, 1);
    // The directions of a cut link's arcs are followed with second order only.
    if (chance(0.4) && type != "distance") joint["effort"] = per_freedom(joint, [&] { return wave(3).json(); });
  }
}

void Drawing::draw_forces() {
  Json& forces = drawn_.model["forces"] = Json::object();
  const auto damping = [&](double size) { return drawn_.conservative ? 0.0 : number(0, size); };
  for (int i = integer(0, 3); i > 0; --i) {
    const std::string to = heavy_body(), from = drawn_.floating || chance(0.7) ? heavy_body() : "ground";
    if (to.empty() || from.empty() || from == to) continue;
    const std::string name = "f" + std::to_string(forces.size());
    const Vector a = place(), b = place();
    switch (integer(0, 3)) {
      case 0:
        if ((a - b).norm() < 0.3) break;
        forces[name] = {{"type", "spring_damper"},      {"from", {from, json_of(a)}}, {"to", {to, json_of(b)}},
                        {"stiffness", number(10, 100)}, {"damping", damping(5)},      {"free_length", number(0.1, 0.8)},
                        {"preload", number(-3, 3)}};
        break;
      case 1:
        forces[name] = {{"type", "torsion_spring"},       {"from", {from, json_of(a)}}, {"to", {to, json_of(b)}},
                        {"axis", json_of(direction())},   {"stiffness", number(1, 10)}, {"damping", damping(0.5)},
                        {"rest_angle", number(-0.5, 0.5)}};
        break;
      case 2:
        forces[name] = {{"type", "bushing"},
                        {"from", {from, json_of(a)}},
                        {"to", {to, json_of(b)}},
                        {"x_axis", json_of(direction())},
                        {"y_axis", json_of(direction())},
                        {"stiffness", {number(10, 100), number(10, 100), number(10, 100)}},
                        {"damping", damping(5)},
                        {"rotational_stiffness", number(1, 10)},
                        {"rotational_damping", damping(0.5)}};
        break;
      default: {
        if (drawn_.conservative) break;
        std::array<Wave, 6>& waves = drawn_.waves[name];
        for (Wave& w : waves) w = wave(4);
        forces[name] = {{"type", "force"},
                        {"on", {to, json_of(b)}},
                        {"force", {waves[0].json(), waves[1].json(), waves[2].json()}},
                        {"torque", {waves[3].json(), waves[4].json(), waves[5].json()}},
                        {"axes", chance(0.5) ? "world" : "body"}};
      }
    }
  }
}

void Drawing::draw_initial_state() {
  const std::vector<bool> in_loop = joints_in_loops(drawn_.model);
  const double speed = chance(0.2) ? 0 : number(0.2, 2);
  std::size_t i = 0;
  for (auto& [name, joint] : joints().items()) {
    const bool loop = in_loop[i++];
    if (joint.contains("motion") || types_.joint(joint["type"].get<std::string>())->nu() == 0) continue;
    // Loops are closed as drawn; what hangs on a joint alone may start anywhere.
    if (!loop && chance(0.5)) joint["initial"]["position"] = per_freedom(joint, [&] { return Json(number(-0.4, 0.4)); });
    if (joint["initial"].contains("velocity")) continue;
    joint["initial"]["velocity"] = per_freedom(joint, [&] { return Json(number(-speed, speed)); });
  }
}

}  // namespace arthron::test
