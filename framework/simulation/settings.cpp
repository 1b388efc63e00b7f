#include <cmath>

#include "arthron/simulation/shortest_text.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {
namespace {

constexpr double max_rows = 1e7;

class Checks {
 public:
  void in_range(const char* pointer, double value, double low, double high, const char* unit) {
    if (!(value >= low && value <= high)) {
      complain(pointer, shortest_text(value), "a number from " + shortest_text(low) + " to " + shortest_text(high) + unit);
    }
  }
  void one_of(const char* pointer, const std::string& value, const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
      if (name == value) return;
      list += (list.empty() ? "" : ", ") + name;
    }
    complain(pointer, '"' + value + '"', "one of " + list, nearest_name(value, names));
  }
  void complain(const char* pointer, std::string found, std::string expected, std::string suggestion = "") {
    mistakes.push_back({"", 0, pointer, std::move(found), std::move(expected), std::move(suggestion)});
  }
  std::vector<Diagnostic> mistakes;
};

std::string whole(double number) { return shortest_text(std::ceil(number)); }

}  // namespace

std::vector<Diagnostic> check_settings(const SimulationSettings& settings, std::int64_t max_steps) {
  Checks check;
  const IntegratorSettings& integrator = settings.integrator;
  check.in_range("/simulate/until", settings.until, 0, 1e9, " [s]");
  check.in_range("/simulate/output/step", settings.output_step, 1e-9, 1e9, " [s]");
  check.in_range("/simulate/integrator/relative_tolerance", integrator.relative_tolerance, 1e-15, 1, "");
  check.in_range("/simulate/integrator/absolute_tolerance", integrator.absolute_tolerance, 1e-15, 1, "");
  check.in_range("/simulate/integrator/step", integrator.step, 1e-12, 1e9, " [s]");
  check.in_range("/simulate/loops/tolerance", settings.loops.tolerance, 0, 1, " [m]");
  if (const auto mistake = check_integrator_type(integrator.type)) check.mistakes.push_back(*mistake);
  check.one_of("/simulate/formulation", settings.formulation, formulation_names());
  check.in_range("/simulate/loops/baumgarte", settings.loops.baumgarte, 0, 1e6, " [1/s]");
  const Formulation* const formulation = find_formulation(settings.formulation);
  if (formulation && formulation->integrates_momenta() && settings.loops.baumgarte > 0)
    check.complain("/simulate/loops/baumgarte", shortest_text(settings.loops.baumgarte) + " with formulation " + settings.formulation,
                   "0: only acceleration-based formulations drift at the level of velocities");
  check.one_of("/simulate/elimination", settings.elimination, {"auto", "fold", "pair", "modular"});
  if (settings.threads && *settings.threads < 1)
    check.complain("/simulate/threads", std::to_string(*settings.threads), "a whole number >= 1, or \"auto\"");
  if (!check.mistakes.empty()) return check.mistakes;

  const double rows = settings.until / settings.output_step;
  if (rows > max_rows) {
    check.complain("/simulate/output/step", shortest_text(settings.output_step) + " s, " + whole(rows) + " rows until the end",
                   "at most " + whole(max_rows) + " rows");
  }
  for (const IntegratorType& type : integrator_types()) {
    const double steps = settings.until / integrator.step;
    if (type.name == integrator.type && type.fixed_step && steps > static_cast<double>(max_steps)) {
      check.complain("/simulate/integrator/step", shortest_text(integrator.step) + " s, " + whole(steps) + " steps until the end",
                     "at most " + std::to_string(max_steps) + " steps");
    }
  }
  return check.mistakes;
}

}  // namespace arthron
