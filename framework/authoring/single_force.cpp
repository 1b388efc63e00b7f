#include "arthron/authoring/single_force.hpp"

#include <limits>

#include "arthron/authoring/single_joint.hpp"
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
  nlohmann::ordered_json model{{"arthron", 1}, {"name", "single"}, {"road", road}, {"forces", {{"force", std::move(keys)}}}};
  model["grounds"]["shaker"] = nlohmann::ordered_json::object();
  for (const std::string body : {"b0", "b1", "b2"}) {
    model["bodies"][body] = {{"mass", 1}, {"inertia", {1, 1, 1}}};
    model["joints"]["j" + body] = {{"type", "free"}, {"parent", "ground"}, {"child", body}, {"at", {0, 0, 0}}};
  }
  return {words, parse_model(model.dump(), "component", registry).forces[0]};
}

SingleForce::SingleForce(const ForceInstance& from, const Placement& placement)
    : instance(from), definition(*from.force.definition), batch(definition.type().make_batch()) {
  batch->add(definition, {}, placement);
  x.resize(definition.type().states().size());
  std::vector<double> sizes(x.size());
  batch->initial_states(x.data()), batch->state_sizes(sizes.data());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += (0.3 + 0.1 * static_cast<double>(i)) * sizes[i];
}

SingleForce::States SingleForce::random_states(RandomKeys& random) const {
  const bool as_drawn = random.chance(0.5);
  const auto vector = [&](double size) { return Vec3{random.number(-size, size), random.number(-size, size), random.number(-size, size)}; };
  States states;
  for (const Handle& handle : definition.handles())
    states.push_back({as_drawn ? handle.point + vector(0.2) : vector(0.6), rotation(vector(1)), {vector(1), vector(1)}});
  return states;
}

SingleForce::Answer SingleForce::answer(double t, const States& states, const std::vector<double>& internal) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Answer answer{std::vector<Spatial6>(states.size(), {{none, none, none}, {none, none, none}}), std::vector<double>(x.size(), none),
                std::vector<double>(definition.type().channels().size(), none), none};
  States drawn(states.size());
  const ForceInputs in{states.data(), drawn.data(), internal.data()};
  batch->load({0, 1}, t, in, {answer.wrenches.data(), drawn.data(), answer.xdot.data()});
  batch->measure(0, t, in, answer.measured.data());
  answer.energy = batch->energy(0, t, in);
  return answer;
}

std::string SingleForce::words(double t, const States& states) const {
  std::string words = "with " + instance.words + " at t = " + shortest_text(t);
  if (!x.empty()) words += ", internal states " + list_text(x.data(), static_cast<int>(x.size()));
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
