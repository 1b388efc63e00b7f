#include <memory>
#include <ostream>

#include "arthron/dynamics/programs.hpp"
#include "arthron/plan/component_graph.hpp"
#include "arthron/plan/elimination_tree.hpp"
#include "arthron/schedule/extent.hpp"
#include "commands.hpp"
#include "graph_file.hpp"
#include "model_options.hpp"

namespace arthron::cli {
namespace {

struct GraphCommand : ModelOptions {
  std::string output, depth;
  bool elimination = false, tasks = false;
  GraphOptions drawing;

  void declare_all(CLI::App& command) {
    declare(command);
    command.add_option("--output", output, "draw the graph to this file; without it Graphviz's language goes to standard output")
        ->type_name("FILE.svg|FILE.dot");
    command.add_flag("--forces", drawing.forces, "draw forces on single bodies too");
    command.add_option("--depth", depth, "levels of subsystems to look into; deeper ones become boxes")->type_name("COUNT");
    command.add_flag("--elimination", elimination, "the elimination tree instead: parts, which part folds into which, joins")
        ->excludes("--forces")
        ->excludes("--depth");
    command.add_flag("--tasks", tasks, "the tasks of an evaluation and their order instead")
        ->excludes("--forces")
        ->excludes("--depth")
        ->excludes("--elimination");
  }

  [[nodiscard]] GraphOptions options() const {
    GraphOptions options = drawing;
    std::vector<Diagnostic> mistakes;
    if (!depth.empty()) options.depth = depth == "0" ? 0 : static_cast<int>(whole_number("--depth", depth, 1000, mistakes));
    for (Diagnostic& mistake : mistakes) mistake.expected = "a whole number >= 0";
    if (!mistakes.empty()) throw ModelError(std::move(mistakes));
    return options;
  }
};

void draw(const GraphCommand& command, Console& console) {
  const GraphOptions options = command.options();
  if (!command.output.empty()) require_graph_file(command.output, "--output");
  if (same_file(command.output, command.file)) throw ModelError({{"", 0, "--output", "the model's own file", "another file", ""}});
  const auto plan = compile(std::make_shared<const Model>(command.load()));
  const std::string dot = command.tasks         ? tasks_in_dot(Programs(*plan).evaluate, plan->model->name)
                          : command.elimination ? elimination_tree(*plan)
                                                : component_graph(*plan, options);
  if (command.output.empty())
    console.out << dot;
  else
    write_graph(dot, command.output, "--output");
}

}  // namespace

void add_graph_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("graph", "draw the structure of a model, or how it is computed");
  const auto options = std::make_shared<GraphCommand>();
  options->declare_all(*command);
  command->callback([options, &console] { draw(*options, console); });
}

}  // namespace arthron::cli
