#include <memory>
#include <ostream>

#include "arthron/analysis/inverse_dynamics.hpp"
#include "arthron/dynamics/author_failure.hpp"
#include "arthron/simulation/simulation.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "row_writer.hpp"
#include "run_options.hpp"

namespace arthron::cli {
namespace {

/// Efforts of the driven joints, unless the user asks for something else.
std::vector<ChannelRequest> requests(const Model& model, const std::vector<std::string>& channels) {
  std::vector<ChannelRequest> list;
  for (const std::string& channel : channels) list.push_back({channel, "", "--channel"});
  if (!list.empty()) return list;
  for (const Joint& joint : model.joints)
    if (!joint.motion.empty()) list.push_back({joint.path + ".effort", model.files.front(), joint.source->pointer});
  if (list.empty())
    throw ModelError(
        {{model.files.front(), 0, "/joints", "no joint with a motion", "joints whose \"motion\" says how the model moves", ""}});
  return list;
}

struct InverseOptions {
  ModelOptions model;
  std::string output = "-";
  std::optional<std::string> until, output_step;
  std::vector<std::string> channels;
  bool quiet = false;

  void declare(CLI::App& command) {
    model.declare(command);
    command.add_option("--output", output, "write the rows to this CSV file, or to the console for -, the default")->type_name("FILE.csv");
    command.add_option("--until", until, "end of the motion")->type_name("SECONDS");
    command.add_option("--output-step", output_step, "time between rows")->type_name("SECONDS");
    command.add_option("--channel", channels, "a column of the output (repeatable); by default the efforts of all driven joints")
        ->type_name("PATH")
        ->expected(1)
        ->take_all();
    command.add_flag("--quiet", quiet, "print no progress");
  }

  [[nodiscard]] Model load() const {
    Model loaded = model.load();
    std::vector<Diagnostic> mistakes;
    const auto number = [&](const char* option, const std::optional<std::string>& text, double& target) {
      if (text) target = read_number(option, *text, mistakes);
    };
    number("--until", until, loaded.simulation.until);
    number("--output-step", output_step, loaded.simulation.output_step);
    if (mistakes.empty()) mistakes = check_settings(loaded.simulation, IntegratorLimits{}.max_steps);
    for (Diagnostic& mistake : mistakes) {
      if (until && mistake.pointer == "/simulate/until") mistake.pointer = "--until";
      if (output_step && mistake.pointer == "/simulate/output/step") mistake.pointer = "--output-step";
      if (mistake.pointer.starts_with('/')) mistake.file = model.file;
    }
    if (!mistakes.empty()) throw ModelError(std::move(mistakes));
    return loaded;
  }
};

int find_efforts(const InverseOptions& options, Console& console) {
  const auto model = std::make_shared<const Model>(options.load());
  const std::shared_ptr<Plan> plan = compile(model);
  connect_sensors(*plan);
  ChannelSet channels(*plan, requests(*model, options.channels));
  RowWriter rows(options.output, console.out, channels.columns());
  InverseDynamics inverse(plan);
  std::vector<double> values(channels.columns().size());

  const SimulationSettings& settings = model->simulation;
  Status status;
  double t = 0;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, settings.until, console.interactive && !options.quiet);
    const auto count = static_cast<std::int64_t>(settings.until / settings.output_step + 1e-9);
    for (std::int64_t row = 0; row <= count && status.ok(); ++row) {
      t = static_cast<double>(row) * settings.output_step;
      status = inverse.at(t);
      if (status.ok()) status = guarded(inverse.workspace(), [&] { return channels.read(*plan, inverse.workspace(), values), Status{}; });
      if (!status.ok()) break;
      rows.row(t, values);
      progress.show(t);
      if (interrupt.raised()) status = {Status::Code::interrupted};
    }
  }
  // Drives that do not even give a first row are the user's mistake, not the computation's failure.
  if (!status.ok() && t == 0 && is_mistake_at_start(status)) {
    const SourceRef place = place_of(status, *model);
    throw ModelError({{place.file, place.line, place.pointer, describe(status, *plan, inverse.workspace(), t),
                       "motions of joints that determine how everything moves", ""}});
  }
  rows.finish();
  if (!status.ok()) report_failure(status, describe(status, *plan, inverse.workspace(), t), *model, console.err);
  return exit_code_of(status);
}

}  // namespace

void add_inverse_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("inverse", "compute the efforts with which driven joints produce their prescribed motion");
  const auto options = std::make_shared<InverseOptions>();
  options->declare(*command);
  command->callback([options, &console, &exit_code] { exit_code = find_efforts(*options, console); });
}

}  // namespace arthron::cli
