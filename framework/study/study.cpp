#include "arthron/study/study.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>

#include "arthron/component/json_source.hpp"
#include "arthron/simulation/lane_run.hpp"
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
    if (found != paths.end()) return &known[found - paths.begin()];
    complain(place, quote_text(path), "a parameter of " + definition_.model, nearest_name(path, paths));
    return nullptr;
  };
  const auto check_units = [&](const Parameter& parameter, const std::vector<Dimension>& dimensions, const SourceRef& place) {
    const auto& wanted = dimensions_of(parameter.unit());
    for (const Dimension& dimension : dimensions)
      if (wanted && !parameter.unit().empty() && std::find(wanted->begin(), wanted->end(), dimension) == wanted->end())
        return complain(place, "a number in " + unit_text(dimension), "a number in " + parameter.unit());
  };
  for (const auto& [value, place, dimensions] : definition_.fixed) {
    const Parameter* parameter = find(value.name, place);
    if (!parameter) continue;
    check_units(*parameter, dimensions, place);
    if (!contains(parameter->range(), value.value))
      complain(place, number_text(value.value), number_words(parameter->unit(), parameter->range()) + ", as the model says");
  }

  for (std::size_t i = 0; i < definition_.parameters.size(); ++i) {
    const auto& [path, place, written, dimensions] = definition_.parameters[i];
    const Parameter* parameter = find(path, place);
    if (!parameter) continue;
    check_units(*parameter, dimensions, place);
    parameters_.push_back({path, parameter->unit()});
    const auto same = [&](const auto& other) { return other.path == path; };
    if (std::find_if(definition_.parameters.begin(), definition_.parameters.end(), same) !=
        definition_.parameters.begin() + static_cast<std::ptrdiff_t>(i))
      complain(place, quote_text(path) + " again", "each parameter once");
    for (const StudyDefinition::Fixed& fixed : definition_.fixed)
      if (fixed.value.name == path) complain(fixed.place, quote_text(path) + ", which varies", "parameters that do not");
    for (std::size_t variant = 0; written && variant < size(); ++variant) {
      const double value = values(variant)[i];
      if (contains(parameter->range(), value)) continue;
      const int line = definition_.lines.empty() ? place.line : definition_.lines[variant];
      complain({place.file, line, place.pointer}, number_text(value),
               number_words(parameter->unit(), parameter->range()) + ", as the model says");
      break;
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

void Study::choose_results() {
  Model model = source_.load(fixed_values(definition_));
  model.simulation = definition_.settings(model.simulation);
  const std::vector<std::string> outputs = model.simulation.channels;
  const bool own = definition_.chooses_channels();
  const Simulation simulation(std::make_shared<const Model>(std::move(model)));
  if (definition_.lanes && lanes_apply({&simulation}).empty()) group_size_ = lane_count;
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
  for (const std::string& path : outputs)
    requests.push_back({path, own ? definition_.file : definition_.model, "/simulate/output/channels"});
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

/// One variant on its way from a model to a row.
class Study::Variant {
 public:
  Variant(const Study& study, std::size_t number) : study_(study) {
    row.variant = number;
    for (const Curve& curve : study.curves_) reductions_.emplace_back(curve.kind);
    try {
      Model model = study.source_.load(study.overrides(number));
      model.simulation = study.definition_.settings(model.simulation);
      model.simulation.threads = 1;  // variants are what is shared
      simulation_ = std::make_unique<Simulation>(std::make_shared<const Model>(std::move(model)));
      channels_ = std::make_unique<ChannelSet>(simulation_->plan(), study.channels_);
    } catch (const ModelError& mistakes) {
      simulation_.reset();
      row.status = StudyRow::Status::refused;
      row.message = in_words(mistakes);
    } catch (const ComponentError& thrown) {
      simulation_.reset();
      row.status = StudyRow::Status::failed;
      row.message = on_one_line(thrown.what());
    }
  }

  [[nodiscard]] bool exists() const { return simulation_ != nullptr; }
  [[nodiscard]] const Simulation* simulation() const { return simulation_.get(); }

  LaneVariant lane(const std::function<bool()>& proceed) {
    LaneVariant lane{simulation_.get(), channels_.get()};
    if (proceed) lane.observer.proceed = [&proceed](double) { return proceed(); };
    lane.observer.row = [this](double t, std::span<const double> values) {
      for (std::size_t i = 0; i < reductions_.size(); ++i)
        if (t >= study_.curves_[i].from) reductions_[i].take(t, values[study_.curves_[i].column]);
    };
    return lane;
  }

  /// False when it was interrupted.
  bool conclude(const RunSummary& summary) {
    if (summary.status.ok()) {
      for (const Reduction& reduction : reductions_) row.results.push_back(reduction.result());
    } else {
      row.status = StudyRow::Status::failed;
      row.message = on_one_line(summary.message);
    }
    return summary.status.code != Status::Code::interrupted;
  }

  StudyRow row;

 private:
  const Study& study_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ChannelSet> channels_;
  std::vector<Reduction> reductions_;
};

std::optional<std::vector<StudyRow>> Study::run(std::size_t group, const std::function<bool()>& proceed) const {
  std::vector<std::unique_ptr<Variant>> variants;
  std::vector<const Simulation*> simulations;
  for (std::size_t v = group * group_size_; v < std::min(size(), (group + 1) * group_size_); ++v) {
    variants.push_back(std::make_unique<Variant>(*this, v));
    if (variants.back()->exists()) simulations.push_back(variants.back()->simulation());
  }
  std::vector<LaneVariant> lanes;
  for (const auto& variant : variants)
    if (variant->exists()) lanes.push_back(variant->lane(proceed));
  std::vector<RunSummary> summaries;
  if (lanes.size() > 1 && lanes_apply(simulations).empty())
    summaries = run_on_lanes(lanes);
  else
    for (const LaneVariant& lane : lanes) {
      summaries.push_back(arthron::run(*lane.simulation, *lane.channels, lane.observer));
      if (summaries.back().status.code == Status::Code::interrupted) return {};
    }
  std::vector<StudyRow> rows;
  auto summary = summaries.begin();
  for (const auto& variant : variants) {
    if (variant->exists() && !variant->conclude(*summary++)) return {};
    rows.push_back(std::move(variant->row));
  }
  return rows;
}

}  // namespace arthron
