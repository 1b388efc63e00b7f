#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "arthron/core/diagnostic.hpp"
#include "plotting/axis.hpp"
#include "plotting/child_process.hpp"
#include "plotting/chosen_curves.hpp"
#include "plotting/figure.hpp"
#include "support/occurrences.hpp"

using namespace arthron;
using namespace arthron::cli;
using namespace arthron::test;

namespace {

constexpr auto swing =
    "t [s],tip.position.x [m],tip.position.z [m],tip.velocity.x [m/s],hinge.position [rad],energy.total [J]\n"
    "0,1,0,0,0,5\n"
    "0.5,0.5,-0.8,1,0.9,5\n"
    "1,0,-1,2,1.5,5\n";

/// The strokes of the first curve of an SVG, in pixels.
std::vector<std::vector<std::pair<double, double>>> strokes(const std::string& svg) {
  const std::size_t begin = svg.find("<g id=\"gnuplot_plot_1"), end = svg.find("\t</g>", begin);
  REQUIRE(end != std::string::npos);
  std::vector<std::vector<std::pair<double, double>>> list;
  for (std::size_t path = begin; (path = svg.find(" d='", path)) < end; ++path) {
    std::istringstream in(svg.substr(path + 4, svg.find('\'', path + 4) - path - 4));
    char command = 0, comma = 0;
    for (double x = 0, y = 0; in >> command >> x >> comma >> y;) {
      if (command == 'M') list.emplace_back();
      list.back().emplace_back(x, y);
    }
  }
  return list;
}

Figure one_curve(const std::vector<double>& x, const std::vector<double>& y) { return {"", {{"", "x", "y", {{"curve", x, y}}}}}; }

ChosenCurves chosen(const CurveRequest& request, const std::string& text = swing) {
  return choose_curves({parse_result(text, "swing.csv")}, request);
}

std::vector<std::string> names(const CurvePane& pane) {
  std::vector<std::string> list;
  for (const Curve& curve : pane.curves) list.push_back(curve.name);
  return list;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a plot writes the named channels as SVG, PNG or a page, with their names and units") {
  const Folder folder;
  const std::string table = folder.write("swing.csv", swing);
  const Outcome outcome = program({"plot", table, "tip.position", "energy.total", "-o", folder.file("a.svg"), "--title", "a swing"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  const std::string svg = folder.read("a.svg");
  CHECK(svg.starts_with("<?xml"));
  for (const char* text : {"a swing", "tip.position.x", "tip.position.z", "energy.total", "position [m]", "energy [J]", "t [s]"})
    CHECK(occurrences(svg, ">" + std::string(text) + "<") >= 1);
  CHECK(occurrences(svg, ">tip.velocity.x<") == 0);
  REQUIRE(program({"plot", table, "hinge", "-o", folder.file("a.png")}).code == 0);
  CHECK(folder.read("a.png").starts_with("\x89PNG\r\n"));
  // A program may be built without its pages, and then says so.
  const Outcome page = program({"plot", table, "hinge", "-o", folder.file("a.html")});
  CHECK(page.code == (page.complains_of("ARTHRON_WITH_PAGES") ? 2 : 0));
  CHECK((page.code == 2 ||
         folder.read("a.html").find("id=\"arthron-plot\">{\"title\":\"\",\"panes\":[{\"label\":\"rad\"") != std::string::npos));
  CHECK(folder.names().size() == (page.code == 0 ? 4 : 3));
}

TEST_CASE("a curve passes through its points: a parabola is a quarter high at half its width") {
  std::vector<double> x, y;
  for (int i = 0; i <= 100; ++i) x.push_back(i / 50.0), y.push_back(x.back() * x.back());
  const auto drawn = strokes(to_svg(one_curve(x, y), "--output"));
  REQUIRE(drawn.size() == 1);
  REQUIRE(drawn[0].size() == 101);
  const auto& [first, middle, last] = std::tuple{drawn[0].front(), drawn[0][50], drawn[0].back()};
  CHECK(middle.first == doctest::Approx((first.first + last.first) / 2).epsilon(0.001));
  CHECK(middle.second == doctest::Approx(first.second + (last.second - first.second) / 4).epsilon(0.002));
  CHECK(last.second < first.second);
}

TEST_CASE("a number that is not finite leaves a gap") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  CHECK(strokes(to_svg(one_curve({0, 1, 2, 3, 4, 5, 6}, {0, 1, nan, 1, 0, inf, nan}), "--output")).size() == 2);
  CHECK(to_svg(one_curve({0, 1}, {nan, nan}), "--output").find("</svg>") != std::string::npos);
  CHECK(to_svg({"nothing", {}}, "--output").find("</svg>") != std::string::npos);
}

TEST_CASE("what many rows draw takes little room, and no peak of theirs is lost") {
  std::vector<double> x, y;
  for (int i = 0; i < 300'000; ++i) x.push_back(i), y.push_back(std::sin(i * 0.37));
  y[123'456] = 10;
  const std::string svg = to_svg(one_curve(x, y), "--output");
  CHECK(svg.size() < 300'000);
  double highest = 1e9, lowest = 0;
  const auto drawn = strokes(svg);
  for (const auto& [px, py] : drawn.front()) highest = std::min(highest, py), lowest = std::max(lowest, py);
  const Axis axis = make_axis(-1, 10, 5, false);
  const auto height = [&](double value) { return axis.share(value); };
  CHECK(axis.low == -5);
  // From -1 to 10 the curve takes its share of the axis, on which the picture of another curve from end to end is measured.
  std::vector<double> ends = {axis.low, axis.high};
  const auto whole = strokes(to_svg(one_curve({0, 1}, ends), "--output")).front();
  CHECK((lowest - highest) / (whole[0].second - whole[1].second) == doctest::Approx(height(10) - height(-1)).epsilon(0.01));
}

TEST_CASE("no text is ever a command of gnuplot's, or of SVG") {
  const Folder folder;
  const std::string file = folder.file("made");
  const std::string nasty = "a'; system('touch " + file + "') # `touch " + file + "` \" @x $x <b>&\n!touch " + file + "\nEND";
  Figure figure{nasty, {{nasty, nasty, nasty, {{nasty, {0, 1}, {0, 1}}, {"\xff\xfe broken", {0, 1}, {1, 0}}}}}};
  const std::string svg = to_svg(figure, "--output");
  CHECK(folder.names().empty());
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(occurrences(svg, "touch " + file) >= 5);
  CHECK(strokes(svg).size() == 1);
}

TEST_CASE("channels of one unit share a pane, and --pane says otherwise") {
  const ChosenCurves all = chosen({});
  REQUIRE(all.panes.size() == 4);
  CHECK(names(all.panes[0]) == Names{"tip.position.x", "tip.position.z"});
  CHECK(all.panes[0].label == "position [m]");
  CHECK(all.panes[0].unit == "m");
  CHECK(all.panes[3].label == "energy [J]");
  CHECK(all.x_label == "t [s]");
  const ChosenCurves mixed = chosen({.channels = {"energy"}, .panes = {{"tip.position.z", "hinge.position"}, {"tip.velocity"}}});
  REQUIRE(mixed.panes.size() == 3);
  CHECK(names(mixed.panes[0]) == Names{"tip.position.z [m]", "hinge.position [rad]"});
  CHECK(names(mixed.panes[1]) == Names{"tip.velocity.x"});
  CHECK(names(mixed.panes[2]) == Names{"energy.total"});
}

TEST_CASE("channels are meant by name, by the beginning of a name up to a dot, or by a pattern, each once") {
  CHECK(names(chosen({.channels = {"tip.position"}}).panes[0]) == Names{"tip.position.x", "tip.position.z"});
  CHECK(names(chosen({.channels = {"*.z", "tip.position.z", "tip.position.x"}}).panes[0]) == Names{"tip.position.z", "tip.position.x"});
  CHECK(chosen({.channels = {"*.position*"}}).panes.size() == 2);
  CHECK_THROWS_AS((void)chosen({.channels = {"tip.posit"}}), ModelError);
}

TEST_CASE("another channel may lie along x, and a window takes its rows by time") {
  const ChosenCurves phase = chosen({.channels = {"tip.velocity.x"}, .x = "tip.position.x", .from = 0.5});
  CHECK(phase.x_label == "tip.position.x [m]");
  CHECK(phase.panes[0].curves[0].x == std::vector<double>{0.5, 0});
  CHECK(phase.panes[0].curves[0].y == std::vector<double>{1, 2});
  CHECK_THROWS_AS((void)chosen({.from = 3}), ModelError);
}

TEST_CASE("several tables lie over one another, and the legend tells them apart") {
  const std::vector<ResultTable> tables = {parse_result(swing, "here/soft.csv"),
                                           parse_result("t [s],tip.position.x [m]\n0.25,7\n1,8\n", "stiff.csv")};
  const ChosenCurves both = choose_curves(tables, {.channels = {"tip.position.x"}});
  REQUIRE(both.panes.size() == 1);
  CHECK(names(both.panes[0]) == Names{"tip.position.x (soft)", "tip.position.x (stiff)"});
  CHECK(both.panes[0].curves[1].x == std::vector<double>{0.25, 1});
  CHECK_THROWS_AS((void)choose_curves(tables, {.channels = {"energy"}}), ModelError);  // nothing of the second is drawn
  const nlohmann::json page = page_json(both, "", false, "--output");
  CHECK(page["x"]["values"] == nlohmann::json({0, 0.25, 0.5, 1}));
  CHECK(page["panes"][0]["series"][0]["y"] == nlohmann::json({1, 0.75, 0.5, 0}));
  CHECK(page["panes"][0]["series"][1]["y"][0].is_null());
}

TEST_CASE("tables of sweeps have columns of words, which are not drawn") {
  const std::string table =
      "variant,mass [kg],status,peak [m],message\n0,1,ok,0.5,\n1,2,failed,,\"a \"\"long\"\"\nstory, told\"\n2,3,ok,0.7,\n";
  const ChosenCurves all = chosen({}, table);
  REQUIRE(all.panes.size() == 2);
  CHECK(names(all.panes[0]) == Names{"mass"});
  CHECK(all.panes[1].curves[0].y[2] == 0.7);
  CHECK(std::isnan(all.panes[1].curves[0].y[1]));
  CHECK_THROWS_AS((void)chosen({.channels = {"status"}}, table), ModelError);
}

TEST_CASE("of a table with many channels the first are drawn, and a word says so") {
  const Folder folder;
  std::string head = "t [s]", row = "0";
  for (int i = 0; i < 100; ++i) head += ",c" + std::to_string(i) + " [m]", row += ",1";
  const std::string table = folder.write("many.csv", head + '\n' + row + '\n' + row + '\n');
  const Outcome outcome = program({"plot", table, "-o", folder.file("a.svg")});
  CHECK(outcome.code == 0);
  CHECK(outcome.complains_of("76 are not"));
}

TEST_CASE("mistakes of a plot are told with their place and leave no file") {
  const Folder folder;
  const std::string table = folder.write("swing.csv", swing), picture = folder.file("a.svg");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    std::vector<std::string> all = {"plot"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = program(all);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.complains_of(words), outcome.err);
    CHECK(outcome.out.empty());
  };
  const auto damaged = [&](const std::string& text, const std::string& words) {
    refused({folder.write("bad.csv", text), "-o", picture}, words);
  };
  refused({table, "tip.positon.x", "-o", picture}, "did you mean \"tip.position.x\"?");
  refused({table, "--pane", "tip,enrgy", "-o", picture}, "did you mean \"energy\"?");
  refused({table, "--x", "tip.position", "-o", picture}, "--x");
  refused({table, "--from", "soon", "-o", picture}, "--from");
  refused({table, "--width", "10", "-o", picture}, "--width");
  refused({table, "-o", folder.file("a.pdf")}, "FILE.svg, FILE.png or FILE.html");
  refused({table}, "no file");
  refused({"-o", picture}, "no table");
  refused({folder.file("none.csv"), "-o", picture}, "none.csv");
  refused({table, "--with", folder.file("none.csv"), "-o", picture}, "--with");
  refused({"-", "--with", "-", "-o", picture}, "standard input");
  refused({table, "-o", folder.file("no/a.svg")}, "--output");
  damaged("", "nothing");
  damaged("t [s],a [m]\n", "no row");
  damaged("0,1\n1,2\n", "bad.csv:1");
  damaged("t [s],a [m]\n0,1\n1\n", "bad.csv:3");
  damaged("t [s],a [m]\n0,1\n1,x\n", "bad.csv:3");
  damaged("t [s],a [m]\n0,\"1\n", "closing quote");
  damaged("t [s]\n0\n", "something to draw");
  CHECK(folder.names().size() == 2);  // the tables
}

TEST_CASE("a machine without gnuplot is told which package it is in") {
  const Folder folder;
  const std::string table = folder.write("swing.csv", swing), path = std::getenv("PATH");
  ::setenv("PATH", folder.file("").c_str(), 1);
  const Outcome outcome = program({"plot", table, "-o", folder.file("a.svg")});
  ::setenv("PATH", path.c_str(), 1);
  CHECK(outcome.code == 2);
  CHECK(outcome.complains_of("gnuplot-nox"));
  CHECK(folder.names() == Names{"swing.csv"});
}

TEST_CASE("a child process takes and gives any amount without either waiting for the other") {
  std::string much(10'000'000, 'x');
  const ChildOutcome echoed = run_child({"cat"}, much);
  CHECK(echoed.exit_code == 0);
  CHECK(echoed.out == much);
  CHECK(run_child({"true"}, much).exit_code == 0);  // reads none of it
  const ChildOutcome complaining = run_child({"sh", "-c", "cat >&2; exit 3"}, much);
  CHECK(complaining.exit_code == 3);
  CHECK(complaining.err == much);
  CHECK_FALSE(run_child({"no_such_program_at_all"}, "").started);
}

TEST_CASE("an axis has round numbers, and powers of ten go to its label") {
  const Axis plain = make_axis(-0.3, 1.7, 5, false);
  CHECK(plain.low == -0.5);
  CHECK(plain.high == 2);
  CHECK(plain.tics.front().text == "−0.5");
  CHECK(plain.exponent == 0);
  const Axis large = make_axis(0, 35'000, 5, false);
  CHECK(large.exponent == 3);
  CHECK(large.tics.back().text == "40");
  CHECK(with_exponent("force [N]", 3) == "force [10³ N]");
  CHECK(with_exponent("share", -6) == "share [10⁻⁶]");
  for (const auto& [low, high] : {std::pair{0.0, 0.0}, {5.0, 5.0}, {1e-320, 1e-319}, {-1e308, 1e308}, {1.0, 1.0 + 1e-15}, {3.0, -3.0}}) {
    const Axis axis = make_axis(low, high, 5, false);
    CHECK(axis.low < axis.high);
    CHECK(axis.tics.size() >= 2);
    CHECK(axis.tics.size() <= 12);
  }
}
