#include <algorithm>
#include <unordered_set>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

BodyIndex add_body(const std::string& name, bool ground, SourceRef source, Loading& loading) {
  Body body;
  body.path = loading.prefix + name;
  body.ground = ground;
  body.source = std::move(source);
  loading.model.bodies.push_back(std::move(body));
  loading.frames.push_back(ground ? std::optional(Pose<double>()) : std::nullopt);
  const BodyIndex index{static_cast<int>(loading.model.bodies.size()) - 1};
  loading.scope.bodies.emplace(name, index);
  return index;
}

void add_bodies(const std::vector<Entry>& entries, bool ground, Loading& loading) {
  for (const Entry& entry : entries) add_body(entry.name, ground, source_of(entry.reader), loading);
}

/// A body that no joint holds would fall out of every computation.
void check_that_joints_hold(const std::vector<Entry>& bodies, const JsonReader& joints, Loading& loading) {
  if (joints.describing()) return;
  std::unordered_set<int> held;
  for (const Joint& joint : loading.model.joints) held.insert(joint.parent.value), held.insert(joint.child.value);
  for (const Entry& entry : bodies)
    if (!held.contains(loading.scope.bodies.at(entry.name).value))
      entry.reader.source().report("", "a body without a joint",
                                   "at least one; a body that floats needs {\"type\": \"free\", \"parent\": \"ground\", \"child\": \"" +
                                       entry.name + "\", \"at\": [0, 0, 0]}");
}

}  // namespace

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

SourceRef source_of(const JsonReader& in) {
  const JsonReader::Source& source = in.source();
  if (source.mode() != JsonReader::Source::Mode::reading) return {};
  return {source.file(), source.line(), source.pointer()};
}

std::vector<Entry> claim_names(const JsonReader& section, const std::string& section_name, Loading& loading) {
  static const std::vector<std::string> reserved{"ground", "energy", "time"};
  if (section.describing()) return {{"*", section.object({"*"})}};
  std::vector<Entry> entries;
  for (const std::string& name : section.names()) {
    section.source().know(name);
    if (!is_name(name))
      section.source().report(name, quote_text(name), name_words);
    else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      section.source().report(name, quote_text(name), "another name: this one is taken by the program");
    else if (const auto [other, fresh] = loading.taken.try_emplace(name, section_name); !fresh)
      section.source().report(name, quote_text(name),
                              "another name: /" + other->second + "/" + name + " has it, and results are named by it");
    else
      entries.push_back({name, section.object({name})});
  }
  return entries;
}

Pose<double> frame_asked_for(const JsonReader& in, const Loading& loading) {
  const BodyIndex body =
      in.body_or({"in", "", "body or ground in whose frame the coordinates here are written; the file's when absent"}, {});
  if (!body.valid()) return {};
  const auto& frame = loading.frames[static_cast<std::size_t>(body.value)];
  if (!frame) in.source().report("in", quote(*in.source().find("in")), "a body that has a \"frame\", or a ground");
  return frame.value_or(Pose<double>());
}

void read_file(const JsonReader& in, Loading& loading) {
  Model& model = loading.model;
  in.integer({"arthron", "", "version of this language"}, 1, 1);
  model.name = in.text({"name", "", "name of the model"});
  in.text_or({"description", "", "for human readers"}, "");
  read_parameters(in.object({"parameters", "", "named numbers for expressions"}), loading);

  // Names first: everything below may refer to them in any order.
  const JsonReader ports_section = in.object({"ports", "", "openings to the enclosing model"});
  const JsonReader bodies_section = in.object({"bodies", "", "rigid bodies"});
  add_body("ground", true, {}, loading);
  const std::vector<Entry> grounds = claim_names(in.object({"grounds", "", "more grounds, fixed or moving"}), "grounds", loading);
  const std::vector<Entry> ports = claim_names(ports_section, "ports", loading);
  const std::vector<Entry> bodies = claim_names(bodies_section, "bodies", loading);
  add_bodies(grounds, true, loading);
  for (const Entry& port : ports)
    if (port.reader.has("mount")) add_body(port.name, true, source_of(port.reader), loading);
  add_bodies(bodies, false, loading);

  std::vector<Entry> framed = grounds;
  framed.insert(framed.end(), bodies.begin(), bodies.end());
  read_places(in.object({"points", "", "named points"}), framed, loading);
  model.gravity = in.vector_or({"gravity", "m/s^2", "acceleration of free fall"}, model.gravity);
  const JsonReader road = in.object({"road", "", "the ground that tyres and contacts touch"});
  loading.scope.road = std::make_shared<const Road>(road.surface_or({"height", "m", "z of the surface at x, y and time t, world axes"}, 0));
  for (const Entry& entry : grounds) read_ground(entry, loading);
  for (const Entry& entry : bodies) read_body(entry, loading);
  read_ports(ports_section, ports, loading);

  const JsonReader joints = in.object({"joints", "", "connections of two bodies"});
  const std::size_t mistakes = loading.scope.diagnostics.size();
  read_joints(joints, loading);
  if (loading.scope.diagnostics.size() == mistakes) check_that_joints_hold(bodies, joints, loading);
  read_forces(in.object({"forces", "", "what acts on the bodies besides gravity"}), loading);
  read_markers(in.object({"markers", "", "points of bodies to be reported"}), loading);
  model.simulation = read_simulation(in.object({"simulate", "", "how to simulate when nothing else is asked for"}));
  in.reject_unknown_keys();
}

}  // namespace arthron
