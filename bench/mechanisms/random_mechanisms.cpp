#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "arthron/components/builtins.hpp"
#include "support/mechanisms/trial.hpp"

/// random_mechanisms [--seed S] [--count N] [--formulation NAME] [--check NAME]... [--folder FOLDER] [--write]
///
/// Draws N random mechanisms, from seed S on, and checks what must hold for each. Failures are printed with their seeds, and the models are
/// written to FOLDER as files for `arthron run`. --write writes every model and checks nothing.
using namespace arthron;
using namespace arthron::test;

namespace {

struct Options {
  unsigned seed = 1, count = 100;
  std::string formulation = "hdca", folder;
  std::vector<std::string> checks;
  bool write = false;
};

int explain() {
  std::fprintf(
      stderr,
      "usage: random_mechanisms [--seed S] [--count N] [--formulation NAME] [--check NAME]... [--folder FOLDER] [--write]\nchecks:");
  for (const Check& check : all_checks()) std::fprintf(stderr, " \"%s\"", check.name.c_str());
  std::fprintf(stderr, "\n");
  return 2;
}

bool read(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--write") {
      options.write = true;
      continue;
    }
    if (++i == argc) return false;
    const std::string value = argv[i];
    if (name == "--seed")
      options.seed = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (name == "--count")
      options.count = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (name == "--formulation")
      options.formulation = value;
    else if (name == "--check")
      options.checks.push_back(value);
    else if (name == "--folder")
      options.folder = value;
    else
      return false;
  }
  for (const std::string& name : options.checks)
    if (std::none_of(all_checks().begin(), all_checks().end(), [&](const Check& check) { return check.name == name; })) return false;
  return true;
}

void save(const std::string& folder, const std::string& name, const Json& model) {
  if (!folder.empty()) std::ofstream(folder + "/" + name + ".json") << model.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return explain();
  const Registry types = builtin_registry();
  Report all;
  unsigned wrong = 0;
  const auto start = std::chrono::steady_clock::now();
  for (unsigned seed = options.seed; seed < options.seed + options.count; ++seed) {
    if (options.write) {
      save(options.folder, "random_" + std::to_string(seed), draw_mechanism(types, seed).model);
      continue;
    }
    const Report report = check_mechanism(types, seed, options.checks, options.formulation);
    for (std::size_t i = 0; i < report.failures.size(); ++i) {
      const Failure& failure = report.failures[i];
      std::printf("seed %u: %s: %s\n", seed, failure.check.c_str(), failure.detail.c_str());
      std::fflush(stdout);
      save(options.folder, "random_" + std::to_string(seed) + "_" + std::to_string(i), failure.model);
    }
    wrong += report.failures.empty() ? 0 : 1;
    all.add(report);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%u mechanisms in %.1f s, %u of them wrong\n%-16s %8s %8s %8s\n", options.count, seconds, wrong, "check", "done", "skipped",
              "wrong");
  std::vector<std::string> names{"runs"};
  for (const Check& check : all_checks()) names.push_back(check.name);
  for (const std::string& name : names)
    std::printf(
        "%-16s %8d %8d %8ld\n", name.c_str(), all.done[name], all.skipped[name],
        static_cast<long>(std::count_if(all.failures.begin(), all.failures.end(), [&](const Failure& f) { return f.check == name; })));
  return wrong == 0 ? 0 : 1;
}
