/// Time of one evaluation on one worker and on two, in turns in one run, beside what the plan says of two, eight, sixty-four and 512.
/// The best of all turns counts, so that other work on the machine takes no part in it.
/// Usage: speed_up [repetitions]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/programs.hpp"
#include "arthron/model/load.hpp"
#include "arthron/schedule/extent.hpp"
#include "arthron/schedule/workers.hpp"
#include "machines.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

double nanoseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// Least times of an evaluation, one worker and two in turns. The first evaluations of a turn bring the numbers into the caches.
std::pair<double, double> measure(Evaluation& evaluation, Workers& workers, int repetitions) {
  std::vector<double> one, two;
  constexpr int evaluations = 20, warm = 5;
  const auto turn = [&](std::vector<double>& times) {
    for (int k = 0; k < evaluations; ++k) {
      const double time = nanoseconds([&] { evaluation(); });
      if (k >= warm) times.push_back(time);
    }
  };
  for (int i = 0; i < repetitions; ++i) {
    evaluation.work->parallel = nullptr;
    turn(one);
    evaluation.work->parallel = &workers;
    workers.awake([&] { turn(two); });
  }
  return {*std::min_element(one.begin(), one.end()), *std::min_element(two.begin(), two.end())};
}

Grain grain;

void report(const char* name, const std::shared_ptr<const Model>& model, int repetitions) {
  Evaluation evaluation(model, grain);
  Workers workers(2);
  const auto [one, two] = measure(evaluation, workers, repetitions);
  evaluation.work->parallel = nullptr;
  const TaskGraph& program = evaluation.work->programs->evaluate;
  const std::vector<double> costs = measured_costs(program, evaluation.work.get(), 20);
  const Extent size = extent(program, costs);
  const auto expected = [&](int count) { return expected_speed_up(program, costs, count); };
  std::printf("| %s | %zu | %zu | %zu | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.1f | %.1f | %.1f |\n", name,
              evaluation.plan->bodies.size() - static_cast<std::size_t>(evaluation.plan->grounds), program.tasks.size(),
              evaluation.plan->joins.size(), one / 1e3, size.work / 1e3, size.span / 1e3, two / 1e3, one / two, expected(2), expected(8),
              expected(64), expected(512));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const int repetitions = count > 1 ? std::atoi(arguments[1]) : 20;
  if (count > 2) grain.part = std::atof(arguments[2]);
  std::printf(
      "| model | bodies | tasks | joins | one worker [us] | work [us] | span [us] | two workers [us] | speed-up | expected | 8 | 64 | 512 "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  report("chain", chain(4096, "auto"), repetitions);
  report("chain, folded only", chain(4096, "fold"), repetitions);
  report("binary tree", binary_tree(4095), repetitions);
  report("rope", rope(1000), repetitions);
  report("ladder of loops", ladder(1000), repetitions);
  report("net", net(16), repetitions);
  report("convoy of 64 cars",
         std::make_shared<const Model>(load_model(ARTHRON_SOURCE_DIR "/examples/convoy/convoy.json", builtin_registry())), repetitions);
  return 0;
}
