#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "arthron/suspension/load_case.hpp"

/// Sweeps as tables for people: angles in degrees, everything else in SI units.
namespace arthron {

/// What a suspension file does not know of its vehicle; zero where not given.
struct VehicleData {
  double wheelbase = 0;    // [m]
  double cg_height = 0;    // above the road [m]
  double brake_share = 0;  // part of the braking force at this axle [1]
  bool rear = false;       // whether the axle is the rear one
};

/// Comma-separated text: names and units, then a line a row. What is not defined at a row is `nan`.
[[nodiscard]] std::string to_csv(const KinematicSweep& sweep, const SuspensionRig& rig, const VehicleData& vehicle);
[[nodiscard]] std::string to_csv(const LoadSweep& sweep);

/// Values and gradients at the drawn position, of rows with travel 0 of the sweeps, and gradients over loads.
[[nodiscard]] nlohmann::ordered_json design_position(const std::vector<KinematicSweep>& sweeps, const std::vector<LoadSweep>& loads,
                                                     const SuspensionRig& rig, const SweepSettings& settings, const VehicleData& vehicle);
/// The same as lines `name  left  right`.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& design_position);

}  // namespace arthron
