#include "support/mechanisms/drawing.hpp"

#include <algorithm>

#include "support/mechanisms/mobility.hpp"

namespace arthron::test {

Json Wave::json() const { return "=" + Json(amplitude).dump() + "*sin(" + Json(rate).dump() + "*t+" + Json(phase).dump() + ")"; }

int body_number(const Mechanism& mechanism, const Json& name) {
  int number = 0;
  for (const auto& [body, keys] : mechanism.model["bodies"].items()) {
    if (body == name.get<std::string>()) return number;
    ++number;
  }
  return -1;
}

std::vector<bool> joints_in_loops(const Json& model) {
  std::vector<bool> in_loop;
  for (const auto& [left_out, joint] : model["joints"].items()) {
    std::map<std::string, std::string> group;
    const std::function<std::string(const std::string&)> find = [&](const std::string& name) {
      const auto there = group.find(name);
      return there == group.end() ? name : find(there->second);
    };
    for (const auto& [name, other] : model["joints"].items()) {
      const std::string a = find(other["parent"]), b = find(other["child"]);
      if (name != left_out && a != b) group[a] = b;
    }
    in_loop.push_back(find(joint["parent"]) == find(joint["child"]));
  }
  return in_loop;
}

Mechanism draw_mechanism(const Registry& types, unsigned seed) { return Drawing(types, seed).draw(); }

Vector Drawing::direction() {
  for (;;) {
    const Vector v = vector_of(vector(1));
    if (v.norm() > 0.2 && v.norm() < 1) return v.normalized();
  }
}

Vector Drawing::across(const Vector& axis) {
  for (;;) {
    const Vector v = direction().cross(axis);
    if (v.norm() > 0.3) return v.normalized();
  }
}

std::string Drawing::any_carrier() {
  for (;;) {
    if (!drawn_.floating && (bodies_.empty() || chance(0.3))) return "ground";
    const auto i = static_cast<std::size_t>(integer(0, static_cast<int>(bodies_.size()) - 1));
    if (!spins_[i]) return bodies_[i];
  }
}

std::string Drawing::add_body(const Vector& near, bool light) {
  // Moments of an ellipsoid satisfy the triangle inequality; any orientation.
  const double mass = light ? std::pow(10, number(-9, -6)) : number(0.5, 3);
  const Vector squares(number(0.02, 0.1), number(0.02, 0.1), number(0.02, 0.1));
  const Vector moments = mass * Vector(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  const Matrix R = Eigen::AngleAxisd(number(0, 3), direction()).toRotationMatrix();
  const Matrix I = R * moments.asDiagonal() * R.transpose();
  const std::string name = body(static_cast<int>(bodies_.size()));
  drawn_.model["bodies"][name] = {
      {"mass", mass}, {"com", json_of(near + place(0.3))}, {"inertia", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}}};
  bodies_.push_back(name), light_.push_back(light), spins_.push_back(false);
  drawn_.light = drawn_.light || light;
  return name;
}

std::string Drawing::add_joint(const Json& keys, const std::string& parent, const std::string& child, const Vector& at) {
  const std::string name = "j" + std::to_string(joints().size());
  Json& joint = joints()[name] = keys;
  joint["parent"] = parent, joint["child"] = child, joint["at"] = json_of(at);
  return name;
}

std::string Drawing::add_hinge(const std::string& parent, const std::string& child, const Vector& at, const Vector& axis) {
  return add_joint({{"type", "revolute"}, {"axis", json_of(number(0.5, 2) * axis)}}, parent, child, at + number(-0.4, 0.4) * axis);
}

Json Drawing::any_joint(int least_freedoms) {
  for (;;) {
    auto entry = types_.joints().begin();
    std::advance(entry, integer(0, static_cast<int>(types_.joints().size()) - 1));
    if (entry->second->nu() >= least_freedoms) return keys_of(*entry->second, 0);
  }
}

bool Drawing::bears_no_load(const Json& joint) const {
  if (drawn_.floating && (joint["parent"] == "ground" || joint["child"] == "ground")) return true;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if ((light_[i] || spins_[i]) && (joint["parent"] == bodies_[i] || joint["child"] == bodies_[i])) return true;
  return false;
}

std::string Drawing::heavy_body() {
  for (int tries = 0; tries < 50; ++tries) {
    const auto i = static_cast<std::size_t>(integer(0, static_cast<int>(bodies_.size()) - 1));
    if (!light_[i] && !spins_[i]) return bodies_[i];
  }
  return "";
}

Mechanism Drawing::draw() {
  drawn_.conservative = chance(0.5);
  drawn_.until = number(0.08, 0.2);
  if (chance(0.8)) drawn_.model["gravity"] = json_of(9.81 * direction());
  draw_base();
  using Piece = void (Drawing::*)();
  const std::array<Piece, 8> pieces{&Drawing::draw_branch,       &Drawing::draw_doubled,         &Drawing::draw_four_bar,
                                    &Drawing::draw_slider_crank, &Drawing::draw_parallel_cranks, &Drawing::draw_spherical_four_bar,
                                    &Drawing::draw_ring,         &Drawing::draw_screw_loop};
  const int bodies = integer(2, chance(0.3) ? 12 : 6);
  // A tree in one of six; else at least one closed piece.
  const bool tree = chance(1.0 / 6);
  bool closed = tree;
  do {
    const Piece piece = tree || (closed && chance(0.4)) ? pieces[0] : pieces[integer(1, 7)];
    (this->*piece)();
    closed = closed || piece != pieces[0];
  } while (static_cast<int>(bodies_.size()) < bodies || !closed);
  if (!tree && chance(0.3)) draw_extra_link();
  if (chance(0.25)) draw_drive();
  draw_joint_loads();
  draw_forces();
  draw_initial_state();
  drawn_.model["simulate"] = {{"until", drawn_.until}, {"output", {{"step", drawn_.until / 4}}}};
  return std::move(drawn_);
}

void Drawing::draw_base() {
  const int kind = integer(0, 5);
  if (kind <= 2) return;
  const std::string base = add_body(place());
  if (kind == 3) {
    Json slide{{"type", "prismatic"}, {"axis", json_of(direction())}};
    if (chance(0.5)) slide["initial"]["velocity"] = number(10, 100);
    add_joint(slide, "ground", base, place());
    return;
  }
  drawn_.floating = true;
  Json free{{"type", "free"}};
  if (chance(0.4)) free["initial"]["velocity"] = {number(-100, 100), number(-100, 100), number(-100, 100), 0, 0, 0};
  add_joint(free, "ground", base, place());
}

}  // namespace arthron::test
