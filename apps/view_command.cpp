#include <cmath>
#include <memory>
#include <ostream>

#include "arthron/scene/recording.hpp"
#include "arthron/scene/scene.hpp"
#include "arthron/simulation/output_file.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "interrupt.hpp"
#include "page_channels.hpp"
#include "pages/pages.hpp"
#include "progress.hpp"
#include "run_options.hpp"

namespace arthron::cli {
namespace {

constexpr double frame_step = 1.0 / 60;  // [s]
constexpr double most_numbers = 2.5e6;   // of channels that nobody asked for

struct ViewOptions {
  RunOptions run;
  std::string output, follow;
  std::vector<std::string> traces, plots;
};

/// `message`: what whoever opens the page should know, such as why a run has ended early.
nlohmann::ordered_json page_options(const ViewOptions& options, const std::string& message) {
  nlohmann::ordered_json json{{"live", false}};
  if (!message.empty()) json["message"] = message;
  if (!options.follow.empty()) json["follow"] = options.follow;
  if (!options.traces.empty()) json["trace"] = options.traces;
  if (!options.plots.empty()) json["plot"] = options.plots;
  return json;
}

/// What the options of the page name, held against what it will show.
void check_page_options(const ViewOptions& options, const nlohmann::ordered_json& scene) {
  std::vector<Diagnostic> mistakes;
  const auto check = [&](const std::string& option, const std::vector<std::string>& names, const std::vector<std::string>& known,
                         const std::string& expected) {
    for (const std::string& name : names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        mistakes.push_back({"", 0, option, '"' + name + '"', expected, nearest_name(name, known)});
  };
  std::vector<std::string> moving, channels;
  for (const auto& body : scene.at("bodies")) moving.push_back(body.at("path"));
  if (!options.follow.empty()) check("--follow", {options.follow}, moving, "a body");
  for (const auto& marker : scene.at("markers")) moving.push_back(marker.at("path"));
  check("--trace", options.traces, moving, "a marker or a body");
  for (const auto& channel : scene.at("channels")) channels.push_back(channel.at("name"));
  check("--plot", options.plots, channels, "one column of a channel that the page holds");
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

std::string page(const ViewOptions& options, const SavedRecording& recording, const std::string& message = "") {
  return with_data(view_page(),
                   {json_data("arthron-scene", recording.scene),
                    {"arthron-frames", "text/plain", recording.frames},
                    json_data("arthron-options", page_options(options, message))},
                   "view");
}

int view_model(const ViewOptions& options, Console& console) {
  Model loaded = options.run.load();
  if (!options.run.given("--output-step")) loaded.simulation.output_step = frame_step;
  const auto model = std::make_shared<const Model>(std::move(loaded));
  Simulation simulation(model, options.run.max_steps());
  const double frames = std::ceil(model->simulation.until / model->simulation.output_step);
  ChannelSet channels = page_channels(options.run, simulation.plan(), most_numbers / frames);
  OutputFile file(options.output, "--output");

  nlohmann::ordered_json scene;
  Recording recording;
  Frame frame;
  RunSummary summary;
  {
    const InterruptGuard interrupt;
    ProgressBar progress(console.err, model->simulation.until, console.interactive && !options.run.quiet);
    RunObserver observer;
    observer.accelerations = true;
    observer.row = [&](double, std::span<const double> values) {
      if (recording.count() == 0) check_page_options(options, scene = scene_json(simulation, channels.columns()));
      read_frame(simulation, values, frame);
      recording.add(frame);
    };
    observer.proceed = [&](double t) {
      progress.show(t);
      return !interrupt.raised();
    };
    summary = run(simulation, channels, observer);
  }
  require_start(summary, *model);
  file.write(page(options, {recording.scene(std::move(scene)), recording.frames()}, summary.status.ok() ? "" : summary.message));
  file.commit();
  if (!options.run.quiet) console.out << to_text(summary) << "page                " << options.output << '\n';
  if (!summary.status.ok()) report_failure(summary.status, summary.message, *model, console.err);
  return exit_code_of(summary.status);
}

int view_recording(const ViewOptions& options, Console& console) {
  std::vector<Diagnostic> mistakes;
  for (const std::string& option : options.run.given_options())
    mistakes.push_back(
        {"", 0, option, "an option of a run, and a recording", "a model, or a recording without it: what it holds is fixed", ""});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  const SavedRecording recording = read_recording(options.run.model.file);
  check_page_options(options, recording.scene);
  OutputFile file(options.output, "--output");
  file.write(page(options, recording));
  file.commit();
  if (!options.run.quiet)
    console.out << recording.scene.at("frames").at("count").get<std::int64_t>() << " frames, page " << options.output << '\n';
  return ExitCode::success;
}

int view(const ViewOptions& options, Console& console) {
  if (!options.output.ends_with(".html")) throw ModelError({{"", 0, "--output", '"' + options.output + '"', "FILE.html", ""}});
  if (same_file(options.output, options.run.model.file))
    throw ModelError({{"", 0, "--output", "the file that is shown", "another file", ""}});
  return is_recording(options.run.model.file) ? view_recording(options, console) : view_model(options, console);
}

}  // namespace

void add_view_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("view", "simulate a model, or take a recording of a run, and write a page that shows the motion");
  const auto options = std::make_shared<ViewOptions>();
  options->run.declare_simulation(*command);
  command->add_option("--output", options->output, "page to write, which any browser opens")->type_name("FILE.html")->required();
  command->add_option("--follow", options->follow, "body that the camera follows")->type_name("PATH");
  const auto repeatable = [&](const char* name, std::vector<std::string>& target, const char* help) {
    command->add_option(name, target, help)->type_name("PATH")->expected(1)->take_all();
  };
  repeatable("--trace", options->traces, "marker or body that leaves a trace (repeatable)");
  repeatable("--plot", options->plots, "channel that is plotted at first (repeatable)");
  command->callback([options, &console, &exit_code] { exit_code = view(*options, console); });
}

}  // namespace arthron::cli
