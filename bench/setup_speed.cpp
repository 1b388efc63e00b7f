/// Processor time and memory from the JSON file to the first rows of a run, of convoys from 250 to 2000 cars on one thread: both should
/// grow with the number of cars and no faster. A process a convoy, since memory that is given back to no one is not counted twice.
/// Usage: setup_speed [cars...]
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"

using namespace arthron;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double megabytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

double largest_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Prints what has been spent since the last phase.
class Phases {
 public:
  void end() {
    const double now = processor_seconds(), held = megabytes_in_use();
    std::printf(" %.3f | %.0f |", now - time_, held - held_);
    time_ = now, held_ = held;
  }

 private:
  double time_ = processor_seconds(), held_ = megabytes_in_use();
};

void measure(int cars) {
  const double start = processor_seconds();
  Phases phases;
  Model loaded = load_model(ARTHRON_SOURCE_DIR "/examples/convoy/convoy.json", builtin_registry(), {{"cars", static_cast<double>(cars)}});
  loaded.simulation.threads = 1;
  const auto model = std::make_shared<const Model>(std::move(loaded));
  std::printf("| %d | %zu |", cars, model->bodies.size() - 1);
  phases.end();
  { const auto plan = compile(model); }
  phases.end();
  Simulation simulation(model);
  phases.end();
  if (!simulation.start().ok() || !simulation.observe().ok()) throw std::runtime_error("no start");
  phases.end();
  std::printf(" %.3f | %.0f |\n", processor_seconds() - start, largest_megabytes());
}

}  // namespace

int main(int count, char** arguments) {
  std::printf(
      "| cars | bodies | read [s] | Model [MB] | compile [s] | left [MB] | simulation [s] | Plan and Workspace [MB] | start [s] | more "
      "[MB] | all [s] | "
      "peak [MB] |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<int> convoys;
  for (int i = 1; i < count; ++i) convoys.push_back(std::atoi(arguments[i]));
  if (convoys.empty()) convoys = {250, 500, 1000, 2000};
  for (const int cars : convoys) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) return measure(cars), 0;
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return 1;
  }
  return 0;
}
