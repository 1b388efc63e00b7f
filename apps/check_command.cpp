#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "arthron/dynamics/body_velocities.hpp"
#include "arthron/model/hardpoints.hpp"
#include "arthron/plan/compound_lines.hpp"
#include "arthron/plan/loop_blocks.hpp"
#include "arthron/simulation/examine_loops.hpp"
#include "arthron/simulation/examine_tasks.hpp"
#include "arthron/simulation/simulation.hpp"
#include "check_handles.hpp"
#include "check_subsystems.hpp"
#include "commands.hpp"
#include "model_options.hpp"
#include "model_words.hpp"

namespace arthron::cli {
namespace {

/// ": a, b" behind a count; nothing behind none.
std::string behind_colon(const std::string& list) { return list.empty() ? "" : ": " + list; }

std::string open_ports_line(const Model& model) {
  const std::vector<std::string> open = open_ports(model);
  return counted(open.size(), "open port", "open ports") + behind_colon(dozen(open)) + '\n';
}

/// A parameter as users know it: a number, or the three of a vector.
struct ListedParameter {
  std::string path, value;
  const Parameter* first = nullptr;
};

std::vector<ListedParameter> listed_parameters(const Model& model) {
  std::vector<ListedParameter> listed;
  const std::vector<VectorParameter> vectors = vector_parameters(model);
  auto vector = vectors.begin();
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter* at = &model.parameters[i];
    std::ostringstream value;
    if (vector != vectors.end() && vector->first == static_cast<int>(i)) {
      value << '[' << at[0].value << ", " << at[1].value << ", " << at[2].value << ']';
      listed.push_back({vector++->path, value.str(), at});
      i += 2;
    } else {
      value << at->value;
      listed.push_back({at->path, value.str(), at});
    }
  }
  return listed;
}

std::string with_value(const ListedParameter& parameter) {
  const std::string& unit = parameter.first->unit();
  return parameter.path + " = " + parameter.value + (unit.empty() ? "" : " " + unit);
}

/// Name, value, unit and range of every parameter, in columns.
std::string parameter_table(const Model& model) {
  std::vector<std::vector<std::string>> rows{{"parameter", "value", "unit", "range"}};
  for (const ListedParameter& parameter : listed_parameters(model)) {
    const Range& range = parameter.first->range();
    std::ostringstream bounds;
    if (std::isfinite(range.low) || std::isfinite(range.high)) bounds << range.low << " to " << range.high;
    rows.push_back({parameter.path, parameter.value, parameter.first->unit(), bounds.str()});
  }
  std::vector<std::size_t> widths(4);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

/// Those of the model itself with their values; how many more its subsystems have.
std::string own_parameters(const Model& model) {
  std::vector<std::string> own;
  const std::vector<ListedParameter> listed = listed_parameters(model);
  for (const ListedParameter& parameter : listed)
    if (parameter.first->subsystem == 0) own.push_back(with_value(parameter));
  std::string list = behind_colon(dozen(own));
  if (own.size() < listed.size())
    list += (own.empty() ? ": " : ", ") + std::to_string(listed.size() - own.size()) + " of subsystems (--parameters lists them)";
  return counted(listed.size(), "parameter", "parameters") + list + '\n';
}

/// Bodies that cannot start as the model says, with the velocities that they have instead.
std::string velocities_given_way(Simulation& simulation) {
  if (!simulation.observe().ok()) return "";
  std::ostringstream text;
  const auto vector = [&](const Vec3& v) { text << '(' << v.x << ", " << v.y << ", " << v.z << ')'; };
  for (const BodyVelocity& found : velocities_not_admitted(simulation.plan(), simulation.workspace())) {
    text << "body " << simulation.model().bodies[found.body.value].path << " cannot start as its \"initial\" says: velocity ";
    vector(*found.linear), text << " m/s, angular velocity ", vector(*found.angular), text << " rad/s instead\n";
  }
  return text.str();
}

std::string describe_model(const Model& model, const Plan& plan, const LoopReport& loops) {
  const std::vector<Body> bodies = moving_bodies(model), fixed = grounds(model);
  const std::vector<Joint> driven = driven_joints(model);
  std::ostringstream text;
  text << model.name << '\n' << describe_subsystems(plan);
  text << counted(bodies.size(), "body", "bodies") << behind_colon(names(bodies)) << '\n';
  text << counted(fixed.size(), "ground", "grounds") << behind_colon(names(fixed)) << '\n';
  text << counted(model.joints.size(), "joint", "joints") << behind_colon(by_type(model.joints)) << '\n';
  text << counted(loops.freedom, "degree of freedom", "degrees of freedom");
  if (loops.freedom_as_assembled > loops.freedom) text << " (" << loops.freedom_as_assembled << " in the singular position as assembled)";
  text << '\n';
  text << counted(driven.size(), "driven joint", "driven joints") << behind_colon(names(driven)) << '\n';
  text << counted(model.forces.size(), "force", "forces") << behind_colon(by_type(model.forces)) << '\n';
  text << own_parameters(model);
  text << counted(model.markers.size(), "marker", "markers") << behind_colon(names(model.markers)) << '\n';
  text << open_ports_line(model);
  text << masses(model) << '\n';
  text << describe_plan(plan, loops.remarks) << describe_clusters(plan);
  text << plan.formulation->details(plan);
  if (plan.formulation->follows_elimination()) text << describe_compounds(plan);
  if (loops.positions > 0)
    text << "closures examined as assembled and at " << counted(loops.positions - 1, "position", "positions") << " nearby\n";
  return text.str();
}

/// The formulation asked for, or the model's own.
std::string chosen_formulation(const std::string& option, const Model& model) {
  if (option.empty()) return model.simulation.formulation;
  SimulationSettings settings;
  settings.formulation = option;
  std::vector<Diagnostic> mistakes = check_settings(settings, IntegratorLimits{}.max_steps);
  for (Diagnostic& mistake : mistakes) mistake.pointer = "--formulation";
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return option;
}

std::shared_ptr<const Plan> planned(Model model, const std::string& formulation) {
  model.simulation.formulation = formulation;
  return compile(std::make_shared<const Model>(std::move(model)));
}

}  // namespace

void add_check_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "read a model and describe it: subsystems, bodies, joints, loops, degrees of freedom");
  const auto options = std::make_shared<ModelOptions>();
  options->declare(*command);
  const auto time = std::make_shared<bool>(false), parameters = std::make_shared<bool>(false);
  command->add_flag("--time", *time, "measure the time of an evaluation of each subsystem alone");
  const auto tasks = std::make_shared<bool>(false);
  command->add_flag("--plan", *tasks, "measure the tasks of an evaluation and say what more workers would bring");
  command->add_flag("--parameters", *parameters, "list every parameter with its value, unit and range in a table, and nothing else");
  const auto equations = std::make_shared<bool>(false);
  command->add_flag("--equations", *equations, "show which subsystems hold which blocks of the constraint Jacobian and of the GICM");
  const auto formulation = std::make_shared<std::string>(), handles = std::make_shared<std::string>(),
             file = std::make_shared<std::string>();
  const auto at = std::make_shared<double>(0);
  command->add_option("--handles", *handles, "write the handle equations of this subsystem, as mounted and alone, and nothing else")
      ->type_name("PATH");
  command->add_option("--at", *at, "at this time of the motion [s]")->type_name("T")->needs("--handles");
  command->add_option("--output", *file, "the handle equations as JSON in this file")->type_name("FILE")->needs("--handles");
  command->add_option("--formulation", *formulation, "say how this formulation would compute it: " + formulation_list())->type_name("NAME");
  command->callback([options, time, parameters, tasks, equations, formulation, handles, at, file, &console, &exit_code] {
    Model loaded = options->load();
    const std::string chosen = chosen_formulation(*formulation, loaded);
    loaded.simulation.formulation = "hdca";  // loops, times and tasks are examined in this one
    const auto model = std::make_shared<const Model>(std::move(loaded));
    if (*parameters) {
      console.out << parameter_table(*model);
      return;
    }
    if (!handles->empty()) {
      exit_code = write_handles(model, *handles, *at, *file, console);
      return;
    }
    Simulation simulation(model);
    // A model that cannot start is still worth describing; `run` says what keeps it.
    LoopReport loops;
    loops.freedom = loops.freedom_as_assembled = simulation.plan().nu;
    std::string velocities;
    if (simulation.start().ok()) velocities = velocities_given_way(simulation), loops = examine_loops(simulation);
    const std::shared_ptr<const Plan> other = chosen == model->simulation.formulation ? nullptr : planned(*model, chosen);
    console.out << describe_model(*model, other ? *other : simulation.plan(), loops);
    if (!other && simulation.formulation() != model->simulation.formulation)
      console.out
          << "instead of hdca: joints carry far more than a change of their momenta moves, so that velocities are the better state\n";
    console.out << velocities;
    if (*equations) console.out << describe_blocks(simulation.plan());
    if (*time) console.out << describe_times(simulation.plan());
    if (*tasks && simulation.start().ok()) console.out << to_text(examine_tasks(simulation));
  });
}

}  // namespace arthron::cli
