#include "report/kc_charts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace arthron::cli {
namespace {

using std::size_t;

struct Words {
  const char* name;
  const char* title;
  const char* meaning;
};

constexpr Words words_of_quantities[] = {
    {"x", "Wheel centre x", "forward"},
    {"y", "Wheel centre y", "to the left"},
    {"z", "Wheel centre z", "up"},
    {"camber", "Camber", "inclination of the wheel's plane, + top outward"},
    {"front_view_camber", "Camber in front view", "projection, + top outward"},
    {"toe", "Toe", "+ toe-in"},
    {"steer", "Steer angle", "+ to the left"},
    {"bump_camber", "Bump camber", "camber over wheel travel"},
    {"bump_steer", "Bump steer", "toe over wheel travel"},
    {"wheelbase_change", "Wheelbase change", "+ CP forward"},
    {"half_track_slope", "Half-track slope", "CP outward over its rise"},
    {"brake_slope", "Brake slope", "CP of the braked wheel forward over its rise"},
    {"drive_slope", "Drive slope", "wheel centre forward over its travel"},
    {"anti_dive", "Anti-dive", "of the load transfer in braking"},
    {"anti_lift", "Anti-lift", "of the load transfer in braking"},
    {"anti_squat", "Anti-squat", "of the load transfer in driving"},
    {"caster", "Caster", "+ top of the axis rearward"},
    {"kingpin_inclination", "Kingpin inclination", "+ top of the axis inboard"},
    {"scrub_radius", "Scrub radius", "+ axis inboard of CP"},
    {"mechanical_trail", "Mechanical trail", "+ axis ahead of CP"},
    {"steer_gradient", "Steer gradient", "steer angle over rack travel"},
    {"wheel_force", "Wheel force", "+ up, at the wheel centre, without weights"},
    {"wheel_rate", "Wheel rate", "wheel force over wheel travel"},
    {"compression", "Spring compression", "+ shorter"},
    {"motion_ratio", "Motion ratio", "spring compression over wheel travel"},
    {"inverse_motion_ratio", "Inverse motion ratio", "wheel travel over spring compression"},
    {"track", "Track", "between both CP"},
    {"track_change", "Track change", "+ wider"},
    {"roll_centre.y", "Roll centre, lateral", "+ to the left"},
    {"roll_centre.height", "Roll centre height", "above the mean of both CP"},
    {"roll_angle", "Roll angle", "+ left wheel up"},
    {"ackermann", "Ackermann", "100 % is exact"},
    {"ackermann_cotangents", "Ackermann", "cot outer - cot inner angle"},
    {"x_change", "Wheel centre moves forward", ""},
    {"y_change", "Wheel centre moves to the left", ""},
    {"contact_x_change", "CP moves forward", ""},
    {"contact_y_change", "CP moves to the left", ""},
    {"contact_x", "CP x", "+ forward"},
    {"contact_y", "CP y", "+ to the left"},
    {"wheel_radius", "Wheel radius", ""},
    {"wheel_travel", "Wheel travel", "+ bump"},
    {"rack_travel", "Rack travel", "+ to the left"},
    {"force", "Force", ""},
    {"torque", "Torque", ""},
};

const Words* words_of(const std::string& name) {
  const auto found =
      std::find_if(std::begin(words_of_quantities), std::end(words_of_quantities), [&](const Words& entry) { return entry.name == name; });
  return found == std::end(words_of_quantities) ? nullptr : found;
}

/// "toe" of "left.toe", and what stands before it: a wheel, a spring, or both.
std::pair<std::string, std::string> split(const std::string& name) {
  size_t at = 0;
  while (!words_of(name.substr(at))) {
    const size_t dot = name.find('.', at);
    if (dot == std::string::npos) return {"", name};
    at = dot + 1;
  }
  return {name.substr(0, at == 0 ? 0 : at - 1), name.substr(at)};
}

/// Units of the trade: millimetres, and newtons over millimetres.
std::pair<std::string, double> unit_of_the_trade(const std::string& unit) {
  if (unit == "N/m") return {"N/mm", 1e-3};
  if (unit == "m" || unit.starts_with("m/")) return {'m' + unit, 1e3};
  return {unit == "1" ? "-" : unit, 1};
}

/// Columns of a table, found by what they measure.
class Columns {
 public:
  explicit Columns(const ResultTable& table) : table_(table) {}

  /// "toe", "left.toe" or "left.spring.motion_ratio": all that end so, by what stands before it.
  [[nodiscard]] std::vector<std::pair<std::string, const ResultColumn*>> all(const std::string& name) const {
    std::vector<std::pair<std::string, const ResultColumn*>> list;
    for (const ResultColumn& column : table_.columns)
      if (const auto [before, quantity] = split(column.name); quantity == name && is_finite(column)) list.emplace_back(before, &column);
    return list;
  }
  [[nodiscard]] const ResultColumn* one(const std::string& name) const {
    const auto list = all(name);
    return list.empty() ? nullptr : list.front().second;
  }
  [[nodiscard]] const ResultColumn& first() const { return table_.columns.front(); }

 private:
  static bool is_finite(const ResultColumn& column) {
    return std::any_of(column.values.begin(), column.values.end(), [](double value) { return std::isfinite(value); });
  }
  const ResultTable& table_;
};

std::vector<double> scaled(const ResultColumn& column) {
  std::vector<double> values = column.values;
  for (double& value : values) value *= unit_of_the_trade(column.unit).second;
  return values;
}

/// Without the wheel or spring that it is of.
KcQuantity plain_quantity(const ResultColumn& column) { return kc_quantity(split(column.name).second + " [" + column.unit + ']'); }

std::string label(const ResultColumn& column) {
  const KcQuantity quantity = plain_quantity(column);
  std::string name = quantity.title;
  if (name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])))
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name + " [" + quantity.unit + ']';
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  double scale = 0, difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i]) != std::isfinite(b[i])) return false;
    if (!std::isfinite(a[i])) continue;
    scale = std::max(scale, std::abs(a[i])), difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference <= 1e-6 * scale;
}

/// Left and right as one where they do the same.
std::vector<std::pair<std::string, std::vector<double>>> curves(const Columns& columns, const std::string& name) {
  std::vector<std::pair<std::string, std::vector<double>>> list;
  for (const auto& [before, column] : columns.all(name)) list.emplace_back(before.empty() ? "axle" : before, scaled(*column));
  for (size_t i = 0; i < list.size(); ++i) {
    std::string& left = list[i].first;
    if (!left.starts_with("left")) continue;
    const auto right = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == "right" + left.substr(4); });
    if (right == list.end() || !same(list[i].second, right->second)) continue;
    left = "both" + left.substr(4);
    list.erase(right);
  }
  // A damper around its spring moves as it does.
  for (size_t i = 0; i + 1 < list.size();) {
    const size_t dot = list[i + 1].first.find('.');
    const bool together = dot != std::string::npos && list[i].first.starts_with(list[i + 1].first.substr(0, dot + 1)) &&
                          same(list[i].second, list[i + 1].second);
    if (!together) {
      ++i;
      continue;
    }
    list[i].first += ", " + list[i + 1].first.substr(dot + 1);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  for (auto& [before, values] : list)
    if (const size_t dot = before.find('.'); dot != std::string::npos) before.replace(dot, 1, ": ");
  return list;
}

enum class Travel { vertical, horizontal };

/// What `name` measures over `over`; without series where the table does not have it.
Pane pane(const Columns& columns, const std::string& name, const ResultColumn& over, Travel travel, const std::string& suffix = "") {
  Pane pane;
  const ResultColumn* column = columns.one(name);
  if (!column) return pane;
  const KcQuantity quantity = plain_quantity(*column);
  pane.title = quantity.title + (quantity.meaning.empty() ? "" : " (" + quantity.meaning + ')') + suffix;
  pane.x_label = label(travel == Travel::vertical ? *column : over);
  pane.y_label = label(travel == Travel::vertical ? over : *column);
  for (const auto& [before, values] : curves(columns, name))
    pane.series.push_back(travel == Travel::vertical ? Series{before, values, scaled(over)} : Series{before, scaled(over), values});
  return pane;
}

/// One name of a chart, and which way travel goes in it.
struct Chart {
  const char* name;
  Travel travel = Travel::vertical;
};

struct SheetPlan {
  const char* table;
  const char* title;
  const char* remark;
  std::vector<Chart> charts;
  const char* over = "";  // instead of the first column
};

const std::vector<SheetPlan>& kinematic_sheets() {
  constexpr Travel flat = Travel::horizontal;
  static const std::vector<SheetPlan> list = {
      {"parallel_bump",
       "Parallel bump: alignment",
       "Both wheels rise together. Wheel travel is on the vertical axis.",
       {{"toe"}, {"camber"}, {"caster"}, {"kingpin_inclination"}, {"wheelbase_change"}, {"track_change"}}},
      {"parallel_bump",
       "Parallel bump: slopes and steering axis",
       "Both wheels rise together. Wheel travel is on the vertical axis.",
       {{"bump_steer"}, {"bump_camber"}, {"scrub_radius"}, {"mechanical_trail"}, {"half_track_slope"}, {"roll_centre.height"}}},
      {"parallel_bump",
       "Parallel bump: forces, rates and ratios",
       "Both wheels rise together.",
       {{"wheel_force", flat},
        {"wheel_rate", flat},
        {"compression", flat},
        {"motion_ratio", flat},
        {"brake_slope", flat},
        {"drive_slope", flat},
        {"anti_dive", flat},
        {"anti_lift", flat},
        {"anti_squat", flat}}},
      {"opposite_bump",
       "Opposite bump: alignment in roll",
       "The left wheel rises and the right one falls; over the roll angle of the wheels.",
       {{"toe", flat},
        {"camber", flat},
        {"roll_centre.height", flat},
        {"roll_centre.y", flat},
        {"wheelbase_change", flat},
        {"track_change", flat}},
       "roll_angle"},
      {"opposite_bump",
       "Opposite bump: forces and rates in roll",
       "The left wheel rises and the right one falls. Travel is that of the left wheel.",
       {{"wheel_force", flat},
        {"wheel_rate", flat},
        {"motion_ratio", flat},
        {"bump_steer", flat},
        {"bump_camber", flat},
        {"caster", flat}}},
      {"single_wheel",
       "Single wheel: alignment",
       "The left wheel moves, the right one keeps its drawn height. Travel is on the vertical axis.",
       {{"toe"}, {"camber"}, {"wheelbase_change"}, {"track_change"}, {"caster"}, {"roll_centre.height"}}},
      {"single_wheel",
       "Single wheel: forces and rates",
       "The left wheel moves, the right one keeps its drawn height.",
       {{"wheel_force", flat}, {"wheel_rate", flat}, {"motion_ratio", flat}, {"compression", flat}}},
      {"steer",
       "Steering",
       "The rack moves, both wheels keep their drawn heights.",
       {{"steer", flat},
        {"steer_gradient", flat},
        {"ackermann", flat},
        {"ackermann_cotangents", flat},
        {"camber", flat},
        {"caster", flat}}},
      {"steer",
       "Steering: axis and contact",
       "The rack moves, both wheels keep their drawn heights.",
       {{"kingpin_inclination", flat},
        {"scrub_radius", flat},
        {"mechanical_trail", flat},
        {"wheelbase_change", flat},
        {"track_change", flat},
        {"wheel_force", flat}}},
  };
  return list;
}

Figure on_paper(std::vector<Pane> panes) {
  std::erase_if(panes, [](const Pane& pane) { return pane.series.empty(); });
  Figure figure;
  figure.columns = 2;
  figure.pane_height = panes.size() > 6 ? 265 : 345;
  figure.panes = std::move(panes);
  return figure;
}

const KcTable* find(const std::vector<KcTable>& tables, const std::string& name) {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const KcTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

/// One kind of load: the same on both wheels at the left, the opposite at the right.
KcSheet load_sheet(const std::vector<KcTable>& tables, const std::string& kind) {
  static const std::map<std::string, const char*> remarks = {
      {"lateral_force", "A force at CP, + to the left, while the brake is locked."},
      {"brake_force", "A force at CP, + forward (braking is negative), while the brake is locked."},
      {"drive_force", "A force at the wheel centre, + forward, as a half shaft drives it."},
      {"aligning_torque", "A torque about z at CP, + anticlockwise from above."}};
  KcSheet sheet{"",
                std::string(remarks.at(kind)) +
                    " Both wheels keep their drawn heights and the rack is held. Left column: the same load on both "
                    "wheels; right column: the opposite one on the right wheel. The load drawn is that of the left wheel.",
                {}};
  sheet.title = kc_title("parallel_" + kind);
  sheet.title = "Compliance: " + sheet.title.substr(sheet.title.find(' ') + 1);
  std::vector<Pane> panes;
  for (const char* name : {"toe", "camber", "contact_x_change", "contact_y_change"})
    for (const std::string direction : {"parallel", "opposite"})
      if (const KcTable* table = find(tables, direction + "_" + kind)) {
        const Columns columns(table->table);
        panes.push_back(pane(columns, name, columns.first(), Travel::horizontal, ", " + direction));
      }
  sheet.figure = on_paper(std::move(panes));
  return sheet;
}

}  // namespace

KcQuantity kc_quantity(const std::string& heading) {
  const size_t bracket = heading.rfind(" [");
  const bool has_unit = bracket != std::string::npos && heading.ends_with(']');
  const std::string name = has_unit ? heading.substr(0, bracket) : heading;
  const auto [unit, factor] = unit_of_the_trade(has_unit ? heading.substr(bracket + 2, heading.size() - bracket - 3) : "");
  const auto [before, quantity] = split(name);
  const Words* found = words_of(quantity);
  if (!found) return {name, unit, factor, ""};
  const bool wheel = before.empty() || before == "left" || before == "right";
  return {found->title + (wheel ? std::string() : ", " + before), unit, factor, found->meaning};
}

std::string kc_title(const std::string& table) {
  std::string title = table;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

const std::vector<std::string>& kc_loads() {
  static const std::vector<std::string> kinds{"lateral_force", "brake_force", "drive_force", "aligning_torque"};
  return kinds;
}

const std::vector<std::string>& kc_table_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"parallel_bump", "opposite_bump", "single_wheel", "steer"};
    for (const std::string& kind : kc_loads())
      for (const char* direction : {"parallel_", "opposite_"}) list.push_back(std::string(direction) + kind);
    return list;
  }();
  return names;
}

std::vector<KcSheet> kc_sheets(const std::vector<KcTable>& tables) {
  std::vector<KcSheet> sheets;
  for (const SheetPlan& plan : kinematic_sheets()) {
    const KcTable* table = find(tables, plan.table);
    if (!table) continue;
    const Columns columns(table->table);
    const ResultColumn* named = *plan.over ? columns.one(plan.over) : nullptr;
    const ResultColumn& over = named ? *named : columns.first();
    std::vector<Pane> panes;
    for (const Chart& chart : plan.charts)
      if (chart.name != std::string("ackermann_cotangents") || !columns.one("ackermann"))
        panes.push_back(pane(columns, chart.name, over, chart.travel));
    sheets.push_back({plan.title, plan.remark, on_paper(std::move(panes))});
  }
  for (const std::string& kind : kc_loads()) sheets.push_back(load_sheet(tables, kind));
  std::erase_if(sheets, [](const KcSheet& sheet) { return sheet.figure.panes.empty(); });
  return sheets;
}

}  // namespace arthron::cli
