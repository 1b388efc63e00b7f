#include "failures.hpp"

#include <filesystem>
#include <ostream>

#include "arthron/component/json_document.hpp"
#include "arthron/core/text_file.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "cli.hpp"

namespace arthron::cli {
namespace {

int line_of(const std::string& file, const std::string& pointer) {
  std::string trouble;
  std::vector<Diagnostic> ignored;
  // A pipe has been read already.
  return std::filesystem::is_regular_file(file) ? JsonDocument(read_text(file, trouble), file, ignored).line(pointer) : 0;
}

}  // namespace

ModelError with_lines(const ModelError& error) {
  std::vector<Diagnostic> mistakes = error.diagnostics();
  for (Diagnostic& mistake : mistakes)
    if (mistake.line == 0 && mistake.pointer.starts_with('/')) mistake.line = line_of(mistake.file, mistake.pointer);
  return ModelError(std::move(mistakes));
}

int exit_code_of(const Status& status) {
  switch (status.code) {
    case Status::Code::ok: return ExitCode::success;
    case Status::Code::interrupted: return ExitCode::interrupted;
    case Status::Code::too_many_steps:  // a setting of the user's that the model does not fit
      return ExitCode::user_mistake;
    default: return ExitCode::numerical_failure;
  }
}

bool is_mistake_at_start(const Status& status) {
  return !status.ok() && status.code != Status::Code::interrupted && status.code != Status::Code::component_failed;
}

SourceRef place_of(const Status& status, const Model& model) {
  const std::size_t element = status.element, joints = model.joints.size();
  if (status.element >= 0) return element < joints ? model.joints[element].source : model.forces[element - joints].source;
  return {model.files.front(), line_of(model.files.front(), ""), ""};
}

void require_start(const RunSummary& summary, const Model& model) {
  if (summary.rows > 0 || !is_mistake_at_start(summary.status)) return;
  const SourceRef place = place_of(summary.status, model);
  throw ModelError({{place.file, place.line, place.pointer, summary.message, "a state to start from", ""}});
}

void report_failure(const Status& status, const std::string& message, const Model& model, std::ostream& err) {
  const SourceRef place = place_of(status, model);
  if (exit_code_of(status) == ExitCode::user_mistake) {
    const std::string end = "the end at " + shortest_text(model.simulation.until) + " s";
    err << to_string(Diagnostic{place.file, place.line, place.pointer, message, end, ""}) << '\n';
    return;
  }
  report_failure(place, message, err);
}

void report_failure(const SourceRef& place, const std::string& message, std::ostream& err) {
  const int line = place.line > 0 ? place.line : line_of(place.file, place.pointer);
  err << place.file;
  if (line > 0) err << ':' << line << ": " << (place.pointer.empty() ? "/" : place.pointer);
  err << "\n  " << message << '\n';
}

}  // namespace arthron::cli
