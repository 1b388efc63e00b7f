#pragma once
#include <string>
#include <vector>

namespace arthron::cli {

struct ResultColumn {
  std::string name, unit;      // of a heading `name [unit]`
  std::vector<double> values;  // NaN where nothing stands
  bool words = false;          // a column of text, such as messages of a sweep
};

/// A table as `arthron run`, `sweep`, `kc` and `inverse` write it.
struct ResultTable {
  std::string file;
  std::vector<ResultColumn> columns;
  [[nodiscard]] std::size_t rows() const { return columns.front().values.size(); }
};

/// Reads comma-separated text (RFC 4180) with a heading. Throws ModelError with file and line.
[[nodiscard]] ResultTable parse_result(const std::string& text, const std::string& file);
/// The same of a file, or of the standard input for "-". A file that cannot be read is a mistake in `option`.
[[nodiscard]] ResultTable read_result(const std::string& file, const std::string& option);

}  // namespace arthron::cli
