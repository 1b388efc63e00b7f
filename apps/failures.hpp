#pragma once
#include <iosfwd>
#include <string>

#include "arthron/core/status.hpp"
#include "arthron/model/model.hpp"
#include "arthron/simulation/run.hpp"

namespace arthron::cli {

/// The same mistakes, with their lines. What is found after loading knows its place in a file by the pointer alone.
[[nodiscard]] ModelError with_lines(const ModelError& error);

[[nodiscard]] int exit_code_of(const Status& status);

/// True for a status that before the first result is a mistake in the model: nobody has interrupted, and no author code has thrown.
[[nodiscard]] bool is_mistake_at_start(const Status& status);

/// Where in the model file the joint or force stands that a failure names; the file's root when it names none.
[[nodiscard]] SourceRef place_of(const Status& status, const Model& model);

/// Throws ModelError for a run without a row: a model that cannot even start is the user's mistake, not the computation's failure.
void require_start(const RunSummary& summary, const Model& model);

void report_failure(const Status& status, const std::string& message, const Model& model, std::ostream& err);
/// The same of what is no status. A line that is not known is looked up.
void report_failure(const SourceRef& place, const std::string& message, std::ostream& err);

}  // namespace arthron::cli
