#include <algorithm>

#include "arthron/model/loading.hpp"

/// Repeated subsystems: one that has been read stands for those that are like it.
namespace arthron {

namespace {

using std::size_t;

/// Moves a Loading, and all below it, from one of its uses to another.
class Move {
 public:
  Move(const Loading& top, const Distance& by, std::string prefix)
      : range_(top.extent), by_(by), old_prefix_(top.prefix.size()), prefix_(std::move(prefix)) {}

  void operator()(Loading& loading) const {
    loading.subsystem += by_.subsystems;
    loading.prefix.replace(0, old_prefix_, prefix_);
    loading.scope.instance.assign(loading.prefix, 0, loading.prefix.size() - 1);
    move_names(loading);
    for (auto& drawn : loading.drawn_bodies) move(drawn.element.body);
    for (auto& drawn : loading.drawn_joints) {
      move(drawn.element.parent), move(drawn.element.child);
      move_port(drawn.element.parent_port), move_port(drawn.element.child_port);
    }
    for (auto& drawn : loading.drawn_forces)
      for (Handle& handle : drawn.element.handles) move(handle);
    for (Marker& marker : loading.drawn_markers) move(marker.handle);
    for (Port& port : loading.ports) move(port.body), move_port(port.through);
    const auto shift = [](Slice& slice, int by) { slice.first += by, slice.last += by; };
    shift(loading.extent.subsystems, by_.subsystems), shift(loading.extent.bodies, by_.bodies), shift(loading.extent.ports, by_.ports);
    for (const Child& child : loading.children)
      if (child.original < 0) (*this)(*child.loading);
  }

 private:
  void move_names(Loading& loading) const {
    for (auto& [name, body] : loading.scope.bodies) move(body);
    for (auto& [name, port] : loading.scope.ports) move_port(port);
    for (auto& [name, port] : loading.port_index) move_port(port);
    for (auto& [name, port] : loading.mounted_through) move_port(port);
    std::unordered_map<int, Pose<double>> frames;
    for (const auto& [body, frame] : loading.frames) frames.emplace(moved(body), frame);
    loading.frames = std::move(frames);
  }

  // What lies outside of all that is moved stays.
  [[nodiscard]] int moved(int body) const { return range_.bodies.holds(body) ? body + by_.bodies : body; }
  void move(BodyIndex& body) const { body.value = moved(body.value); }
  void move_port(int& port) const { port += range_.ports.holds(port) ? by_.ports : 0; }
  void move(Handle& handle) const { move(handle.body), move_port(handle.port); }

  const Loading::Extent range_;
  const Distance by_;
  const size_t old_prefix_;
  const std::string prefix_;
};

bool same_values(const std::map<std::string, GivenParameter>& a, const std::map<std::string, GivenParameter>& b) {
  const auto same_number = [](const auto& x, const auto& y) { return x.value == y.value; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first &&
           std::equal(x.second.numbers.begin(), x.second.numbers.end(), y.second.numbers.begin(), y.second.numbers.end(), same_number);
  });
}

/// Copies of the elements of a slice, named by `prefix` instead of the first `old_prefix` characters.
template <class Element>
void append_copies(std::vector<Element>& list, const Slice& slice, const std::string& prefix, size_t old_prefix, int subsystems) {
  for (int i = slice.first; i < slice.last; ++i) {
    Element element = list[i];
    element.path.replace(0, old_prefix, prefix);
    element.subsystem += subsystems;
    list.push_back(std::move(element));
  }
}

void take_signals(const std::map<std::string, TimeFunction>& signals, Loading& loading) {
  for (const auto& [port, function] : signals) {
    TimeFunction& known = loading.scope.signals[port];
    if (known == function) continue;
    known = function;
    loading.new_signals = true;
  }
}

}  // namespace

JsonReader anew(const JsonReader& in) {
  const JsonReader::Source& source = in.source();
  return JsonReader(std::make_shared<JsonReader::Source>(source.scope(), source.object(), source.pointer()));
}

bool declare_copy(Child& copy, Loading& enclosing) {
  const std::shared_ptr<Loading> original = enclosing.children[copy.original].loading;
  const Loading::Extent& extent = original->extent;
  Model& model = enclosing.model;
  const std::string prefix = enclosing.prefix + copy.name + ".";
  const auto concerns_one = [&](const ParameterOverride& given) {
    return given.name.starts_with(prefix) || given.name.starts_with(original->prefix);
  };
  const std::vector<ParameterOverride>& overrides = enclosing.all.overrides;
  if (!enclosing.all.copies || original->type || std::any_of(overrides.begin(), overrides.end(), concerns_one)) return false;
  if (model.subsystems.size() + extent.subsystems.size() > most_subsystems) return false;
  copy.loading = original;
  if (!same_values(given_parameters(copy, enclosing), original->given)) return false;

  copy.from_original = {static_cast<int>(model.subsystems.size()) - extent.subsystems.first,
                        static_cast<int>(model.bodies.size()) - extent.bodies.first,
                        static_cast<int>(model.ports.size()) - extent.ports.first};
  const int by = copy.from_original.subsystems;
  for (int s = extent.subsystems.first; s < extent.subsystems.last; ++s) {
    Subsystem subsystem = model.subsystems[s];
    subsystem.path.replace(0, original->prefix.size() - 1, prefix, 0, prefix.size() - 1);
    if (s > extent.subsystems.first) subsystem.parent += by;
    model.subsystems.push_back(std::move(subsystem));
  }
  append_copies(model.bodies, extent.bodies, prefix, original->prefix.size(), by);
  append_copies(model.parameters, extent.parameters, prefix, original->prefix.size(), by);
  model.ports.resize(model.ports.size() + extent.ports.size());
  return enclosing.all.copied = true;
}

Loading& standing_for(const Child& child, const Loading& enclosing) {
  Loading& loading = *child.loading;
  const Distance& to = child.from_original;
  Distance& at = loading.from_first;
  if (to.subsystems == at.subsystems) return loading;
  Move(loading, {to.subsystems - at.subsystems, to.bodies - at.bodies, to.ports - at.ports}, enclosing.prefix + child.name + ".")(loading);
  at = to;
  return loading;
}

void renew_signals(const Child& child, Loading& loading) {
  take_signals(child.signals, loading);
  std::map<std::string, TimeFunction> defaults = default_signals(loading);
  std::erase_if(defaults, [&](const auto& signal) { return loading.connections.contains(signal.first); });
  take_signals(defaults, loading);
  for (Child& nested : loading.children) nested.signals = connected_signals(nested, loading);
}

void connect_copy(const Child& copy, Loading& enclosing) {
  if (!copy.loading->measures) return;
  Loading& used = standing_for(copy, enclosing);
  renew_signals(copy, used);
  for (const Child& nested : used.children) connect_copy(nested, used);
}

void fill_copy(const Child& copy, Loading& enclosing) {
  Loading& used = standing_for(copy, enclosing);
  used.placement = placement_in_model(copy, enclosing);
  used.model.subsystems[used.subsystem].placement = used.placement;
  see_road(used);
  renew_signals(copy, used);
  redraw_bodies(used);
  redraw_joints_and_forces(used);
  used.new_signals = false;
  put_into_model(used);
  for (const Child& nested : used.children) fill_copy(nested, used);
}

}  // namespace arthron
