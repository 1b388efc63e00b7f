#pragma once
#include <functional>
#include <string>
#include <vector>

#include "arthron/study/executor.hpp"
#include "arthron/study/study.hpp"

namespace arthron {

/// Where a study is computed to, and who watches.
struct StudyRun {
  std::string output;                                               // CSV file; finished rows wait in a journal beside it
  bool restart = false;                                             // throw away what an earlier run has finished
  std::function<void(std::size_t done, std::size_t total)> show{};  // after every row
  std::function<bool()> proceed{};                                  // false ends the run; finished rows are kept
};

struct StudyReport {
  std::vector<StudyRow> rows;  // by variant; all of them when complete
  std::size_t earlier = 0;     // of these, by an earlier run
  bool complete = false;
  double wall = 0;  // [s]

  [[nodiscard]] std::size_t failures() const;
};

[[nodiscard]] std::string journal_of(const std::string& output);

/// Computes the variants that no earlier run has finished, and writes the table when all are there: whole, and byte for byte the same
/// however often the study was interrupted and whoever computed it. Throws ModelError for files that cannot be used. The report is empty in
/// processes that do not lead.
[[nodiscard]] StudyReport run_study(const Study& study, const StudyRun& run, Executor& executor);

/// Of every result the least, mean and largest value, the standard deviation, and which variants the extremes are of.
[[nodiscard]] std::string results_text(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace arthron
