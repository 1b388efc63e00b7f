/// evaluate_case CASE K [lanes]: evaluates a model (q, p) -> (qdot, pdot) K times on one thread, four of it at once with `lanes`, and
/// prints a checksum. For counting instructions.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string_view>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "machines.hpp"
#include "variants.hpp"

namespace {

using namespace arthron;

std::shared_ptr<const Model> example(const std::string& file) {
  static const Registry types = builtin_registry();
  Model model = load_model(std::string(ARTHRON_SOURCE_DIR) + "/examples/" + file, types);
  model.simulation.threads = 1;
  return std::make_shared<const Model>(std::move(model));
}

const std::map<std::string, std::function<std::shared_ptr<const Model>()>>& cases() {
  static const std::map<std::string, std::function<std::shared_ptr<const Model>()>> all = {
      {"chain_16", [] { return bench::chain(16); }},
      {"chain_1024", [] { return bench::chain(1024); }},
      {"tree_127", [] { return bench::binary_tree(127); }},
      {"rope_64", [] { return bench::rope(64); }},
      {"ladder_2", [] { return bench::ladder(2); }},
      {"ladder_40", [] { return bench::ladder(40); }},
      {"quadruped", [] { return example("quadruped_walk/quadruped_walk.json"); }},
      {"vehicle", [] { return example("vehicle/vehicle.json"); }},
      {"bump", [] { return example("vehicle/bump.json"); }},
  };
  return all;
}

}  // namespace

template <class Evaluate>
double sum_of(int count, Evaluate& evaluate) {
  double sum = 0;
  for (int k = count; k > 0; --k) sum += evaluate();
  return sum;
}

int main(int argc, char** argv) {
  const bool on_lanes = argc == 4 && std::string_view(argv[3]) == "lanes";
  const auto found = argc == 3 || on_lanes ? cases().find(argv[1]) : cases().end();
  if (found == cases().end()) {
    std::cerr << "evaluate_case CASE K [lanes], CASE one of:";
    for (const auto& [name, make] : cases()) std::cerr << ' ' << name;
    std::cerr << '\n';
    return 2;
  }
  bench::Evaluation evaluate(found->second());
  const int count = std::atoi(argv[2]);
  if (on_lanes) {
    bench::VariantEvaluation four(per_lane<const bench::Evaluation*>([&](std::size_t) { return &evaluate; }));
    std::cout << sum_of(count, four) << '\n';
  } else {
    std::cout << sum_of(count, evaluate) << '\n';
  }
}
