#include <algorithm>
#include <cmath>
#include <numeric>

#include "arthron/component/json_source.hpp"
#include "arthron/core/text_file.hpp"
#include "arthron/model/describe.hpp"
#include "arthron/model/loading.hpp"
#include "arthron/study/definition.hpp"

namespace arthron {

struct StudyDefinition::Text {
  std::vector<Diagnostic> mistakes;
  Files files{mistakes};
  const JsonDocument* document = nullptr;
};

namespace {

using std::size_t;

constexpr Key type_key{"type", "", "distribution of its values"};
constexpr Key simulate_key{"simulate", "", "settings instead of the model's"};
const std::vector<std::string> distributions{"uniform", "log_uniform", "normal"};
const std::vector<std::string> variations{"grid", "random", "latin_hypercube", "list"};

/// Paths of parameters, and whatever stands at each.
std::vector<std::string> paths(const JsonReader& section) {
  return section.describing() ? std::vector<std::string>{"*.*"} : section.names();
}

SourceRef place_of(const JsonReader& in, const std::string& key) {
  if (in.source().mode() != JsonReader::Source::Mode::reading) return {};
  const std::string pointer = join_pointer(in.source().pointer(), key);
  return {in.source().file(), in.source().scope().document.line(pointer), pointer};
}

constexpr auto unit_of_parameter = "unit of the parameter";

/// What the numbers of a value measure, where they say so.
std::vector<Dimension> dimensions_in(const Json* value) {
  std::vector<Dimension> dimensions;
  if (value && value->is_structured())
    for (const Json& part : *value)
      for (const Dimension& dimension : dimensions_in(&part)) dimensions.push_back(dimension);
  if (value && value->is_string())
    if (const QuantityReading reading = read_quantity(value->get_ref<const std::string&>()); reading.is_one && reading.unknown.empty())
      dimensions.push_back(reading.unit.dimension);
  return dimensions;
}

/// The numbers of one value: one, or three of a vector.
std::vector<double> read_one(const JsonReader& in, const std::string& path, const Json& value) {
  std::vector<double> numbers;
  for (const JsonReader::Source::Quantity& number : read_numbers_given(in, path, value)) numbers.push_back(number.value);
  return numbers;
}

/// Paths of the numbers that a parameter is.
std::vector<std::string> paths_of(const std::string& path, std::size_t numbers) {
  return numbers == 3 ? std::vector{path + ".x", path + ".y", path + ".z"} : std::vector{path};
}

std::vector<double> read_steps(const JsonReader& in) {
  const double from = in.number({"from", unit_of_parameter, "first value"}), to = in.number({"to", unit_of_parameter, "last value"});
  const int count = in.integer({"count", "", "how many values"}, 1, most_variants);
  const bool log = in.choice({"spacing", "", "equal steps or equal ratios"}, {"linear", "log"}) == "log";
  if (log && !(from * to > 0)) in.complain("spacing", "\"log\" from " + number_text(from) + " to " + number_text(to), "ends of one sign");
  return in.failed() || in.describing() ? std::vector<double>{from} : spaced(from, to, count, log);
}

/// The values of a parameter in a grid, each of one number or three.
std::vector<std::vector<double>> read_values(const JsonReader& section, const std::string& path) {
  std::vector<std::vector<double>> values;
  if (section.describing()) {
    section.list({path, unit_of_parameter, "its values; of a vector a list of [x, y, z]"});
    read_steps(section.object({path, unit_of_parameter, "its values, evenly spaced"}));
    return {{0}};
  }
  if (section.holds_object(path)) {
    for (const double value : read_steps(section.object({path}))) values.push_back({value});
    return values;
  }
  JsonReader::Source& source = section.source();
  source.know(path);
  const Json& written = *source.find(path);
  const std::vector<Json> list = written.is_array() ? written.get<std::vector<Json>>() : std::vector<Json>{written};
  for (const Json& value : list) {
    values.push_back(read_one(section, path, value));
    if (values.back().size() != values.front().size())
      source.report(path, quote(value),
                    values.front().size() == 3 ? "a vector [x, y, z], as the first one is" : "a number, as the first one is");
  }
  if (values.empty() && !section.failed()) source.report(path, "no values", "at least one");
  return values;
}

void read_grid(const JsonReader& section, StudyDefinition& study) {
  std::vector<std::vector<std::vector<double>>> values;  // of each parameter, each of one number or three
  std::vector<std::vector<double>> choices;              // which of them
  double count = 1;
  for (const std::string& path : paths(section)) {
    values.push_back(read_values(section, path));
    const std::size_t numbers = values.back().empty() ? 1 : values.back().front().size();
    const Json* written = section.describing() ? nullptr : section.source().find(path);
    for (const std::string& one : paths_of(path, numbers))
      study.parameters.push_back({one, place_of(section, path), true, dimensions_in(written)});
    std::vector<double>& choice = choices.emplace_back(values.back().size());
    std::iota(choice.begin(), choice.end(), 0.0);
    count *= static_cast<double>(choice.size());
  }
  if (count > most_variants) {
    section.source().scope().diagnostics.push_back({section.source().file(), section.source().line(), section.source().pointer(),
                                                    number_text(count) + " variants", "at most " + std::to_string(most_variants), ""});
    return;
  }
  for (const std::vector<double>& chosen : full_product(choices)) {
    std::vector<double>& sample = study.samples.emplace_back();
    for (size_t i = 0; i < chosen.size(); ++i)
      for (const double number : values[i][static_cast<size_t>(chosen[i])]) sample.push_back(number);
  }
}

Distribution read_distribution(const JsonReader& in, const std::string& type) {
  if (type == "normal")
    return {Distribution::Type::normal, in.number({"mean", unit_of_parameter}),
            in.number({"deviation", unit_of_parameter, "standard deviation"}, Range::positive())};
  const bool log = type == "log_uniform";
  const Range range = log ? Range::positive() : Range::any();
  const double from = in.number({"from", unit_of_parameter, "lowest value"}, range),
               to = in.number({"to", unit_of_parameter, "highest value"}, range);
  if (!(from < to)) in.complain("to", number_text(to), "more than \"from\", which is " + number_text(from));
  return {log ? Distribution::Type::log_uniform : Distribution::Type::uniform, from, to};
}

/// Random draws, or a Latin hypercube.
void read_sampled(const JsonReader& in, StudyDefinition& study, bool hypercube) {
  const int count = in.integer({"count", "", "how many variants"}, 1, most_variants);
  const int seed = in.integer_or({"seed", "", "start of the random numbers"}, 1, 0, std::numeric_limits<int>::max());
  const JsonReader section = in.object({"parameters", "", "what is varied, and how"});
  std::vector<Distribution> spread;
  for (const std::string& path : paths(section)) {
    if (section.describing()) {
      for (const std::string& type : distributions) {
        const JsonReader entry = section.object({path});
        entry.one_of(type_key, {type}, "");
        read_distribution(entry, type);
      }
      return;
    }
    const JsonReader entry = section.object({path});
    const std::string type = entry.one_of(type_key, distributions, "a distribution");
    study.parameters.push_back({path, place_of(section, path), type != "normal", dimensions_in(section.source().find(path))});
    if (!type.empty()) spread.push_back(read_distribution(entry, type));
  }
  if (!in.source().scope().diagnostics.empty()) return;
  if (spread.empty()) in.complain("parameters", "no parameters", "at least one");
  const auto samples = hypercube ? latin_hypercube : random_samples;
  study.samples = samples(spread, count, static_cast<std::uint64_t>(seed));
}

void read_variation(const JsonReader& in, StudyDefinition& study, std::vector<Diagnostic>& mistakes) {
  std::vector<std::string> given;
  std::copy_if(variations.begin(), variations.end(), std::back_inserter(given), [&](const std::string& name) { return in.has(name); });
  constexpr auto expected = "one of grid, random, latin_hypercube and list";
  if (given.empty()) mistakes.push_back({study.file, 1, "", "nothing that varies", expected, ""});
  if (given.size() > 1 && !in.describing()) in.complain(given[1], "\"" + given[1] + "\" besides \"" + given[0] + "\"", expected);

  const JsonReader grid = in.object({"grid", "", "all combinations of values, the last parameter changing fastest"});
  if (in.holds_object("grid")) read_grid(grid, study);
  if (in.holds_object("grid") && study.parameters.empty()) in.complain("grid", "no parameters", "at least one");
  const JsonReader random = in.object({"random", "", "independent samples"});
  if (in.holds_object("random")) read_sampled(random, study, false);
  const JsonReader hypercube = in.object({"latin_hypercube", "", "samples that cover every parameter's interval evenly"});
  if (in.holds_object("latin_hypercube")) read_sampled(hypercube, study, true);
  const std::string list = in.text_or({"list", "", "CSV file (relative to this one) whose head names the parameters"}, "");
  if (list.empty() && in.has("list") && !in.failed())
    in.source().report("list", quote_text(list), "the name of a CSV file, relative to this one");
  if (list.empty()) return;
  const std::string file = Files::beside(study.file, list);
  std::string trouble;
  const std::string text = read_text(file, trouble);
  if (!trouble.empty())
    return in.source().report("list", quote_text(list) + ", " + trouble, "the name of a CSV file, relative to this one");
  study.content += text;
  read_list(text, file, study, mistakes);
}

void read_results(const JsonReader& section, StudyDefinition& study) {
  for (const std::string& name : section.names()) {
    const JsonReader in = section.object({name, "", ""});
    StudyDefinition::Result result{
        name, in.text({"channel", "", "path of one column, such as tip.position.z"}), {}, 0, place_of(section, name)};
    const auto& words = Reduction::names();
    const std::string word = in.choice({"take", "", "number taken from the curve"},
                                       {"final", "initial", "min", "max", "mean", "rms", "range", "abs_max", "time_of_min", "time_of_max"});
    result.kind = static_cast<Reduction::Kind>(std::find(words.begin(), words.end(), word) - words.begin());
    result.from = in.number_or({"from", "s", "rows before do not count"}, 0, {0, 1e9});
    if (in.describing()) continue;
    const bool taken = std::any_of(study.parameters.begin(), study.parameters.end(), [&](const auto& other) { return other.path == name; });
    if (!is_name(name))
      section.source().report(name, quote_text(name), name_words);
    else if (taken || name == "variant" || name == "status" || name == "message")
      section.source().report(name, quote_text(name), "another name: a column of the table has it");
    study.results.push_back(std::move(result));
  }
}

void read_root(const JsonReader& in, StudyDefinition& study, std::vector<Diagnostic>& mistakes) {
  in.integer({"arthron_study", "", "version of this format"}, 1, 1);
  study.name = in.text({"name", "", "name of the study"});
  in.text_or({"description", "", "for human readers"}, "");
  const std::string model = in.text({"model", "", "the model's file, relative to this one"});
  if (model.empty() && in.has("model") && !in.failed()) {
    in.source().report("model", quote_text(model), "the name of a model file, relative to this one");
  } else if (!model.empty()) {
    study.model = Files::beside(study.file, model);
    std::string trouble;
    (void)read_text(study.model, trouble);
    if (!trouble.empty())
      in.source().report("model", quote_text(model) + ", " + trouble, "the name of a model file, relative to this one",
                         Files::nearest(study.file, model));
  }
  const JsonReader fixed = in.object({"parameters", "", "values for all variants"});
  for (const std::string& path : paths(fixed)) {
    if (fixed.describing()) {
      fixed.number({path, unit_of_parameter, "the value of a parameter"});
      fixed.vector({path, "m", "a hardpoint"});
      continue;
    }
    fixed.source().know(path);
    const Json& value = *fixed.source().find(path);
    const std::vector<double> numbers = read_one(fixed, path, value);
    for (size_t i = 0; i < numbers.size(); ++i)
      study.fixed.push_back({{paths_of(path, numbers.size())[i], numbers[i]}, place_of(fixed, path), dimensions_in(&value)});
  }
  read_variation(in, study, mistakes);
  (void)read_simulation(in.object(simulate_key), SimulationSettings());
  study.lanes = in.flag_or({"lanes", "", "several variants at once on SIMD lanes, where these apply"}, study.lanes);
  read_results(in.object({"results", "", "columns; the final values of the model's output channels when absent"}), study);
}

}  // namespace

StudyDefinition read_study(const std::string& file) {
  StudyDefinition study;
  study.file = file;
  const auto text = std::make_shared<StudyDefinition::Text>();
  const Files::Opened opened = text->files.open(file);
  std::vector<Diagnostic>& mistakes = text->mistakes;
  if (!opened.trouble.empty()) mistakes.push_back({file, 0, "", opened.trouble, "a study file (JSON)", ""});
  if (opened.document) {
    study.content = text->files.content();
    if (const Json& said = opened.document->root(); said.contains("arthron") && !said.contains("arthron_study"))
      throw ModelError({{file, opened.document->line("/arthron"), "/arthron", "a model", "a study { \"arthron_study\": 1, ... }", ""}});
    ReaderScope scope{*opened.document, mistakes};
    const JsonReader root(std::make_shared<JsonReader::Source>(scope, opened.document->root(), ""));
    read_root(root, study, mistakes);
    root.reject_unknown_keys();
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  text->document = opened.document;
  study.text = text;
  return study;
}

bool StudyDefinition::chooses_channels() const { return text->document->root().contains(Json::json_pointer("/simulate/output/channels")); }

SimulationSettings StudyDefinition::settings(const SimulationSettings& of_model) const {
  std::vector<Diagnostic> mistakes;
  ReaderScope scope{*text->document, mistakes};
  const JsonReader root(std::make_shared<JsonReader::Source>(scope, text->document->root(), ""));
  SimulationSettings settings = read_simulation(root.object(simulate_key), of_model);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return settings;
}

namespace {

std::vector<KeyDescription> describe_keys() {
  StudyDefinition study;
  std::vector<Diagnostic> none;
  const JsonReader in = JsonReader::describe();
  read_root(in, study, none);
  return in.description();
}

}  // namespace

nlohmann::ordered_json study_schema() { return schema_of("Arthron study", describe_keys()); }

ReferenceEntry study_reference() { return {"", "study", "keys of the files of arthron sweep", "", describe_keys()}; }

}  // namespace arthron
