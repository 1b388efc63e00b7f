#include <algorithm>

#include "arthron/model/loading.hpp"

/// What stands on both sides of the ports: bodies of mounts, functions and measurements of signals.
namespace arthron {

namespace {

std::string kind_words(Port::Kind kind) {
  switch (kind) {
    case Port::Kind::mount: return "a mount";
    case Port::Kind::output: return "an output";
    case Port::Kind::signal_input: return "a signal input";
    case Port::Kind::signal_output: return "a signal output";
  }
  return "";
}

const Entry& port_entry(const Loading& loading, const std::string& name) {
  for (const Entry& entry : loading.port_entries)
    if (entry.name == name) return entry;
  throw InternalError("every port with a kind has an entry");
}

Child* find_child(Loading& loading, const std::string& name) {
  for (Child& child : loading.children)
    if (child.name == name) return &child;
  return nullptr;
}

/// Text of a connection or an output, or "" when it is none.
std::string text_of(const Json* value) { return value && value->is_string() ? value->get<std::string>() : ""; }

BodyIndex find_output(Loading& used, const std::string& port) {
  return find_body(used, text_of(port_entry(used, port).reader.source().find("output")));
}

/// Body of "subsystem.port".
BodyIndex find_body_of_child(Loading& loading, const std::string& name) {
  const std::size_t dot = name.find('.');
  const Child* child = dot == std::string::npos ? nullptr : find_child(loading, name.substr(0, dot));
  if (!child) return {};
  const std::string port = name.substr(dot + 1);
  Loading& used = standing_for(*child, loading);
  const auto kind = used.port_kinds.find(port);
  if (kind == used.port_kinds.end() || kind->second != Port::Kind::output) return {};
  const BodyIndex body = find_output(used, port);
  return loading.scope.bodies[name] = body;
}

/// The body that stands on the other side of a mount, by its name in the enclosing file.
std::string connected_to(const Loading& used, const std::string& port) {
  const auto connection = used.connections.find(port);
  return connection == used.connections.end() || used.port_kinds.at(port) != Port::Kind::mount ? "" : text_of(connection->second);
}

/// Makes the outputs of the subsystems known in the file, and what else of them may be taken for one.
void know_subsystems(Loading& loading) {
  for (Child& child : loading.children) {
    const std::string prefix = child.name + ".";
    Loading& used = standing_for(child, loading);
    std::map<int, std::string> port_of;  // body -> output
    for (const auto& [port, kind] : used.port_kinds) {
      if (kind == Port::Kind::output) {
        const BodyIndex body = find_output(used, port);
        loading.scope.bodies[prefix + port] = body, port_of[body.value] = prefix + port;
        loading.scope.ports[prefix + port] = used.port_index.at(port);
      } else
        loading.scope.out_of_reach[prefix + port] = {kind_words(kind) + " of " + used.scope.document.file(), connected_to(used, port)};
    }
    for (const Entry& body : used.bodies) {
      const auto port = port_of.find(used.scope.bodies.at(body.name).value);
      loading.scope.out_of_reach[prefix + body.name] = {"a body within a subsystem, which is reached through outputs only",
                                                        port == port_of.end() ? "" : port->second};
    }
  }
}

/// Signal outputs that the file may name, its own and those of its subsystems, with their paths in the model.
std::map<std::string, std::string> signal_outputs(const Loading& file) {
  std::map<std::string, std::string> paths;
  const auto add = [&paths](const Loading& owner, const std::string& prefix) {
    for (const auto& [port, kind] : owner.port_kinds)
      if (kind == Port::Kind::signal_output) paths.emplace(prefix + port, owner.prefix + port);
  };
  add(file, "");
  for (const Child& child : file.children) add(standing_for(child, file), child.name + ".");
  return paths;
}

/// The signal output at `path`, fed back.
TimeFunction measurement(const std::string& path, const JsonReader& in, const std::string& key, const Loading& file) {
  std::vector<SignalSource>& signals = file.model.signals;
  const auto known = std::find_if(signals.begin(), signals.end(), [&](const SignalSource& s) { return !s.input && s.path == path; });
  if (known == signals.end()) {
    SourceRef source = source_of(in);
    source.pointer = join_pointer(source.pointer, key), source.line = file.scope.document.line(source.pointer);
    signals.push_back({path, false, {}, std::move(source), file.scope.instance});
    return TimeFunction::measurement(static_cast<int>(signals.size()) - 1);
  }
  return TimeFunction::measurement(static_cast<int>(known - signals.begin()));
}

/// The unit that a signal port says it has.
std::string unit_of(const Entry& port) {
  const std::string unit = text_of(port.reader.source().find("unit"));
  return unit.empty() ? "any unit" : unit;
}

/// What stands at `key` for a signal in `unit`: a function of time, one of `inputs`, or the name of a signal output, as `file` knows it.
TimeFunction signal_of(const Json& value, const JsonReader& in, const std::string& key, const std::string& unit,
                       const std::map<std::string, TimeFunction>& inputs, Loading& file) {
  const std::string name = text_of(&value);
  if (name.empty() || name.starts_with('=') || read_quantity(name).is_one)
    return in.source().time_function(value, key, "", unit).value_or(TimeFunction());
  if (const auto found = inputs.find(name); found != inputs.end()) return found->second;
  const std::map<std::string, std::string> outputs = signal_outputs(file);
  if (const auto found = outputs.find(name); found != outputs.end()) {
    file.scope.used_ports.insert(name);
    return measurement(found->second, in, key, file);
  }
  if (file.scope.broken.contains(name.substr(0, name.find('.')))) return {};
  std::vector<std::string> names;
  for (const auto& [signal, function] : inputs) names.push_back(signal);
  for (const auto& [signal, path] : outputs) names.push_back(signal);
  std::string what = file.scope.bodies.contains(name) ? ", which is no signal but a body" : "";
  if (const auto hidden = file.scope.out_of_reach.find(name); hidden != file.scope.out_of_reach.end()) what = ", " + hidden->second.what;
  in.source().report(key, quote(value) + what,
                     "a number, an expression of t, a table, a signal of this file, or subsystem.port for a signal output",
                     nearest_name(name, names));
  return {};
}

/// The first body of the file, as an example of what may be connected.
std::string example_for(const std::string& mount, const Loading& loading) {
  std::vector<std::string> names;
  for (const auto& [name, body] : loading.scope.bodies)
    if (name != "ground") names.push_back(name);
  const std::string nearest = nearest_name(mount, names);
  if (!nearest.empty()) return nearest;
  return loading.bodies.empty() ? "ground" : loading.bodies.front().name;
}

void connect_port(const JsonReader& connect, const std::string& port, const Json& value, Child& child, Loading& enclosing) {
  Loading& used = *child.loading;
  const auto kind = used.port_kinds.find(port);
  if (kind == used.port_kinds.end()) {
    std::vector<std::string> open;
    for (const auto& [name, other] : used.port_kinds)
      if (other == Port::Kind::mount || other == Port::Kind::signal_input) open.push_back(name);
    std::string list;
    for (const std::string& name : open) list += (list.empty() ? " (" : ", ") + name;
    connect.source().report(port, quote_text(port),
                            "a mount or signal input of " + used.scope.document.file() + (list.empty() ? ", which has none" : list + ")"),
                            nearest_name(port, open));
  } else if (kind->second == Port::Kind::mount) {
    const auto body = connect.source().body(value, port, "");
    if (used.in_circles.contains(port))
      connect.source().report(port, quote(value) + ", which is carried by this very mount", "a body, or an output of another subsystem");
    used.scope.bodies[port] = body.value_or(BodyIndex{});
    used.mounted_through[port] = connect.source().port(&value);
    if (body) used.frames[body->value] = {};
  } else if (kind->second == Port::Kind::signal_input) {
    used.scope.signals[port] = child.signals[port] =
        signal_of(value, connect, port, unit_of(port_entry(used, port)), enclosing.scope.signals, enclosing);
  } else {
    connect.source().report(port, quote_text(port) + ", " + kind_words(kind->second) + " of " + used.scope.document.file(),
                            "a mount or a signal input; outputs are used by their names", child.name + "." + port);
  }
}

void connect_child(Child& child, Loading& loading) {
  const NumberKnown number(child, loading.scope);
  Loading& used = standing_for(child, loading);
  const JsonReader connect = child.use.object({"connect"});
  for (const auto& [port, value] : used.connections) {
    connect.source().know(port);
    connect_port(connect, port, *value, child, loading);
  }
  for (const auto& [port, kind] : used.port_kinds) {
    if (kind != Port::Kind::mount || used.connections.contains(port)) continue;
    const Json* required = port_entry(used, port).reader.source().find("required");
    if (required && *required == false) continue;
    const std::string suggestion = example_for(port, loading);
    child.use.source().report("connect", "nothing for the mount \"" + port + "\" of " + used.scope.document.file(),
                              "a body or an output of a subsystem: \"connect\": { \"" + port + "\": \"" + suggestion + "\" }", suggestion);
  }
}

}  // namespace

std::map<std::string, TimeFunction> default_signals(Loading& loading) {
  std::map<std::string, TimeFunction> defaults;
  for (const Entry& port : loading.port_entries) {
    const auto kind = loading.port_kinds.find(port.name);
    if (kind == loading.port_kinds.end() || kind->second != Port::Kind::signal_input) continue;
    const Json* value = ask_default(port.reader);
    TimeFunction function = value ? signal_of(*value, port.reader, "default", unit_of(port), {}, loading) : TimeFunction();
    if (!loading.enclosing) {
      std::vector<SignalSource>& signals = loading.model.signals;
      function = TimeFunction::input(static_cast<int>(signals.size()), std::move(function));
      signals.push_back({port.name, true, function, source_of(port.reader), ""});
    }
    defaults.emplace(port.name, std::move(function));
  }
  return defaults;
}

std::map<std::string, TimeFunction> connected_signals(const Child& child, Loading& enclosing) {
  const NumberKnown number(child, enclosing.scope);
  const JsonReader connect = anew(child.use).object({"connect"});
  std::map<std::string, TimeFunction> signals;
  const std::map<std::string, Port::Kind>& kinds = child.loading->port_kinds;
  for (const auto& [port, value] : child.loading->connections)
    if (const auto kind = kinds.find(port); kind != kinds.end() && kind->second == Port::Kind::signal_input)
      signals.emplace(port,
                      signal_of(*value, connect, port, unit_of(port_entry(*child.loading, port)), enclosing.scope.signals, enclosing));
  return signals;
}

BodyIndex find_body(Loading& loading, const std::string& name) {
  if (const auto known = loading.scope.bodies.find(name); known != loading.scope.bodies.end()) return known->second;
  const auto kind = loading.port_kinds.find(name);
  if (kind == loading.port_kinds.end() || kind->second != Port::Kind::mount) return find_body_of_child(loading, name);
  if (!loading.connecting.insert(name).second) {
    loading.in_circles.insert(name);
    return {};
  }
  const BodyIndex body = find_body(*loading.enclosing, text_of(loading.connections.at(name)));
  return loading.scope.bodies[name] = body;
}

void refuse_measured(const JsonReader& in, std::string_view key, const std::vector<TimeFunction>& functions) {
  if (!std::any_of(functions.begin(), functions.end(), [](const TimeFunction& function) { return function.is_measured(); })) return;
  in.source().report(key, quote(*in.source().find(key)) + ", which uses a measurement",
                     "a motion known from t and inputs alone, since it must be known before anything is measured; "
                     "a \"drive\" or an \"effort\" of a joint can follow a measurement");
}

void connect(Loading& loading) {
  if (loading.in.describing()) return;
  know_subsystems(loading);
  std::map<std::string, TimeFunction> defaults = default_signals(loading);
  loading.scope.signals.merge(defaults);
  for (Child& child : loading.children) {
    if (child.original < 0)
      connect_child(child, loading);
    else
      child.signals = connected_signals(child, loading);
  }
  for (Child& child : loading.children) {
    if (child.original >= 0) {
      connect_copy(child, loading);
      continue;
    }
    const std::size_t before = loading.model.signals.size();
    connect(standing_for(child, loading));
    child.loading->measures = loading.model.signals.size() > before;
  }
}

}  // namespace arthron
