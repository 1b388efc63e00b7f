#include "arthron/model/hierarchy.hpp"

#include <algorithm>
#include <boost/graph/connected_components.hpp>
#include <boost/range/iterator_range.hpp>

#include "arthron/core/diagnostic.hpp"
#include "arthron/topology/graph.hpp"

namespace arthron {

using std::size_t;

const SubsystemMembers& members_of(const Model& model, int subsystem) { return members_of(model.graph().subsystem(subsystem)); }

std::vector<int> bodies_of(const Model& model, int subsystem) {
  const SystemGraph& graph = model.graph().subsystem(subsystem);
  std::vector<int> bodies;
  for (const BodyDescriptor vertex : boost::make_iterator_range(vertices(graph))) {
    const int body = graph[vertex].body.value;
    if (lies_within(model, model.bodies[body].subsystem, subsystem)) bodies.push_back(body);
  }
  return bodies;
}

std::vector<int> joints_of(const Model& model, int subsystem) {
  const OwnJoints graph = own_joints(model.graph().subsystem(subsystem));
  std::vector<int> joints;
  for (const JointDescriptor edge : boost::make_iterator_range(edges(graph))) joints.push_back(graph[edge].joint.value);
  std::sort(joints.begin(), joints.end());
  return joints;
}

std::vector<int> children_of(const Model& model, int subsystem) {
  std::vector<int> children;
  for (const SystemGraph& child : boost::make_iterator_range(model.graph().subsystem(subsystem).children()))
    children.push_back(members_of(child).subsystems.first);
  return children;
}

std::vector<int> crossed_ports(const Model& model, int port) {
  std::vector<int> ports;
  for (; port >= 0; port = model.ports[port].through) ports.push_back(port);
  return ports;
}

int mount_crossed(const Model& model, int port, int subsystem) {
  for (const int crossed : crossed_ports(model, port)) {
    const Port& at = model.ports[crossed];
    if (at.kind == Port::Kind::mount && at.subsystem == subsystem) return crossed;
  }
  return -1;
}

bool stands_still(const Model& model, int subsystem, BodyIndex body, int port) {
  const Body& at = model.bodies[body.value];
  return at.ground || !lies_within(model, at.subsystem, subsystem) || mount_crossed(model, port, subsystem) >= 0;
}

std::vector<int> floating_bodies(const Model& model, int subsystem) {
  const SystemGraph& graph = model.graph().subsystem(subsystem);
  const OwnJoints own = own_joints(graph);
  const auto joint_at = [&](JointDescriptor edge) -> const Joint& { return model.joints[graph[edge].joint.value]; };
  const auto parent_still = [&](const Joint& joint) { return stands_still(model, subsystem, joint.parent, joint.parent_port); };
  const auto child_still = [&](const Joint& joint) { return stands_still(model, subsystem, joint.child, joint.child_port); };
  // What hangs together by joints between bodies that move; a joint to anything else holds all that hangs on it.
  const OwnJoints moving(graph, [&](JointDescriptor edge) {
    if (!own.m_edge_pred(edge)) return false;
    const Joint& joint = joint_at(edge);
    return joint.cut != true && !parent_still(joint) && !child_still(joint);
  });
  std::vector<int> component(num_vertices(graph));
  std::vector<bool> held(boost::connected_components(moving, component.data()), false);
  for (const JointDescriptor edge : boost::make_iterator_range(edges(own))) {
    const Joint& joint = joint_at(edge);
    if (joint.cut == true || parent_still(joint) == child_still(joint)) continue;
    const BodyIndex moved = parent_still(joint) ? joint.child : joint.parent;
    held[component[graph[source(edge, graph)].body == moved ? source(edge, graph) : target(edge, graph)]] = true;
  }
  std::vector<int> floating;
  for (const BodyDescriptor vertex : boost::make_iterator_range(vertices(graph))) {
    const BodyIndex body = graph[vertex].body;
    if (stands_still(model, subsystem, body, -1) || held[component[vertex]]) continue;
    held[component[vertex]] = true;
    floating.push_back(body.value);
  }
  return floating;
}

namespace {

/// Copies what lies within a subsystem into a model of its own.
class Extraction {
 public:
  Extraction(const Model& whole, int subsystem)
      : whole_(whole),
        top_(subsystem),
        members_(members_of(whole, subsystem)),
        prefix_(subsystem_path().empty() ? 0 : subsystem_path().size() + 1),
        bodies_(bodies_of(whole, subsystem)),
        joints_(joints_of(whole, subsystem)) {}

  Alone run() {
    Model& model = out_.model;
    model.name = whole_.subsystems[top_].name;
    model.gravity = whole_.gravity;
    model.simulation = whole_.simulation;
    model.simulation.channels.clear();
    model.simulation.elimination = "auto";
    model.simulation.threads = 1;
    model.files = {whole_.subsystems[top_].file};
    for (int s = top_; s < members_.subsystems.last; ++s) {
      Subsystem subsystem = whole_.subsystems[s];
      subsystem.path = s == top_ ? "" : local(subsystem.path);
      subsystem.parent = s == top_ ? -1 : subsystem.parent - top_;
      model.subsystems.push_back(std::move(subsystem));
    }
    add_bodies();
    add_ports();
    add_joints();
    for (const Force& force : within(whole_.forces, members_.forces)) {
      for (Handle& handle : copied(force, model.forces).handles) handle = moved(handle);
    }
    for (const Marker& marker : within(whole_.markers, members_.markers)) {
      Handle& handle = copied(marker, model.markers).handle;
      handle = moved(handle);
    }
    for (const BodyVelocity& velocity : whole_.initial_velocities)
      if (place_of(bodies_, velocity.body.value) >= 0)
        model.initial_velocities.push_back({inside(velocity.body), velocity.linear, velocity.angular});
    for (const Parameter& parameter : within(whole_.parameters, members_.parameters)) copied(parameter, model.parameters);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::string& subsystem_path() const { return whole_.subsystems[top_].path; }
  [[nodiscard]] std::string local(const std::string& path) const { return path.substr(prefix_); }

  template <class Element>
  static std::vector<Element> within(const std::vector<Element>& elements, const Slice& slice) {
    return {elements.begin() + slice.first, elements.begin() + slice.last};
  }
  template <class Element>
  Element& copied(const Element& element, std::vector<Element>& list) {
    list.push_back(element);
    list.back().path = local(element.path);
    list.back().subsystem -= top_;
    return list.back();
  }
  /// Where a number stands in an ascending list; -1: nowhere.
  static int place_of(const std::vector<int>& list, int number) {
    const auto place = std::lower_bound(list.begin(), list.end(), number);
    return place == list.end() || *place != number ? -1 : static_cast<int>(place - list.begin());
  }
  void add_ground(const Port& mount) {
    Body ground;
    ground.path = local(mount.path);
    ground.ground = true;
    ground.frame = whole_.subsystems[top_].placement.frame({});
    ground.source = mount.source;
    out_.model.bodies.push_back(std::move(ground));
    out_.body.push_back(mount.body.value);
  }

  void add_bodies() {
    if (top_ > 0) out_.model.bodies.push_back(whole_.bodies.front()), out_.body.push_back(0);
    const std::vector<int> floating = floating_bodies(whole_, top_);
    // Connected mounts become grounds of the file, as open ones are already.
    for (int p = members_.ports.first; p < members_.ports.last; ++p) {
      const Port& port = whole_.ports[p];
      if (port.subsystem != top_ || port.kind != Port::Kind::mount) continue;
      const size_t body = port.body.value;
      const bool open = whole_.bodies[body].path == port.path;
      ground_of_mount_.emplace_back(p, open ? -1 : static_cast<int>(out_.model.bodies.size()));
      if (!open) add_ground(port);
    }
    offset_ = static_cast<int>(out_.model.bodies.size());
    for (const int b : bodies_) {
      Body& body = copied(whole_.bodies[b], out_.model.bodies);
      out_.body.push_back(b);
      if (place_of(floating, b) < 0) continue;
      body.ground = true;
      out_.floats.push_back(static_cast<int>(out_.model.bodies.size()) - 1);
    }
    for (auto& [port, ground] : ground_of_mount_) {
      if (ground < 0) ground = inside(whole_.ports[port].body).value;
      out_.mounts.push_back(ground);
    }
  }

  [[nodiscard]] BodyIndex inside(BodyIndex body) const {
    if (const int place = place_of(bodies_, body.value); place >= 0) return {offset_ + place};
    if (body.value != 0) throw InternalError("what lies within a subsystem is attached to its own bodies, its mounts or the ground");
    return {0};
  }
  /// The body that stands for one named by a port.
  [[nodiscard]] BodyIndex named(BodyIndex body, int port) const {
    const int mount = mount_crossed(whole_, port, top_);
    for (const auto& [own, ground] : ground_of_mount_)
      if (own == mount) return {ground};
    return inside(body);
  }
  [[nodiscard]] int moved_port(int port) const { return members_.ports.holds(port) ? port - members_.ports.first : -1; }
  [[nodiscard]] Handle moved(const Handle& handle) const {
    return {named(handle.body, handle.port), handle.point, moved_port(handle.port)};
  }

  void add_ports() {
    for (int p = members_.ports.first; p < members_.ports.last; ++p) {
      Port& port = copied(whole_.ports[p], out_.model.ports);
      if (port.body.valid()) port.body = named(port.body, p);
      port.through = moved_port(port.through);
      if (port.kind == Port::Kind::signal_output) port.channel = local(port.channel);
      if (port.subsystem == 0) port.connected = false, port.through = port.kind == Port::Kind::mount ? -1 : port.through;
    }
  }

  void add_joints() {
    for (const int j : joints_) {
      Joint& joint = copied(whole_.joints[j], out_.model.joints);
      joint.parent = named(joint.parent, joint.parent_port);
      joint.child = named(joint.child, joint.child_port);
      joint.parent_port = moved_port(joint.parent_port);
      joint.child_port = moved_port(joint.child_port);
      out_.joint.push_back(j);
    }
    for (const Coupling& coupling : within(whole_.couplings, members_.couplings))
      for (Coupling::Term& term : copied(coupling, out_.model.couplings).terms) term.joint.value = place_of(joints_, term.joint.value);
  }

  const Model& whole_;
  const int top_;
  const SubsystemMembers members_;
  const size_t prefix_;
  const std::vector<int> bodies_, joints_;
  int offset_ = 0;
  std::vector<std::pair<int, int>> ground_of_mount_;
  Alone out_;
};

}  // namespace

Alone alone(const Model& whole, int subsystem) { return Extraction(whole, subsystem).run(); }

BodyVelocity placed(BodyVelocity velocity, const Placement& placement) {
  if (velocity.linear) velocity.linear = placement.polar(*velocity.linear);
  if (velocity.angular) velocity.angular = placement.axial(*velocity.angular);
  return velocity;
}

Model placed(Model model, const Placement& placement) {
  model.gravity = placement.polar(model.gravity);
  for (Subsystem& subsystem : model.subsystems) subsystem.placement = placement * subsystem.placement;
  for (Body& body : model.bodies) {
    body.com = placement.point(body.com);
    body.inertia = rotated(placement.X.R, body.inertia);
    body.frame = placement.frame(body.frame);
    if (body.motion) body.motion->placement = placement * body.motion->placement;
  }
  for (BodyVelocity& velocity : model.initial_velocities) velocity = placed(velocity, placement);
  for (Joint& joint : model.joints) {
    joint.frame = placement.axial_frame(joint.frame);
    joint.mirrored = joint.mirrored != placement.is_mirror_image();
  }
  for (Force& force : model.forces) force.placement = placement * force.placement;
  for (Marker& marker : model.markers) marker.handle.point = placement.point(marker.handle.point);
  for (Port& port : model.ports) port.at = placement.point(port.at), port.axis = placement.polar(port.axis);
  return model;
}

}  // namespace arthron
