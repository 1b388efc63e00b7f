#include "arthron/study/run_study.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/output_file.hpp"
#include "arthron/study/journal.hpp"
#include "arthron/study/table.hpp"

namespace arthron {
namespace {

constexpr auto option = "--output";

/// The rows of a study on their way to its table.
class StudyRecord {
 public:
  StudyRecord(const Study& study, const StudyRun& run)
      : study_(study), run_(run), journal_(journal_of(run.output), study.fingerprint(), run.restart, option) {
    for (const std::string& line : journal_.lines())
      if (const auto row = read_study_line(study, line)) lines_.emplace(row->variant, line);
    earlier_ = lines_.size();
  }

  /// Groups that some row is missing of.
  [[nodiscard]] std::vector<std::size_t> missing() const {
    std::vector<std::size_t> groups;
    for (std::size_t variant = 0; variant < study_.size(); ++variant) {
      const std::size_t group = variant / study_.group_size();
      if (!lines_.contains(variant) && (groups.empty() || groups.back() != group)) groups.push_back(group);
    }
    return groups;
  }

  void take(const std::string& line) {
    const auto row = read_study_line(study_, line);
    if (!row) throw InternalError("every line that is delivered is a row of the study");
    if (lines_.contains(row->variant)) return;  // an earlier process came so far in this group
    journal_.append(line);
    lines_.emplace(row->variant, line);
    if (run_.show) run_.show(lines_.size() - earlier_, study_.size() - earlier_);
  }

  [[nodiscard]] StudyReport finish() {
    StudyReport report;
    report.earlier = earlier_;
    report.complete = lines_.size() == study_.size();
    for (const auto& [variant, line] : lines_) report.rows.push_back(*read_study_line(study_, line));
    if (!report.complete) return report;
    OutputFile file(run_.output, option);
    file.write(study_header(study_));
    for (const auto& [variant, line] : lines_) file.write(line);
    file.commit();
    journal_.remove();
    return report;
  }

 private:
  const Study& study_;
  const StudyRun& run_;
  Journal journal_;
  std::map<std::size_t, std::string> lines_;  // by variant
  std::size_t earlier_ = 0;
};

}  // namespace

std::string journal_of(const std::string& output) { return output + ".journal"; }

std::size_t StudyReport::failures() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const StudyRow& row) { return row.status != StudyRow::Status::ok; }));
}

StudyReport run_study(const Study& study, const StudyRun& run, Executor& executor) {
  const auto start = std::chrono::steady_clock::now();
  Job job;
  job.name = study.fingerprint();
  job.proceed = [&run] { return !run.proceed || run.proceed(); };
  job.work = [&](std::span<const std::size_t> groups) {
    std::vector<std::string> texts;
    for (const std::size_t group : groups) {
      const auto rows = study.run(group, job.proceed);
      if (!rows) break;
      texts.emplace_back();
      for (const StudyRow& row : *rows) texts.back() += study_line(study, row);
    }
    return texts;
  };
  if (!executor.leads()) {
    executor.share(job);
    return {};
  }
  StudyRecord record(study, run);
  const std::vector<std::size_t> missing = record.missing();
  job.pieces = missing;
  job.deliver = [&](const std::string& lines) {
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
      end = lines.find('\n', begin) + 1;
      record.take(lines.substr(begin, end - begin));
    }
  };
  executor.share(job);
  StudyReport report = record.finish();
  report.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace arthron
