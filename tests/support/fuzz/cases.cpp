#include "support/fuzz/cases.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "arthron/component/plugin_record.hpp"
#include "arthron/formulation/formulation.hpp"
#include "support/fuzz/text_damage.hpp"

namespace arthron::fuzz {

namespace {

using Arguments = std::vector<std::string>;
using Kind = Subject::Kind;

void append(Arguments& arguments, const Arguments& more) { arguments.insert(arguments.end(), more.begin(), more.end()); }

/// A short run.
Arguments run(const std::string& command, const std::string& model, Random& random) {
  static const std::array<std::string, 9> integrators{"dopri5", "bs32", "rkf78", "adams", "bdf", "rk4", "rk2", "implicit_midpoint",
                                                      "gauss4"};
  static const std::vector<std::string> formulations = formulation_names();
  Arguments arguments{command, model, "--max-steps", "60", "--threads", "1"};
  if (random.chance(85)) append(arguments, {"--until", "0.01", "--output-step", "0.002"});
  if (random.chance(30)) append(arguments, {"--integrator", random.one_of(integrators)});
  if (random.chance(30)) append(arguments, {"--formulation", random.one_of(formulations)});
  if (random.chance(5)) append(arguments, {"--elimination", "pair"});
  if (random.chance(5)) append(arguments, {"--no-project"});
  if (random.chance(5)) append(arguments, {"--channel", "*"});
  return arguments;
}

Arguments run_to_files(const std::string& model, Random& random) {
  Arguments arguments = run("run", model, random);
  append(arguments, {"--output", "out/rows.csv"});
  if (random.chance(15)) append(arguments, {"--checkpoint", "out/state.json"});
  if (random.chance(15)) append(arguments, {"--recording", "out/recording.json"});
  if (random.chance(15)) append(arguments, {"--summary", "out/summary.json"});
  return arguments;
}

Arguments model_command(const std::string& model, Random& random) {
  const std::size_t choice = random.pick(100);
  if (choice < 25) return random.chance(15) ? Arguments{"check", model, "--parameters"} : Arguments{"check", model};
  if (choice < 75) return run_to_files(model, random);
  if (choice < 84) return {"inverse", model, "--until", "0.01", "--output-step", "0.002", "--output", "out/rows.csv"};
  if (choice < 90) {
    Arguments graph{"graph", model, "--output", random.chance(10) ? "out/graph.svg" : "out/graph.dot"};
    if (random.chance(30)) append(graph, {"--elimination"});
    if (random.chance(20)) append(graph, {"--depth", "1", "--forces"});
    return graph;
  }
  Arguments page = run(choice == 99 && random.chance(30) ? "report" : "view", model, random);
  append(page, {"--output", "out/page.html"});
  return page;
}

Arguments table_command(const std::string& table, Random& random) {
  Arguments arguments{"plot", table, "--output", random.chance(2) ? "out/plot.svg" : "out/plot.html"};
  if (random.chance(30)) append(arguments, {"*.position"});
  if (random.chance(20)) append(arguments, {"--with", table});
  if (random.chance(20)) append(arguments, {"--from", "0.001"});
  if (random.chance(20)) append(arguments, {"--points"});
  return arguments;
}

Arguments command_of(const Subject& subject, Random& random) {
  switch (subject.kind) {
    case Kind::model: return model_command(subject.main, random);
    case Kind::suspension: return {"kc", subject.main, "--output", "out/curves", "--bump", "0.02", "--steer", "0.01", "--step", "0.01"};
    case Kind::study: return {"sweep", subject.main, "--threads", "1", "--output", "out/table.csv"};
    case Kind::checkpoint: {
      Arguments arguments = run_to_files(subject.main, random);
      append(arguments,
             subject.part.empty() ? Arguments{"--resume", subject.state} : Arguments{"--restore", subject.part + "=" + subject.state});
      return arguments;
    }
    case Kind::recording: return {"view", subject.main, "--output", "out/page.html"};
    case Kind::table: return table_command(subject.main, random);
    case Kind::curves: return {"report", subject.main, "--output", "out/page.html"};
    case Kind::plugin: return random.chance(50) ? Arguments{"types", "--plugin", subject.main} : Arguments{"check-plugin", subject.main};
  }
  return {};
}

/// Libraries cut short, and damage to what is read before a library is loaded: the head of the file and the record of its build. Damage to
/// code would be found by running it alone.
std::string damaged_library(std::string bytes, Random& random) {
  constexpr std::size_t head = 64, record = sizeof(PluginRecord);
  const std::size_t found = bytes.find(PluginRecord::signature, head);
  if (random.chance(40)) return bytes.substr(0, random.pick(bytes.size()));
  std::size_t first = 0, size = head;
  if (found != std::string::npos && random.chance(60)) first = found, size = std::min(record, bytes.size() - found);
  const std::size_t place = first + random.pick(size);
  bytes[place] = static_cast<char>(random.chance(50) ? random.pick(256) : bytes[place] ^ (1 << random.pick(8)));
  return bytes;
}

/// Files beside the one that names them, as it would.
std::vector<std::string> neighbours(const Subject& subject, const std::string& file) {
  std::vector<std::string> names;
  for (const std::string& other : subject.files)
    names.push_back(std::filesystem::path(other).lexically_relative(std::filesystem::path(file).parent_path()).string());
  return names;
}

std::string damaged(const Corpus& corpus, const Subject& subject, const std::string& file, Random& random) {
  const std::string& text = corpus.text(file);
  if (file.ends_with(".json")) return damaged_json(text, corpus.donors(), neighbours(subject, file), random);
  if (file.ends_with(".csv")) return damaged_table(text, random);
  if (file.ends_with(".so")) return damaged_library(text, random);
  return damaged_bytes(text, random);
}

/// Values of options as nobody should give them. Those of files, threads and the step limit stay.
void damage_arguments(Arguments& arguments, const Corpus& corpus, Random& random) {
  static const std::array<std::string, 12> numbers{"--until", "--output-step", "--step",      "--tolerance",
                                                   "--bump",  "--steer",       "--force",     "--wheel-radius",
                                                   "--depth", "--from",        "--baumgarte", "--loop-tolerance"};
  static const std::array<std::string, 7> words{"--channel", "--set", "--integrator", "--formulation", "--elimination", "--plot", "--x"};
  for (std::size_t count = 1 + random.pick(2); count > 0; --count) {
    if (random.chance(45)) {
      append(arguments, {random.one_of(numbers), strange_number(0.01, random)});
    } else if (random.chance(60)) {
      const std::string option = random.one_of(words);
      const std::string name = corpus.donors().key(random);
      append(arguments, {option, option == "--set"   ? name + "=" + strange_number(1, random)
                                 : random.chance(50) ? name
                                                     : misspelt(name, random)});
    } else {
      const std::string word = misspelt(random.one_of(arguments), random);
      if (!word.starts_with("/") && word.find("..") == std::string::npos) append(arguments, {word});
    }
  }
  // Kept commands have an argument a line.
  for (std::string& argument : arguments) std::erase_if(argument, [](char c) { return c == '\n' || c == '\0'; });
}

const Subject& chosen_subject(const Corpus& corpus, Random& random) {
  // Out of a thousand; models most of all, for they have most to be damaged. Curves are drawn by another program, which takes its time.
  static const std::array<std::pair<Kind, std::size_t>, Subject::kinds> shares{{{Kind::model, 617},
                                                                                {Kind::checkpoint, 130},
                                                                                {Kind::table, 80},
                                                                                {Kind::recording, 60},
                                                                                {Kind::study, 50},
                                                                                {Kind::suspension, 40},
                                                                                {Kind::plugin, 20},
                                                                                {Kind::curves, 3}}};
  std::size_t choice = random.pick(1000);
  Kind kind = Kind::model;
  for (const auto& [candidate, share] : shares) {
    if (choice < share) {
      kind = candidate;
      break;
    }
    choice -= share;
  }
  if (corpus.subjects(kind).empty()) kind = Kind::model;
  // Large subjects are slow: of two, the smaller one; those with thousands of bodies hardly ever.
  const auto is_huge = [](const Subject& subject) {
    return subject.main.ends_with("/convoy.json") || subject.main.ends_with("/rope.json");
  };
  const Subject& one = random.one_of(corpus.subjects(kind));
  const Subject& other = random.one_of(corpus.subjects(kind));
  if (is_huge(one) && !random.chance(5)) return other;
  return corpus.size(one) <= corpus.size(other) || is_huge(other) || random.chance(20) ? one : other;
}

}  // namespace

Case make_case(const Corpus& corpus, std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number);
  const Subject& subject = chosen_subject(corpus, random);
  Case made{command_of(subject, random), "", "", subject.files, subject.kind == Kind::study || subject.kind == Kind::suspension};
  if (subject.kind != Kind::plugin && random.chance(4)) {
    damage_arguments(made.arguments, corpus, random);
    made.may_be_long = true;
    return made;
  }
  made.file = random.chance(60) ? subject.files.front() : random.one_of(subject.files);
  made.text = damaged(corpus, subject, made.file, random);
  if (subject.kind == Kind::plugin) {  // under a name of its own: a library that is loaded must not change
    made.file = "damaged-" + std::to_string(number) + ".so";
    std::replace(made.arguments.begin(), made.arguments.end(), subject.main, made.file);
    made.needed.clear();
  }
  return made;
}

}  // namespace arthron::fuzz
