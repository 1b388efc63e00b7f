#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

constexpr auto kinds_words = "\"mount\": true, \"output\": the name of a body, or \"signal\": \"input\" or \"output\"";

std::optional<Port::Kind> kind_of(const JsonReader& in) {
  if (in.has("mount")) return Port::Kind::mount;
  if (in.has("output")) return Port::Kind::output;
  const Json* signal = in.source().find("signal");
  if (signal && *signal == "input") return Port::Kind::signal_input;
  if (signal && *signal == "output") return Port::Kind::signal_output;
  return {};
}

Port read_mount(const JsonReader& in) {
  Port port;
  if (!in.flag({"mount", "", "true: something outside carries this; inside it is used like a body"})) in.complain("mount", "false", "true");
  port.required = in.flag_or({"required", "", "whether an enclosing model must connect it"}, true);
  for (const char* other : {"output", "signal"}) in.refuse(other, "none: a port is a mount, an output or a signal");
  return port;
}

/// A place of a body of this file, or of what carries one of its mounts.
Port read_output(const JsonReader& in, const Loading& loading) {
  Port port;
  port.body = in.body({"output", "", "body that others may attach to"});
  if (!in.describing()) port.through = in.source().port(in.source().find("output"));
  const Pose<double> frame = frame_asked_for(in, loading);
  const JsonReader local = in.in_frame(frame);
  port.at = local.point({"at", "m", "where they attach"});
  port.axis = frame.R * local.unit_vector_or({"axis", "", "direction the port offers"}, {0, 0, 1});
  in.refuse("signal", "none: a port is a mount, an output or a signal");
  return port;
}

/// An output of a subsystem passed on as one of this file, at the same place unless the file says otherwise.
Port read_passed_on(const JsonReader& in, const Loading& loading) {
  Port port;
  Vec3 at, axis{0, 0, 1};
  if (const Json* value = in.source().ask(KeyDescription::Kind::port, {"output", "", "output of a subsystem, subsystem.port"}, true)) {
    port.body = in.source().body(*value, "output", "").value_or(BodyIndex{});
    port.through = in.source().port(value);
    const auto point = loading.scope.points.find(value->get<std::string>());
    const auto direction = loading.scope.directions.find(value->get<std::string>());
    if (point != loading.scope.points.end()) at = point->second.value_or(Vec3{});
    if (direction != loading.scope.directions.end()) axis = direction->second;
  }
  port.at = in.point_or({"at"}, at);
  port.axis = in.unit_vector_or({"axis"}, axis);
  in.refuse("signal", "none: a port is a mount, an output or a signal");
  return port;
}

void describe_passed_on(const JsonReader& in) {
  in.source().ask(KeyDescription::Kind::port, {"output", "", "output of a subsystem, subsystem.port"}, true);
  in.point_or({"at", "m", "where they attach; the place of that output when absent"}, {});
  in.unit_vector_or({"axis", "", "direction the port offers; that of the output when absent"}, {0, 0, 1});
}

bool passes_on(const JsonReader& in) {
  const Json* output = in.source().find("output");
  return output && output->is_string() && output->get_ref<const std::string&>().find('.') != std::string::npos;
}

Port read_signal_input(const JsonReader& in) {
  in.one_of({"signal", "", "a number over time that comes from outside"}, {"input"}, "");
  ask_default(in);
  in.text_or({"unit", "", "unit, for human readers"}, "");
  return {};
}

Port read_signal_output(const JsonReader& in) {
  in.one_of({"signal", "", "a result that others may look at"}, {"output"}, "");
  Port port;
  port.channel = in.text({"channel", "", "name of the result in this file, such as arm.position.z"});
  return port;
}

Port read_port(const Entry& entry, Port::Kind kind, Loading& loading) {
  const JsonReader& in = entry.reader;
  switch (kind) {
    case Port::Kind::mount: return read_mount(in);
    case Port::Kind::output: return passes_on(in) ? read_passed_on(in, loading) : read_output(in, loading);
    case Port::Kind::signal_input: return read_signal_input(in);
    case Port::Kind::signal_output: return read_signal_output(in);
  }
  return {};
}

}  // namespace

const Json* ask_default(const JsonReader& port) {
  KeyDescription details;
  details.fallback = "0";
  return port.source().ask(KeyDescription::Kind::signal, {"default", "", "what it is while nothing is connected"}, false, details);
}

void sort_ports(Loading& loading) {
  if (loading.in.describing()) return;
  for (const Entry& entry : loading.port_entries) {
    const JsonReader& in = entry.reader;
    if (in.source().mode() == JsonReader::Source::Mode::absent) continue;
    if (const auto kind = kind_of(in)) {
      loading.port_kinds.emplace(entry.name, *kind);
      loading.port_index.emplace(entry.name, static_cast<int>(loading.model.ports.size()));
      if (*kind == Port::Kind::mount) loading.scope.ports[entry.name] = loading.port_index.at(entry.name);
      loading.model.ports.emplace_back();
      if (*kind != Port::Kind::signal_input) continue;
      check_expression_name(*loading.ports_section, entry.name, entry.name);
      if (loading.scope.parameters.contains(entry.name))
        loading.ports_section->source().report(entry.name, quote_text(entry.name),
                                               "another name: a parameter has it, and expressions know both by it");
      continue;
    }
    if (in.has("signal"))
      in.one_of({"signal"}, {"input", "output"}, "the direction of a signal");
    else
      in.source().report("", "a port that is neither a mount nor an output nor a signal", kinds_words);
    for (const std::string& key : in.names()) in.source().know(key);
  }
}

void read_ports(Loading& loading) {
  if (loading.in.describing()) {
    const JsonReader& section = *loading.ports_section;
    read_mount(loading.port_entries.front().reader);
    read_output(section.object({"*"}), loading);
    describe_passed_on(section.object({"*"}));
    read_signal_input(section.object({"*"}));
    read_signal_output(section.object({"*"}));
    return;
  }
  for (const Entry& entry : loading.port_entries) {
    const auto kind = loading.port_kinds.find(entry.name);
    if (kind == loading.port_kinds.end()) continue;
    Port port = read_port(entry, kind->second, loading);
    port.kind = kind->second;
    port.path = entry.name;
    port.required = port.required && port.kind == Port::Kind::mount;
    port.source = source_of(entry.reader);
    if (port.kind == Port::Kind::mount) {
      port.body = loading.scope.bodies.at(entry.name);
      if (const auto through = loading.mounted_through.find(entry.name); through != loading.mounted_through.end())
        port.through = through->second;
    }
    loading.ports.push_back(std::move(port));
  }
}

void draw_markers(const JsonReader& section, Loading& loading) {
  for (const Entry& entry : claim_names(section, "markers", loading)) {
    const JsonReader& in = entry.reader;
    const BodyIndex body = in.body({"body", "", "body that carries the point"});
    const Vec3 at = in.in_frame(frame_asked_for(in, loading)).point({"at", "m", "where it is in the design position"});
    const int port = in.describing() ? -1 : in.source().port(in.source().find("body"));
    loading.drawn_markers.push_back({entry.name, 0, {body, at, port}, source_of(in)});
  }
}

}  // namespace arthron
