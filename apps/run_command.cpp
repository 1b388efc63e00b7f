#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "arthron/model/find.hpp"
#include "arthron/simulation/digits.hpp"
#include "arthron/simulation/output_file.hpp"
#include "arthron/simulation/run.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "interrupt.hpp"
#include "live/live_run.hpp"
#include "progress.hpp"
#include "recording_writer.hpp"
#include "row_writer.hpp"
#include "run_options.hpp"

namespace arthron::cli {
namespace {

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

/// Which worker did which task when, as long as there is room for it.
class ProfileWriter {
 public:
  ProfileWriter(const RunOptions& options, Simulation& simulation) : simulation_(simulation) {
    if (options.profile.empty()) return;
    file_ = std::make_unique<OutputFile>(options.profile, "--profile");
    simulation.record_tasks(most);
  }
  void finish() const {
    if (!file_) return;
    std::ostringstream text;
    simulation_.write_tasks(text);
    file_->write(text.str());
    file_->commit();
  }

 private:
  static constexpr int most = 200'000;  // tasks, a file of about 20 MB
  Simulation& simulation_;
  std::unique_ptr<OutputFile> file_;
};

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
            (start.exact ? ", bit for bit\n" : ", the method restarts: model, settings or program differ\n");
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

  const ProfileWriter profile(options, simulation);
  RecordingWriter recording(options.recording, simulation, channels.columns());
  CheckpointWriter checkpoints(options);
  const bool goes_on = earlier || !parts.empty();
  const std::string taken_over = goes_on ? take_over(simulation, options, earlier, parts) : "";
  const auto check = options.digits ? std::make_unique<DigitCheck>(*model, options.channel_requests(*model), options.max_steps()) : nullptr;
  if (check && goes_on) (void)take_over(check->taken_over(), options, earlier, parts);

  RunSummary summary;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, model->simulation.until, console.interactive && !options.quiet);
    RunObserver observer;
    observer.row = [&](double t, std::span<const double> values) {
      rows.row(t, values);
      recording.row(values);
      if (check) check->row(t, values);
    };
    observer.accelerations = recording.wanted();
    observer.proceed = [&](double t) {
      progress.show(t);
      return !interrupt.raised();
    };
    if (!options.checkpoint.empty()) observer.checkpoint = [&](const Checkpoint& checkpoint) { checkpoints.write(checkpoint); };
    observer.checkpoint_every = options.checkpoint_every();
    const RunRecord record = earlier && earlier->run ? *earlier->run : RunRecord{};
    if (options.live) {
      const auto start = [&](Simulation& anew) {
        if (!goes_on) return anew.start();
        (void)take_over(anew, options, earlier, parts);
        return Status{};
      };
      summary = run_live({options, observer, record, start, [&rows] { rows.begin_anew(); }}, console.err);
    } else {
      summary = goes_on ? go_on(simulation, channels, observer, record) : run(simulation, channels, observer);
    }
  }

  require_start(summary, *model);
  if (check) summary.wall -= check->digits().wall, summary.cpu -= check->digits().cpu;
  rows.finish();
  recording.finish();
  profile.finish();
  if (summary_file) {
    nlohmann::ordered_json figures = to_json(summary);
    if (check) figures["digits"] = to_json(check->digits());
    summary_file->write(figures.dump(2) + '\n');
    summary_file->commit();
  }
  checkpoints.finish();
  if (!options.quiet)
    (options.output == "-" ? console.err : console.out) << taken_over << to_text(summary) << (check ? to_text(check->digits()) : "");
  if (!summary.status.ok()) report_failure(summary.status, summary.message, *model, console.err);
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
