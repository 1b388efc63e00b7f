#include <filesystem>
#include <ostream>

#include "arthron/simulation/shortest_text.hpp"
#include "arthron/study/run_study.hpp"
#include "arthron/study/table.hpp"
#include "commands.hpp"
#include "executor_of_ranks.hpp"
#include "interrupt.hpp"
#include "model_options.hpp"
#include "progress.hpp"

namespace arthron::cli {
namespace {

struct SweepOptions {
  std::string file, output, threads;
  bool restart = false, quiet = false;

  void declare(CLI::App& command) {
    command.add_option("study", file, "the study's JSON file")->type_name("STUDY")->required();
    command.add_option("--output", output, "table of the results; by default named after the study, in the working folder")
        ->type_name("FILE.csv");
    command.add_option("--threads", threads, "variants computed at the same time, by default one per core")->type_name("COUNT");
    declare_plugins(command);
    command.add_flag("--restart", restart, "recompute all variants, also those that an interrupted run has finished");
    command.add_flag("--quiet", quiet, "print no summary and no progress");
  }

  [[nodiscard]] std::string table() const {
    return output.empty() ? std::filesystem::path(file).filename().replace_extension(".csv").string() : output;
  }

  /// The processes that mpirun has started, or the threads of this one.
  [[nodiscard]] std::unique_ptr<Executor> executor() const {
    if (std::unique_ptr<Executor> ranks = executor_of_ranks()) {
      if (!threads.empty() && ranks->leads())
        throw ModelError({{"", 0, "--threads", "more than one process, started by mpirun", "either of the two: mpirun -n COUNT", ""}});
      return ranks;
    }
    std::vector<Diagnostic> mistakes;
    const int count = threads.empty() ? 0 : static_cast<int>(whole_number("--threads", threads, 1024, mistakes));
    if (!mistakes.empty()) throw ModelError(std::move(mistakes));
    return std::make_unique<ThreadExecutor>(count);
  }
};

void refuse_unfit(const Study& study, const std::string& output) {
  if (output == "-") throw ModelError({{"", 0, "--output", "\"-\", the console", "a file: finished variants are kept beside it", ""}});
  const StudyDefinition& definition = study.definition();
  for (const std::string& file : {definition.file, definition.model, definition.parameters.front().place.file})
    if (same_file(file, output)) throw ModelError({{"", 0, "--output", '"' + output + "\", which the study reads", "another file", ""}});
}

void report_failures(const StudyReport& report, const SweepOptions& options, std::ostream& err) {
  constexpr std::size_t most = 5;
  std::size_t told = 0;
  if (report.failures() > 0) err << options.file << '\n';
  for (const StudyRow& row : report.rows) {
    if (row.status == StudyRow::Status::ok) continue;
    if (told++ == most) {
      err << "  and " << report.failures() - most << " more, see the columns status and message of the table\n";
      break;
    }
    err << "  variant " << row.variant << " " << name_of(row.status) << ": " << row.message << '\n';
  }
}

std::string summary(const Study& study, const StudyReport& report, const SweepOptions& options, const Executor& executor) {
  std::string text = "variants            " + std::to_string(study.size()) + " of " + study.definition().model;
  if (report.earlier > 0) text += ", " + std::to_string(report.earlier) + " of them by an earlier run";
  if (report.failures() > 0) text += ", " + std::to_string(report.failures()) + " failed";
  text += "\nwall time           " + rounded_text(report.wall) + " s on " + executor.words() + "\ntable               " + options.table() +
          "\n\n";
  return text + results_text(study, report.rows);
}

int run_sweep(const SweepOptions& options, Executor& executor, Console& console) {
  const Study study(options.file, known_types());
  refuse_unfit(study, options.table());
  StudyReport report;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, 1, console.interactive && !options.quiet && executor.leads());
    StudyRun run{options.table(), options.restart};
    run.show = [&](std::size_t done, std::size_t total) { progress.show(static_cast<double>(done) / static_cast<double>(total)); };
    run.proceed = [&] { return !interrupt.raised(); };
    report = run_study(study, run, executor);
  }
  if (!executor.leads()) return ExitCode::success;
  if (!report.complete) {
    console.err << options.file << "\n  interrupted: " << report.rows.size() << " of " << study.size() << " variants are kept in "
                << journal_of(options.table()) << "; the same command goes on from there\n";
    return ExitCode::interrupted;
  }
  if (!options.quiet) console.out << summary(study, report, options, executor);
  report_failures(report, options, console.err);
  return report.failures() > 0 ? ExitCode::numerical_failure : ExitCode::success;
}

int run_sweep(const SweepOptions& options, Console& console) {
  const std::unique_ptr<Executor> executor = options.executor();
  try {
    return run_sweep(options, *executor, console);
  } catch (const ModelError&) {
    if (executor->leads()) throw;
    return ExitCode::success;  // the leader has found it too and tells it, unless mpirun ends all because one has failed
  }
}

}  // namespace

void add_sweep_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("sweep", "run a model with many values of its parameters and write a table of results");
  const auto options = std::make_shared<SweepOptions>();
  options->declare(*command);
  command->callback([options, &console, &exit_code] { exit_code = run_sweep(*options, console); });
}

}  // namespace arthron::cli
