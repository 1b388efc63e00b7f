/// evaluate_case CASE K: evaluates a model (q, p) -> (qdot, pdot) K times on one thread, and prints a checksum. For counting instructions.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "machines.hpp"

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
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc == 3 ? cases().find(argv[1]) : cases().end();
  if (found == cases().end()) {
    std::cerr << "evaluate_case CASE K, CASE one of:";
    for (const auto& [name, make] : cases()) std::cerr << ' ' << name;
    std::cerr << '\n';
    return 2;
  }
  bench::Evaluation evaluate(found->second());
  double sum = 0;
  for (int k = std::atoi(argv[2]); k > 0; --k) sum += evaluate();
  std::cout << sum << '\n';
}
