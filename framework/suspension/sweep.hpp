#pragma once
#include <functional>
#include <optional>

#include "arthron/suspension/geometry.hpp"

namespace arthron {

/// In `single_wheel` the left one moves and the right one is held at its drawn height.
enum class SweepKind { parallel_bump, opposite_bump, single_wheel, steer };
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
  bool complete = true;        // false: the linkage reaches less far than asked, at one or both ends, or `proceed` ended it
};

/// Asked after every row; false ends a sweep with the rows so far.
using Proceed = std::function<bool()>;

/// Rows i = 0 ... steps and, from the drawn position again, -1 ... -steps, in the order of i. Each way ends where `row_at` finds none or
/// `proceed` says so; false then.
template <class Row, class RowAt>
[[nodiscard]] bool collect_rows(SuspensionRig& rig, int steps, const Proceed& proceed, const RowAt& row_at, std::vector<Row>& rows) {
  bool complete = true;
  for (const int sign : {1, -1}) {
    rig.reset();
    for (int i = sign > 0 ? 0 : 1; i <= steps; ++i) {
      std::optional<Row> row;
      if (!proceed || proceed()) row = row_at(sign * i);
      complete = complete && row;
      if (!row) break;
      rows.insert(sign > 0 ? rows.end() : rows.begin(), std::move(*row));
    }
  }
  rig.reset();
  return complete;
}

/// Moves the suspension through its range in small steps from the drawn position, both ways.
[[nodiscard]] KinematicSweep run_sweep(SuspensionRig& rig, SweepKind kind, const SweepSettings& settings, const Proceed& proceed = {});
/// Rows of a sweep that is not cut short.
[[nodiscard]] int row_count(const SweepSettings& settings);

}  // namespace arthron
