#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "support/folder.hpp"
#include "support/fuzz/campaign.hpp"

using namespace arthron;
using namespace arthron::fuzz;

namespace {

constexpr auto usage = R"(fuzz [--seed S] [--count N] [--first N] [--faults FOLDER]
  damages models, studies, checkpoints, recordings, tables and plug-ins, and lets the program read them. Each input that makes it crash,
  hang, take too much memory, write what is not finite, leave half a file or complain without a place is kept in FOLDER (default
  faults): its files, the command, the reason. The same seed and number give the same input.
fuzz --seed S --write N [--faults FOLDER]
  keeps input N without running it.
fuzz --replay FOLDER...
  runs the commands of such folders again.
)";

std::uint64_t whole(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) throw std::invalid_argument("found " + text + "; expected a whole number");
  return number;
}

struct Options {
  std::uint64_t seed = 1, count = 20'000, first = 0;
  bool write = false;
  std::string faults = "faults";
  std::vector<std::string> replayed;
};

Options read_options(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--replay") {
      options.replayed.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (i + 1 == words.size()) throw std::invalid_argument(option + " without a value");
    const std::string& value = words[++i];
    if (option == "--seed")
      options.seed = whole(value);
    else if (option == "--count")
      options.count = whole(value);
    else if (option == "--first")
      options.first = whole(value);
    else if (option == "--write")
      options.first = whole(value), options.write = true;
    else if (option == "--faults")
      options.faults = value;
    else
      throw std::invalid_argument("unknown option " + option);
  }
  return options;
}

int replay_all(const std::vector<std::string>& folders) {
  int faults = 0;
  for (const std::string& folder : folders) {
    const std::string fault = replay(folder, ARTHRON_FUZZ_BUILT);
    std::cout << folder << ": " << (fault.empty() ? "no fault" : fault) << std::endl;
    faults += fault.empty() ? 0 : 1;
  }
  return faults == 0 ? 0 : 1;
}

/// Files are written by the thousand: where the system keeps a folder in memory, there.
void prefer_memory() {
  constexpr auto folder = "/dev/shm";
  if (access(folder, W_OK | X_OK) == 0) setenv("TMPDIR", folder, 0);
}

int run(const Options& options) {
  prefer_memory();
  if (!options.replayed.empty()) return replay_all(options.replayed);
  const std::string faults = std::filesystem::absolute(options.faults).string();
  const test::Folder place;
  const Corpus corpus(place.file("."), ARTHRON_SOURCE_DIR, ARTHRON_FUZZ_BUILT);
  if (options.write) {
    keep(corpus, make_case(corpus, options.seed, options.first), "not run",
         faults + "/" + std::to_string(options.seed) + "-" + std::to_string(options.first));
    return 0;
  }
  Tally tally = run_inputs(corpus, options.seed, options.first, options.count, faults);
  std::cout << tally.inputs << " inputs: " << tally.succeeded << " ran, " << tally.refused << " refused, " << tally.failed
            << " failed with a reason, " << tally.interrupted << " interrupted, " << tally.faults << " faults\n";
  std::sort(tally.slowest.begin(), tally.slowest.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  for (const auto& slow : tally.slowest) std::cout << "slow: " << slow.seconds << " s, input " << slow.number << '\n';
  // Inputs that are all refused, or all accepted, test nothing.
  const bool varied = tally.inputs < 1000 || (tally.succeeded * 10 > tally.inputs && tally.refused * 5 > tally.inputs);
  if (!varied) std::cout << "too few inputs run, or too few are refused: the damage is not what it should be\n";
  if (tally.faults > 0) std::cout << "kept in " << faults << "; fuzz --replay FOLDER runs one again\n";
  return tally.faults == 0 && varied ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "--help") return std::cout << usage, 0;
    return run(read_options(words));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n' << usage;
    return 2;
  }
}
