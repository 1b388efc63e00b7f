#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

Port read_mount(const JsonReader& in) {
  Port port;
  if (!in.flag({"mount", "", "true: something outside carries this; inside it is used like a body"})) in.complain("mount", "false", "true");
  port.required = in.flag_or({"required", "", "whether an enclosing model must connect it"}, true);
  return port;
}

Port read_output(const JsonReader& in, const Loading& loading) {
  Port port;
  port.kind = Port::Kind::output;
  port.body = in.body({"output", "", "body that others may attach to"});
  const JsonReader local = in.in_frame(frame_asked_for(in, loading));
  port.at = local.point({"at", "m", "where they attach"});
  port.axis = local.unit_vector_or({"axis", "", "direction the port offers"}, {0, 0, 1});
  port.required = false;
  return port;
}

}  // namespace

void read_ports(const JsonReader& section, const std::vector<Entry>& entries, Loading& loading) {
  if (section.describing()) {
    read_mount(entries.front().reader);
    read_output(section.object({"*"}), loading);
    return;
  }
  for (const Entry& entry : entries) {
    const JsonReader& in = entry.reader;
    if (in.source().mode() == JsonReader::Source::Mode::absent) continue;
    if (!in.has("mount") && !in.has("output")) {
      in.source().report("", "a port that is neither a mount nor an output", "\"mount\": true or \"output\": the name of a body");
      for (const std::string& key : in.names()) in.source().know(key);
      continue;
    }
    Port port = in.has("mount") ? read_mount(in) : read_output(in, loading);
    if (in.has("mount")) {
      in.refuse("output", "none: a port is a mount or an output");
      port.body = loading.scope.bodies.at(entry.name);
    }
    port.path = loading.prefix + entry.name;
    port.source = source_of(in);
    loading.model.ports.push_back(std::move(port));
  }
}

void read_markers(const JsonReader& section, Loading& loading) {
  for (const Entry& entry : claim_names(section, "markers", loading)) {
    const JsonReader& in = entry.reader;
    const BodyIndex body = in.body({"body", "", "body that carries the point"});
    const Vec3 at = in.in_frame(frame_asked_for(in, loading)).point({"at", "m", "where it is at the drawn position"});
    loading.model.markers.push_back({loading.prefix + entry.name, {body, at}, source_of(in)});
  }
}

}  // namespace arthron
