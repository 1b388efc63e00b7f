#pragma once
#include <string>

namespace arthron::cli {

/// The sheet of a suspension from a folder that `arthron kc` wrote. Throws ModelError for a folder without such tables, and one that names
/// `option` when charts cannot be drawn.
[[nodiscard]] std::string kc_report(const std::string& folder, const std::string& option);

}  // namespace arthron::cli
