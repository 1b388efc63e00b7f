#include "report/kc_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/core/text_file.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "report/kc_charts.hpp"
#include "report/page.hpp"

namespace arthron::cli {
namespace {

using Json = nlohmann::ordered_json;
using std::size_t;
namespace fs = std::filesystem;

/// design.json; null when the folder has none, as after an interruption.
Json read_design(const std::string& folder) {
  const std::string file = (fs::path(folder) / "design.json").string();
  if (!fs::exists(file)) return nullptr;
  std::vector<Diagnostic> mistakes;
  std::string trouble;
  const std::string text = read_text(file, trouble);
  if (!trouble.empty()) throw ModelError({{file, 0, "", trouble, "values as arthron kc writes them", ""}});
  const JsonDocument document(text, file, mistakes);
  if (mistakes.empty() && !document.root().is_object())
    mistakes.push_back({file, 1, "", quote(document.root()), "an object of values, as arthron kc writes it", ""});
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return document.root();
}

std::vector<KcTable> read_tables(const std::string& folder) {
  std::vector<KcTable> tables;
  for (const std::string& name : kc_table_names())
    if (const fs::path file = fs::path(folder) / (name + ".csv"); fs::exists(file))
      tables.push_back({name, read_result(file.string(), "FOLDER")});
  if (tables.empty())
    throw ModelError({{"", 0, "FOLDER", quote_text(folder) + " without tables of a suspension", "a folder that arthron kc wrote", ""}});
  return tables;
}

std::string number(const Json& value, double factor) {
  if (!value.is_number()) return "-";
  const double scaled = factor * value.get<double>();
  return rounded_text(std::abs(scaled) < 1e-10 ? 0 : scaled);
}

/// What is in `object` under a name, where both are as arthron kc writes them; else an empty object.
Json object_at(const Json& object, const std::string& name) {
  return object.is_object() && object.contains(name) && object[name].is_object() ? object[name] : Json::object();
}

/// Values of both wheels in one motion, or under two loads side by side; unit, and how the sign is meant.
std::string values_table(const std::vector<std::string>& head, const std::vector<Json>& columns, const Json& axle) {
  Table table{{""}, {}, false, "values"};
  table.head.insert(table.head.end(), head.begin(), head.end());
  table.head.insert(table.head.end(), {"unit", "meaning"});
  const auto add = [&](const std::string& labelled, const std::vector<std::string>& numbers) {
    const KcQuantity quantity = kc_quantity(labelled);
    std::vector<std::string> cells{escaped(quantity.title)};
    cells.insert(cells.end(), numbers.begin(), numbers.end());
    cells.insert(cells.end(), {escaped(quantity.unit), escaped(quantity.meaning)});
    table.rows.push_back(std::move(cells));
  };
  for (const auto& [name, value] : columns.front().items()) {
    std::vector<std::string> numbers;
    for (const Json& column : columns)
      numbers.push_back(number(column.contains(name) ? column[name] : Json(nullptr), kc_quantity(name).factor));
    add(name, numbers);
  }
  for (const auto& [name, value] : axle.items()) {
    std::vector<std::string> numbers(columns.size());
    numbers.front() = number(value, kc_quantity(name).factor);
    add(name, numbers);
  }
  return to_html(table);
}

std::string design_section(const Json& design) {
  if (design.is_null()) return section("In the design position", paragraph("The folder has no design.json: the curves were interrupted."));
  std::string text;
  for (const char* motion : {"parallel_bump", "opposite_bump", "single_wheel"}) {
    const Json part = object_at(design, motion);
    if (!part.empty())
      text += "<h3>" + escaped(kc_title(motion)) + "</h3>\n" +
              values_table({"left", "right"}, {object_at(part, "left"), object_at(part, "right")}, object_at(part, "axle"));
  }
  for (const std::string& load : kc_loads()) {
    const Json parallel = object_at(design, "parallel_" + load), opposite = object_at(design, "opposite_" + load);
    if (parallel.empty()) continue;
    text +=
        "<h3>Gradients over the load: " + escaped(kc_title(load)) + "</h3>\n" +
        values_table({"left, parallel", "right, parallel", "left, opposite", "right, opposite"},
                     {object_at(parallel, "left"), object_at(parallel, "right"), object_at(opposite, "left"), object_at(opposite, "right")},
                     Json::object());
  }
  return section("In the design position", text);
}

std::string conventions() {
  return section(
      "How to read it",
      "<ul class=\"lines\">\n"
      "<li>Axes of the vehicle: x forward, y to the left, z up. CP is the lowest point of the wheel's circle.</li>\n"
      "<li>Wheel travel is on the vertical axis where alignment is drawn over it, as is usual: up is bump (the spring is compressed), "
      "down is rebound. Forces, rates and ratios have travel on the horizontal axis, and so have roll, rack travel and loads.</li>\n"
      "<li>Camber is positive with the top of the wheel outward, toe with its front inward (toe-in); steer to the left; caster with "
      "the top of the steering axis rearward, kingpin inclination with its top inboard.</li>\n"
      "<li>Slopes are those of the motion drawn, from velocities, not from differences. Where both wheels do the same, one curve "
      "stands for both.</li>\n</ul>\n");
}

std::string header(const std::string& name, const std::string& folder, const Json& design) {
  std::string text = "<header>\n<p class=\"kind\">Kinematics and compliance</p>\n<h1>" + escaped(name) + "</h1>\n<p class=\"quiet\">" +
                     escaped(folder) + "</p>\n</header>\n";
  if (design.is_null()) return text;
  const Json bump = object_at(design, "parallel_bump"), left = object_at(bump, "left"), axle = object_at(bump, "axle");
  const auto card = [&](const Json& values, const std::string& labelled, const std::string& meaning) {
    if (!values.contains(labelled)) return;
    const KcQuantity quantity = kc_quantity(labelled);
    text += "<div class=\"card\"><b>" + escaped(number(values[labelled], quantity.factor) + ' ' + quantity.unit) + "</b><span>" +
            escaped(meaning) + "</span></div>\n";
  };
  text += "<div class=\"cards\">\n";
  card(left, "camber [deg]", "camber, left");
  card(left, "toe [deg]", "toe, left");
  card(left, "bump_steer [deg/m]", "bump steer, left");
  card(left, "bump_camber [deg/m]", "bump camber, left");
  card(left, "wheel_rate [N/m]", "wheel rate, left");
  card(axle, "roll_centre.height [m]", "roll centre height");
  card(design, "wheel_radius [m]", "wheel radius");
  return text + "</div>\n";
}

std::string compliance_words(const Json& design) {
  if (design.is_null() || !design.contains("compliant")) return "";
  return paragraph(design["compliant"] == true
                       ? "Bushings or sprung joints hold the wheels: every row is a position of rest, and loads move the wheels."
                       : "Joints hold the wheels: loads at the road do not move them.");
}

}  // namespace

std::string kc_report(const std::string& folder, const std::string& option) {
  const std::vector<KcTable> tables = read_tables(folder);
  const Json design = read_design(folder);
  const fs::path path = fs::path(folder).lexically_normal();
  std::string name = (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
  if (design.is_object() && design.contains("suspension") && design["suspension"].is_string())
    name = design["suspension"].get<std::string>();

  std::string body = header(name, folder, design) + compliance_words(design) + conventions() + design_section(design);
  for (const KcSheet& sheet : kc_sheets(tables))
    body += section(sheet.title, paragraph(sheet.remark) + picture(to_svg(sheet.figure, option), sheet.title), true);
  return page(name + ", kinematics and compliance", body + "<footer>Written by arthron " ARTHRON_VERSION ".</footer>\n");
}

}  // namespace arthron::cli
