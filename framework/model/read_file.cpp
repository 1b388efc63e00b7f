#include <algorithm>
#include <unordered_set>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void add_bodies(const std::vector<Entry>& entries, bool ground, Loading& loading) {
  for (const Entry& entry : entries) add_body(entry.name, ground, source_of(entry.reader), loading);
}

/// Mounts that the enclosing file does not connect are grounds.
void add_open_mounts(Loading& loading) {
  for (const Entry& port : loading.port_entries)
    if (port.reader.has("mount") && !loading.connections.contains(port.name)) add_body(port.name, true, source_of(port.reader), loading);
}

/// A body that no joint holds would fall out of every computation.
void check_that_joints_hold(Composition& all) {
  if (!all.joints_are_sound) return;
  std::unordered_set<int> held;
  for (const Joint& joint : all.model.joints) held.insert(joint.parent.value), held.insert(joint.child.value);
  for (std::size_t b = 0; b < all.model.bodies.size(); ++b) {
    const Body& body = all.model.bodies[b];
    // A body that is no object has no place of its own: that mistake has been reported.
    if (body.ground || held.contains(static_cast<int>(b)) || body.source->pointer.empty()) continue;
    const std::string name = body.path.substr(body.path.rfind('.') + 1);
    all.diagnostics.push_back({body.source->file, body.source->line, body.source->pointer, "a body without a joint",
                               "at least one; a body that floats needs {\"type\": \"free\", \"parent\": \"ground\", \"child\": \"" + name +
                                   "\", \"at\": [0, 0, 0]}",
                               "", all.model.subsystems[body.subsystem].path});
  }
}

void read_road(const JsonReader& section, Loading& loading) {
  const Road road(section.surface_or({"height", "m", "z of the surface at x, y and time t, world axes"}, 0));
  if (!loading.enclosing) loading.all.road = std::make_shared<const Road>(road);
  see_road(loading);
}

/// Ports as the model sees them.
void add_ports(const Loading& loading) {
  for (Port port : loading.ports) {
    const std::string name = std::move(port.path);
    port.path = loading.prefix + name;
    port.subsystem = loading.subsystem;
    if (port.kind == Port::Kind::signal_input) port.signal = loading.scope.signals.at(name);
    if (port.kind == Port::Kind::signal_output) port.channel = loading.prefix + port.channel;
    if (port.kind == Port::Kind::mount && !loading.connections.contains(name))
      loading.model.bodies[port.body.value].frame = loading.placement.frame({});
    if (loading.enclosing) {
      const std::string outside = loading.scope.instance.substr(loading.enclosing->prefix.size()) + "." + name;
      port.connected = loading.connections.contains(name) || loading.enclosing->scope.used_ports.contains(outside);
    }
    port.at = loading.placement.point(port.at);
    port.axis = loading.placement.polar(port.axis);
    loading.model.ports[loading.port_index.at(name)] = std::move(port);
  }
}

/// What may be set: all there is where that is not much.
std::string parameter_words(const std::vector<std::string>& paths) {
  constexpr std::size_t few = 8;
  if (paths.empty()) return "a parameter; the model has none";
  if (paths.size() > few) return "one of the " + std::to_string(paths.size()) + " parameters that `check --parameters` lists";
  std::string words = "a parameter of the model: ";
  for (const std::string& path : paths) words += (&path == &paths.front() ? "" : ", ") + path;
  return words;
}

/// Values of the command line that nothing in the model has asked for.
void check_overrides(const Composition& all) {
  const std::vector<Parameter>& known = all.model.parameters;
  for (const ParameterOverride& entry : all.overrides) {
    // The whole of a vector has been judged where it was read.
    const auto is_meant = [&](const Parameter& parameter) { return parameter.path == entry.name || parameter.path == entry.name + ".x"; };
    if (std::any_of(known.begin(), known.end(), is_meant)) continue;
    std::vector<std::string> paths;
    for (const Parameter& parameter : known) paths.push_back(parameter.path);
    all.diagnostics.push_back(
        {"", 0, "--set " + entry.name, quote_text(entry.name), parameter_words(paths), nearest_name(entry.name, paths)});
  }
}

}  // namespace

BodyIndex add_body(const std::string& name, bool ground, SharedSource source, Loading& loading) {
  Body body;
  body.path = loading.prefix + name;
  body.subsystem = loading.subsystem;
  body.ground = ground;
  body.source = std::move(source);
  loading.model.bodies.push_back(std::move(body));
  const BodyIndex index{static_cast<int>(loading.model.bodies.size()) - 1};
  if (ground) loading.frames[index.value] = {};
  loading.scope.bodies.emplace(name, index);
  return index;
}

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

SourceRef source_of(const JsonReader& in) {
  const JsonReader::Source& source = in.source();
  if (source.mode() != JsonReader::Source::Mode::reading) return {};
  return {source.file() + source.scope().built_at, source.line(), source.pointer()};
}

bool claim_name(const JsonReader& section, const std::string& key, const std::string& name, const std::string& section_name,
                Loading& loading) {
  static const std::vector<std::string> reserved{"ground", "energy", "mass_centre", "momentum", "time"};
  if (!is_name(name)) {
    section.source().report(key, quote_text(name), name_words);
  } else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
    section.source().report(key, quote_text(name), "another name: this one is taken by the program");
  } else if (const auto [other, fresh] = loading.taken.try_emplace(name, section_name); !fresh) {
    std::string free_name;
    for (int i = 2; free_name.empty() || loading.taken.contains(free_name); ++i) free_name = name + "_" + std::to_string(i);
    section.source().report(key, quote_text(name), "another name: /" + other->second + "/" + name + " has it, and results are named by it",
                            free_name);
  } else {
    return true;
  }
  return false;
}

std::vector<Entry> claim_names(const JsonReader& section, const std::string& section_name, Loading& loading) {
  if (section.describing()) return {{"*", section.object({"*"})}};
  std::vector<Entry> entries;
  for (const std::string& name : section.names()) {
    section.source().know(name);
    if (claim_name(section, name, name, section_name, loading)) entries.push_back({name, section.object({name})});
  }
  return entries;
}

Pose<double> frame_asked_for(const JsonReader& in, const Loading& loading) {
  const BodyIndex body =
      in.body_or({"in", "", "body or ground in whose frame the coordinates here are written; the file's when absent"}, {});
  if (!body.valid()) return {};
  const auto frame = loading.frames.find(body.value);
  if (frame != loading.frames.end()) return frame->second;
  in.source().report("in", quote(*in.source().find("in")), "a body that has a \"frame\", or a ground");
  return {};
}

void declare(Loading& loading) {
  const JsonReader& in = loading.in;
  if (loading.within_file)
    in.source().know("arthron"), in.source().know("name");
  else
    in.integer({"arthron", "", "version of this language"}, 1, 1);
  const std::string name = loading.within_file ? in.text_or({"name"}, "") : in.text({"name", "", "name of the model"});
  if (loading.enclosing)
    loading.model.subsystems[loading.subsystem].name = name;
  else
    loading.model.name = name, loading.model.subsystems.push_back({"", name, loading.scope.document.file(), -1, {}, {}});
  in.text_or({"description", "", "for human readers"}, "");
  read_plugins(in, loading);
  if (loading.within_file && loading.enclosing) loading.scope.units = loading.enclosing->scope.units;
  read_units(in.object({"units", "", "units of the bare numbers in this file; SI where it does not say"}), loading);
  read_parameters(in.object({"parameters", "", "named numbers for expressions"}), loading);

  if (loading.enclosing)
    loading.scope.bodies.emplace("ground", BodyIndex{0}), loading.frames[0] = {};
  else
    add_body("ground", true, {}, loading);
  loading.grounds = claim_names(in.object({"grounds", "", "more grounds, fixed or moving"}), "grounds", loading);
  loading.ports_section = in.object({"ports", "", "openings to the enclosing model"});
  loading.port_entries = claim_names(*loading.ports_section, "ports", loading);
  const JsonReader bodies = in.object({"bodies", "", "rigid bodies"});
  loading.bodies = claim_names(bodies, "bodies", loading);
  if (in.describing())
    for (const auto& [type, read] : loading.registry.bodies()) loading.bodies.push_back({type, bodies.object({"*"})});
  add_bodies(loading.grounds, true, loading);
  add_open_mounts(loading);
  add_bodies(loading.bodies, false, loading);
  sort_ports(loading);
  declare_subsystems(in.object({"subsystems", "", "files used in this one"}), loading);
}

void place(Loading& loading) {
  std::vector<Entry> framed = loading.grounds;
  framed.insert(framed.end(), loading.bodies.begin(), loading.bodies.end());
  read_places(loading.in.object({"points", "", "named points"}), framed, loading);
  place_subsystems(loading);
  read_ports(loading);
}

void fill(Loading& loading) {
  const JsonReader& in = loading.in;
  Model& model = loading.model;
  const Vec3 gravity = in.vector_or({"gravity", "m/s^2", "acceleration of free fall"}, model.gravity);
  read_road(in.object({"road", "", "the ground that tyres and contacts touch"}), loading);
  draw_bodies(loading);
  const std::size_t mistakes = loading.scope.diagnostics.size();
  draw_joints(in.object({"joints", "", "connections of two bodies"}), loading);
  if (loading.scope.diagnostics.size() > mistakes) loading.all.joints_are_sound = false;
  draw_couplings(in.object({"couplings", "", "gears, racks, differentials: linear relations of joint coordinates"}), loading);
  draw_forces(in.object({"forces", "", "what acts on the bodies besides gravity"}), loading);
  draw_markers(in.object({"markers", "", "points of bodies to be reported"}), loading);
  const SimulationSettings simulation = read_simulation(in.object({"simulate", "", "settings of a simulation"}), SimulationSettings());
  // Gravity, road and settings of a subsystem are those of its own rig, for when it runs alone.
  if (!loading.enclosing) model.gravity = gravity, model.simulation = simulation;
  if (in.describing()) return;
  loading.new_signals = false;
  put_into_model(loading);
  for (const Child& child : loading.children) {
    if (child.original >= 0) {
      fill_copy(child, loading);
      continue;
    }
    Loading& used = standing_for(child, loading);
    if (used.measures && used.all.copied) renew_signals(child, used);
    fill(used);
  }
  in.reject_unknown_keys();
}

void put_into_model(const Loading& loading) {
  Model& model = loading.model;
  const auto own = [&loading](auto element) {
    element.path = loading.prefix + element.path;
    element.subsystem = loading.subsystem;
    return element;
  };
  for (const auto& drawn : loading.drawn_bodies) put_body(drawn.element, loading);
  const int first_joint = static_cast<int>(model.joints.size());
  for (const auto& drawn : loading.drawn_joints) {
    Joint& joint = model.joints.emplace_back(own(drawn.element));
    joint.frame = loading.placement.axial_frame(joint.frame);
    joint.mirrored = loading.placement.is_mirror_image();
  }
  for (const Coupling& drawn : loading.drawn_couplings)
    for (Coupling::Term& term : model.couplings.emplace_back(own(drawn)).terms) term.joint.value += first_joint;
  for (const auto& drawn : loading.drawn_forces) {
    Force& force = model.forces.emplace_back(own(drawn.element));
    force.placement = loading.placement, force.touches_road = drawn.of_road;
  }
  for (const Marker& drawn : loading.drawn_markers) {
    Vec3& point = model.markers.emplace_back(own(drawn)).handle.point;
    point = loading.placement.point(point);
  }
  add_ports(loading);
}

void see_road(Loading& loading) {
  loading.scope.road =
      loading.placement.is_identity() ? loading.all.road : std::make_shared<const Road>(loading.all.road->seen_from(loading.placement));
}

void read_file(Loading& loading) {
  for (const auto pass : {declare, connect, place, fill}) {
    pass(loading);
    if (loading.all.copied && !loading.all.diagnostics.empty()) return;  // they are told when all is read without copies
  }
  if (loading.in.describing()) return;
  check_overrides(loading.all);
  check_that_joints_hold(loading.all);
}

}  // namespace arthron
