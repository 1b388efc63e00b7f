#include "plotting/figure.hpp"

#include "arthron/core/diagnostic.hpp"
#include "plotting/child_process.hpp"
#include "plotting/gnuplot_script.hpp"

namespace arthron::cli {
namespace {

std::string first_line(const std::string& text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "no reason given";
  return text.substr(begin, std::min<std::size_t>(text.find('\n', begin) - begin, 200));
}

std::string drawn(const Figure& figure, const std::string& terminal, const std::string& option) {
  const ChildOutcome gnuplot = run_child({"gnuplot", "--default-settings"}, gnuplot_script(figure, terminal));
  if (!gnuplot.started)
    throw ModelError({{"", 0, option, "no gnuplot on this machine", "gnuplot (Debian's package gnuplot-nox), or FILE.html", ""}});
  if (gnuplot.exit_code != 0 || gnuplot.out.empty())
    throw ModelError({{"", 0, option, "gnuplot that fails: " + first_line(gnuplot.err), "gnuplot 5 with its terminal " + terminal, ""}});
  return gnuplot.out;
}

std::string in_xml(const std::string& text) {
  std::string escaped;
  for (const char c : plain_text(text)) escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return escaped;
}

}  // namespace

std::string to_svg(const Figure& figure, const std::string& option) {
  std::string svg = drawn(figure, "svg", option);
  // gnuplot's titles of its own would pop up over every curve; the one that stays is the figure's.
  constexpr std::string_view opening = "<title>", closing = "</title>";
  std::string own = figure.title.empty() ? "" : "<title>" + in_xml(figure.title) + "</title>";
  for (std::size_t at = 0; (at = svg.find(opening, at)) != std::string::npos;) {
    const std::size_t end = svg.find(closing, at);
    if (end == std::string::npos) break;
    svg.replace(at, end + closing.size() - at, own);
    at += own.size();
    own.clear();
  }
  return svg;
}

std::string to_png(const Figure& figure, const std::string& option) { return drawn(figure, "pngcairo", option); }

}  // namespace arthron::cli
