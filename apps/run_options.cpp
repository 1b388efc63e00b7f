#include "run_options.hpp"

#include <algorithm>

#include "arthron/component/json_document.hpp"
#include "arthron/model/find.hpp"
#include "arthron/simulation/run.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron::cli {
namespace {

/// Options with one value, what it is called, and the places in the model file that they stand in for.
struct TextOption {
  const char* name;
  const char* value;
  const char* help;
  std::vector<const char*> pointers;
};

const std::string checkpoint_every_option = "--checkpoint-every";

const std::vector<TextOption>& text_options() {
  static const std::vector<TextOption> list = {
      {"--until", "SECONDS", "end of the simulation", {"/simulate/until"}},
      {"--integrator", "NAME", "", {"/simulate/integrator/type"}},
      {"--tolerance",
       "NUMBER",
       "relative and absolute tolerance of adaptive integrators",
       {"/simulate/integrator/relative_tolerance", "/simulate/integrator/absolute_tolerance"}},
      {"--relative-tolerance", "NUMBER", "instead of --tolerance", {"/simulate/integrator/relative_tolerance"}},
      {"--absolute-tolerance", "NUMBER", "instead of --tolerance", {"/simulate/integrator/absolute_tolerance"}},
      {"--step", "SECONDS", "step of fixed-step integrators", {"/simulate/integrator/step"}},
      {"--max-steps", "COUNT", "give up after so many steps (default 1e8)", {}},
      {"--checkpoint-every", "SECONDS", "write the checkpoint also at rows so far apart in simulated time", {}},
      {"--output-step", "SECONDS", "time between output rows", {"/simulate/output/step"}},
      {"--loop-tolerance", "METRES", "opening of closed loops that is left alone", {"/simulate/loops/tolerance"}},
      {"--baumgarte", "RATE", "how fast acceleration-based formulations bring openings back, in 1/s", {"/simulate/loops/baumgarte"}},
      {"--formulation", "NAME", "hdca, dca, slm, sslm or block-module", {"/simulate/formulation"}},
      {"--elimination", "NAME", "auto, fold or pair", {"/simulate/elimination"}},
      {"--threads", "COUNT", "workers, or auto for as many as pay; the numbers do not depend on it", {"/simulate/threads"}},
  };
  return list;
}

std::string integrator_help() {
  std::string text = "method:";
  for (const IntegratorType& type : integrator_types()) text += "\n  " + std::string(type.name) + "  " + std::string(type.description);
  return text;
}

}  // namespace

void RunOptions::declare(CLI::App& command) {
  declare_settings(command);
  command.add_option("--output", output, "write the rows to this CSV file, or to the console for -")->type_name("FILE.csv");
  command.add_option("--summary", summary, "write the summary to this JSON file")->type_name("FILE.json");
  command.add_option("--checkpoint", checkpoint, "write the state at the end to this file, also after Ctrl-C or a failure")
      ->type_name("FILE.json");
  declare_text(command, checkpoint_every_option);
  command.add_option("--checkpoint-of", checkpoint_of, "only of this subsystem")->type_name("PATH");
  command.add_option("--resume", resume, "go on from this checkpoint")->type_name("FILE.json");
  command.add_option("--restore", restored_, "start with a subsystem in the state of this checkpoint (repeatable)")
      ->type_name("PATH=FILE.json")
      ->expected(1)
      ->take_all();
}

void RunOptions::declare_text(CLI::App& command, const std::string& name) {
  for (const TextOption& option : text_options()) {
    if (option.name != name) continue;
    const std::string help = option.help[0] == '\0' ? integrator_help() : option.help;
    command.add_option(option.name, texts_[option.name], help)->type_name(option.value)->take_last();
  }
}

void RunOptions::declare_settings(CLI::App& command) {
  model.declare(command);
  command
      .add_option("--channel", channels_, "a column of the output (repeatable), such as tip.position, arm.velocity.x, energy or '*.effort'")
      ->type_name("PATH")
      ->expected(1)
      ->take_all();
  for (const TextOption& option : text_options())
    if (option.name != checkpoint_every_option) declare_text(command, option.name);
  command.add_flag("--no-project", no_project_, "do not bring the state back onto closed loops after every step");
  command.add_flag("--no-reanchor", no_reanchor_, "do not move the impulses of closed loops into the momenta after every step");
  command.add_flag("--quiet", quiet, "print no summary and no progress");
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
      {"--output", output}, {"--summary", summary}, {"--checkpoint", checkpoint}};
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
