#include "check_handles.hpp"

#include <ostream>

#include "arthron/model/find.hpp"
#include "arthron/simulation/output_file.hpp"
#include "arthron/simulation/simulation.hpp"
#include "failures.hpp"

namespace arthron::cli {

int write_handles(const std::shared_ptr<const Model>& model, const std::string& subsystem, double time, const std::string& file,
                  Console& console) {
  const int number = find_subsystem(*model, subsystem, "--handles");
  if (!(time >= 0)) throw ModelError({{"", 0, "--at", std::to_string(time), "a time >= 0", ""}});
  const auto target = file.empty() ? nullptr : std::make_unique<OutputFile>(file, "--output");
  Simulation simulation(model);
  Status status = simulation.start();
  if (status.ok() && time > 0) status = simulation.advance_to(time);
  std::vector<HandleEquations> all;
  for (const auto how : {Simulation::Handles::mounted, Simulation::Handles::alone}) {
    std::vector<HandleEquations> found;
    if (status.ok()) status = simulation.handles(model->subsystems[static_cast<std::size_t>(number)].path, how, found);
    all.insert(all.end(), found.begin(), found.end());
  }
  const double t = simulation.state().t;
  if (!status.ok()) {
    report_failure(status, describe(status, simulation.plan(), simulation.workspace(), t), *model, console.err);
    return exit_code_of(status);
  }
  if (target) {
    target->write(to_json(all, t));
    target->commit();
    return ExitCode::success;
  }
  if (all.empty()) console.out << "no handle equations: " << (subsystem.empty() ? "the model" : subsystem) << " has no bodies on others\n";
  for (const HandleEquations& equations : all) console.out << to_text(equations);
  return ExitCode::success;
}

}  // namespace arthron::cli
