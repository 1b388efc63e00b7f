#include "arthron/suspension/load_case.hpp"

namespace arthron {
namespace {

std::string_view name_of(LoadKind kind) {
  switch (kind) {
    case LoadKind::lateral_force: return "lateral_force";
    case LoadKind::brake_force: return "brake_force";
    case LoadKind::drive_force: return "drive_force";
    case LoadKind::aligning_torque: return "aligning_torque";
  }
  return "";
}

LoadRow row_at(SuspensionRig& rig, double load, double wheel_radius) {
  LoadRow row{load, {}};
  const std::array<WheelSight, 2> sight = rig.observe();
  for (std::size_t i = 0; i < 2; ++i) row.wheels[i] = wheel_geometry(sight[i], {1, 1}, rig.steers(), wheel_radius);
  return row;
}

}  // namespace

std::string LoadCase::name() const { return (opposite ? "opposite_" : "parallel_") + std::string(name_of(kind)); }

AxleLoad LoadCase::unit() const {
  WheelLoad load;
  switch (kind) {
    case LoadKind::lateral_force: load.at_contact.linear.y = 1; break;
    case LoadKind::brake_force: load.at_contact.linear.x = 1; break;
    case LoadKind::drive_force: load.at_centre.linear.x = 1; break;
    case LoadKind::aligning_torque: load.at_contact.angular.z = 1; break;
  }
  return {load, (opposite ? -1.0 : 1.0) * load};
}

std::vector<LoadCase> load_cases() {
  std::vector<LoadCase> all;
  for (const LoadKind kind : {LoadKind::lateral_force, LoadKind::brake_force, LoadKind::drive_force, LoadKind::aligning_torque})
    for (const bool opposite : {false, true}) all.push_back({kind, opposite});
  return all;
}

LoadSweep run_load_case(SuspensionRig& rig, const LoadCase& load_case, const LoadSettings& settings, const Proceed& proceed) {
  LoadSweep sweep{load_case, {}, {}, true};
  const AxleLoad unit = load_case.unit();
  const double most = load_case.kind == LoadKind::aligning_torque ? settings.torque : settings.force;
  rig.reset();
  const std::array<WheelSight, 2> sight = rig.observe();
  const std::array<Spatial6, 2> twist = rig.response(unit, settings.wheel_radius);
  for (std::size_t i = 0; i < 2; ++i) sweep.gradient[i] = wheel_motion(sight[i], twist[i], settings.wheel_radius);
  const auto row = [&](int i) -> std::optional<LoadRow> {
    const double load = most * i / settings.steps;
    if (!rig.load_with(load * unit, settings.wheel_radius)) return {};
    return row_at(rig, load, settings.wheel_radius);
  };
  sweep.complete = collect_rows(rig, settings.steps, proceed, row, sweep.rows);
  return sweep;
}

}  // namespace arthron
