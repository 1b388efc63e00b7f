#include <ostream>

#include "arthron/component/json_document.hpp"
#include "arthron/model/hardpoints.hpp"
#include "arthron/simulation/output_file.hpp"
#include "commands.hpp"
#include "model_options.hpp"

namespace arthron::cli {
namespace {

struct HardpointOptions : ModelOptions {
  std::string subsystem, unit = "mm", output;
};

void write_hardpoints(const HardpointOptions& options, Console& console) {
  if (!is_decimal_length(options.unit)) throw ModelError({{"", 0, "--unit", quote_text(options.unit), "m, dm, cm, mm or um", ""}});
  const std::vector<Hardpoint> points = hardpoints_of(options.load(), options.subsystem);
  if (points.empty())
    throw ModelError(
        {{options.file, 0, "", "no parameter that is a point" + (options.subsystem.empty() ? "" : " of " + options.subsystem),
          "one such as \"ball\": {\"value\": [10, 700, 180], \"unit\": \"mm\"}; --of NAME asks for those of a subsystem", ""}});
  const std::string table = hardpoint_text(points, options.unit);
  if (options.output.empty()) {
    console.out << table;
    return;
  }
  OutputFile file(options.output, "--output");
  file.write(table);
  file.commit();
}

}  // namespace

void add_hardpoints_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("hardpoints", "write the points among a model's parameters as a table");
  const auto options = std::make_shared<HardpointOptions>();
  options->declare(*command);
  command->add_option("--of", options->subsystem, "those of this subsystem, by its path")->type_name("SUBSYSTEM");
  command->add_option("--unit", options->unit, "mm (default), m, dm, cm or um")->type_name("UNIT");
  command->add_option("--output", options->output, "file to write instead of the terminal")->type_name("FILE.csv");
  command->callback([options, &console] { write_hardpoints(*options, console); });
}

}  // namespace arthron::cli
