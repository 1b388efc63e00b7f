#include "cli.hpp"

#include <ostream>

#include "arthron/component/author_code.hpp"
#include "arthron/components/builtins.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "mistakes.hpp"
#include "model_options.hpp"

namespace arthron::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 success; 1 check-plugin found an identity that does not hold; 2 a mistake in the model or the command\n"
    "line, or a step limit that is too small; 3 the computation failed, or some variants of a sweep; 130 interrupted;\n"
    "70 an internal error. With 3 and 130 the rows so far are kept.\n";

int parse_and_execute(CLI::App& app, int argc, const char* const* argv, Console& console, const int& exit_code) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::Success& request) {
    return app.exit(request, console.out, console.err);
  } catch (const CLI::ParseError& error) {
    throw to_model_error(app, error);
  }
}

}  // namespace

int run(int argc, const char* const* argv, Console console) {
  try {
    CLI::App app("Multibody dynamics from a JSON model", "arthron");
    int exit_code = ExitCode::success;
    known_types() = builtin_registry();  // plug-ins of an earlier run in this process are not known
    app.set_version_flag("--version", std::string("arthron ") + ARTHRON_VERSION);
    app.require_subcommand(1);
    app.footer(exit_codes);
    add_run_command(app, console, exit_code);
    add_view_command(app, console, exit_code);
    add_report_command(app, console, exit_code);
    add_check_command(app, console, exit_code);
    add_hardpoints_command(app, console);
    add_graph_command(app, console);
    add_check_plugin_command(app, console, exit_code);
    add_kc_command(app, console, exit_code);
    add_inverse_command(app, console, exit_code);
    add_sweep_command(app, console, exit_code);
    add_plot_command(app, console, exit_code);
    add_new_command(app, console);
    add_types_command(app, console);
    add_schema_command(app, console);
    return parse_and_execute(app, argc, argv, console, exit_code);
  } catch (const ModelError& mistakes) {
    console.err << with_lines(mistakes).what() << '\n';
    return ExitCode::user_mistake;
  } catch (const ComponentError& thrown) {
    console.err << thrown.what() << '\n';
    return ExitCode::numerical_failure;
  } catch (const std::exception& bug) {
    console.err << "internal error: " << bug.what() << '\n';
    return ExitCode::internal_error;
  }
}

}  // namespace arthron::cli
