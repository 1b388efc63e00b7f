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

constexpr const char* side_names[] = {"left", "right"};
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
    out.push_back({springs[i] + ".inverse_motion_ratio", "1", 1 / spring.motion_ratio});
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

Values all_values(SweepKind kind, const SweepRow& row, const SweepRow& design, const SuspensionRig& rig, const VehicleData& vehicle) {
  Values all;
  for (size_t side = 0; side < 2; ++side)
    for (Value value : wheel_values(row, design, side, rig, vehicle)) {
      value.name = std::string(side_names[side]) + '.' + value.name;
      all.push_back(std::move(value));
    }
  for (Value& value : axle_values(kind, row, design, vehicle)) all.push_back(std::move(value));
  return all;
}

std::string labelled(const Value& value) { return value.name + " [" + value.unit + ']'; }

/// Not what is measured from the drawn position, and zero there.
bool is_at_rest(const std::string& name) { return !name.ends_with("change") && !name.ends_with("compression") && name != "steer"; }

/// What opposite bump tells besides: wheels may be joined by an axle or a bar.
bool depends_on_mode(const std::string& name) { return name == "bump_camber" || name == "bump_steer" || name == "wheel_rate"; }

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string to_csv(const KinematicSweep& sweep, const SuspensionRig& rig, const VehicleData& vehicle) {
  std::string text = sweep.kind == SweepKind::steer ? "rack_travel [m]" : "wheel_travel [m]";
  const SweepRow& design = drawn(sweep);
  for (const Value& value : all_values(sweep.kind, design, design, rig, vehicle)) text += ',' + labelled(value);
  text += '\n';
  for (const SweepRow& row : sweep.rows) {
    std::vector<double> numbers;
    for (const Value& value : all_values(sweep.kind, row, design, rig, vehicle)) numbers.push_back(value.value);
    append_csv_row(text, row.travel, numbers);
  }
  return text;
}

Json design_position(const std::vector<KinematicSweep>& sweeps, const SuspensionRig& rig, const SweepSettings& settings,
                     const VehicleData& vehicle) {
  Json out{{"suspension", rig.model().name}, {"wheel_radius [m]", settings.wheel_radius}, {"idle_freedoms", rig.idle_freedoms()}};
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
  return out;
}

std::string to_text(const Json& design) {
  constexpr std::size_t name_width = 36, number_width = 12;
  const auto number = [](const Json& value) {
    const std::string text = value.is_number() ? rounded_text(std::abs(value.get<double>()) < 1e-12 ? 0 : value.get<double>()) : "-";
    return std::string(text.size() < number_width ? number_width - text.size() : 1, ' ') + text;
  };
  const auto padded = [](const std::string& name) {
    return "  " + name + std::string(name.size() < name_width ? name_width - name.size() : 1, ' ');
  };
  std::string text = design["suspension"].get<std::string>() + ", at the drawn position\n";
  for (const char* kind : {"parallel_bump", "opposite_bump"}) {
    if (!design.contains(kind)) continue;
    const Json& part = design[kind];
    text += std::string(kind) + std::string(name_width + 2 - std::string(kind).size(), ' ') + "        left       right\n";
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
