#pragma once
#include <vector>

#include "arthron/model/model.hpp"

/// What a joint carries of itself: springs, dampers, stops, friction, drives and efforts (formulas beside Joint).
namespace arthron {

/// A number per freedom, or what stands for none.
[[nodiscard]] inline double at_or(const std::vector<double>& values, std::size_t i, double none) {
  return values.empty() ? none : values[i];
}
/// Efforts along the freedoms.
void joint_loads(const Joint& joint, const Instant& now, const double* q, const double* u, double* tau);
/// Energy stored in springs and stops [J].
[[nodiscard]] double joint_stored_energy(const Joint& joint, const double* q);
/// True when the efforts are the gradient of the stored energy alone.
[[nodiscard]] bool joint_is_conservative(const Joint& joint);

}  // namespace arthron
