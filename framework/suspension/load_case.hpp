#pragma once
#include "arthron/suspension/sweep.hpp"

namespace arthron {

/// Forces of the road on a wheel whose brake is locked: along y and along x at the centre of contact, along x at the wheel centre (of a
/// wheel that a half shaft drives), and a torque about z at the centre of contact. World axes: to the left, forward, anticlockwise from
/// above.
enum class LoadKind { lateral_force, brake_force, drive_force, aligning_torque };

/// A load on both wheels, while their centres keep the drawn heights and the rack is held.
struct LoadCase {
  LoadKind kind = LoadKind::lateral_force;
  bool opposite = false;  // the right wheel gets the opposite
  /// `parallel_lateral_force`, ...
  [[nodiscard]] std::string name() const;
  /// For a load of one [N or N m] on the left wheel.
  [[nodiscard]] AxleLoad unit() const;
};
/// The eight of them.
[[nodiscard]] std::vector<LoadCase> load_cases();

struct LoadSettings {
  double force = 3000, torque = 100;  // largest, both ways [N, N m]
  int steps = 10;                     // each way
  double wheel_radius = 0.3;          // [m]
};

struct LoadRow {
  double load = 0;                        // on the left wheel [N or N m]
  std::array<WheelGeometry, 2> wheels{};  // left, right; slopes in parallel bump
};

struct LoadSweep {
  LoadCase load_case;
  std::vector<LoadRow> rows;              // by load
  std::array<WheelMotion, 2> gradient{};  // per unit of load, where there is none [1/N or 1/(N m)]
  bool complete = true;                   // false: no rest is found under all loads asked for, or `proceed` ended it
};

/// Loads the wheels of a compliant suspension in steps from none, both ways.
[[nodiscard]] LoadSweep run_load_case(SuspensionRig& rig, const LoadCase& load_case, const LoadSettings& settings,
                                      const Proceed& proceed = {});

}  // namespace arthron
