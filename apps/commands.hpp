#pragma once
#include <CLI/CLI.hpp>

#include "cli.hpp"

/// Each declares one subcommand, whose work sets `exit_code`. A user's mistake leaves it as a ModelError.
namespace arthron::cli {

void add_run_command(CLI::App& app, Console& console, int& exit_code);
void add_view_command(CLI::App& app, Console& console, int& exit_code);
void add_report_command(CLI::App& app, Console& console, int& exit_code);
void add_check_command(CLI::App& app, Console& console, int& exit_code);
void add_hardpoints_command(CLI::App& app, Console& console);
void add_graph_command(CLI::App& app, Console& console);
void add_check_plugin_command(CLI::App& app, Console& console, int& exit_code);
void add_kc_command(CLI::App& app, Console& console, int& exit_code);
void add_inverse_command(CLI::App& app, Console& console, int& exit_code);
void add_sweep_command(CLI::App& app, Console& console, int& exit_code);
void add_plot_command(CLI::App& app, Console& console, int& exit_code);
void add_new_command(CLI::App& app, Console& console);
void add_types_command(CLI::App& app, Console& console);
void add_schema_command(CLI::App& app, Console& console);

}  // namespace arthron::cli
