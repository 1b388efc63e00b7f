#include "support/mechanisms/drawing.hpp"
#include "support/mechanisms/mobility.hpp"

/// The pieces that mechanisms are drawn of.
namespace arthron::test {

void Drawing::draw_branch() {
  const std::string carrier = any_carrier();
  const Vector at = place();
  const std::string child = add_body(at, chance(0.05));
  const bool reversed = chance(0.35);
  add_joint(any_joint(chance(0.1) ? 0 : 1), reversed ? child : carrier, reversed ? carrier : child, at);
}

/// A joint that allows all that the first one does, so that it adds nothing, or a part of it. `where` is where it has to be.
Json Drawing::doubling(const Json& first, const Vector& at, const Vector& axis, Vector& where) {
  const Vector on_axis = at + number(-1, 1) * axis, anywhere = place(), side = across(axis);
  const double length = (chance(0.5) ? 1 : -1) * number(0.5, 2);
  const auto along = [&](const char* type) { return Json{{"type", type}, {"axis", json_of(length * axis)}}; };
  const auto facing = [&](const char* type, const Vector& normal) {
    return Json{{"type", type}, {"normal", json_of(length * normal)}, {"x_axis", json_of(across(normal))}};
  };
  const std::string type = first["type"];
  const int choice = integer(0, 5);
  where = on_axis;
  if (type == "revolute") {
    if (choice == 0) return along("cylindrical");
    if (choice == 1) return {{"type", "spherical"}};
    if (choice == 2) return along("point_on_line");
    if (choice == 3) return facing("point_in_plane", axis);
    return along("revolute");
  }
  if (type == "cylindrical") {
    if (choice == 0) return along("revolute");
    if (choice == 1) return along("point_on_line");
    return along("cylindrical");
  }
  if (type == "screw") {
    if (choice == 0) return along("cylindrical");
    if (choice == 1) return along("point_on_line");
    return {{"type", "screw"}, {"axis", json_of(length * axis)}, {"pitch", first["pitch"]}};
  }
  where = anywhere;
  if (type == "prismatic") {
    if (choice == 0) return along("cylindrical");
    if (choice == 1) return facing("planar", side);
    if (choice == 2) return along("point_on_line");
    if (choice == 3) return facing("point_in_plane", side);
    return along("prismatic");
  }
  if (type == "planar") {
    if (choice == 0) return along("revolute");
    if (choice == 1) return {{"type", "prismatic"}, {"axis", json_of(side)}};
    if (choice == 2) return facing("point_in_plane", axis);
    return facing("planar", axis);
  }
  where = at;
  if (type == "spherical" && choice == 0) return {{"type", "revolute"}, {"axis", json_of(side)}};
  return first;
}

void Drawing::draw_doubled() {
  const std::string carrier = any_carrier();
  const Vector at = place(), axis = direction();
  const std::string child = add_body(at);
  Json first;
  if (chance(0.25)) {
    first = any_joint(1);  // an exact copy, of whatever type
  } else {
    const char* type = std::array{"revolute", "revolute", "prismatic", "planar", "cylindrical", "screw", "spherical"}[integer(0, 6)];
    first = keys_of(*types_.joint(type), 0);
    if (first.contains("axis")) first["axis"] = json_of(axis);
    if (first.contains("normal")) first["normal"] = json_of(axis), first["x_axis"] = json_of(across(axis));
  }
  add_joint(first, carrier, child, at);
  for (int more = chance(0.2) ? 2 : 1; more > 0; --more) {
    Vector where;
    const bool known =
        first.contains("axis") ? vector_of(first["axis"]) == axis : first.contains("normal") && vector_of(first["normal"]) == axis;
    const Json second = known || first["type"] == "spherical" ? doubling(first, at, axis, where) : (where = at, first);
    // A copy of a joint of any type is not the same with parent and child exchanged.
    const bool reversed = known && chance(0.4);
    add_joint(second, reversed ? child : carrier, reversed ? carrier : child, where);
  }
}

void Drawing::draw_four_bar() {
  const std::string carrier = any_carrier();
  const Vector n = direction(), x = across(n), y = n.cross(x), o = place();
  const auto corner = [&](double u, double v) -> Vector { return o + (u + number(-0.1, 0.1)) * x + (v + number(-0.1, 0.1)) * y; };
  const Vector a = o, b = corner(0.2, 0.6), c = corner(1, 0.8), d = corner(0.9, 0);
  const std::string crank = add_body((a + b) / 2, chance(0.05)), coupler = add_body((b + c) / 2, chance(0.3)),
                    rocker = add_body((c + d) / 2);
  add_hinge(carrier, crank, a, n);
  add_hinge(crank, coupler, b, n);
  // With a ball or a sleeve in one corner fewer directions are redundant.
  const int kind = integer(0, 4);
  if (kind == 0)
    add_joint({{"type", "spherical"}}, coupler, rocker, c);
  else if (kind == 1)
    add_joint({{"type", "cylindrical"}, {"axis", json_of(n)}}, coupler, rocker, c);
  else
    add_hinge(coupler, rocker, c, n);
  add_hinge(rocker, carrier, d, n);
}

void Drawing::draw_slider_crank() {
  const std::string carrier = any_carrier();
  const Vector n = direction(), x = across(n), y = n.cross(x), a = place();
  const Vector b = a + number(0.1, 0.3) * x + number(0.2, 0.4) * y, c = a + number(0.9, 1.2) * x + number(-0.1, 0.1) * y;
  const std::string crank = add_body((a + b) / 2), rod = add_body((b + c) / 2, chance(0.3)), slider = add_body(c);
  add_hinge(carrier, crank, a, n);
  add_hinge(crank, rod, b, n);
  add_hinge(rod, slider, c, n);
  add_joint({{"type", "prismatic"}, {"axis", json_of(x + number(-0.3, 0.3) * y)}}, carrier, slider, place());
}

void Drawing::draw_parallel_cranks() {
  const std::string carrier = any_carrier();
  const Vector n = direction(), x = across(n), y = n.cross(x), a = place(), crank = number(0.1, 0.4) * x + number(0.3, 0.5) * y;
  const std::string coupler = add_body(a + crank + 0.5 * x);
  for (int i = 0, cranks = integer(2, 3); i < cranks; ++i) {
    const Vector foot = a + number(0.3, 0.5) * i * x;
    const std::string link = add_body(foot + crank / 2, chance(0.2));
    add_hinge(carrier, link, foot, n);
    add_hinge(link, coupler, foot + crank, n);
  }
}

void Drawing::draw_spherical_four_bar() {
  const std::string carrier = any_carrier();
  const Vector o = place();
  const Matrix R = Eigen::AngleAxisd(number(0, 3), direction()).toRotationMatrix();
  std::vector<Vector> axes;
  for (const auto& v : {Vector(1, 0, 0.3), Vector(0.6, 0.8, 0.6), Vector(-0.7, 0.9, 0.4), Vector(-0.8, -0.5, 0.2)})
    axes.push_back((R * (v + place(0.15))).normalized());
  std::vector<std::string> chain{carrier};
  for (std::size_t i = 0; i < 3; ++i) chain.push_back(add_body(o + (axes[i] + axes[i + 1]) / 2, i == 1 && chance(0.2)));
  for (std::size_t i = 0; i < 4; ++i) add_hinge(chain[i], chain[(i + 1) % 4], o + axes[i], axes[i]);
}

void Drawing::draw_ring() {
  const std::string carrier = any_carrier();
  const int links = integer(1, 3);
  std::vector<Json> types;
  int freedoms = 0;
  do {
    types.clear(), freedoms = 0;
    for (int i = 0; i <= links; ++i) types.push_back(any_joint(0)), freedoms += types_.joint(types.back()["type"].get<std::string>())->nu();
  } while (freedoms < 7 || freedoms > 10);
  std::string from = carrier;
  for (int i = 0; i <= links; ++i) {
    const Vector at = place();
    const std::string to = i < links ? add_body(at, i > 0 && chance(0.1)) : carrier;
    const bool reversed = chance(0.3);
    add_joint(types[i], reversed ? to : from, reversed ? from : to, at);
    from = to;
  }
}

void Drawing::draw_screw_loop() {
  const std::string carrier = any_carrier();
  const Vector at = place(), axis = direction();
  const std::string shaft = add_body(at), nut = add_body(at + 0.3 * axis);
  const double pitch = number(0.01, 0.1);
  const std::string hinge = add_hinge(carrier, shaft, at, axis);
  const std::string slide = add_joint({{"type", "prismatic"}, {"axis", json_of(axis)}}, carrier, nut, place());
  Json between{{"type", "cylindrical"}, {"axis", json_of(axis)}};
  if (chance(0.8)) between = {{"type", "screw"}, {"axis", json_of(axis)}, {"pitch", pitch}};
  add_joint(between, shaft, nut, at + number(-0.5, 0.5) * axis);
  const int kind = integer(0, 3);
  if (kind == 0) return;
  // Several turns within a run, and between two of its rows.
  drawn_.model["bodies"][shaft]["com"] = json_of(at);
  spins_[spins_.size() - 2] = true;
  if (kind == 1) {
    joints()[hinge]["initial"]["velocity"] = number(30, 100);
    return;
  }
  drawn_.conservative = false;
  if (kind == 2 || between["type"] == "cylindrical")
    joints()[hinge]["motion"] = Wave{number(20, 60), number(2, 6), 0}.json();
  else
    joints()[slide]["motion"] = Wave{number(2, 6) * pitch, number(2, 6), 0}.json();
}

void Drawing::draw_extra_link() {
  if (bodies_.size() < 2) return;
  for (int tries = 0; tries < 5; ++tries) {
    const int i = integer(0, static_cast<int>(bodies_.size()) - 2);
    const std::string one = !drawn_.floating && chance(0.3) ? "ground" : body(i),
                      other = body(integer(i + 1, static_cast<int>(bodies_.size()) - 1));
    if (spins_[i] || spins_[body_number(drawn_, other)]) continue;
    const Mobility before = drawn_mobility(types_, drawn_.model);
    const std::string name = add_joint(any_joint(3), one, other, place());
    const Mobility with = drawn_mobility(types_, drawn_.model);
    const int taken = 6 - types_.joint(joints()[name]["type"].get<std::string>())->nu();
    if (with.freedom >= 1 && with.freedom == before.freedom - taken && !with.near_singular()) return;
    joints().erase(name);
  }
}

}  // namespace arthron::test
