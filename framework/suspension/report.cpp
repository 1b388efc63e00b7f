#include "arthron/suspension/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "arthron/simulation/csv.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {
namespace {

using Json = nlohmann::ordered_json;
using std::size_t;

constexpr int sides[] = {1, -1};

struct Value {
  std::string name, unit;
  double value = 0;
};
using Values = std::vector<Value>;

double degrees(double angle) { return angle * 180 / std::numbers::pi; }

const SweepRow& drawn(const KinematicSweep& sweep) {
  return *std::min_element(sweep.rows.begin(), sweep.rows.end(),
                           [](const SweepRow& a, const SweepRow& b) { return std::abs(a.travel) < std::abs(b.travel); });
}

double inverse(double ratio) { return std::abs(ratio) > 1e-9 ? 1 / ratio : std::numeric_limits<double>::quiet_NaN(); }

/// Percentages of load transfer that the linkage carries.
void add_anti_effects(const WheelGeometry& wheel, const VehicleData& vehicle, Values& out) {
  if (!(vehicle.wheelbase > 0 && vehicle.cg_height > 0)) return;
  const double lever = 100 * vehicle.wheelbase / vehicle.cg_height, towards_centre = vehicle.rear ? -1 : 1;
  if (vehicle.brake_share > 0)
    out.push_back({vehicle.rear ? "anti_lift" : "anti_dive", "%", vehicle.brake_share * lever * towards_centre * wheel.brake_slope});
  if (vehicle.rear) out.push_back({"anti_squat", "%", -lever * wheel.drive_slope});
}

void add_steering(const WheelGeometry& wheel, Values& out) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const SteeringAxis axis = wheel.steering.value_or(SteeringAxis{{}, {}, nan, nan, nan, nan, nan});
  out.push_back({"caster", "deg", degrees(axis.caster)});
  out.push_back({"kingpin_inclination", "deg", degrees(axis.kingpin_inclination)});
  out.push_back({"scrub_radius", "m", axis.scrub_radius});
  out.push_back({"mechanical_trail", "m", axis.mechanical_trail});
  out.push_back({"steer_gradient", "deg/m", degrees(axis.steer_rate)});
}

Values wheel_values(const SweepRow& row, const SweepRow& design, size_t side, const SuspensionRig& rig, const VehicleData& vehicle) {
  const WheelGeometry &wheel = row.wheels[side], &before = design.wheels[side];
  Values out{{"x", "m", wheel.centre.x},
             {"y", "m", wheel.centre.y},
             {"z", "m", wheel.centre.z},
             {"camber", "deg", degrees(wheel.camber)},
             {"front_view_camber", "deg", degrees(wheel.front_view_camber)},
             {"toe", "deg", degrees(wheel.toe)},
             {"steer", "deg", degrees(wheel.steer(sides[side]) - before.steer(sides[side]))},
             {"bump_camber", "deg/m", degrees(wheel.camber_slope)},
             {"bump_steer", "deg/m", degrees(wheel.toe_slope)},
             {"wheelbase_change", "m", wheel.contact.x - before.contact.x},
             {"half_track_slope", "1", wheel.lateral_slope},
             {"brake_slope", "1", wheel.brake_slope},
             {"drive_slope", "1", wheel.drive_slope}};
  add_anti_effects(wheel, vehicle, out);
  if (rig.steers()) add_steering(wheel, out);
  out.push_back({"wheel_force", "N", wheel.force});
  out.push_back({"wheel_rate", "N/m", row.wheel_rate[side]});
  const std::vector<std::string> springs = rig.springs(static_cast<int>(side));
  for (size_t i = 0; i < springs.size(); ++i) {
    const WheelSpring& spring = wheel.springs[i];
    out.push_back({springs[i] + ".compression", "m", before.springs[i].length - spring.length});
    out.push_back({springs[i] + ".motion_ratio", "1", spring.motion_ratio});
    out.push_back({springs[i] + ".inverse_motion_ratio", "1", inverse(spring.motion_ratio)});
  }
  return out;
}

/// cot(outer) - cot(inner), which is track over wheelbase for Ackermann's geometry; undefined while the wheels are straight.
double ackermann(const SweepRow& row, const SweepRow& design) {
  double angle[2];
  for (size_t i = 0; i < 2; ++i) angle[i] = row.wheels[i].steer(sides[i]) - design.wheels[i].steer(sides[i]);
  const bool to_left = angle[0] + angle[1] > 0;
  const double inner = std::abs(angle[to_left ? 0 : 1]), outer = std::abs(angle[to_left ? 1 : 0]);
  if (!(inner > 1e-6 && outer > 1e-6)) return std::numeric_limits<double>::quiet_NaN();
  return 1 / std::tan(outer) - 1 / std::tan(inner);
}

Values axle_values(SweepKind kind, const SweepRow& row, const SweepRow& design, const VehicleData& vehicle) {
  Values out{{"track", "m", row.track},
             {"track_change", "m", row.track - design.track},
             {"roll_centre.y", "m", row.roll_centre.y},
             {"roll_centre.height", "m", row.roll_centre.z}};
  if (kind == SweepKind::opposite_bump)
    out.push_back({"roll_angle", "deg", degrees(std::atan2(row.wheels[0].contact.z - row.wheels[1].contact.z, row.track))});
  if (kind == SweepKind::steer) {
    const double cotangents = ackermann(row, design);
    out.push_back({"ackermann_cotangents", "1", cotangents});
    if (vehicle.wheelbase > 0) out.push_back({"ackermann", "%", 100 * cotangents * vehicle.wheelbase / design.track});
  }
  return out;
}

/// Alignment and place of a loaded wheel; changes are since it was not loaded.
Values loaded_values(const WheelGeometry& wheel, const WheelGeometry& before, int side) {
  const Vec3 centre = wheel.centre - before.centre, contact = wheel.contact - before.contact;
  return {{"camber", "deg", degrees(wheel.camber)},
          {"front_view_camber", "deg", degrees(wheel.front_view_camber)},
          {"toe", "deg", degrees(wheel.toe)},
          {"steer", "deg", degrees(wheel.steer(side) - before.steer(side))},
          {"x_change", "m", centre.x},
          {"y_change", "m", centre.y},
          {"contact_x_change", "m", contact.x},
          {"contact_y_change", "m", contact.y},
          {"wheel_force", "N", wheel.force}};
}

/// Per kilonewton or per 100 N m.
Values gradient_values(const WheelMotion& per_unit, LoadKind kind) {
  const bool torque = kind == LoadKind::aligning_torque;
  const double times = torque ? 100 : 1000;
  const std::string unit = torque ? "/(100 N m)" : "/kN";
  return {{"camber", "deg" + unit, times * degrees(per_unit.camber)},
          {"toe", "deg" + unit, times * degrees(per_unit.toe)},
          {"x", "m" + unit, times * per_unit.centre.x},
          {"y", "m" + unit, times * per_unit.centre.y},
          {"contact_x", "m" + unit, times * per_unit.contact.x},
          {"contact_y", "m" + unit, times * per_unit.contact.y}};
}

Values with_side(size_t side, Values values) {
  for (Value& value : values) value.name = std::string(side_names[side]) + '.' + value.name;
  return values;
}

void append(Values& all, Values more) { all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end())); }

Values all_values(SweepKind kind, const SweepRow& row, const SweepRow& design, const SuspensionRig& rig, const VehicleData& vehicle) {
  Values all;
  for (size_t side = 0; side < 2; ++side) append(all, with_side(side, wheel_values(row, design, side, rig, vehicle)));
  append(all, axle_values(kind, row, design, vehicle));
  return all;
}

Values all_values(const LoadRow& row, const LoadRow& unloaded) {
  Values all;
  for (size_t side = 0; side < 2; ++side) append(all, with_side(side, loaded_values(row.wheels[side], unloaded.wheels[side], sides[side])));
  return all;
}

std::string labelled(const Value& value) { return value.name + " [" + value.unit + ']'; }

/// Not what is measured from the drawn position, and zero there.
bool is_at_rest(const std::string& name) { return !name.ends_with("change") && !name.ends_with("compression") && name != "steer"; }

/// What opposite bump tells besides: wheels may be joined by an axle or a bar.
bool depends_on_mode(const std::string& name) { return name == "bump_camber" || name == "bump_steer" || name == "wheel_rate"; }

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// A table from the values of a first row, for its head, and of every row.
template <class Rows, class ValuesOf, class Place>
std::string table(std::string head, const Rows& rows, const ValuesOf& values_of, const Place& place) {
  for (const Value& value : values_of(rows.front())) head += ',' + labelled(value);
  std::string text = std::move(head) + '\n';
  for (const auto& row : rows) {
    std::vector<double> numbers;
    for (const Value& value : values_of(row)) numbers.push_back(value.value);
    append_csv_row(text, place(row), numbers);
  }
  return text;
}

}  // namespace

std::string to_csv(const KinematicSweep& sweep, const SuspensionRig& rig, const VehicleData& vehicle) {
  const SweepRow& design = drawn(sweep);
  return table(
      sweep.kind == SweepKind::steer ? "rack_travel [m]" : "wheel_travel [m]", sweep.rows,
      [&](const SweepRow& row) { return all_values(sweep.kind, row, design, rig, vehicle); },
      [](const SweepRow& row) { return row.travel; });
}

std::string to_csv(const LoadSweep& sweep) {
  const LoadRow& unloaded = *std::min_element(sweep.rows.begin(), sweep.rows.end(),
                                              [](const LoadRow& a, const LoadRow& b) { return std::abs(a.load) < std::abs(b.load); });
  return table(
      sweep.load_case.kind == LoadKind::aligning_torque ? "torque [N m]" : "force [N]", sweep.rows,
      [&](const LoadRow& row) { return all_values(row, unloaded); }, [](const LoadRow& row) { return row.load; });
}

Json design_position(const std::vector<KinematicSweep>& sweeps, const std::vector<LoadSweep>& loads, const SuspensionRig& rig,
                     const SweepSettings& settings, const VehicleData& vehicle) {
  Json out{{"suspension", rig.model().name},
           {"wheel_radius [m]", settings.wheel_radius},
           {"compliant", rig.compliant()},
           {"idle_freedoms", rig.idle_freedoms()},
           {"left_out", rig.left_out()}};
  for (const KinematicSweep& sweep : sweeps) {
    if (sweep.kind == SweepKind::steer) continue;
    const SweepRow& row = drawn(sweep);
    Json& part = out[std::string(name_of(sweep.kind))];
    const bool whole = sweep.kind == SweepKind::parallel_bump;
    for (size_t side = 0; side < 2; ++side)
      for (const Value& value : wheel_values(row, row, side, rig, vehicle))
        if (whole ? is_at_rest(value.name) : depends_on_mode(value.name))
          part[side_names[side]][labelled(value)] = number_or_null(value.value);
    if (!whole) continue;
    for (const Value& value : axle_values(sweep.kind, row, row, vehicle))
      if (is_at_rest(value.name)) part["axle"][labelled(value)] = number_or_null(value.value);
  }
  for (const LoadSweep& load : loads)
    for (size_t side = 0; side < 2; ++side)
      for (const Value& value : gradient_values(load.gradient[side], load.load_case.kind))
        out[load.load_case.name()][side_names[side]][labelled(value)] = number_or_null(value.value);
  return out;
}

std::string to_text(const Json& design) {
  constexpr std::size_t name_width = 36, number_width = 12;
  const auto number = [](const Json& value) {
    const std::string text = value.is_number() ? rounded_text(std::abs(value.get<double>()) < 1e-10 ? 0 : value.get<double>()) : "-";
    return std::string(text.size() < number_width ? number_width - text.size() : 1, ' ') + text;
  };
  const auto padded = [](const std::string& name) {
    return "  " + name + std::string(name.size() < name_width ? name_width - name.size() : 1, ' ');
  };
  std::string text = design["suspension"].get<std::string>() + ", in the design position\n";
  for (const auto& [kind, part] : design.items()) {
    if (!part.is_object()) continue;
    text += kind + std::string(name_width + 2 - kind.size(), ' ') + "        left       right\n";
    for (const auto& [name, left] : part["left"].items()) {
      const Json right = part["right"].contains(name) ? part["right"][name] : Json(nullptr);
      text += padded(name) + number(left) + number(right) + '\n';
    }
    if (part.contains("axle"))
      for (const auto& [name, value] : part["axle"].items()) text += padded(name) + number(value) + '\n';
  }
  return text;
}

}  // namespace arthron
