#include "arthron/authoring/lone_force.hpp"

#include <limits>

#include "arthron/authoring/lone_joint.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

Mat3 rotation(const Vec3& theta) {
  const auto q = quaternion_of(theta);
  return quaternion_rotation(q[0], q[1], q[2], q[3]);
}

std::string text(const Vec3& a) { return list_text(&a.x, 3); }

}  // namespace

ForceInstance force_with_keys(const Registry& registry, nlohmann::ordered_json keys, const nlohmann::ordered_json& road) {
  const std::string words = keys.dump();
  nlohmann::ordered_json model{{"arthron", 1}, {"name", "lone"}, {"road", road}, {"forces", {{"force", std::move(keys)}}}};
  model["grounds"]["shaker"] = nlohmann::ordered_json::object();
  for (const std::string body : {"b0", "b1", "b2"}) {
    model["bodies"][body] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
    model["joints"]["j" + body] = {{"type", "free"}, {"parent", "ground"}, {"child", body}, {"at", {0, 0, 0}}};
  }
  return {words, parse_model(model.dump(), "component", registry).forces[0]};
}

LoneForce::LoneForce(const ForceInstance& from, const Placement& placement)
    : instance(from), definition(*from.force.definition), batch(definition.type().make_batch()) {
  batch->add(definition, 0, placement);
}

LoneForce::States LoneForce::random_states(RandomKeys& random) const {
  const bool as_drawn = random.chance(0.5);
  const auto vector = [&](double size) { return Vec3{random.number(-size, size), random.number(-size, size), random.number(-size, size)}; };
  States states;
  for (const Handle& handle : definition.handles())
    states.push_back({as_drawn ? handle.point + vector(0.2) : vector(0.6), rotation(vector(1)), {vector(1), vector(1)}});
  return states;
}

std::vector<Spatial6> LoneForce::load(double t, const States& states) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Spatial6> wrenches(states.size(), {{none, none, none}, {none, none, none}});
  batch->load({0, 1}, t, states.data(), wrenches.data());
  return wrenches;
}

std::vector<double> LoneForce::measured(double t, const States& states) const {
  std::vector<double> values(definition.type().channels().size(), std::numeric_limits<double>::quiet_NaN());
  batch->measure(0, t, states.data(), values.data());
  return values;
}

std::string LoneForce::words(double t, const States& states) const {
  std::string words = "with " + instance.words + " at t = " + shortest_text(t);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const HandleState& h = states[i];
    words += ", handle " + std::to_string(i + 1) + " at " + text(h.position) + " turned by " + text(rotation_vector_of(h.rotation)) +
             " moving with " + text(h.velocity.linear) + " and " + text(h.velocity.angular);
  }
  return words;
}

HandleState displaced(const HandleState& handle, const Spatial6& displacement) {
  return {handle.position + displacement.linear, rotation(displacement.angular) * handle.rotation, handle.velocity};
}

}  // namespace arthron
