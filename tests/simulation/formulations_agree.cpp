#include "arthron/simulation/channels.hpp"
#include "support/formulations.hpp"
#include "support/repository.hpp"

using namespace arthron;
using namespace arthron::test;

TEST_CASE(
    "every model of the repository: every formulation finds the accelerations, reactions and smallest multipliers of the dense oracle") {
  for (const std::string& file : model_files({"examples", "subsystems"})) {
    CAPTURE(file);
    check_formulations(load_model(file, builtins()), 1, [](Model model) {
      const std::shared_ptr<Plan> plan = compile(std::make_shared<const Model>(std::move(model)));
      connect_sensors(*plan);
      return plan;
    });
  }
}
