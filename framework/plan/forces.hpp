#pragma once
#include <memory>
#include <vector>

#include "arthron/component/force.hpp"
#include "arthron/core/slice.hpp"

/// Forces, the points they act on, and measurements that functions of time use.
namespace arthron {

struct Plan;
struct Workspace;

/// A point of a body a force or a marker is attached to.
struct PlanHandle {
  int body = 0;
  Vec3 p_B;
  Mat3 R_BW;  // at the design position, so that R_WB R_BW is the rotation since then
};

/// A force of the model, with its places in the flat arrays.
struct PlanForce {
  int batch = 0, item = 0;
  Slice handles, states;

  [[nodiscard]] ForcePlace place() const { return {handles.first, states.first}; }
};

/// A measurement that functions of time use, read when the velocities are known.
struct PlanSensor {
  static constexpr std::size_t most_values = 16;

  int signal = 0;  // its number in the Model
  void (*read)(const Plan&, const Workspace&, int index, double* values) = nullptr;
  int index = 0;  // of what is measured, in its list
  std::size_t component = 0;
};
struct ForcePlan {
  int nx = 0;                       // internal states of forces: the third part of the state
  std::vector<PlanHandle> handles;  // of forces by part, then of markers
  int force_handles = 0;
  bool loads_bodies = false;  // some force or loaded cut joint acts on a body
  std::vector<std::unique_ptr<ForceBatch>> force_batches;
  std::vector<PlanForce> forces;  // in the Model's order
  bool draws_forces = false;      // some force is seen from a drawing whose frame is not the world's
  std::vector<PlanSensor> sensors;
};

}  // namespace arthron
