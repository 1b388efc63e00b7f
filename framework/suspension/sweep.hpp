#pragma once
#include "arthron/suspension/geometry.hpp"

namespace arthron {

enum class SweepKind { parallel_bump, opposite_bump, steer };
[[nodiscard]] std::string_view name_of(SweepKind kind);

struct SweepSettings {
  double extent = 0.08, step = 0.005;  // both ways from the drawn position, and between rows [m]
  double wheel_radius = 0.3;           // [m]
};

/// One position of the axle. Slopes and rates are those of the sweep's own motion; in steering, of parallel bump.
struct SweepRow {
  double travel = 0;                      // of the left wheel centre upward, or of the rack to the left [m]
  std::array<WheelGeometry, 2> wheels{};  // left, right
  std::array<double, 2> wheel_rate{};     // change of the vertical force over the wheel's travel [N/m]
  double track = 0;                       // distance of both CP across [m]
  RollCentre roll_centre;
};

struct KinematicSweep {
  SweepKind kind = SweepKind::parallel_bump;
  std::vector<SweepRow> rows;  // by travel
  bool complete = true;        // false: the linkage reaches less far than asked, at one or both ends
};

/// Moves the suspension through its range in small steps from the drawn position, both ways.
[[nodiscard]] KinematicSweep run_sweep(SuspensionRig& rig, SweepKind kind, const SweepSettings& settings);

}  // namespace arthron
