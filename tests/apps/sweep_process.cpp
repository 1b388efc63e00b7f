#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "apps/process.hpp"

using namespace arthron::test;
using std::chrono::milliseconds;

namespace {

std::string study(double seconds) {
  return R"({
  "arthron_study": 1, "name": "swings", "model": "model.json",
  "simulate": { "until": )" +
         std::to_string(seconds) + R"(, "integrator": { "type": "rk4", "step": 1e-3 }, "output": { "step": 0.5 } },
  "latin_hypercube": { "count": 80, "seed": 5, "parameters": { "length": { "type": "uniform", "from": 0.5, "to": 2 } } },
  "results": { "reach": { "channel": "tip.position.x", "take": "max" } }
})";
}

/// A study of a second, and the table of one go.
struct Swings : Folder {
  explicit Swings(double seconds = 16) {
    write("model.json", double_pendulum);
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(exit_code(start(*this, {"sweep", write("study.json", study(seconds)), "--output", file("expected.csv")})) == 0);
    in_one_go = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
    expected = read("expected.csv");
  }
  std::string expected;
  milliseconds in_one_go{};  // that it took, on a machine as busy as this one
  const std::vector<std::string> sweep{"sweep", file("study.json"), "--output", file("table.csv")};
  const std::vector<std::string> sweep_anew{"sweep", file("study.json"), "--output", file("table.csv"), "--restart"};
};

/// Variants in the journal, each of which is there once.
std::set<std::string> finished(const Folder& folder) {
  std::set<std::string> variants;
  std::istringstream journal(folder.read("table.csv.journal"));
  std::string line;
  std::getline(journal, line);
  while (std::getline(journal, line) && !journal.eof()) CHECK(variants.insert(line.substr(0, line.find(','))).second);
  return variants;
}

}  // namespace

TEST_CASE("a sweep killed ten times at random moments ends in the table of one go") {
  const Swings swings;
  std::mt19937 random(1);
  std::set<std::string> before;
  for (int i = 0; i < 10; ++i) {
    const pid_t child = start(swings, swings.sweep);
    std::this_thread::sleep_for(swings.in_one_go * (random() % 100) / 300);
    kill(child, SIGKILL);
    if (exit_code(child) == 0) break;  // it was faster
    const std::set<std::string> now = finished(swings);
    CHECK(std::includes(now.begin(), now.end(), before.begin(), before.end()));
    before = now;
  }
  CHECK(before.size() > 0);
  const bool complete = !swings.read("table.csv").empty();
  REQUIRE(exit_code(start(swings, swings.sweep)) == 0);
  CHECK(swings.read("table.csv") == swings.expected);
  if (!complete) CHECK(swings.read("out").find(std::to_string(before.size()) + " of them by an earlier run") != std::string::npos);
  CHECK(swings.read("err").empty());
}

TEST_CASE("an interrupted sweep exits with 130, says what it keeps and goes on from there") {
  const Swings swings;
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(swings.file("table.csv.journal"));
    const pid_t child = start(swings, swings.sweep);
    for (int i = 0; i < 2000 && finished(swings).empty(); ++i) std::this_thread::sleep_for(milliseconds(1));
    kill(child, signal);
    CHECK(exit_code(child) == 130);
    CHECK(swings.read("err").find("of 80 variants are kept in ") != std::string::npos);
    CHECK(swings.read("table.csv").empty());
  }
  CHECK(exit_code(start(swings, swings.sweep)) == 0);
  CHECK(swings.read("table.csv") == swings.expected);
}

#ifdef ARTHRON_MPIRUN

namespace {

/// Some machines have fewer cores than ranks, and root as their only user.
pid_t start_ranks(const Folder& folder, int ranks, const std::vector<std::string>& arguments) {
  for (const char* permission : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
    setenv(permission, "1", 1);
  std::vector<std::string> command{ARTHRON_MPIRUN, "-n", std::to_string(ranks), ARTHRON_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return start_command(folder, command);
}

}  // namespace

TEST_CASE("2 and 4 processes under mpirun write the table of one") {
  const Swings swings;
  for (const int ranks : {2, 4}) {
    CHECK(exit_code(start_ranks(swings, ranks, swings.sweep_anew)) == 0);
    CHECK(swings.read("table.csv") == swings.expected);
    CHECK(swings.read("out").find("on " + std::to_string(ranks) + " MPI processes") != std::string::npos);
    CHECK(swings.read("err").empty());
  }
}

TEST_CASE("processes under mpirun that are killed leave a journal from which threads go on") {
  const Swings swings(96);  // mpirun takes its time
  const pid_t child = start_ranks(swings, 2, swings.sweep);
  for (int i = 0; i < 5000 && finished(swings).empty(); ++i) std::this_thread::sleep_for(milliseconds(1));
  kill(child, SIGTERM);
  CHECK(exit_code(child) != 0);
  // The signal may also come too late.
  CHECK((!finished(swings).empty() || swings.read("table.csv") == swings.expected));
  CHECK(exit_code(start(swings, swings.sweep)) == 0);
  CHECK(swings.read("table.csv") == swings.expected);
}

TEST_CASE("a mistake is told once by all processes together") {
  const Folder folder;
  const std::string file =
      folder.write("study.json", R"({"arthron_study": 1, "name": "none", "model": "model.json", "grid": {"length": [1]}})");
  exit_code(start_ranks(folder, 2, {"sweep", file}));
  const std::string err = folder.read("err");
  const std::size_t first = err.find("no such file");
  CHECK(first != std::string::npos);
  CHECK(err.find("no such file", first + 1) == std::string::npos);
}

#endif
