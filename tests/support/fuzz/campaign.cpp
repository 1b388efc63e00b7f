#include "support/fuzz/campaign.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "cli.hpp"
#include "support/folder.hpp"
#include "support/fuzz/files.hpp"
#include "support/fuzz/verdict.hpp"

namespace arthron::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr Limits usual;
constexpr double patience = 1;  // seconds that an input may take that may be long

/// What a process and those that it starts both see.
struct Shared {
  std::uint64_t current = 0;
  Tally tally;
  std::array<char, 1000> fault{};
};

class SharedMemory {
 public:
  SharedMemory() : place_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (place_ == MAP_FAILED) throw std::runtime_error("no memory to share");
    new (place_) Shared;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(place_, sizeof(Shared)); }
  [[nodiscard]] Shared& get() const { return *static_cast<Shared*>(place_); }

 private:
  void* place_;
};

std::string file_name(std::uint64_t seed, std::uint64_t number) { return std::to_string(seed) + "-" + std::to_string(number); }

/// Runs the program in this process, with an empty folder `out`, and judges it.
std::string fault_of_command(const std::vector<std::string>& arguments, bool may_be_long, Tally& tally) {
  fs::create_directory("out");
  std::vector<const char*> argv = {"arthron"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  start_clock(usual, may_be_long ? patience : 0);
  const int code = cli::run(static_cast<int>(argv.size()), argv.data(), {out, err});
  start_clock(usual);
  const std::string fault = fault_of(arguments, {code, out.str(), err.str()}, may_be_long);
  fs::remove_all("out");
  ++tally.inputs;
  ++(code == 0 ? tally.succeeded : code == 2 ? tally.refused : code == 130 ? tally.interrupted : tally.failed);
  return fault.empty() ? "" : fault + "\n" + err.str().substr(0, 2000);
}

void note_time(Tally& tally, double seconds, std::uint64_t number) {
  const auto least =
      std::min_element(tally.slowest.begin(), tally.slowest.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  if (seconds > least->seconds) *least = {seconds, number};
}

/// The files as they were before.
void put_back(const Corpus& corpus, const Case& made) {
  if (corpus.has(made.file))
    write_file(made.file, corpus.text(made.file));
  else if (!made.file.empty())
    fs::remove(made.file);
}

/// One input, and its file as it was before.
void run_input(const Corpus& corpus, std::uint64_t seed, std::uint64_t number, const std::string& faults, Shared& shared) {
  shared.current = number;
  const Case made = make_case(corpus, seed, number);
  if (!made.file.empty()) write_file(made.file, made.text);
  const auto start = Clock::now();
  const std::string fault = fault_of_command(made.arguments, made.may_be_long, shared.tally);
  note_time(shared.tally, std::chrono::duration<double>(Clock::now() - start).count(), number);
  put_back(corpus, made);
  if (fault.empty()) return;
  ++shared.tally.faults;
  keep(corpus, made, fault, faults + "/" + file_name(seed, number));
}

}  // namespace

void keep(const Corpus& corpus, const Case& made, const std::string& reason, const std::string& folder) {
  for (const std::string& file : made.needed) write_file(fs::path(folder) / file, corpus.text(file));
  if (!made.file.empty()) write_file(fs::path(folder) / made.file, made.text);
  std::string command;
  for (const std::string& argument : made.arguments) command += argument + "\n";
  write_file(fs::path(folder) / "command", command);
  write_file(fs::path(folder) / "reason", reason + "\n");
}

Tally run_inputs(const Corpus& corpus, std::uint64_t seed, std::uint64_t first, std::uint64_t count, const std::string& faults) {
  constexpr std::uint64_t batch = 200;
  const SharedMemory memory;
  Shared& shared = memory.get();
  const std::string kept = fs::absolute(faults).string();
  for (std::uint64_t next = first; next < first + count;) {
    const std::uint64_t end = std::min(next + batch, first + count);
    const std::string ended = run_isolated(usual, [&] {
      for (std::uint64_t number = next; number < end; ++number) run_input(corpus, seed, number, kept, shared);
    });
    next = end;
    if (ended.empty()) continue;
    next = shared.current + 1;
    ++shared.tally.inputs, ++shared.tally.faults;
    const Case made = make_case(corpus, seed, shared.current);
    keep(corpus, made, ended, kept + "/" + file_name(seed, shared.current));
    put_back(corpus, made);
    fs::remove_all("out");
  }
  return shared.tally;
}

std::string replay(const std::string& folder, const std::string& built) {
  std::ifstream command(fs::path(folder) / "command");
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(command, argument);) arguments.push_back(argument);
  if (arguments.empty()) return "no command in " + folder;
  const test::Folder place;
  fs::copy(folder, place.file("."), fs::copy_options::recursive);
  link_libraries(place.file("."), fs::absolute(built).string());
  const SharedMemory memory;
  Shared& shared = memory.get();
  const std::string ended = run_isolated(usual, [&] {
    fs::current_path(place.file("."));
    const bool may_be_long = arguments[0] == "sweep" || arguments[0] == "kc";
    const std::string fault = fault_of_command(arguments, may_be_long, shared.tally);
    fault.copy(shared.fault.data(), shared.fault.size() - 1);
  });
  return ended.empty() ? std::string(shared.fault.data()) : ended;
}

}  // namespace arthron::fuzz
