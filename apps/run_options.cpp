#include "run_options.hpp"

#include <algorithm>

#include "arthron/component/json_document.hpp"
#include "arthron/model/find.hpp"
#include "arthron/simulation/run.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron::cli {
namespace {

std::string integrator_help() {
  std::string text = "method:";
  for (const IntegratorType& type : integrator_types()) text += "\n  " + std::string(type.name) + "  " + std::string(type.description);
  return text;
}

std::string formulation_help() {
  std::string text = "equations of motion, by what is integrated and how its rates are computed:";
  for (const auto& formulation : formulations())
    text += "\n  " + std::string(formulation->name()) + "  " + std::string(formulation->summary());
  return text;
}

/// Options with one value, what it is called, and the places in the model file that they stand in for.
struct TextOption {
  const char* name;
  const char* value;
  std::string help;
  std::vector<const char*> pointers;
};

const std::vector<TextOption>& text_options() {
  static const std::vector<TextOption> list = {
      {"--until", "SECONDS", "end of the simulation", {"/simulate/until"}},
      {"--integrator", "NAME", integrator_help(), {"/simulate/integrator/type"}},
      {"--tolerance",
       "NUMBER",
       "relative and absolute tolerance of adaptive integrators",
       {"/simulate/integrator/relative_tolerance", "/simulate/integrator/absolute_tolerance"}},
      {"--relative-tolerance", "NUMBER", "instead of --tolerance", {"/simulate/integrator/relative_tolerance"}},
      {"--absolute-tolerance", "NUMBER", "instead of --tolerance", {"/simulate/integrator/absolute_tolerance"}},
      {"--step", "SECONDS", "step of fixed-step integrators", {"/simulate/integrator/step"}},
      {"--max-steps", "COUNT", "give up after so many steps (default 1e8)", {}},
      {"--output-step", "SECONDS", "time between output rows", {"/simulate/output/step"}},
      {"--loop-tolerance", "METRES", "opening of closed loops that the projection ignores, in m", {"/simulate/loops/tolerance"}},
      {"--baumgarte", "RATE", "rate at which acceleration-based formulations close openings, in 1/s", {"/simulate/loops/baumgarte"}},
      {"--formulation", "NAME", formulation_help(), {"/simulate/formulation"}},
      {"--elimination", "NAME", "auto, fold or pair", {"/simulate/elimination"}},
      {"--threads", "COUNT", "number of workers, or auto; the results do not depend on it", {"/simulate/threads"}},
  };
  return list;
}

}  // namespace

bool RunOptions::given(const std::string& option) const {
  const auto text = texts_.find(option);
  return text != texts_.end() && text->second.has_value();
}

std::vector<std::string> RunOptions::given_options() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : texts_)
    if (text) names.push_back(name);
  if (!channels_.empty()) names.emplace_back("--channel");
  if (!model.parameters.empty()) names.emplace_back("--set");
  if (no_project_) names.emplace_back("--no-project");
  if (no_reanchor_) names.emplace_back("--no-reanchor");
  return names;
}

void RunOptions::declare_simulation(CLI::App& command) {
  model.declare(command);
  command
      .add_option("--channel", channels_, "a column of the output (repeatable), such as tip.position, arm.velocity.x, energy or '*.effort'")
      ->type_name("PATH")
      ->expected(1)
      ->take_all();
  for (const TextOption& option : text_options())
    command.add_option(option.name, texts_[option.name], option.help)->type_name(option.value)->take_last();
  command.add_flag("--no-project", no_project_, "do not project the state onto closed loops after every step");
  command.add_flag("--no-reanchor", no_reanchor_, "do not move the impulses of closed loops into the momenta after every step");
  command.add_flag("--quiet", quiet, "print no summary and no progress");
}

void RunOptions::declare(CLI::App& command) {
  declare_simulation(command);
  command.add_option("--output", output, "write the rows to this CSV file, or to the console for -")->type_name("FILE.csv");
  command.add_option("--recording", recording, "write a recording for `view` to this file, one frame per row")->type_name("FILE.json");
  command.add_option("--summary", summary, "write the summary to this JSON file")->type_name("FILE.json");
  command.add_option("--checkpoint", checkpoint, "write the state at the end to this file, also after Ctrl-C or a failure")
      ->type_name("FILE.json");
  command
      .add_option("--checkpoint-every", texts_["--checkpoint-every"], "write the checkpoint also during the run, at rows this far apart")
      ->type_name("SECONDS")
      ->take_last();
  command.add_option("--checkpoint-of", checkpoint_of, "write the checkpoint of this subsystem only")->type_name("PATH");
  command.add_option("--resume", resume, "continue from this checkpoint")->type_name("FILE.json");
  command.add_flag("--digits", digits,
                   "run a second time, with a hundredth of the tolerance or half the step, and print how many digits of every channel "
                   "hold, and until when");
  command.add_option("--profile", profile, "write the tasks of each worker over time to this file, for Chrome's tracing or Perfetto")
      ->type_name("FILE.json");
  command.add_flag("--live", live, "show the run in a browser while it runs, on this machine only");
  command.add_option("--port", texts_["--port"], "port of --live, by default a free one")->type_name("NUMBER")->take_last();
  command.add_option("--restore", restored_, "start with a subsystem in the state of this checkpoint (repeatable)")
      ->type_name("PATH=FILE.json")
      ->expected(1)
      ->take_all();
}

Model RunOptions::load() const {
  Model loaded = model.load();
  std::vector<Diagnostic> mistakes;
  apply(loaded.simulation, mistakes);
  check_files(mistakes);
  if (mistakes.empty()) mistakes = check_settings(loaded.simulation, max_steps());
  for (Diagnostic& mistake : mistakes) {
    if (!mistake.pointer.starts_with('/')) continue;
    mistake.file = model.file;
    for (const TextOption& option : text_options()) {
      const bool responsible = std::find(option.pointers.begin(), option.pointers.end(), mistake.pointer) != option.pointers.end();
      if (responsible && given(option.name)) mistake.file.clear(), mistake.pointer = option.name;
    }
  }
  // --tolerance stands in for two settings: one mistake, not two.
  const auto same = [](const Diagnostic& a, const Diagnostic& b) { return to_string(a) == to_string(b); };
  mistakes.erase(std::unique(mistakes.begin(), mistakes.end(), same), mistakes.end());
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return loaded;
}

void RunOptions::apply(SimulationSettings& settings, std::vector<Diagnostic>& mistakes) const {
  const auto number = [&](const char* option, double& target) {
    if (given(option)) target = read_number(option, *texts_.at(option), mistakes);
  };
  const auto text = [&](const char* option, std::string& target) {
    if (given(option)) target = *texts_.at(option);
  };
  IntegratorSettings& integrator = settings.integrator;
  number("--until", settings.until);
  text("--integrator", integrator.type);
  number("--tolerance", integrator.relative_tolerance);
  if (given("--tolerance")) integrator.absolute_tolerance = integrator.relative_tolerance;
  number("--relative-tolerance", integrator.relative_tolerance);
  number("--absolute-tolerance", integrator.absolute_tolerance);
  number("--step", integrator.step);
  number("--output-step", settings.output_step);
  number("--loop-tolerance", settings.loops.tolerance);
  number("--baumgarte", settings.loops.baumgarte);
  settings.loops.project = settings.loops.project && !no_project_;
  settings.loops.reanchor = settings.loops.reanchor && !no_reanchor_;
  text("--formulation", settings.formulation);
  text("--elimination", settings.elimination);
  if (given("--threads")) {
    settings.threads.reset();
    if (*texts_.at("--threads") != "auto")
      settings.threads = static_cast<int>(whole_number("--threads", *texts_.at("--threads"), 1024, mistakes));
  }
  if (given("--checkpoint-every") && !(read_number("--checkpoint-every", *texts_.at("--checkpoint-every"), mistakes) > 0) &&
      mistakes.empty())
    mistakes.push_back({"", 0, "--checkpoint-every", quote_text(*texts_.at("--checkpoint-every")), "a number > 0", ""});
  for (const char* option : {"--checkpoint-every", "--checkpoint-of"})
    if (checkpoint.empty() && (option == std::string("--checkpoint-of") ? !checkpoint_of.empty() : given(option)))
      mistakes.push_back({"", 0, option, "no --checkpoint", "--checkpoint FILE.json as well", ""});
  if (given("--max-steps")) (void)whole_number("--max-steps", *texts_.at("--max-steps"), 1e15, mistakes);
  if (given("--port") && !live) mistakes.push_back({"", 0, "--port", "no --live", "--live as well", ""});
  if (given("--port") && *texts_.at("--port") != "0") (void)whole_number("--port", *texts_.at("--port"), 65535, mistakes);
  if (live && !profile.empty()) mistakes.push_back({"", 0, "--profile", "--live as well", "one of the two", ""});
  if (live && digits) mistakes.push_back({"", 0, "--digits", "--live as well", "one of the two", ""});
  if (live && !recording.empty()) mistakes.push_back({"", 0, "--recording", "--live as well", "one of the two", ""});
}

int RunOptions::port() const {
  std::vector<Diagnostic> reported_by_apply;
  if (!given("--port") || *texts_.at("--port") == "0") return 0;
  return static_cast<int>(whole_number("--port", *texts_.at("--port"), 65535, reported_by_apply));
}

std::int64_t RunOptions::max_steps() const {
  std::vector<Diagnostic> reported_by_apply;
  return given("--max-steps") ? whole_number("--max-steps", *texts_.at("--max-steps"), 1e15, reported_by_apply)
                              : IntegratorLimits{}.max_steps;
}

double RunOptions::checkpoint_every() const {
  std::vector<Diagnostic> reported_by_apply;
  return given("--checkpoint-every") ? read_number("--checkpoint-every", *texts_.at("--checkpoint-every"), reported_by_apply)
                                     : RunObserver{}.checkpoint_every;
}

std::optional<Checkpoint> RunOptions::earlier(const Model& loaded) const {
  if (resume.empty()) return {};
  Checkpoint saved = read_checkpoint(resume);
  if (saved.t > loaded.simulation.until)
    throw ModelError({{"", 0, given("--until") ? "--until" : "--resume", "an end at " + shortest_text(loaded.simulation.until) + " s",
                       "one behind the time of the checkpoint, " + shortest_text(saved.t) + " s", ""}});
  return saved;
}

std::vector<PartState> RunOptions::parts(const Model& loaded) const {
  std::vector<PartState> parts;
  for (const std::string& text : restored_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw ModelError({{"", 0, "--restore", quote_text(text), "subsystem=file", ""}});
    (void)find_subsystem(loaded, text.substr(0, equals), "--restore");
    parts.push_back({text.substr(0, equals), read_checkpoint(text.substr(equals + 1))});
  }
  return parts;
}

void RunOptions::check_files(std::vector<Diagnostic>& mistakes) const {
  const std::vector<std::pair<std::string, std::string>> written = {
      {"--output", output}, {"--recording", recording}, {"--summary", summary}, {"--checkpoint", checkpoint}};
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [option, file] = written[i];
    if (same_file(file, model.file)) mistakes.push_back({"", 0, option, "the model's own file", "another file", ""});
    for (std::size_t other = 0; other < i; ++other)
      if (same_file(file, written[other].second))
        mistakes.push_back({"", 0, option, "the file of " + written[other].first, "another file", ""});
  }
}

std::vector<ChannelRequest> RunOptions::channel_requests(const Model& loaded) const {
  std::vector<ChannelRequest> requests;
  for (const std::string& path : channels_) requests.push_back({path, "", "--channel"});
  if (!requests.empty()) return requests;
  const std::vector<std::string>& paths = loaded.simulation.channels;
  for (std::size_t i = 0; i < paths.size(); ++i)
    requests.push_back({paths[i], model.file, "/simulate/output/channels/" + std::to_string(i)});
  return requests;
}

}  // namespace arthron::cli
