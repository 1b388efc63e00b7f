#pragma once
#include <span>

#include "arthron/core/status.hpp"

namespace arthron {

/// What an integrator integrates: dy/dt = rhs(t, y) with `size()` states.
class Ode {
 public:
  virtual ~Ode() = default;
  [[nodiscard]] virtual int size() const = 0;
  /// Neither throws nor allocates. A status other than ok makes the integrator try a smaller step.
  [[nodiscard]] virtual Status rhs(double t, const double* y, double* dydt) = 0;
  /// Corrects the state a step ended with before the next one starts from it (unit quaternions, closures, re-anchoring); true when y was
  /// changed. Depends on t, y and memory() alone.
  virtual bool after_step(double /*t*/, double* /*y*/) { return false; }
  /// What rhs and after_step depend on besides t and y. Only after_step changes it; whoever puts an earlier y back puts this back too.
  [[nodiscard]] virtual std::span<double> memory() { return {}; }
  /// Element of the model that state entry `entry` belongs to, for Status::element; -1 for none.
  [[nodiscard]] virtual int element_of(int /*entry*/) const { return -1; }
};

}  // namespace arthron
