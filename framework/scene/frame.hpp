#pragma once
#include <span>
#include <string>
#include <vector>

#include "arthron/simulation/simulation.hpp"

namespace arthron {

/// The numbers of one picture of a moving model.
struct Frame {
  double t = 0;                  // [s]
  std::vector<double> channels;  // one a column
  std::vector<float> poses;      // of every body's own frame, grounds too: x, y, z [m] and quaternion w, x, y, z
  std::vector<float> loads;      // on the child of every joint at its point, then on every handle of every force: force [N], moment [N m]
};

/// Reads a frame from a simulation that has observed with accelerations; `row` are the numbers of the channels.
void read_frame(const Simulation& simulation, std::span<const double> row, Frame& frame);

/// The frame as little-endian bytes: time, channels, poses, loads.
[[nodiscard]] std::string frame_bytes(const Frame& frame);

}  // namespace arthron
