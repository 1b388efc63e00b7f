#pragma once
#include <iosfwd>
#include <string>

#include "arthron/core/status.hpp"
#include "arthron/model/model.hpp"
#include "arthron/simulation/run.hpp"

namespace arthron::cli {

[[nodiscard]] int exit_code_of(const Status& status);

/// True for a status that before the first result is a mistake in the model: nobody has interrupted, and no author code has thrown.
[[nodiscard]] bool is_mistake_at_start(const Status& status);

/// Where in the model file the joint stands that a failure names; the file itself when it names none.
[[nodiscard]] SourceRef place_of(const Status& status, const Model& model);

/// Throws ModelError for a run without a row: a model that cannot even start is the user's mistake, not the computation's failure.
void require_start(const RunSummary& summary, const Model& model);

void report_failure(const Status& status, const std::string& message, const Model& model, std::ostream& err);

}  // namespace arthron::cli
