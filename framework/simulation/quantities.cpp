#include <algorithm>

#include "arthron/simulation/quantity_parts.hpp"
#include "arthron/simulation/quaternion.hpp"

namespace arthron {
namespace {

using Component = Quantity::Component;
using Kind = Quantity::Kind;

void body_position(const Plan& plan, const Workspace& work, int i, double* out) { put(frame_pose(plan, work, BodyIndex{i}).p, out); }
void body_orientation(const Plan& plan, const Workspace& work, int i, double* out) {
  std::ranges::copy(quaternion(frame_pose(plan, work, BodyIndex{i}).R), out);
}
void body_velocity(const Plan& plan, const Workspace& work, int i, double* out) {
  put(frame_velocity(plan, work, BodyIndex{i}).linear, out);
}
void body_angular_velocity(const Plan& plan, const Workspace& work, int i, double* out) {
  put(frame_velocity(plan, work, BodyIndex{i}).angular, out);
}
void body_acceleration(const Plan& plan, const Workspace& work, int i, double* out) {
  put(frame_acceleration(plan, work, BodyIndex{i}).linear, out);
}
void body_angular_acceleration(const Plan& plan, const Workspace& work, int i, double* out) {
  put(frame_acceleration(plan, work, BodyIndex{i}).angular, out);
}
void reaction(const Plan& plan, const Workspace& work, int i, double* out) { put(joint_reaction(plan, work, JointIndex{i}), out); }
void multipliers(const Plan& plan, const Workspace& work, int i, double* out) { put(joint_multipliers(plan, work, JointIndex{i}), out); }
void opening(const Plan& plan, const Workspace& work, int i, double* out) { put(joint_opening(plan, work, JointIndex{i}), out); }
void opening_rate(const Plan& plan, const Workspace& work, int i, double* out) { put(joint_opening_rate(plan, work, JointIndex{i}), out); }
void marker_position(const Plan& plan, const Workspace& work, int i, double* out) { put(marker_state(plan, work, i).position, out); }
void marker_velocity(const Plan& plan, const Workspace& work, int i, double* out) { put(marker_state(plan, work, i).velocity.linear, out); }
void internal_state(const Plan&, const Workspace& work, int x, double* out) { *out = work.x[x]; }
void kinetic(const Plan& plan, const Workspace& work, int, double* out) { *out = energy(plan, work).kinetic; }
void potential(const Plan& plan, const Workspace& work, int, double* out) { *out = energy(plan, work).potential; }
void total(const Plan& plan, const Workspace& work, int, double* out) { *out = energy(plan, work).total(); }

/// A joint quantity of Model joint i by its function in observe.hpp.
template <void (*function)(const Plan&, const Workspace&, JointIndex, double*)>
void of_joint(const Plan& plan, const Workspace& work, int i, double* out) {
  function(plan, work, JointIndex{i}, out);
}

bool is_position_or_velocity(std::string_view name) {
  return name == "position" || name == "orientation" || name == "velocity" || name == "angular_velocity";
}

std::vector<Component> motions(std::string_view translation, std::string_view rotation) {
  return {{"x", translation}, {"y", translation}, {"z", translation}, {"rx", rotation}, {"ry", rotation}, {"rz", rotation}};
}

/// Names of a joint's freedoms: none for a single one, axes for three of a kind or three and three, else their numbers from 0.
std::vector<Component> freedoms(const JointType& type, std::string_view translation, std::string_view rotation, std::string_view either) {
  static constexpr std::string_view numbers[] = {"0", "1", "2", "3", "4", "5"};
  static constexpr std::string_view axes[] = {"x", "y", "z", "rx", "ry", "rz"};
  const int n = type.nu();
  const auto slides = [&](int i) { return type.unit(i) == "m"; };
  bool three_of_a_kind = n == 3 || n == 6;
  for (int i = 0; i < n; ++i) three_of_a_kind &= !type.unit(i).empty() && (n == 3 ? slides(i) == slides(0) : slides(i) == (i < 3));
  std::vector<Component> list;
  for (int i = 0; i < n; ++i) {
    const std::string_view name = n == 1 ? "" : three_of_a_kind ? axes[i] : numbers[i];
    list.push_back({name, type.unit(i).empty() ? either : slides(i) ? translation : rotation});
  }
  return list;
}

}  // namespace

std::string Quantity::path() const { return name.empty() ? std::string(element) : std::string(element) + '.' + std::string(name); }

std::string Quantity::column(std::size_t component) const {
  const std::string_view tail = components[component].name;
  return tail.empty() ? path() : path() + '.' + std::string(tail);
}

WantedElements::WantedElements(const std::vector<std::string_view>& channels) : all_(false) {
  for (const std::string_view channel : channels)
    for (std::size_t end = channel.size(); end != std::string_view::npos && end > 0; end = channel.rfind('.', end - 1))
      elements_.insert(channel.substr(0, end));
}

std::vector<Quantity> all_quantities(const Plan& plan, const WantedElements& wanted) {
  std::vector<Quantity> list;
  add_elements(plan, wanted, list);
  add_subsystems(plan, wanted, list);
  add_sensors(plan, wanted, list);
  return list;
}

void add_elements(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& list) {
  const Model& model = *plan.model;
  const auto add = [&](Quantity quantity) {
    if (quantity.components.empty()) return;
    const bool moves = quantity.kind == Kind::joint || quantity.kind == Kind::body || quantity.kind == Kind::marker;
    quantity.fed_back = moves && is_position_or_velocity(quantity.name);
    quantity.cut_joint = quantity.kind == Kind::joint && plan.joints[quantity.index].closure >= 0;
    list.push_back(std::move(quantity));
  };
  constexpr bool bare = true, not_bare = false, accelerations = true;

  for (int i = -1; const Joint& joint : model.joints) {
    ++i;
    if (!wanted.contain(joint.path)) continue;
    const JointType& type = joint.definition->type();
    const std::string_view path = joint.path;
    add({Kind::joint, path, "position", freedoms(type, "m", "rad", "m or rad"), of_joint<joint_position>, i});
    add({Kind::joint, path, "velocity", freedoms(type, "m/s", "rad/s", "m/s or rad/s"), of_joint<joint_velocity>, i});
    add({Kind::joint, path, "momentum", freedoms(type, "N s", "N m s", "N s or N m s"), of_joint<joint_momentum>, i, not_bare});
    add({Kind::joint, path, "acceleration", freedoms(type, "m/s^2", "rad/s^2", "m/s^2 or rad/s^2"), of_joint<joint_acceleration>, i,
         not_bare, accelerations});
    add({Kind::joint, path, "effort", freedoms(type, "N", "N m", "N or N m"), of_joint<joint_effort>, i, not_bare, accelerations});
    const std::vector<Component> wrench = wrench_components();
    add({Kind::joint, path, "reaction", wrench, reaction, i, not_bare, accelerations});
    if (plan.joints[i].closure >= 0) {
      add({Kind::joint, path, "multipliers", wrench, multipliers, i, not_bare, accelerations});
      add({Kind::joint, path, "opening", motions("m", "rad"), opening, i, not_bare});
      add({Kind::joint, path, "opening_rate", motions("m/s", "rad/s"), opening_rate, i, not_bare});
    }
  }
  for (int i = 0; const Body& body : model.bodies) {
    const int index = i++;
    if ((body.ground && !body.motion) || !wanted.contain(body.path)) continue;
    const std::vector<Component> quaternion = {{"w", "1"}, {"x", "1"}, {"y", "1"}, {"z", "1"}};
    const std::string_view path = body.path;
    add({Kind::body, path, "position", xyz("m"), body_position, index});
    add({Kind::body, path, "orientation", quaternion, body_orientation, index, bare, !accelerations, true});
    add({Kind::body, path, "velocity", xyz("m/s"), body_velocity, index});
    add({Kind::body, path, "angular_velocity", xyz("rad/s"), body_angular_velocity, index});
    add({Kind::body, path, "acceleration", xyz("m/s^2"), body_acceleration, index, not_bare, accelerations});
    add({Kind::body, path, "angular_acceleration", xyz("rad/s^2"), body_angular_acceleration, index, not_bare, accelerations});
  }
  for (int i = -1; const Marker& marker : model.markers) {
    ++i;
    if (!wanted.contain(marker.path)) continue;
    add({Kind::marker, marker.path, "position", xyz("m"), marker_position, i});
    add({Kind::marker, marker.path, "velocity", xyz("m/s"), marker_velocity, i});
  }
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const Force& force = model.forces[i];
    if (!wanted.contain(force.path)) continue;
    std::vector<Component> measured;
    for (const OutputChannel& channel : force.definition->type().channels()) measured.push_back({channel.name, channel.unit});
    add({Kind::force, force.path, "", measured, force_measure, static_cast<int>(i)});
    for (int x = plan.forces[i].states.first; const OutputChannel& state : force.definition->type().states())
      list.push_back({.kind = Kind::force,
                      .element = force.path,
                      .name = state.name,
                      .components = {{"", state.unit}},
                      .read = internal_state,
                      .index = x++,
                      .fed_back = true});
  }
  if (!wanted.contain("energy")) return;
  add({Kind::energy, "energy", "kinetic", {{"", "J"}}, kinetic, 0});
  add({Kind::energy, "energy", "potential", {{"", "J"}}, potential, 0});
  add({Kind::energy, "energy", "total", {{"", "J"}}, total, 0});
}

}  // namespace arthron
