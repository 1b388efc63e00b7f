#pragma once
#include <memory>
#include <ostream>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/csv.hpp"
#include "arthron/simulation/output_file.hpp"

namespace arthron::cli {

/// Where the rows go: nowhere, to the console, or to a file that appears whole.
class RowWriter {
 public:
  RowWriter(const std::string& name, std::ostream& console, const std::vector<ChannelColumn>& columns)
      : console_(console), name_(name), to_console_(name == "-"), header_(csv_header(columns)) {
    begin_anew();
  }
  /// Rows so far do not count: a file begins anew, the console gets another heading.
  void begin_anew() {
    file_.reset();
    if (!name_.empty() && !to_console_) file_ = std::make_unique<OutputFile>(name_, "--output");
    write(header_);
  }
  void row(double t, std::span<const double> values) {
    line_.clear();
    append_csv_row(line_, t, values);
    write(line_);
  }
  void finish() {
    if (file_) file_->commit();
    if (to_console_ && !console_.flush())
      throw ModelError({{"", 0, "--output", "a console that takes no more", "one that can be written", ""}});
  }

 private:
  void write(std::string_view text) {
    if (file_) file_->write(text);
    if (to_console_) console_ << text;
  }

  std::ostream& console_;
  std::string name_;
  bool to_console_;
  std::string header_;
  std::unique_ptr<OutputFile> file_;
  std::string line_;
};

}  // namespace arthron::cli
