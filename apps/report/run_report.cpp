#include "report/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/component_graph.hpp"
#include "arthron/simulation/examine_subsystems.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "check_subsystems.hpp"
#include "graph_file.hpp"
#include "model_words.hpp"
#include "plotting/figure.hpp"
#include "report/channel_panes.hpp"
#include "report/page.hpp"

namespace arthron::cli {
namespace {

using std::size_t;

std::string card(const std::string& value, const std::string& name) {
  return "<div class=\"card\"><b>" + escaped(value) + "</b><span>" + escaped(name) + "</span></div>\n";
}

/// Names and values in two columns.
class Facts {
 public:
  void add(const std::string& name, const std::string& value) { table_.rows.push_back({escaped(name), escaped(value)}); }
  [[nodiscard]] std::string html() const { return to_html(table_); }

 private:
  Table table_{{}, {}, true, "facts"};
};

std::string outcome(const RunSummary& summary) {
  switch (summary.status.code) {
    case Status::Code::ok: return "finished";
    case Status::Code::interrupted: return "interrupted";
    default: return "failed";
  }
}

std::string header(const ReportedRun& run) {
  const RunSummary& s = run.summary;
  std::string text = "<header>\n<p class=\"kind\">Simulation report</p>\n<h1>" + escaped(s.model) + "</h1>\n<p class=\"quiet\">" +
                     escaped(run.simulation.model().files.front()) + "</p>\n</header>\n<div class=\"cards\">\n";
  text += card(outcome(s), "outcome") + card(rounded_text(s.simulated) + " s", "simulated in " + std::to_string(s.rows) + " rows");
  text += card(rounded_text(s.real_time_factor()), "times real time");
  text += s.conservative ? card(rounded_text(s.energy_drift) + " J", "energy drift")
                         : card(rounded_text(s.energy_end - s.energy_start) + " J", "change of energy");
  if (s.loops > 0) text += card(rounded_text(s.loop_opening) + " m", "largest loop opening");
  return text + card(std::to_string(s.statistics.evaluations), "evaluations") + "</div>\n";
}

std::string remarks(const ReportedRun& run) {
  const std::vector<Remark> list = remarks_on(run);
  if (list.empty()) return "<ul class=\"remarks\"><li class=\"good\">No warnings.</li></ul>\n";
  constexpr const char* classes[] = {"failure", "warning", "note"};
  std::string text = "<ul class=\"remarks\">\n";
  for (const Remark& remark : list)
    text += "<li class=\"" + std::string(classes[static_cast<int>(remark.kind)]) + "\"><b>" + escaped(remark.title) + ".</b> " +
            escaped(remark.text) + "</li>\n";
  return text + "</ul>\n";
}

std::string with_list(const std::string& count, const std::string& list) { return list.empty() ? count : count + ": " + list; }

std::string model_section(const ReportedRun& run) {
  const Plan& plan = run.simulation.plan();
  const Model& model = *plan.model;
  const auto bodies = moving_bodies(model), fixed = grounds(model);
  const auto driven = driven_joints(model);
  const auto number = [](size_t count) { return std::to_string(count); };
  Facts facts;
  facts.add("Bodies", with_list(number(bodies.size()), names(bodies)));
  facts.add("Grounds", with_list(number(fixed.size()), names(fixed)));
  facts.add("Joints", with_list(number(model.joints.size()), by_type(model.joints)));
  facts.add("Degrees of freedom", std::to_string(run.loops.freedom) + (run.loops.freedom_as_assembled > run.loops.freedom
                                                                           ? ", " + std::to_string(run.loops.freedom_as_assembled) +
                                                                                 " in the singular position as assembled"
                                                                           : ""));
  if (!driven.empty()) facts.add("Driven joints", with_list(number(driven.size()), names(driven)));
  facts.add("Forces", with_list(number(model.forces.size()), by_type(model.forces)));
  if (!model.couplings.empty()) facts.add("Couplings", with_list(number(model.couplings.size()), names(model.couplings)));
  facts.add("Loops", number(plan.cuts));
  facts.add("Mass", masses(model));
  facts.add("Gravity",
            '(' + rounded_text(model.gravity.x) + ", " + rounded_text(model.gravity.y) + ", " + rounded_text(model.gravity.z) + ") m/s²");
  return section("Model", facts.html());
}

/// The path of the first, and how many there are.
std::string path_of(const Model& model, const AlikeSubsystems& alike) {
  const std::string& path = model.subsystems[alike.first()].path;
  return alike.members.size() == 1 ? path : path + " (x " + std::to_string(alike.members.size()) + ')';
}

std::string structure_section(const ReportedRun& run, const std::string& option) {
  const Plan& plan = run.simulation.plan();
  GraphOptions options;
  options.readable = 20;  // what a page holds
  std::string body = draws_graphs()
                         ? picture(drawn_graph(component_graph(plan, options), option), "bodies, joints and subsystems of the model")
                         : paragraph("There is no diagram: this program was built without Graphviz.");
  Table table{{"subsystem", "file", "mass", "ports"}, {}, true, "dense"};
  for (const SubsystemWords& words : subsystems_in_words(plan)) {
    const Subsystem& subsystem = plan.model->subsystems[words.alike.first()];
    const std::string file = subsystem.file.substr(subsystem.file.rfind('/') + 1);  // in full among the files at the end
    table.rows.push_back({escaped(path_of(*plan.model, words.alike)),
                          escaped(file + (subsystem.placement.is_mirror_image() ? ", mirror image" : "")), escaped(words.mass),
                          escaped(words.ports.starts_with("; ") ? words.ports.substr(2) : words.ports)});
  }
  if (!table.rows.empty()) body += to_html(table);
  return section("Structure", body);
}

std::string loops_section(const ReportedRun& run) {
  const Plan& plan = run.simulation.plan();
  if (plan.closures.empty()) return "";
  Table table{{"in", "loop"}, {}, true, ""};
  for (const int c : plan.subsystems.front().loops) {
    const size_t closure = c;
    const std::string remark = closure < run.loops.remarks.size() ? run.loops.remarks[closure] : "";
    table.rows.push_back({escaped(plan.model->name), escaped(describe_closure(plan, c, remark))});
  }
  for (const AlikeSubsystems& alike : subsystem_tree(plan))
    for (const std::string& line : describe_loops(plan, alike.first()))
      table.rows.push_back({escaped(path_of(*plan.model, alike)), escaped(line)});
  std::string text = to_html(table);
  if (run.loops.positions > 0)
    text += paragraph("Closure directions were examined as assembled and at " + counted(run.loops.positions - 1, "position", "positions") +
                      " nearby.");
  return section("Loops and where they are cut", text);
}

Pane over_time(const RunHistory& history, const std::string& label,
               std::vector<std::pair<std::string, const std::vector<double>*>> curves) {
  Pane pane{"", "time [s]", label, {}};
  for (const auto& [name, values] : curves) pane.series.push_back({name, history.t, *values});
  return pane;
}

std::string chart(const std::vector<Pane>& panes, const std::string& description, const std::string& option) {
  Figure figure;
  figure.panes = panes;
  figure.pane_height = 215;
  return picture(to_svg(figure, option), description);
}

std::string energy_section(const ReportedRun& run, const std::string& option) {
  const RunHistory& history = run.history;
  std::vector<double> drift;
  for (const double total : history.total) drift.push_back(total - history.total.front());
  std::string text = paragraph(
      run.summary.conservative ? "Nothing in the model adds or takes energy: the total must stay what it is, and its change is an error."
                               : "The model is not conservative: dampers, drives, efforts or other forces add or take energy.");
  Facts facts;
  facts.add("At the start", rounded_text(run.summary.energy_start) + " J");
  facts.add("At the end", rounded_text(run.summary.energy_end) + " J");
  facts.add("Change", rounded_text(run.summary.energy_end - run.summary.energy_start) + " J");
  if (run.summary.conservative) facts.add("Drift, the largest of all rows", rounded_text(run.summary.energy_drift) + " J");
  text += facts.html();
  if (history.t.size() > 1)
    text += chart(
        {over_time(history, "energy [J]", {{"kinetic", &history.kinetic}, {"potential", &history.potential}, {"total", &history.total}}),
         over_time(history, "change [J]", {{"total since the start", &drift}})},
        "energies over time", option);
  return section("Energy", text);
}

std::string constraint_section(const ReportedRun& run, const std::string& option) {
  const RunHistory& history = run.history;
  const RunSummary& summary = run.summary;
  Facts facts;
  std::vector<Pane> panes;
  if (summary.of_momenta()) {
    facts.add("Constraint error", rounded_text(summary.constraint_error) + " of the momentum, the largest of all rows");
    panes.push_back(over_time(history, "relative [1]", {{"constraint error of the momentum", &history.momentum_error}}));
  }
  if (summary.loops > 0) {
    facts.add("Loop opening", rounded_text(summary.loop_opening) + " m, the largest of all rows");
    facts.add("Loop opening rate", rounded_text(summary.loop_opening_rate) + " m/s, the largest of all rows");
    panes.push_back(over_time(history, "opening [m]", {{"largest loop opening", &history.opening}}));
    panes.push_back(over_time(history, "rate [m/s]", {{"largest loop opening rate", &history.opening_rate}}));
  }
  if (panes.empty()) return "";
  return section("Constraints", facts.html() + (history.t.size() > 1 ? chart(panes, "constraint errors over time", option) : ""));
}

std::string channels_section(const ReportedRun& run, const std::string& option) {
  constexpr size_t most_panes = 24, panes_in_figure = 3, most_rows = 400;
  std::string text;
  const std::vector<Pane> panes = channel_panes(run.columns, run.history.t, run.history.channels);
  const size_t drawn = std::min(panes.size(), most_panes);
  for (size_t first = 0; first < drawn && run.history.t.size() > 1; first += panes_in_figure)
    text += chart({panes.begin() + static_cast<std::ptrdiff_t>(first),
                   panes.begin() + static_cast<std::ptrdiff_t>(std::min(drawn, first + panes_in_figure))},
                  "channels over time", option);
  if (drawn < panes.size()) text += paragraph("Further channels are only in the table.");
  Table table{{"channel", "unit", "start", "end", "least", "largest", "rms"}, {}, false, "dense"};
  const size_t rows = std::min(run.columns.size(), most_rows);
  for (size_t i = 0; i < rows; ++i) {
    const ChannelFigures figures = figures_of(run.history.channels[i]);
    table.rows.push_back({escaped(run.columns[i].name), escaped(run.columns[i].unit), rounded_text(figures.start),
                          rounded_text(figures.end), rounded_text(figures.least), rounded_text(figures.largest),
                          rounded_text(figures.rms)});
  }
  text += to_html(table);
  if (rows < run.columns.size())
    text += paragraph(counted(run.columns.size() - rows, "more channel is", "more channels are") +
                      " left out here; arthron run --output writes all.");
  return section("Channels", text);
}

bool varies(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) low = std::fmin(low, value), high = std::fmax(high, value);
  return high - low > 1e-3 * high;
}

std::string solver_section(const ReportedRun& run, const std::string& option) {
  const RunSummary& s = run.summary;
  const SimulationSettings& settings = run.simulation.settings();
  const bool adapts = varies(run.history.step);
  Facts facts;
  facts.add("Formulation", s.formulation);
  facts.add("Integrator", s.integrator);
  facts.add(adapts ? "Tolerance" : "Step", adapts ? rounded_text(settings.integrator.relative_tolerance) + " relative, " +
                                                        rounded_text(settings.integrator.absolute_tolerance) + " absolute"
                                                  : rounded_text(s.statistics.last_step) + " s");
  facts.add("Steps", std::to_string(s.statistics.accepted) + " accepted, " + std::to_string(s.statistics.rejected) + " rejected");
  facts.add("Evaluations", std::to_string(s.statistics.evaluations));
  facts.add("Simulated time", rounded_text(s.simulated) + " s in " + std::to_string(s.rows) + " rows");
  facts.add("Wall time", rounded_text(s.wall) + " s (CPU " + rounded_text(s.cpu) + " s)");
  facts.add("Real-time factor", rounded_text(s.real_time_factor()));
  std::string text = facts.html();
  if (adapts && run.history.t.size() > 1)
    text += chart({over_time(run.history, "step [s]", {{"mean step since the row before", &run.history.step}})}, "steps over time", option);
  return section("Solver", text);
}

/// A value as the user may have written it: six digits hide what expressions leave in the last ones.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string inputs_section(const Model& model) {
  std::string text;
  Table own{{"parameter", "value", "unit"}, {}, false, "dense small"}, nested{{"subsystem", "parameters"}, {}, true, "dense"};
  for (size_t s = 0; s < model.subsystems.size(); ++s) {
    const Slice parameters = members_of(model, static_cast<int>(s)).parameters;
    std::string list;
    for (int i = parameters.first; i < parameters.last; ++i) {
      const Parameter& parameter = model.parameters[i];
      if (parameter.subsystem != static_cast<int>(s)) continue;
      if (s == 0) own.rows.push_back({escaped(parameter.path), number(parameter.value), escaped(parameter.unit)});
      list += (list.empty() ? "" : ", ") + parameter.path.substr(parameter.path.rfind('.') + 1) + " = " + number(parameter.value) +
              (parameter.unit.empty() ? "" : ' ' + parameter.unit);
    }
    if (s > 0 && !list.empty()) nested.rows.push_back({escaped(model.subsystems[s].path), escaped(list)});
  }
  if (!own.rows.empty()) text += "<h3>Parameters</h3>\n" + to_html(own);
  if (!nested.rows.empty()) text += "<h3>Parameters of subsystems</h3>\n" + to_html(nested);
  text += "<h3>Files</h3>\n<ul class=\"lines\">\n";
  for (const std::string& file : model.files) text += "<li>" + escaped(file) + "</li>\n";
  return section("Parameters and files", text + "</ul>\n");
}

}  // namespace

std::string run_report(const ReportedRun& run, const std::string& option) {
  const std::string body = header(run) + remarks(run) + model_section(run) + structure_section(run, option) + loops_section(run) +
                           energy_section(run, option) + constraint_section(run, option) + channels_section(run, option) +
                           solver_section(run, option) + inputs_section(run.simulation.model()) +
                           "<footer>Written by arthron " ARTHRON_VERSION ". World axes, SI units.</footer>\n";
  return page(run.summary.model + ", simulation report", body);
}

}  // namespace arthron::cli
