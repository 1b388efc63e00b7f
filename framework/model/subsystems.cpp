#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "arthron/model/dependency_order.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

using Kind = KeyDescription::Kind;

constexpr int most_repeats = 10000;
constexpr Key use_key{"use", "", "file (relative to this one), or a definition written here"};
constexpr Key connect_key{"connect", "", "what the ports of the subsystem are connected to"};
constexpr Key parameters_key{"parameters", "", "values of the subsystem's parameters, over those of this file"};
const std::vector<std::string> named_sections{"bodies", "grounds", "ports", "joints", "forces", "markers", "points", "subsystems"};

/// Keys that say where the subsystem is. A mirror image is taken in the subsystem's own frame, before it is turned and moved.
Placement read_placement(const JsonReader& in) {
  const Mat3 turn = read_turn(in);
  const Vec3 at = in.point_or({"at", "m", "where the origin of its frame is"}, {0, 0, 0});
  const std::string mirror = in.choice({"mirror", "", "mirror image across this axis of its own frame"}, {"none", "x", "y", "z"});
  const Placement placed{{turn, at}};
  return mirror == "none" ? placed : placed * Placement::mirror(mirror[0] - 'x');
}

/// What every use may say beside what it uses.
void describe_use(const JsonReader& in) {
  read_placement(in);
  const JsonReader parameters = in.object(parameters_key);
  parameters.text_or({"from", "", "table of hardpoints, a CSV file relative to this one"}, "");
  parameters.number({"*.*", "any unit", "the value of a parameter, or of a component such as lower_ball.z"});
  parameters.vector({"*.*", "m", "a hardpoint"});
  in.object(connect_key).source().ask(Kind::connection, {"*", "", "a body or subsystem.port; a function of time for a signal"}, false);
  in.integer_or({"repeat", "", "that many subsystems name_0, name_1, ..."}, 1, 1, most_repeats);
  in.text_or({"index", "", "name of the number of each, from 0, in expressions here"}, "i");
}

/// By a file or a definition first, then by every type.
void describe_uses(const JsonReader& section, const Registry& registry) {
  const JsonReader file = section.object({"*"});
  file.source().ask(Kind::subsystem, use_key, true);
  describe_use(file);
  for (const auto& [name, type] : registry.subsystems()) {
    const JsonReader in = section.object({"*"});
    in.one_of(subsystem_type_key, {name}, "");
    (void)type->parse(in);
    describe_use(in);
  }
}

/// "a.json -> b.json -> a.json" when `document`, called `file`, uses itself; "" when it does not.
std::string circle(const Loading& enclosing, const JsonDocument* document, const std::string& file) {
  std::string chain = file;
  for (const Loading* at = &enclosing; at; at = at->enclosing) {
    if (at->within_file) continue;
    const std::string& name = at->scope.document.file();
    chain = name + " -> " + chain;
    if (&at->scope.document == document) return chain;
  }
  return "";
}

/// The file from which others are looked for: that of what is being read, or, where a type built it, of who uses the type.
const std::string& nearest_file(const Loading& loading) {
  const Loading* at = &loading;
  while (!at->scope.built_at.empty()) at = at->enclosing;
  return at->scope.document.file();
}

/// The definition to use: a file's, or the one written in place. nullptr when there is none, which has been reported.
std::unique_ptr<Loading> open_use(const JsonReader& in, Loading& enclosing) {
  JsonReader::Source& source = in.source();
  const Json* use = source.ask(Kind::subsystem, use_key, true);
  if (!use) return nullptr;
  if (use->is_object()) {
    auto loading = std::make_unique<Loading>(enclosing.all, enclosing.scope.document, *use, join_pointer(source.pointer(), "use"));
    loading->within_file = true;
    loading->scope.built_at = enclosing.scope.built_at;
    return loading;
  }
  if (!use->is_string()) {
    source.report("use", quote(*use), "the name of a file, relative to this one, or a definition { }");
    return nullptr;
  }
  const std::string& written = use->get_ref<const std::string&>();
  const std::string& including = nearest_file(enclosing);
  const std::string file = Files::beside(including, written);
  const auto [document, trouble] = enclosing.all.files.open(file);
  if (const std::string chain = circle(enclosing, document, file); !chain.empty()) {
    source.report("use", quote(*use) + ", which comes back to itself: " + chain, "files that do not use themselves");
    return nullptr;
  }
  if (!trouble.empty() && enclosing.registry.subsystem(written))
    source.report("use", quote(*use) + ", which is no file but a subsystem type", "\"type\": " + quote(*use) + " instead of \"use\"");
  else if (!trouble.empty())
    source.report("use", quote(*use) + ", " + trouble, "the name of a file, relative to this one", Files::nearest(including, written));
  return document ? std::make_unique<Loading>(enclosing.all, *document, document->root(), "") : nullptr;
}

/// The name with its words left and right replaced; words that become nothing go.
std::string with_sides(const std::string& name, const std::string& left, const std::string& right) {
  std::string rest;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    const std::string written = name.substr(begin, end - begin), word = written == "left" ? left : written == "right" ? right : written;
    if (!word.empty()) rest += (rest.empty() ? "" : "_") + word;
    begin = end + 1;
  }
  return rest;
}

std::string without_side(const std::string& name) { return with_sides(name, "", ""); }
bool has_side(const std::string& name) { return without_side(name) != with_sides(name, "left", "right"); }

/// In the mirror image across y, x being forward, what the file calls left is right, unless it has both.
void check_sides(const JsonReader& use, const Loading& used) {
  const Json* mirror = use.source().find("mirror");
  if (!mirror || *mirror != "y") return;
  const auto complain = [&](const std::string& what, const std::string& name) {
    use.source().report("mirror", "\"y\", the mirror image of " + what + used.scope.document.file() + ", a name for one side only",
                        "names without left or right in what is mirrored", without_side(name));
  };
  const Json* name = used.in.source().find("name");
  if (name && name->is_string() && has_side(*name)) return complain(quote(*name) + " in ", *name);
  for (const std::string& section : named_sections) {
    const Json* entries = used.in.source().find(section);
    if (!entries || !entries->is_object()) continue;
    for (const auto& [entry, value] : entries->get_ref<const Json::object_t&>())
      if (has_side(entry) && !entries->contains(with_sides(entry, "right", "left")))
        return complain("/" + section + "/" + entry + " of ", entry);
  }
}

/// What `name` is in the used file, for those who take it for a parameter: " (bodies/arm of corner.json)".
std::string found_elsewhere(const Loading& used, const std::string& name) {
  for (const std::string& section : named_sections) {
    const Json* entries = used.in.source().find(section);
    if (entries && entries->is_object() && entries->contains(name))
      return ", which is no parameter but /" + section + "/" + name + " of " + used.scope.document.file();
  }
  return "";
}

/// Parameters that the used file has, in its section or in the table that this names.
std::vector<std::string> known_parameters(const Loading& used, Files& files) {
  std::vector<std::string> known;
  const Json* section = used.in.source().find("parameters");
  if (!section || !section->is_object()) return known;
  for (const auto& [name, value] : section->get_ref<const Json::object_t&>()) known.push_back(name);
  const Json* from = section->contains("from") ? &(*section)["from"] : nullptr;
  if (!from || !from->is_string()) return known;
  if (const HardpointTable* table = files.open_table(Files::beside(used.scope.document.file(), from->get<std::string>())).first) {
    std::erase(known, "from");
    for (const Hardpoint& point : table->points) known.push_back(point.name);
  }
  return known;
}

void refuse_parameter(const std::string& name, const std::vector<std::string>& known, const Loading& used, JsonReader::Source& source) {
  std::string all;
  for (const std::string& candidate : known) all += (all.empty() ? " (" : ", ") + candidate;
  source.report(name, quote_text(name) + found_elsewhere(used, name),
                "a parameter of " + used.scope.document.file() + (all.empty() ? ", which has none" : all + ")"), nearest_name(name, known));
}

/// "lower_ball" of "lower_ball.z".
std::string without_component(const std::string& name) {
  const bool component = name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z");
  return component ? name.substr(0, name.size() - 2) : name;
}

}  // namespace

std::map<std::string, GivenParameter> given_parameters(const Child& child, Loading& enclosing) {
  const NumberKnown number(child, enclosing.scope);
  const Loading& used = *child.loading;
  std::map<std::string, GivenParameter> given;
  const JsonReader parameters = child.use.object(parameters_key);
  const std::vector<std::string> known =
      parameters.names().empty() ? std::vector<std::string>() : known_parameters(used, enclosing.all.files);
  const auto complaint = [&parameters](const std::string& name) {
    return [parameters, name](std::string found, std::string expected, std::string suggestion) {
      parameters.source().report(name, std::move(found), std::move(expected), std::move(suggestion));
    };
  };
  const auto is_known = [&](const std::string& name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  JsonReader::Source& source = parameters.source();
  const HardpointTable* table = parameters.has("from") && !is_known("from") ? table_of(parameters, enclosing) : nullptr;
  if (table)
    for (const Hardpoint& point : table->points) {
      const auto component = [](double value) { return GivenParameter::Quantity{value, false, {}}; };
      given[point.name] = {
          {component(point.at.x), component(point.at.y), component(point.at.z)}, &enclosing.scope.units, complaint("from")};
      if (is_known(point.name)) continue;
      enclosing.scope.diagnostics.push_back({table->file, point.line, "", quote_text(point.name),
                                             "a parameter of " + used.scope.document.file(), nearest_name(point.name, known)});
    }
  for (const std::string& name : parameters.names()) {
    if (table && name == "from") continue;
    source.know(name);
    if (!is_known(without_component(name))) {
      refuse_parameter(name, known, used, source);
      continue;
    }
    given[name] = {read_numbers_given(parameters, name, *source.find(name)), &enclosing.scope.units, complaint(name)};
  }
  return given;
}

namespace {

/// Which ports the enclosing file connects; to what is looked at when all names are known.
void note_connections(const JsonReader& use, Loading& used) {
  const Json* connect = use.source().find("connect");
  if (!connect || !connect->is_object()) return;
  for (const auto& [port, value] : connect->get_ref<const Json::object_t&>()) used.connections.emplace(port, &value);
}

void declare_child(Child child, Loading& enclosing) {
  if (child.original >= 0 && declare_copy(child, enclosing)) {
    enclosing.children.push_back(std::move(child));
    return;
  }
  child.original = -1;
  Model& model = enclosing.model;
  if (model.subsystems.size() >= most_subsystems) {
    child.use.source().report("", "too many subsystems", "at most " + std::to_string(most_subsystems) + " in a model");
    return;
  }
  const bool typed = child.use.has("type");
  child.loading = typed ? build_use(child, enclosing) : open_use(child.use, enclosing);
  if (!child.loading) {
    if (!typed)
      for (const std::string& key : child.use.names()) child.use.source().know(key);
    enclosing.scope.broken.insert(child.name);
    return;
  }
  Loading& used = *child.loading;
  used.enclosing = &enclosing;
  used.subsystem = static_cast<int>(model.subsystems.size());
  used.scope.instance = enclosing.prefix + child.name;
  used.prefix = used.scope.instance + ".";
  model.subsystems.push_back({used.scope.instance, "", used.scope.document.file(), enclosing.subsystem, {}, source_of(child.use)});
  check_sides(child.use, used);
  used.given = given_parameters(child, enclosing);
  note_connections(child.use, used);
  enclosing.children.push_back(std::move(child));
  const auto begin = [](const auto& list) { return Slice{static_cast<int>(list.size()), 0}; };
  used.extent = {{used.subsystem, 0}, begin(model.bodies), begin(model.ports), begin(model.parameters)};
  declare(used);
  const auto end = [](const auto& list, Slice& slice) { slice.last = static_cast<int>(list.size()); };
  end(model.subsystems, used.extent.subsystems), end(model.bodies, used.extent.bodies);
  end(model.ports, used.extent.ports), end(model.parameters, used.extent.parameters);
}

/// Name of the number of a repeated subsystem in expressions; "" when it cannot be used (reported).
std::string index_of(const JsonReader& in, const Loading& loading) {
  const std::string index = in.text_or({"index"}, "i");
  const std::size_t mistakes = loading.scope.diagnostics.size();
  check_expression_name(in, "index", index);
  if (loading.scope.parameters.contains(index)) in.source().report("index", quote_text(index), "another name: a parameter has it");
  return loading.scope.diagnostics.size() == mistakes ? index : "";
}

/// Places of subsystems that the placement of `child` names as subsystem.port, and of its original.
std::vector<int> needs_of(const Child& child, const std::unordered_map<std::string_view, int>& places) {
  std::vector<std::string> texts;
  const auto collect = [&texts](const auto& self, const Json& value) -> void {
    if (value.is_string()) texts.push_back(value.get<std::string>());
    if (value.is_structured())
      for (const Json& nested : value) self(self, nested);
  };
  for (const char* key : {"at", "rotation"})
    if (const Json* value = child.use.source().find(key)) collect(collect, *value);
  std::vector<int> needs;
  if (child.original >= 0) needs.push_back(child.original);
  for (const std::string_view text : texts)
    if (const std::size_t dot = text.find('.'); dot != std::string_view::npos)
      if (const auto place = places.find(text.substr(0, dot)); place != places.end()) needs.push_back(place->second);
  return needs;
}

void place_child(Child& child, Loading& loading) {
  {
    const NumberKnown number(child, loading.scope);
    child.local = read_placement(child.use);
  }
  Loading& used = *child.loading;
  if (child.original < 0) {
    standing_for(child, loading);
    used.placement = placement_in_model(child, loading);
    loading.model.subsystems[used.subsystem].placement = used.placement;
    place(used);
  }
  for (const Port& port : used.ports) {
    if (port.kind != Port::Kind::output) continue;
    const std::string name = child.name + "." + port.path;
    loading.scope.points[name] = child.local.point(port.at);
    loading.scope.directions[name] = child.local.polar(port.axis);
  }
}

}  // namespace

[[gnu::noinline]] Placement placement_in_model(const Child& child, const Loading& enclosing) { return enclosing.placement * child.local; }

void declare_subsystems(const JsonReader& section, Loading& loading) {
  if (section.describing()) return describe_uses(section, loading.registry);
  for (const Entry& entry : claim_names(section, "subsystems", loading)) {
    const JsonReader& in = entry.reader;
    loading.scope.broken.insert(entry.name);
    if (in.source().mode() == JsonReader::Source::Mode::absent) continue;
    if (!in.has("repeat")) {
      loading.scope.broken.erase(entry.name);
      in.refuse("index", "none without \"repeat\"");
      declare_child({entry.name, in, "", 0, nullptr, {}}, loading);
      continue;
    }
    const int count = in.integer_or({"repeat"}, 1, 1, most_repeats);
    const std::string index = index_of(in, loading);
    int original = -1;
    for (int i = 0; i < count; ++i) {
      const std::string name = entry.name + "_" + std::to_string(i);
      if (!claim_name(section, entry.name, name, "subsystems", loading)) continue;
      const std::size_t before = loading.children.size();
      declare_child({name, in, index, i, nullptr, {}, original}, loading);
      if (loading.children.size() > before && loading.children.back().original < 0) original = static_cast<int>(before);
    }
  }
}

void place_subsystems(Loading& loading) {
  std::unordered_map<std::string_view, int> places;
  for (const Child& child : loading.children) places.emplace(child.name, static_cast<int>(places.size()));
  std::vector<std::vector<int>> needs;
  for (const Child& child : loading.children) needs.push_back(needs_of(child, places));
  const DependencyOrder order = dependency_order(needs);
  for (const std::vector<int>& cycle : order.cycles) {
    std::string chain;
    for (const int i : cycle) chain += loading.children[i].name + " -> ";
    const Child& first = loading.children[cycle.front()];
    first.use.source().report("at", chain + first.name, "places that do not depend on themselves");
  }
  for (const int i : order.order) place_child(loading.children[i], loading);
}

}  // namespace arthron
