#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <list>

#include "arthron/model/loading.hpp"
#include "arthron/model/parse_component.hpp"

namespace arthron {

namespace {

using Kind = KeyDescription::Kind;

bool is_number(const KeyDescription& key) { return key.kind == Kind::number || key.kind == Kind::integer; }

/// What is wrong with a number given from outside for a key; "" when nothing is.
std::string refusal(const KeyDescription& key, double value) {
  if (!contains(key.range, value)) return number_words(key.unit, key.range);
  return key.kind == Kind::integer && std::trunc(value) != value ? "a whole number" : "";
}

/// Lets numbers of the command line and of studies stand in place of those that the file says, while it lives.
class NumbersGiven {
 public:
  NumbersGiven(JsonReader::Source& source, const SubsystemType& type, const std::string& prefix, const Composition& all) : source_(source) {
    for (const ParameterOverride& given : all.overrides) {
      if (!given.name.starts_with(prefix)) continue;
      const auto key = std::find_if(type.keys().begin(), type.keys().end(), [&](const KeyDescription& candidate) {
        return is_number(candidate) && std::string_view(given.name).substr(prefix.size()) == candidate.name;
      });
      if (key == type.keys().end() || !std::isfinite(given.value)) continue;
      if (const std::string expected = refusal(*key, given.value); !expected.empty())
        all.diagnostics.push_back({"", 0, "--set " + given.name, number_text(given.value), expected, ""});
      else
        source_.replace(key->name, &values_.emplace_back("=" + number_text(given.value))), keys_.push_back(key->name);
    }
  }
  ~NumbersGiven() {
    for (const std::string_view key : keys_) source_.replace(key, nullptr);
  }
  NumbersGiven(const NumbersGiven&) = delete;
  NumbersGiven& operator=(const NumbersGiven&) = delete;

 private:
  JsonReader::Source& source_;
  std::list<Json> values_;
  std::vector<std::string_view> keys_;
};

/// The number that a type has read at `key`; nothing when it has read none.
std::optional<double> number_read(JsonReader::Source& source, const KeyDescription& key) {
  double number = 0;
  if (const Json* value = source.find(key.name)) {
    if (value->is_string() && !is_expression(*value) && !read_quantity(value->get_ref<const std::string&>()).is_one) return {};
    return source.failed() ? std::nan("") : source.number(*value, key.name, "", "", key.unit).value_or(std::nan(""));
  }
  const auto [end, error] = std::from_chars(key.fallback.data(), key.fallback.data() + key.fallback.size(), number);
  return error == std::errc() && end == key.fallback.data() + key.fallback.size() ? std::optional(number) : std::nullopt;
}

/// The type's own numbers are parameters of the instance.
void add_parameters(const JsonReader& in, const SubsystemType& type, const std::string& prefix, Model& model) {
  for (const KeyDescription& key : type.keys()) {
    if (!is_number(key)) continue;
    if (const auto number = number_read(in.source(), key))
      model.parameters.push_back({prefix + key.name, static_cast<int>(model.subsystems.size()), *number,
                                  std::make_shared<const ParameterKind>(ParameterKind{key.unit, key.range})});
  }
}

/// " (car.json:12: /subsystems/rope)": where the file at hand begins to use what types build.
std::string built_at(const JsonReader& use, const Loading& enclosing) {
  if (!enclosing.scope.built_at.empty()) return enclosing.scope.built_at;
  const SourceRef source = source_of(use);
  return " (" + source.file + (source.line > 0 ? ":" + std::to_string(source.line) : "") + ": " + source.pointer + ")";
}

/// "a.json -> acme/rope -> acme/rope" when what is being read was built by the same type; "" when not.
std::string circle(const SubsystemType& type, const Loading& enclosing) {
  std::string chain(type.name());
  for (const Loading* at = &enclosing; at; at = at->enclosing) {
    if (at->within_file) continue;
    chain = at->scope.document.file() + " -> " + chain;
    if (at->type == &type) return chain;
  }
  return "";
}

std::unique_ptr<Loading> read_built(SubsystemBuilder& out, const JsonReader& in, const SubsystemType& type, Loading& enclosing) {
  const std::string name(type.name());
  if (!out.json().is_object()) {
    in.source().report("type", quote_text(name) + ", which builds " + quote(out.json()), "an object, as a model file is");
    return nullptr;
  }
  std::vector<Diagnostic> nested_too_deep;
  JsonDocument built = JsonDocument::without_text(std::move(out.json()), name, nested_too_deep);
  if (!built.complete()) {
    in.source().report("type", quote_text(name) + ", which builds " + nested_too_deep.front().found, "a flatter definition");
    return nullptr;
  }
  const JsonDocument& document = enclosing.all.files.keep_built(std::move(built));
  auto loading = std::make_unique<Loading>(enclosing.all, document, document.root(), "");
  loading->type = &type;
  loading->scope.built_at = built_at(in, enclosing);
  return loading;
}

/// A number that is a key of the type cannot be a parameter of what it builds as well: both would have the same path.
void check_parameter_names(const SubsystemType& type, const Loading& built) {
  const Json* parameters = built.in.source().find("parameters");
  if (!parameters || !parameters->is_object()) return;
  for (const KeyDescription& key : type.keys())
    if (is_number(key) && parameters->contains(key.name))
      built.in.source().report("parameters", quote_text(key.name), "another name: it is a key of " + std::string(type.name()), "",
                               join_pointer("", key.name));
}

void know_all(const JsonReader& in) {
  for (const std::string& key : in.names()) in.source().know(key);
}

}  // namespace

std::unique_ptr<Loading> build_use(const Child& child, Loading& enclosing) {
  const JsonReader& in = child.use;
  const std::string name = in.one_of(subsystem_type_key, names_of(enclosing.registry.subsystems()), "a subsystem type");
  const SubsystemType* type = enclosing.registry.subsystem(name);
  in.refuse("use", "none: \"type\" says what the subsystem is");
  if (!type) return know_all(in), nullptr;
  if (const std::string chain = circle(*type, enclosing); !chain.empty()) {
    in.source().report("type", quote_text(name) + ", which comes back to itself: " + chain, "types that do not use themselves");
    return know_all(in), nullptr;
  }
  const NumberKnown number(child, enclosing.scope);
  const std::string instance = enclosing.prefix + child.name;
  const NumbersGiven given(in.source(), *type, instance + ".", enclosing.all);
  const std::unique_ptr<SubsystemDefinition> definition = parse_component(*type, in);
  if (!definition) return know_all(in), nullptr;
  add_parameters(in, *type, instance + ".", enclosing.model);
  SubsystemBuilder out(name);
  std::unique_ptr<Loading> built;
  if (!in.failed_within() && run_author(in, *type, "build()", [&] { definition->build(out); }))
    built = read_built(out, in, *type, enclosing);
  if (!built) {
    for (const std::string_view key : subsystem_keys) in.source().know(key);
    return nullptr;
  }
  built->scope.instance = instance;
  check_parameter_names(*type, *built);
  return built;
}

}  // namespace arthron
