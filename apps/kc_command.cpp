#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "arthron/simulation/output_file.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "arthron/suspension/report.hpp"
#include "commands.hpp"
#include "failures.hpp"
#include "interrupt.hpp"
#include "model_options.hpp"
#include "progress.hpp"

namespace arthron::cli {
namespace {

struct KcOptions : ModelOptions {
  std::string folder, axle;
  std::map<std::string, std::string> numbers;  // option -> as the user wrote it

  void declare_all(CLI::App& command) {
    declare(command);
    command.add_option("--output", folder, "folder for the tables, made when it is not there")->type_name("FOLDER")->required();
    const auto number = [&](const std::string& option, const std::string& help, const std::string& unit) {
      command.add_option(option, numbers[option], help)->type_name(unit);
    };
    number("--bump", "wheel travel each way, 0.08 by default", "METRES");
    number("--steer", "rack travel each way, 0.04 by default", "METRES");
    number("--step", "between rows, 0.005 by default", "METRES");
    number("--force", "largest load each way on a wheel of a compliant suspension, 3000 by default", "NEWTONS");
    number("--torque", "the same for aligning torques, 100 by default", "NEWTON METRES");
    number("--wheel-radius", "height of the wheel centre above the road, by default above z = 0", "METRES");
    number("--wheelbase", "of the vehicle, for percentages", "METRES");
    number("--cg-height", "of the vehicle's centre of mass above the road, for percentages", "METRES");
    number("--brake-share", "part of the braking force at this axle, for percentages", "NUMBER");
    command.add_option("--axle", axle, "front (default) or rear, for percentages")->type_name("NAME");
  }

  /// The number given for an option, positive and below `most`; `otherwise` without one.
  [[nodiscard]] double value(const std::string& option, double otherwise, double most, std::vector<Diagnostic>& mistakes) const {
    const std::string& text = numbers.at(option);
    if (text.empty()) return otherwise;
    const double number = read_number(option, text, mistakes);
    if (!std::isnan(number) && !(number > 0 && number <= most))
      mistakes.push_back({"", 0, option, text, "a number above 0, at most " + shortest_text(most), ""});
    return number;
  }
};

struct KcPlan {
  SweepSettings bump, steer;
  LoadSettings load;
  VehicleData vehicle;
};

KcPlan read_plan(const KcOptions& options, double drawn_height) {
  std::vector<Diagnostic> mistakes;
  const auto value = [&](const std::string& option, double otherwise, double most) {
    return options.value(option, otherwise, most, mistakes);
  };
  KcPlan plan;
  const double step = value("--step", 0.005, 1), radius = value("--wheel-radius", drawn_height, 10);
  plan.bump = {value("--bump", 0.08, 1), step, radius};
  plan.steer = {value("--steer", 0.04, 1), step, radius};
  plan.load = {value("--force", 3000, 1e6), value("--torque", 100, 1e6), LoadSettings{}.steps, radius};
  plan.vehicle = {value("--wheelbase", 0, 100), value("--cg-height", 0, 10), value("--brake-share", 0, 1), options.axle == "rear"};
  constexpr double most_rows = 10000;
  if (std::max(plan.bump.extent, plan.steer.extent) / step > most_rows)
    mistakes.push_back({"", 0, "--step", shortest_text(step), "at most 10000 steps each way", ""});
  if (!options.axle.empty() && options.axle != "front" && options.axle != "rear")
    mistakes.push_back({"", 0, "--axle", '"' + options.axle + '"', "front or rear", nearest_name(options.axle, {"front", "rear"})});
  if (mistakes.empty() && !(radius > 0))
    mistakes.push_back(
        {"", 0, "--wheel-radius", "none, and a wheel centre not above z = 0", "the height of the wheel centre above the road", ""});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return plan;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw ModelError(
        {{"", 0, "--output", '"' + folder + "\" (" + (error ? error.message() : "a file") + ")", "a folder that can be made", ""}});
}

void write_file(const std::string& folder, const std::string& name, const std::string& text) {
  OutputFile file((std::filesystem::path(folder) / name).string(), "--output");
  file.write(text);
  file.commit();
}

/// All curves of a suspension, as far as they got.
struct Curves {
  std::vector<KinematicSweep> sweeps;
  std::vector<LoadSweep> loads;
  bool interrupted = false;
};

Curves run_curves(SuspensionRig& rig, const KcPlan& plan, Console& console) {
  std::vector<std::pair<SweepKind, SweepSettings>> sweeps{
      {SweepKind::parallel_bump, plan.bump}, {SweepKind::opposite_bump, plan.bump}, {SweepKind::single_wheel, plan.bump}};
  if (rig.steers()) sweeps.push_back({SweepKind::steer, plan.steer});
  const std::vector<LoadCase> loads = rig.compliant() ? load_cases() : std::vector<LoadCase>{};
  int rows = static_cast<int>(loads.size()) * (2 * plan.load.steps + 1), done = 0;
  for (const auto& [kind, settings] : sweeps) rows += row_count(settings);

  Curves curves;
  const InterruptGuard interrupt;
  ProgressBar progress(console.err, rows, console.interactive);
  const auto proceed = [&] {
    progress.show(done++);
    return !interrupt.raised();
  };
  for (const auto& [kind, settings] : sweeps) curves.sweeps.push_back(run_sweep(rig, kind, settings, proceed));
  for (const LoadCase& load : loads) curves.loads.push_back(run_load_case(rig, load, plan.load, proceed));
  curves.interrupted = interrupt.raised();
  return curves;
}

std::string reach_text(const KinematicSweep& sweep, bool compliant) {
  return std::string(name_of(sweep.kind)) + (compliant ? ": stable rest is found from " : ": the linkage reaches from ") +
         rounded_text(sweep.rows.front().travel) + " to " + rounded_text(sweep.rows.back().travel) + " m only";
}

std::string reach_text(const LoadSweep& sweep, bool) {
  return sweep.load_case.name() + ": stable rest is found from " + rounded_text(sweep.rows.front().load) + " to " +
         rounded_text(sweep.rows.back().load) + (sweep.load_case.kind == LoadKind::aligning_torque ? " N m only" : " N only");
}

/// Writes the curves that have rows; the exit code.
int write_curves(const Curves& curves, const SuspensionRig& rig, const KcPlan& plan, const KcOptions& options, Console& console) {
  int exit_code = curves.interrupted ? ExitCode::interrupted : ExitCode::success;
  const auto write = [&](const auto& sweep, const std::string& name, const auto& csv) {
    if (sweep.rows.empty()) return;
    write_file(options.folder, name + ".csv", csv());
    if (sweep.complete || curves.interrupted) return;
    report_failure({options.file, 0, "/joints"}, reach_text(sweep, rig.compliant()), console.err);
    exit_code = ExitCode::numerical_failure;
  };
  for (const KinematicSweep& sweep : curves.sweeps)
    write(sweep, std::string(name_of(sweep.kind)), [&] { return to_csv(sweep, rig, plan.vehicle); });
  for (const LoadSweep& sweep : curves.loads) write(sweep, sweep.load_case.name(), [&] { return to_csv(sweep); });
  if (curves.interrupted) console.err << options.file << "\n  interrupted\n";
  return exit_code;
}

int run_kc(const KcOptions& options, Console& console) {
  SuspensionRig rig(options.file, known_types(), options.overrides());
  options.check_units(rig.model());
  const KcPlan plan = read_plan(options, rig.observe()[0].centre.z);
  make_folder(options.folder);

  const Curves curves = run_curves(rig, plan, console);
  const int exit_code = write_curves(curves, rig, plan, options, console);
  if (curves.interrupted) return exit_code;
  const auto design = design_position(curves.sweeps, curves.loads, rig, plan.bump, plan.vehicle);
  write_file(options.folder, "design.json", design.dump(2) + '\n');
  console.out << to_text(design);
  if (!rig.left_out().empty()) console.out << "left out, since posts and no road hold the wheels: " << listed(rig.left_out()) << '\n';
  if (!rig.compliant()) console.out << "joints hold the wheels: loads at the road do not move them\n";
  if (!rig.steers()) console.out << "no mount `rack` that turns the wheels: neither steering nor a steering axis\n";
  if (rig.idle_freedoms() > 0) console.out << rig.idle_freedoms() << " freedoms are left open; they move no wheel\n";
  return exit_code;
}

}  // namespace

void add_kc_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("kc", "move a suspension through its travel on a rig and write its curves");
  const auto options = std::make_shared<KcOptions>();
  options->declare_all(*command);
  command->callback([options, &console, &exit_code] { exit_code = run_kc(*options, console); });
}

}  // namespace arthron::cli
