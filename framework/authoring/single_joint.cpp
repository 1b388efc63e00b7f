#include "arthron/authoring/single_joint.hpp"

#include "arthron/model/load.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {

JointInstance joint_with_keys(const Registry& registry, nlohmann::ordered_json keys) {
  const std::string words = keys.dump();
  keys["parent"] = "ground", keys["child"] = "body";
  if (!keys.contains("at")) keys["at"] = {0, 0, 0};
  const nlohmann::ordered_json model{{"arthron", 1},
                                     {"name", "single"},
                                     {"grounds", {{"shaker", nlohmann::ordered_json::object()}}},
                                     {"bodies", {{"body", {{"mass", 1}, {"inertia", {1, 1, 1}}}}}},
                                     {"joints", {{"joint", std::move(keys)}}}};
  return {words, parse_model(model.dump(), "component", registry).joints[0]};
}

SingleJoint::SingleJoint(const JointInstance& from, bool seen_from_child, bool mirror_image)
    : instance(from),
      type(from.joint.definition->type()),
      definition(*from.joint.definition),
      reversed(seen_from_child),
      mirrored(mirror_image),
      batch(type.make_batch()) {
  batch->add(definition, {0, 0, 0, reversed, mirrored, 0});
  go_to_start();
}

void SingleJoint::go_to_random_state(RandomKeys& random) {
  const Joint& joint = instance.joint;
  const auto or_else = [](const std::vector<double>& values, std::size_t i, double otherwise) {
    return i < values.size() ? values[i] : otherwise;
  };
  Velocities chart{};
  for (std::size_t i = 0; i < nu(); ++i) {
    const double start = or_else(joint.initial_position, i, 0);
    double low = start - 1, high = start + 1;
    if (joint.limits) low = or_else(joint.limits->lower, i, low), high = or_else(joint.limits->upper, i, high);
    chart[i] = random.number(std::min(low, high), std::max(low, high));
    u[i] = random.number(-1, 1);
  }
  type.from_chart(definition, chart.data(), q.data());
}

void SingleJoint::go_to_start() {
  Velocities chart{};
  std::copy(instance.joint.initial_position.begin(), instance.joint.initial_position.end(), chart.begin());
  type.from_chart(definition, chart.data(), q.data());
}

SingleJoint::Position SingleJoint::at(const Coordinates& coordinates) const {
  Position position;
  batch->constants(&position.X, position.H.data());
  batch->position({0, 1}, coordinates.data(), &position.X, position.H.data());
  return position;
}

SingleJoint::Coordinates SingleJoint::moved(const Coordinates& from, double dt, const Velocities& velocities) const {
  Coordinates qdot{}, next = from;
  batch->coordinate_rate({0, 1}, from.data(), velocities.data(), qdot.data());
  for (std::size_t i = 0; i < next.size(); ++i) next[i] += dt * qdot[i];
  batch->normalise({0, 1}, next.data(), static_cast<int>(next.size()));
  return next;
}

std::array<Spatial6, 6> SingleJoint::column_rates() const {
  std::array<Spatial6, 6> rates{};
  if (batch->varies()) batch->rate({0, 1}, q.data(), u.data(), rates.data());
  return rates;
}

SingleJoint::Velocities SingleJoint::chart_of(const Coordinates& coordinates) const {
  Velocities chart{};
  type.to_chart(definition, coordinates.data(), chart.data());
  return chart;
}

std::string SingleJoint::words() const {
  return "with " + instance.words + " at q = " + list_text(q.data(), nq()) + ", u = " + list_text(u.data(), nu()) +
         (reversed ? ", seen from the child" : "") + (mirrored ? ", as a mirror image" : "");
}

std::string list_text(const double* numbers, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + shortest_text(numbers[i]);
  return text + ']';
}

}  // namespace arthron
