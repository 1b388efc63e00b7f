#include "arthron/study/study.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>

#include "arthron/component/json_source.hpp"
#include "arthron/simulation/run.hpp"

namespace arthron {
namespace {

std::vector<ParameterOverride> fixed_values(const StudyDefinition& study) {
  std::vector<ParameterOverride> values;
  for (const StudyDefinition::Fixed& fixed : study.fixed) values.push_back(fixed.value);
  return values;
}

std::string on_one_line(const std::string& report) {
  std::string line;
  for (std::size_t i = 0; i < report.size(); ++i) {
    if (report[i] != '\n')
      line += report[i];
    else if (report.compare(i, 3, "\n  ") == 0)
      line += ": ", i += 2;
    else
      line += "; ";
  }
  return line;
}

std::string in_words(const ModelError& error) {
  std::vector<Diagnostic> mistakes = error.diagnostics();
  for (Diagnostic& mistake : mistakes)
    if (mistake.pointer.starts_with("--set ")) mistake.pointer.erase(0, 6);
  return on_one_line(ModelError(std::move(mistakes)).what());
}

}  // namespace

Study::Study(const std::string& file, const Registry& types) : definition_(read_study(file)), source_(definition_.model, types) {
  check_parameters();
  choose_results();
  const std::string content = std::string(ARTHRON_VERSION) + '\n' + definition_.content + '\n' + source_.content();
  fingerprint_ = to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(content));
}

void Study::check_parameters() {
  std::vector<Diagnostic> mistakes;
  const std::vector<Parameter>& known = source_.base().parameters;
  std::vector<std::string> paths;
  for (const Parameter& parameter : known) paths.push_back(parameter.path);
  const auto complain = [&](const SourceRef& place, std::string found, std::string expected, std::string suggestion = "") {
    mistakes.push_back({place.file, place.line, place.pointer, std::move(found), std::move(expected), std::move(suggestion)});
  };
  const auto find = [&](const std::string& path, const SourceRef& place) -> const Parameter* {
    const auto found = std::find(paths.begin(), paths.end(), path);
    if (found != paths.end()) return &known[static_cast<std::size_t>(found - paths.begin())];
    complain(place, quote_text(path), "a parameter of " + definition_.model, nearest_name(path, paths));
    return nullptr;
  };
  for (const auto& [value, place] : definition_.fixed)
    if (const Parameter* parameter = find(value.name, place); parameter && !contains(parameter->range, value.value))
      complain(place, number_text(value.value), number_words(parameter->unit, parameter->range) + ", as the model says");

  for (std::size_t i = 0; i < definition_.parameters.size(); ++i) {
    const auto& [path, place, written] = definition_.parameters[i];
    const Parameter* parameter = find(path, place);
    if (!parameter) continue;
    parameters_.push_back({path, parameter->unit});
    const auto same = [&](const auto& other) { return other.path == path; };
    if (std::find_if(definition_.parameters.begin(), definition_.parameters.end(), same) !=
        definition_.parameters.begin() + static_cast<std::ptrdiff_t>(i))
      complain(place, quote_text(path) + " again", "each parameter once");
    for (const StudyDefinition::Fixed& fixed : definition_.fixed)
      if (fixed.value.name == path) complain(fixed.place, quote_text(path) + ", which varies", "parameters that do not");
    for (std::size_t variant = 0; written && variant < size(); ++variant) {
      const double value = values(variant)[i];
      if (contains(parameter->range, value)) continue;
      const int line = definition_.lines.empty() ? place.line : definition_.lines[variant];
      complain({place.file, line, place.pointer}, number_text(value),
               number_words(parameter->unit, parameter->range) + ", as the model says");
      break;
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

void Study::choose_results() {
  Model model = source_.load(fixed_values(definition_));
  model.simulation = definition_.settings(model.simulation);
  const std::vector<std::string> outputs = model.simulation.channels;
  const Simulation simulation(std::make_shared<const Model>(std::move(model)));
  const auto columns_of = [&](const std::vector<ChannelRequest>& requests) { return ChannelSet(simulation.plan(), requests).columns(); };
  const auto column_number = [&](const std::string& name) {
    const auto found = std::find_if(channels_.begin(), channels_.end(), [&](const ChannelRequest& other) { return other.path == name; });
    if (found != channels_.end()) return static_cast<std::size_t>(found - channels_.begin());
    channels_.push_back({name, definition_.file, "/results"});
    return channels_.size() - 1;
  };

  std::vector<Diagnostic> mistakes;
  for (const StudyDefinition::Result& result : definition_.results) {
    const std::string pointer = result.place.pointer + "/channel";
    try {
      const std::vector<ChannelColumn> columns = columns_of({{result.channel, result.place.file, pointer}});
      results_.push_back({result.name, Reduction::unit(result.kind, columns.front().unit)});
      curves_.push_back({column_number(columns.front().name), result.kind, result.from});
      if (columns.size() > 1)
        mistakes.push_back({result.place.file, result.place.line, pointer,
                            quote_text(result.channel) + ", which is " + std::to_string(columns.size()) + " columns", "one of them",
                            columns.front().name});
      if (result.from > simulation.settings().until)
        mistakes.push_back({result.place.file, result.place.line, result.place.pointer + "/from", number_text(result.from) + " s",
                            "a time before the end at " + number_text(simulation.settings().until) + " s", ""});
    } catch (const ModelError& unknown) {
      mistakes.push_back(unknown.diagnostics().front());
      mistakes.back().line = result.place.line;
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  if (!definition_.results.empty()) return;
  std::vector<ChannelRequest> requests;
  for (const std::string& path : outputs) requests.push_back({path, definition_.model, "/simulate/output/channels"});
  for (const ChannelColumn& column : columns_of(requests)) {
    results_.push_back(column);
    curves_.push_back({column_number(column.name)});
  }
}

std::vector<ParameterOverride> Study::overrides(std::size_t variant) const {
  std::vector<ParameterOverride> overrides = fixed_values(definition_);
  for (std::size_t i = 0; i < parameters_.size(); ++i) overrides.push_back({parameters_[i].name, values(variant)[i]});
  return overrides;
}

std::vector<StudyRow> Study::run(std::span<const std::size_t> variants, const std::function<bool()>& proceed) const {
  std::vector<StudyRow> rows;
  for (const std::size_t variant : variants) {
    std::optional<StudyRow> row = run(variant, proceed);
    if (!row) break;
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::optional<StudyRow> Study::run(std::size_t variant, const std::function<bool()>& proceed) const {
  StudyRow row;
  row.variant = variant;
  try {
    Model model = source_.load(overrides(variant));
    model.simulation = definition_.settings(model.simulation);
    model.simulation.threads = 1;  // variants are what is shared
    bool interrupted = false;
    simulate(std::make_shared<const Model>(std::move(model)), proceed, row, interrupted);
    if (interrupted) return {};
  } catch (const ModelError& mistakes) {
    row.status = StudyRow::Status::refused;
    row.message = in_words(mistakes);
  }
  return row;
}

void Study::simulate(const std::shared_ptr<const Model>& model, const std::function<bool()>& proceed, StudyRow& row,
                     bool& interrupted) const {
  Simulation simulation(model);
  ChannelSet channels(simulation.plan(), channels_);
  std::vector<Reduction> reductions;
  for (const Curve& curve : curves_) reductions.emplace_back(curve.kind);
  RunObserver observer;
  if (proceed) observer.proceed = [&](double) { return proceed(); };
  observer.row = [&](double t, std::span<const double> values) {
    for (std::size_t i = 0; i < curves_.size(); ++i)
      if (t >= curves_[i].from) reductions[i].take(t, values[curves_[i].column]);
  };
  const RunSummary summary = arthron::run(simulation, channels, observer);
  interrupted = summary.status.code == Status::Code::interrupted;
  if (summary.status.ok()) {
    for (const Reduction& reduction : reductions) row.results.push_back(reduction.result());
  } else {
    row.status = StudyRow::Status::failed;
    row.message = on_one_line(summary.message);
  }
}

}  // namespace arthron
