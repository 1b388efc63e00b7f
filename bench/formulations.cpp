#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/channels.hpp"
#include "ladder.hpp"

/// One evaluation of the equations of motion under every formulation: microseconds under hdca, and the others in units of that, medians of
/// interleaved repeats in one run.
using namespace arthron;

namespace {

double seconds_per_call(bench::Evaluation& evaluation, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) evaluation();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// `large`: formulations whose cost is cubic are left out.
void measure(const std::string& name, const Model& given, bool large = false) {
  constexpr double repeat_time = 0.02;
  constexpr int repeats = 15;
  std::vector<bench::Evaluation> evaluations;
  std::vector<int> calls;
  std::vector<bool> measured;
  const std::shared_ptr<const Plan> plan = compile(std::make_shared<const Model>(given));
  for (const auto& formulation : formulations()) {
    const bool left_out = large && formulation->is_cubic(*plan);
    measured.push_back(!left_out);
    if (left_out) continue;
    Model model = given;
    model.simulation.formulation = formulation->name();
    model.simulation.elimination = "fold";
    evaluations.emplace_back(std::make_shared<const Model>(std::move(model)));
    (void)seconds_per_call(evaluations.back(), 3);
    calls.push_back(std::max(1, static_cast<int>(repeat_time / seconds_per_call(evaluations.back(), 3))));
  }
  std::vector<std::vector<double>> times(evaluations.size());
  for (int r = 0; r < repeats; ++r)
    for (std::size_t f = 0; f < evaluations.size(); ++f) times[f].push_back(seconds_per_call(evaluations[f], calls[f]));
  std::printf("| %s | %.2f |", name.c_str(), 1e6 * median(times[0]));
  std::size_t f = 1;
  for (std::size_t k = 1; k < measured.size(); ++k) {
    if (measured[k])
      std::printf(" %.2f |", median(times[f++]) / median(times[0]));
    else
      std::printf(" |");
  }
  std::printf("\n");
}

}  // namespace

int main() {
  std::printf("| model | hdca [us] |");
  for (std::size_t k = 1; k < formulations().size(); ++k) std::printf(" %s |", std::string(formulations()[k]->name()).c_str());
  std::printf("\n|---|");
  for (std::size_t k = 0; k < formulations().size(); ++k) std::printf("---|");
  std::printf("\n");
  const Registry types = builtin_registry();
  for (const char* name : {"pendulum16", "loop4", "loop8", "double_loop", "carpet_scraper", "three_rrr", "rssr", "quadruped", "vehicle"})
    measure(name, load_model(std::string(ARTHRON_SOURCE_DIR "/examples/") + name + '/' + name + ".json", types));
  measure("chain of 1024", *bench::chain(1024), true);
  measure("ladder of 20 loops", *bench::ladder(20));
  measure("ladder of 200 loops", *bench::ladder(200), true);
}
