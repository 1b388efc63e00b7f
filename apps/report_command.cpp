#include <filesystem>
#include <memory>
#include <ostream>

#include "arthron/component/json_document.hpp"
#include "arthron/simulation/output_file.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "interrupt.hpp"
#include "plotting/figure.hpp"
#include "progress.hpp"
#include "report/kc_report.hpp"
#include "report/run_report.hpp"
#include "run_options.hpp"

namespace arthron::cli {
namespace {

/// What closing the loops takes away. A model that cannot be examined is still worth a report.
LoopReport examined(Model model) {
  model.simulation.formulation = "hdca";  // the one in which loops are examined
  Simulation simulation(std::make_shared<const Model>(std::move(model)));
  LoopReport loops;
  loops.freedom = loops.freedom_as_assembled = simulation.plan().nu;
  return simulation.start().ok() ? examine_loops(simulation) : loops;
}

int report_run(const RunOptions& options, Console& console) {
  const auto model = std::make_shared<const Model>(options.load());
  Simulation simulation(model, options.max_steps());
  ChannelSet channels(simulation.plan(), options.channel_requests(*model));
  // What keeps a page from being written is found before the work is done.
  OutputFile file(options.output, "--output");
  (void)to_svg({}, "--output");

  RunHistory history(channels.columns().size());
  RunSummary summary;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, model->simulation.until, console.interactive && !options.quiet);
    RunObserver observer;
    observer.row = [&](double, std::span<const double> values) { history.note(simulation, values); };
    observer.proceed = [&](double t) {
      progress.show(t);
      return !interrupt.raised();
    };
    summary = run(simulation, channels, observer);
  }
  require_start(summary, *model);
  const LoopReport loops = examined(*model);
  file.write(run_report({simulation, channels.columns(), history, summary, loops}, "--output"));
  file.commit();
  if (!options.quiet) console.out << to_text(summary);
  if (!summary.status.ok()) report_failure(summary.status, summary.message, *model, console.err);
  return exit_code_of(summary.status);
}

/// Options of a run say nothing about curves that are there already.
void refuse_run_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_positional() && !option->check_name("--output") && !option->check_name("--quiet"))
      throw ModelError({{"", 0, option->get_name(), "a folder of curves, which needs no run", "a model with this option", ""}});
}

int make_report(const RunOptions& options, const CLI::App& command, Console& console) {
  if (!options.output.ends_with(".html")) throw ModelError({{"", 0, "--output", quote_text(options.output), "FILE.html", ""}});
  std::error_code none;
  if (!std::filesystem::is_directory(options.model.file, none)) return report_run(options, console);
  refuse_run_options(command);
  OutputFile file(options.output, "--output");
  file.write(kc_report(options.model.file, "--output"));
  file.commit();
  return ExitCode::success;
}

}  // namespace

void add_report_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "simulate a model, or take a folder of arthron kc, and write a page about it");
  const auto options = std::make_shared<RunOptions>();
  options->declare_simulation(*command);
  command->add_option("--output", options->output, "page to write, complete in one file, for screen and paper")
      ->type_name("FILE.html")
      ->required();
  command->callback([options, command, &console, &exit_code] { exit_code = make_report(*options, *command, console); });
}

}  // namespace arthron::cli
