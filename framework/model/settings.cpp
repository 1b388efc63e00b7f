#include "arthron/formulation/formulation.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

/// Replaces the word where the section has another one.
void choose(const JsonReader& in, const Key& key, std::initializer_list<std::string_view> words, std::string& word) {
  const std::string chosen = in.choice(key, words);
  if (in.has(key.name)) word = chosen;
}

IntegratorSettings read_integrator(const JsonReader& in, IntegratorSettings settings) {
  constexpr Range tolerances{1e-15, 1}, steps{1e-12, 1e9};
  choose(in, {"type", "", "method"}, {"dopri5", "bs32", "dopri8", "rkf78", "adams", "bdf", "rk2", "rk4", "implicit_midpoint", "gauss4"},
         settings.type);
  const double tolerance = in.number_or({"tolerance", "", "relative and absolute"}, settings.relative_tolerance, tolerances);
  if (in.has("tolerance")) settings.relative_tolerance = settings.absolute_tolerance = tolerance;
  settings.relative_tolerance = in.number_or({"relative_tolerance", "", "instead of tolerance"}, settings.relative_tolerance, tolerances);
  settings.absolute_tolerance = in.number_or({"absolute_tolerance", "", "instead of tolerance"}, settings.absolute_tolerance, tolerances);
  settings.step = in.number_or({"step", "s", "of the fixed-step methods rk2, rk4, implicit_midpoint and gauss4"}, settings.step, steps);
  return settings;
}

LoopSettings read_loops(const JsonReader& in, LoopSettings settings) {
  settings.reanchor = in.flag_or({"reanchor", "", "move cut impulses into the momenta after every step"}, settings.reanchor);
  settings.project = in.flag_or({"project", "", "project the state onto the closures after every step"}, settings.project);
  settings.tolerance = in.number_or({"tolerance", "m", "opening that the projection ignores; 0 for rounding"}, settings.tolerance, {0, 1});
  settings.baumgarte = in.number_or({"baumgarte", "1/s", "rate at which acceleration-based formulations close openings; 0 for not at all"},
                                    settings.baumgarte, {0, 1e6});
  return settings;
}

}  // namespace

SimulationSettings read_simulation(const JsonReader& in, SimulationSettings settings) {
  constexpr Range times{1e-9, 1e9};
  constexpr double most_rows = 1e7;
  settings.until = in.number_or({"until", "s", "end of the simulation"}, settings.until, times);
  settings.integrator = read_integrator(in.object({"integrator", "", "how to step through time"}), settings.integrator);
  settings.loops = read_loops(in.object({"loops", "", "how closed loops are kept closed"}), settings.loops);
  const JsonReader output = in.object({"output", "", "what to report"});
  settings.output_step = output.number_or({"step", "s", "time between rows"}, settings.output_step, times);
  std::vector<std::string> channels = output.texts({"channels", "", "names of results; a default selection when absent"});
  if (output.has("channels")) settings.channels = std::move(channels);
  const std::string formulation = in.choice(
      {"formulation", "", "equations of motion: momenta (hdca) or velocities, and how their rates are computed"}, formulation_names());
  if (in.has("formulation")) settings.formulation = formulation;
  choose(in, {"elimination", "", "order of elimination; auto leaves it to the planner"}, {"auto", "fold", "pair", "modular"},
         settings.elimination);
  const std::optional<int> threads =
      in.integer_or_auto({"threads", "", "workers; auto: as many as there are cores, where that pays"}, 1, 1024);
  if (in.has("threads")) settings.threads = threads;
  if (settings.until / settings.output_step > most_rows && !output.failed())
    in.complain("output", number_text(settings.until / settings.output_step) + " rows of results",
                "at most " + number_text(most_rows) + ": a longer step or an earlier end");
  return settings;
}

}  // namespace arthron
