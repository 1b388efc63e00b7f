#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "arthron/model/find.hpp"
#include "arthron/simulation/csv.hpp"
#include "arthron/simulation/output_file.hpp"
#include "arthron/simulation/run.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "run_options.hpp"

namespace arthron::cli {
namespace {

/// Where the rows go: nowhere, to the console, or to a file that appears whole.
class RowWriter {
 public:
  RowWriter(const std::string& name, std::ostream& console, const std::vector<ChannelColumn>& columns)
      : console_(console), to_console_(name == "-") {
    if (!name.empty() && !to_console_) file_ = std::make_unique<OutputFile>(name, "--output");
    write(csv_header(columns));
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
  bool to_console_;
  std::unique_ptr<OutputFile> file_;
  std::string line_;
};

/// Writes checkpoints, each whole. What goes wrong is told at the end, when the rows are safe.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(const RunOptions& options) : file_(options.checkpoint), subsystem_(options.checkpoint_of) {
    if (!file_.empty()) const OutputFile writable(file_, "--checkpoint");
  }
  void write(const Checkpoint& checkpoint) {
    try {
      write_checkpoint(subsystem_.empty() ? checkpoint : checkpoint.part(subsystem_), file_, "--checkpoint");
    } catch (const ModelError& mistake) {
      trouble_ = mistake;
    }
  }
  void finish() const {
    if (trouble_) throw ModelError(*trouble_);
  }

 private:
  std::string file_, subsystem_;
  std::optional<ModelError> trouble_;
};

int exit_code_of(const Status& status) {
  switch (status.code) {
    case Status::Code::ok: return ExitCode::success;
    case Status::Code::interrupted: return ExitCode::interrupted;
    case Status::Code::too_many_steps:  // a setting of the user's that the model does not fit
      return ExitCode::user_mistake;
    default: return ExitCode::numerical_failure;
  }
}

/// Where in the model file the joint stands that a failure names; the file itself when it names none.
SourceRef place_of(const Status& status, const Model& model) {
  if (status.element >= 0) return model.joints[static_cast<std::size_t>(status.element)].source;
  return {model.files.front(), 0, ""};
}

void report_failure(const RunSummary& summary, const Model& model, std::ostream& err) {
  const SourceRef place = place_of(summary.status, model);
  err << place.file;
  if (place.line > 0) err << ':' << place.line << ": " << place.pointer;
  err << "\n  " << summary.message << '\n';
}

/// A model that cannot even start is the user's mistake, not the computation's failure.
void require_start(const RunSummary& summary, const Model& model) {
  if (summary.rows > 0 || summary.status.code == Status::Code::interrupted) return;
  const SourceRef place = place_of(summary.status, model);
  throw ModelError({{place.file, place.line, place.pointer, summary.message, "a state to start from", ""}});
}

[[noreturn]] void refuse_state(const Status& status, const Simulation& simulation) {
  const SourceRef place = place_of(status, simulation.model());
  throw ModelError({{place.file, place.line, place.pointer,
                     describe(status, simulation.plan(), simulation.workspace(), simulation.state().t), "a state to go on from", ""}});
}

/// Puts the simulation into the state of the checkpoints; says how in words.
std::string take_over(Simulation& simulation, const RunOptions& options, const std::optional<Checkpoint>& earlier,
                      const std::vector<PartState>& parts) {
  std::string words;
  const Resumption start = earlier ? simulation.resume(*earlier) : Resumption{simulation.start()};
  if (!start.status.ok()) refuse_state(start.status, simulation);
  if (earlier)
    words = "resumed             at " + rounded_text(earlier->t) + " s from " + options.resume +
            (start.exact ? ", bit for bit\n" : ", the method starts anew: model, settings or program differ\n");
  if (parts.empty()) return words;
  const Resumption restored = simulation.restore(parts);
  if (!restored.status.ok()) refuse_state(restored.status, simulation);
  for (const PartState& part : parts)
    words += "restored            " + part.subsystem + " from " + part.checkpoint.file +
             (restored.exact ? "\n" : ", nearest to it: loops do not close with exactly this state\n");
  return words;
}

int run_model(const RunOptions& options, Console& console) {
  const auto model = std::make_shared<const Model>(options.load());
  const std::optional<Checkpoint> earlier = options.earlier(*model);
  const std::vector<PartState> parts = options.parts(*model);
  (void)find_subsystem(*model, options.checkpoint_of, "--checkpoint-of");
  Simulation simulation(model, options.max_steps());
  ChannelSet channels(simulation.plan(), options.channel_requests(*model));

  // Files that cannot be written are found before the work is done.
  RowWriter rows(options.output, console.out, channels.columns());
  const auto summary_file = options.summary.empty() ? nullptr : std::make_unique<OutputFile>(options.summary, "--summary");

  CheckpointWriter checkpoints(options);
  const bool goes_on = earlier || !parts.empty();
  const std::string taken_over = goes_on ? take_over(simulation, options, earlier, parts) : "";

  RunSummary summary;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, model->simulation.until, console.interactive && !options.quiet);
    RunObserver observer;
    observer.row = [&rows](double t, std::span<const double> values) { rows.row(t, values); };
    observer.proceed = [&](double t) {
      progress.show(t);
      return !interrupt.raised();
    };
    if (!options.checkpoint.empty()) observer.checkpoint = [&](const Checkpoint& checkpoint) { checkpoints.write(checkpoint); };
    observer.checkpoint_every = options.checkpoint_every();
    const RunRecord books = earlier && earlier->run ? *earlier->run : RunRecord{};
    summary = goes_on ? go_on(simulation, channels, observer, books) : run(simulation, channels, observer);
  }

  require_start(summary, *model);
  rows.finish();
  if (summary_file) {
    summary_file->write(to_json(summary).dump(2) + '\n');
    summary_file->commit();
  }
  checkpoints.finish();
  if (!options.quiet) (options.output == "-" ? console.err : console.out) << taken_over << to_text(summary);
  if (!summary.status.ok()) report_failure(summary, *model, console.err);
  return exit_code_of(summary.status);
}

}  // namespace

void add_run_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "simulate a model, write its results and print a summary");
  const auto options = std::make_shared<RunOptions>();
  options->declare(*command);
  command->callback([options, &console, &exit_code] { exit_code = run_model(*options, console); });
}

}  // namespace arthron::cli
