#include "failures.hpp"

#include <ostream>

#include "cli.hpp"

namespace arthron::cli {

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
  return {model.files.front(), 0, ""};
}

void require_start(const RunSummary& summary, const Model& model) {
  if (summary.rows > 0 || !is_mistake_at_start(summary.status)) return;
  const SourceRef place = place_of(summary.status, model);
  throw ModelError({{place.file, place.line, place.pointer, summary.message, "a state to start from", ""}});
}

void report_failure(const Status& status, const std::string& message, const Model& model, std::ostream& err) {
  const SourceRef place = place_of(status, model);
  err << place.file;
  if (place.line > 0) err << ':' << place.line << ": " << place.pointer;
  err << "\n  " << message << '\n';
}

}  // namespace arthron::cli
