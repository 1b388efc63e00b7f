#include "arthron/model/hierarchy.hpp"

#include <numeric>
#include <set>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

using std::size_t;

int subsystems_end(const Model& model, int subsystem) {
  int end = subsystem + 1;
  while (end < static_cast<int>(model.subsystems.size()) && model.subsystems[end].parent >= subsystem) ++end;
  return end;
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

std::vector<int> floating_bodies(const Model& model, int subsystem) {
  const int end = subsystems_end(model, subsystem);
  const auto bodies = elements_within(model.bodies, subsystem, end);
  const size_t first = bodies.first, last = bodies.second;
  // Bodies that hang together have one leader; the last place stands for everything that is not moved by the joints within.
  std::vector<size_t> leader(last - first + 1);
  std::iota(leader.begin(), leader.end(), size_t{0});
  const auto leader_of = [&](size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  const auto place = [&](BodyIndex body, int port) {
    const size_t b = body.value;
    const bool inside = b >= first && b < last && !model.bodies[b].ground && mount_crossed(model, port, subsystem) < 0;
    return leader_of(inside ? b - first : last - first);
  };
  const auto [first_joint, last_joint] = elements_within(model.joints, subsystem, end);
  for (size_t j = first_joint; j < last_joint; ++j) {
    const Joint& joint = model.joints[j];
    if (joint.cut != true) leader[place(joint.parent, joint.parent_port)] = place(joint.child, joint.child_port);
  }
  std::set<size_t> met{leader_of(last - first)};
  std::vector<int> floating;
  for (size_t b = first; b < last; ++b)
    if (!model.bodies[b].ground && met.insert(leader_of(b - first)).second) floating.push_back(static_cast<int>(b));
  return floating;
}

namespace {

/// Copies what lies within a subsystem into a model of its own.
class Extraction {
 public:
  Extraction(const Model& whole, int subsystem)
      : whole_(whole),
        top_(subsystem),
        end_(subsystems_end(whole, subsystem)),
        prefix_(subsystem_path().empty() ? 0 : subsystem_path().size() + 1),
        ports_(elements_within(whole.ports, top_, end_)),
        bodies_(elements_within(whole.bodies, top_, end_)),
        joints_(elements_within(whole.joints, top_, end_)) {}

  Alone run() {
    Model& model = out_.model;
    model.name = whole_.subsystems[top_].name;
    model.gravity = whole_.gravity;
    model.simulation = whole_.simulation;
    model.simulation.channels.clear();
    model.simulation.elimination = "auto";
    model.simulation.threads = 1;
    model.files = {whole_.subsystems[top_].file};
    for (int s = top_; s < end_; ++s) {
      Subsystem subsystem = whole_.subsystems[s];
      subsystem.path = s == top_ ? "" : local(subsystem.path);
      subsystem.parent = s == top_ ? -1 : subsystem.parent - top_;
      model.subsystems.push_back(std::move(subsystem));
    }
    add_bodies();
    add_ports();
    add_joints();
    for (const Force& force : within(whole_.forces)) {
      for (Handle& handle : copied(force, model.forces).handles) handle = moved(handle);
    }
    for (const Marker& marker : within(whole_.markers)) {
      Handle& handle = copied(marker, model.markers).handle;
      handle = moved(handle);
    }
    for (const BodyVelocity& velocity : whole_.initial_velocities)
      if (const size_t b = velocity.body.value; b >= bodies_.first && b < bodies_.second)
        model.initial_velocities.push_back({inside(velocity.body), velocity.linear, velocity.angular});
    for (const Parameter& parameter : within(whole_.parameters)) copied(parameter, model.parameters);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::string& subsystem_path() const { return whole_.subsystems[top_].path; }
  [[nodiscard]] std::string local(const std::string& path) const { return path.substr(prefix_); }

  template <class Element>
  std::vector<Element> within(const std::vector<Element>& elements) const {
    const auto [first, last] = elements_within(elements, top_, end_);
    return {elements.begin() + static_cast<std::ptrdiff_t>(first), elements.begin() + static_cast<std::ptrdiff_t>(last)};
  }
  template <class Element>
  Element& copied(const Element& element, std::vector<Element>& list) {
    list.push_back(element);
    list.back().path = local(element.path);
    list.back().subsystem -= top_;
    return list.back();
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
    if (bodies_.first > 0) out_.model.bodies.push_back(whole_.bodies.front()), out_.body.push_back(0);
    const std::vector<int> floating = floating_bodies(whole_, top_);
    // Connected mounts become grounds of the file, as open ones are already.
    for (size_t p = ports_.first; p < ports_.second; ++p) {
      const Port& port = whole_.ports[p];
      if (port.subsystem != top_ || port.kind != Port::Kind::mount) continue;
      const size_t body = port.body.value;
      const bool open = whole_.bodies[body].path == port.path;
      ground_of_mount_.emplace_back(static_cast<int>(p), open ? -1 : static_cast<int>(out_.model.bodies.size()));
      if (!open) add_ground(port);
    }
    offset_ = out_.model.bodies.size();
    for (size_t b = bodies_.first; b < bodies_.second; ++b) {
      Body& body = copied(whole_.bodies[b], out_.model.bodies);
      out_.body.push_back(static_cast<int>(b));
      if (!std::binary_search(floating.begin(), floating.end(), static_cast<int>(b))) continue;
      body.ground = true;
      out_.floats.push_back(static_cast<int>(out_.model.bodies.size()) - 1);
    }
    for (auto& [port, ground] : ground_of_mount_) {
      if (ground < 0) ground = inside(whole_.ports[port].body).value;
      out_.mounts.push_back(ground);
    }
  }

  [[nodiscard]] BodyIndex inside(BodyIndex body) const {
    const size_t b = body.value;
    if (b >= bodies_.first && b < bodies_.second) return {static_cast<int>(b - bodies_.first + offset_)};
    if (b != 0) throw InternalError("what lies within a subsystem is attached to its own bodies, its mounts or the ground");
    return {0};
  }
  /// The body that stands for one named by a port.
  [[nodiscard]] BodyIndex named(BodyIndex body, int port) const {
    const int mount = mount_crossed(whole_, port, top_);
    for (const auto& [own, ground] : ground_of_mount_)
      if (own == mount) return {ground};
    return inside(body);
  }
  [[nodiscard]] int moved_port(int port) const {
    const bool within = port >= static_cast<int>(ports_.first) && port < static_cast<int>(ports_.second);
    return within ? port - static_cast<int>(ports_.first) : -1;
  }
  [[nodiscard]] Handle moved(const Handle& handle) const {
    return {named(handle.body, handle.port), handle.point, moved_port(handle.port)};
  }

  void add_ports() {
    for (size_t p = ports_.first; p < ports_.second; ++p) {
      Port& port = copied(whole_.ports[p], out_.model.ports);
      if (port.body.valid()) port.body = named(port.body, static_cast<int>(p));
      port.through = moved_port(port.through);
      if (port.kind == Port::Kind::signal_output) port.channel = local(port.channel);
      if (port.subsystem == 0) port.connected = false, port.through = port.kind == Port::Kind::mount ? -1 : port.through;
    }
  }

  void add_joints() {
    for (size_t j = joints_.first; j < joints_.second; ++j) {
      Joint& joint = copied(whole_.joints[j], out_.model.joints);
      joint.parent = named(joint.parent, joint.parent_port);
      joint.child = named(joint.child, joint.child_port);
      joint.parent_port = moved_port(joint.parent_port);
      joint.child_port = moved_port(joint.child_port);
      out_.joint.push_back(static_cast<int>(j));
    }
    for (const Coupling& coupling : within(whole_.couplings))
      for (Coupling::Term& term : copied(coupling, out_.model.couplings).terms) term.joint.value -= static_cast<int>(joints_.first);
  }

  const Model& whole_;
  const int top_, end_;
  const size_t prefix_;
  const std::pair<size_t, size_t> ports_, bodies_, joints_;
  size_t offset_ = 0;
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
