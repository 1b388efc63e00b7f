/// Time of accelerations by block modules against evaluate_accelerations, on chains and on a vehicle. Usage: block_modules
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/block_module.hpp"
#include "arthron/model/load.hpp"
#include "chain.hpp"
#include "ladder.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

/// Least time of some calls [us].
template <class Call>
double least(int count, Call call) {
  double best = 1e300;
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (!call().ok()) throw std::runtime_error("evaluation failed");
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void compare(const char* name, std::shared_ptr<const Model> model) {
  Evaluation evaluation(std::move(model));
  BlockModuleWork modules(*evaluation.plan);
  const int count = 200;
  const double folded = least(count, [&] {
    return evaluate_accelerations(*evaluation.plan, 0, evaluation.state.q.data(), evaluation.state.p.data(), *evaluation.work);
  });
  const double assembled = least(count, [&] { return block_module_accelerations(*evaluation.plan, *evaluation.work, modules); });
  std::printf("| %s | %.1f | %.1f | %.1f |\n", name, folded, assembled, assembled / folded);
}

}  // namespace

int main() {
  std::printf("| model | evaluate_accelerations [us] | block modules alone [us] | ratio |\n|---|---|---|---|\n");
  compare("chain of 64", chain(64));
  compare("chain of 1024", chain(1024));
  compare("ladder of 50 four-bars", ladder(50));
  compare("vehicle", std::make_shared<const Model>(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtin_registry())));
  return 0;
}
