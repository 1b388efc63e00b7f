#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "arthron/component/json_document.hpp"
#include "arthron/simulation/output_file.hpp"
#include "commands.hpp"
#include "model_options.hpp"
#include "pages/pages.hpp"
#include "plotting/chosen_curves.hpp"

namespace arthron::cli {
namespace {

struct PlotOptions {
  std::string result, output, x, from, until, title, width, height;
  std::vector<std::string> channels, panes, others;
  bool points = false;

  void declare(CLI::App& command) {
    command.add_option("result", result, "table that arthron run, sweep, kc or inverse wrote; - for the standard input")
        ->type_name("RESULT.csv");
    command.add_option("channels", channels, "names, beginnings such as tip.position, or patterns such as '*.force'; by default all")
        ->type_name("CHANNEL");
    command.add_option("-o,--output", output, "the picture")->type_name("FILE.svg|png|html");
    const auto repeatable = [&](const std::string& option, std::vector<std::string>& target, const std::string& help,
                                const std::string& type) {
      command.add_option(option, target, help)->type_name(type)->expected(1)->take_all();
    };
    repeatable("--pane", panes, "a pane of these channels, whatever their units (repeatable)", "CHANNEL,...");
    repeatable("--with", others, "another table, plotted over the first (repeatable)", "OTHER.csv");
    command.add_option("--x", x, "channel along x, instead of the first column")->type_name("CHANNEL");
    command.add_option("--from", from, "first time (value of the first column) to plot")->type_name("SECONDS");
    command.add_option("--until", until, "last time to plot")->type_name("SECONDS");
    command.add_option("--title", title, "above all panes")->type_name("TEXT");
    command.add_option("--width", width, "of the picture, 900 by default")->type_name("PIXELS");
    command.add_option("--height", height, "of each pane, 260 by default")->type_name("PIXELS");
    command.add_flag("--points", points, "draw dots instead of lines");
  }

  [[nodiscard]] bool ends_with(const char* ending) const { return std::filesystem::path(output).extension() == ending; }

  void check(std::vector<Diagnostic>& mistakes) const {
    if (result.empty()) mistakes.push_back({"", 0, "arthron plot", "no table", "arthron plot RESULT.csv CHANNEL... -o FILE.svg", ""});
    if (!ends_with(".svg") && !ends_with(".png") && !ends_with(".html"))
      mistakes.push_back({"", 0, "--output", output.empty() ? "no file" : quote_text(output), "FILE.svg, FILE.png or FILE.html", ""});
    int consoles = 0;
    std::vector<std::string> read = others;
    read.insert(read.begin(), result);
    for (const std::string& file : read) {
      consoles += file == "-" ? 1 : 0;
      if (same_file(file, output)) mistakes.push_back({"", 0, "--output", "a table that is drawn", "another file", ""});
    }
    if (consoles > 1) mistakes.push_back({"", 0, "--with", "the standard input again", "another table", ""});
  }

  [[nodiscard]] CurveRequest request(std::vector<Diagnostic>& mistakes) const {
    CurveRequest request;
    request.channels = channels;
    for (const std::string& pane : panes) request.panes.push_back(names_of(pane, mistakes));
    request.x = x;
    request.points = points;
    if (!from.empty()) request.from = read_number("--from", from, mistakes);
    if (!until.empty()) request.until = read_number("--until", until, mistakes);
    return request;
  }

 private:
  static std::vector<std::string> names_of(const std::string& pane, std::vector<Diagnostic>& mistakes) {
    std::vector<std::string> names;
    std::istringstream list(pane);
    for (std::string name; std::getline(list, name, ',');)
      if (!name.empty()) names.push_back(name);
    if (names.empty()) mistakes.push_back({"", 0, "--pane", quote_text(pane), "channels with commas between them", ""});
    return names;
  }
};

int pixels(const std::string& option, const std::string& text, int otherwise, std::vector<Diagnostic>& mistakes) {
  constexpr double least = 150, most = 10000;
  if (text.empty()) return otherwise;
  std::vector<Diagnostic> no_number;
  const double value = read_number(option, text, no_number);
  if (value >= least && value <= most) return static_cast<int>(value);
  mistakes.push_back({"", 0, option, quote_text(text), "pixels from 150 to 10000", ""});
  return otherwise;
}

Figure to_figure(const ChosenCurves& chosen, const std::string& title, bool points) {
  Figure figure;
  figure.title = title;
  for (const CurvePane& pane : chosen.panes) {
    figure.panes.push_back({"", chosen.x_label, pane.label, {}});
    for (const Curve& curve : pane.curves)
      figure.panes.back().series.push_back({curve.name, curve.x, curve.y, points, curve.channel, curve.table});
  }
  return figure;
}

int run_plot(const PlotOptions& options, Console& console) {
  std::vector<Diagnostic> mistakes;
  options.check(mistakes);
  const CurveRequest request = options.request(mistakes);
  const int width = pixels("--width", options.width, Figure{}.width, mistakes);
  const int height = pixels("--height", options.height, Figure{}.pane_height, mistakes);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));

  std::vector<ResultTable> tables{read_result(options.result, "RESULT")};
  for (const std::string& other : options.others) tables.push_back(read_result(other, "--with"));
  const ChosenCurves chosen = choose_curves(tables, request);
  Figure figure = to_figure(chosen, options.title, options.points);
  figure.width = width, figure.pane_height = height;

  OutputFile file(options.output, "--output");
  if (options.ends_with(".html")) {
    file.write(
        with_data(plot_page(), {json_data("arthron-plot", page_json(chosen, options.title, options.points, "--output"))}, "--output"));
  } else {
    file.write(options.ends_with(".svg") ? to_svg(figure, "--output") : to_png(figure, "--output"));
  }
  file.commit();
  if (chosen.left_out > 0)
    console.err << tables.front().file << "\n  the first channels are drawn and " << chosen.left_out << " are not; name those you want\n";
  return ExitCode::success;
}

}  // namespace

void add_plot_command(CLI::App& app, Console& console, int& exit_code) {
  CLI::App* command = app.add_subcommand("plot", "plot channels of a result as a picture or a page");
  const auto options = std::make_shared<PlotOptions>();
  options->declare(*command);
  command->callback([options, &console, &exit_code] { exit_code = run_plot(*options, console); });
}

}  // namespace arthron::cli
