#include "arthron/suspension/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arthron {
namespace {

BumpDirection direction_of(SweepKind kind) {
  switch (kind) {
    case SweepKind::opposite_bump: return {1, -1};
    case SweepKind::single_wheel: return {1, 0};
    default: return {1, 1};
  }
}

RigInput input_at(SweepKind kind, double travel) {
  if (kind == SweepKind::steer) return {0, 0, travel};
  const BumpDirection direction = direction_of(kind);
  return {direction.left * travel, direction.right * travel, 0};
}

/// Slopes of the vertical forces by differences over five points, whose error is of fourth order; the rig comes back to where it was. NaN
/// at the end of the reach.
std::array<double, 2> wheel_rates(SuspensionRig& rig, SweepKind kind, double travel) {
  constexpr double small = 1e-3;  // [m]
  const BumpDirection direction = direction_of(kind);
  const RigInput here = input_at(kind, travel);
  std::array<double, 2> sum{};
  constexpr std::pair<int, double> stencil[] = {{1, 8}, {2, -1}, {-1, -8}, {-2, 1}};
  for (const auto& [steps, weight] : stencil) {
    const double bump = steps * small, nan = std::numeric_limits<double>::quiet_NaN();
    const bool reached = rig.move_to({here.left + bump * direction.left, here.right + bump * direction.right, here.rack});
    const auto wheels = rig.observe();
    for (std::size_t i = 0; i < 2; ++i) sum[i] += reached ? weight * wheels[i].force : nan;
  }
  if (!rig.move_to(here)) rig.refuse_lost_position();
  return {sum[0] / (12 * small * direction.per(1)), sum[1] / (12 * small * direction.per(-1))};
}

SweepRow row_at(SuspensionRig& rig, SweepKind kind, double travel, double wheel_radius) {
  SweepRow row;
  row.travel = travel;
  row.wheel_rate = wheel_rates(rig, kind, travel);
  const std::array<WheelSight, 2> sight = rig.observe();
  for (std::size_t i = 0; i < 2; ++i) row.wheels[i] = wheel_geometry(sight[i], direction_of(kind), rig.steers(), wheel_radius);
  row.track = row.wheels[0].contact.y - row.wheels[1].contact.y;
  row.roll_centre = roll_centre(sight, wheel_radius);
  return row;
}

}  // namespace

std::string_view name_of(SweepKind kind) {
  switch (kind) {
    case SweepKind::parallel_bump: return "parallel_bump";
    case SweepKind::opposite_bump: return "opposite_bump";
    case SweepKind::single_wheel: return "single_wheel";
    case SweepKind::steer: return "steer";
  }
  return "";
}

static int steps_each_way(const SweepSettings& settings) { return static_cast<int>(std::ceil(settings.extent / settings.step - 1e-9)); }

int row_count(const SweepSettings& settings) { return 2 * steps_each_way(settings) + 1; }

KinematicSweep run_sweep(SuspensionRig& rig, SweepKind kind, const SweepSettings& settings, const Proceed& proceed) {
  KinematicSweep sweep{kind, {}, true};
  const auto row = [&](int i) -> std::optional<SweepRow> {
    const double travel = std::clamp(i * settings.step, -settings.extent, settings.extent);
    if (!rig.move_to(input_at(kind, travel))) return {};
    return row_at(rig, kind, travel, settings.wheel_radius);
  };
  sweep.complete = collect_rows(rig, steps_each_way(settings), proceed, row, sweep.rows);
  return sweep;
}

}  // namespace arthron
