#include "report/kc_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"
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
  std::ifstream in(file);
  if (!in) return nullptr;
  Json design = Json::parse(in, nullptr, false);
  if (!design.is_object()) throw ModelError({{file, 0, "", "no JSON object", "the values that arthron kc writes", ""}});
  return design;
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

/// The values of one motion or load: what it is, left, right, unit, and how its sign is meant.
std::string values_table(const Json& part) {
  Table table{{"", "left", "right", "unit", "meaning"}, {}, false, "values"};
  const auto add = [&](const std::string& labelled, const Json& left, const Json& right) {
    const KcQuantity quantity = kc_quantity(labelled);
    table.rows.push_back({escaped(quantity.title), number(left, quantity.factor), right.is_discarded() ? "" : number(right, quantity.factor),
                          escaped(quantity.unit), escaped(quantity.meaning)});
  };
  const auto side = [&](const char* name) { return part.value(name, Json::object()); };
  const Json left = side("left"), right = side("right"), axle = side("axle");
  for (const auto& [name, value] : left.items()) add(name, value, right.value(name, Json(nullptr)));
  for (const auto& [name, value] : axle.items()) add(name, value, Json(Json::value_t::discarded));
  return to_html(table);
}

std::string design_section(const Json& design) {
  if (design.is_null()) return section("At the drawn position", paragraph("The folder has no design.json: the curves were interrupted."));
  std::string text;
  for (const auto& [kind, part] : design.items())
    if (part.is_object()) text += "<h3>" + escaped(kc_title(kind)) + "</h3>\n" + values_table(part);
  return section("At the drawn position", text);
}

std::string conventions() {
  return section("How to read it",
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
  const Json& bump = design.value("parallel_bump", Json::object());
  const Json left = bump.is_object() ? bump.value("left", Json::object()) : Json::object(),
             axle = bump.is_object() ? bump.value("axle", Json::object()) : Json::object();
  const auto card = [&](const Json& values, const std::string& labelled, const std::string& words) {
    if (!values.is_object() || !values.contains(labelled)) return;
    const KcQuantity quantity = kc_quantity(labelled);
    text += "<div class=\"card\"><b>" + escaped(number(values[labelled], quantity.factor) + ' ' + quantity.unit) + "</b><span>" + escaped(words) +
            "</span></div>\n";
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
  return paragraph(design["compliant"] == true ? "Bushings or sprung joints hold the wheels: every row is a position of rest, and loads move the wheels."
                                               : "Joints hold the wheels: loads at the road do not move them.");
}

}  // namespace

std::string kc_report(const std::string& folder, const std::string& option) {
  const std::vector<KcTable> tables = read_tables(folder);
  const Json design = read_design(folder);
  const fs::path path = fs::path(folder).lexically_normal();
  std::string name = (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
  if (design.is_object() && design.contains("suspension") && design["suspension"].is_string()) name = design["suspension"].get<std::string>();

  std::string body = header(name, folder, design) + compliance_words(design) + conventions() + design_section(design);
  for (const KcSheet& sheet : kc_sheets(tables))
    body += section(sheet.title, paragraph(sheet.remark) + picture(to_svg(sheet.figure, option), sheet.title), true);
  return page(name + ", kinematics and compliance", body + "<footer>Written by arthron " ARTHRON_VERSION ".</footer>\n");
}

}  // namespace arthron::cli
