#pragma once
#include <cmath>
#include <span>

#include "arthron/core/status.hpp"

namespace arthron {

/// Constraints g(t, y) = 0 that an Ode keeps, for methods that find the impulses themselves: rates without them, and what impulses do.
/// Impulses change y along J^T, across the motion that the constraints allow, and no coordinates. Nothing here throws but ComponentErrors,
/// or allocates.
class Constraints {
 public:
  virtual ~Constraints() = default;
  /// Numbers of g.
  [[nodiscard]] virtual int openings() const = 0;
  /// dy/dt as if there were no constraints.
  [[nodiscard]] virtual Status free_rhs(double t, const double* y, double* dydt) = 0;
  virtual void opening(double t, const double* y, double* g) = 0;
  /// The impulse at y that makes g grow with `rate`, from which is taken what no impulse can do.
  [[nodiscard]] virtual Status impulse(double t, const double* y, double* rate, double* dy) = 0;
  /// Gives y the impulse after which rhs and free_rhs move it alike, within the constraints.
  [[nodiscard]] virtual Status settle(double t, double* y) = 0;
};

/// What an integrator integrates: dy/dt = rhs(t, y) with `size()` states.
class Ode {
 public:
  virtual ~Ode() = default;
  [[nodiscard]] virtual int size() const = 0;
  /// Throws nothing but a ComponentError, allocates nothing. A status other than ok makes the integrator try a smaller step.
  [[nodiscard]] virtual Status rhs(double t, const double* y, double* dydt) = 0;
  /// Corrects the state a step ended with before the next one starts from it (unit quaternions, closures, re-anchoring); true when y was
  /// changed. Depends on t, y and memory() alone.
  virtual bool after_step(double /*t*/, double* /*y*/) { return false; }
  /// Brings a state onto the manifold that the motion stays on, for methods that remember earlier states and want these there: what
  /// after_step does that changes positions little and velocities less. True when y was changed. Depends on t, y and memory() alone.
  virtual bool project(double /*t*/, double* /*y*/) { return false; }
  /// What rhs and after_step depend on besides t and y. Only after_step changes it; whoever puts an earlier y back puts this back too.
  [[nodiscard]] virtual std::span<double> memory() { return {}; }
  /// Constraints that rhs and after_step keep, where a method may keep them instead.
  [[nodiscard]] virtual Constraints* constraints() { return nullptr; }
  /// Makes of the difference between two states, y and y - error, what tolerances speak of, and of y the sizes that they are relative to,
  /// entry by entry: for states whose numbers mean little by themselves. rhs was last asked at y.
  [[nodiscard]] virtual Status measure(double /*t*/, const double* /*y*/, double* /*error*/, double* /*size*/) { return {}; }
  /// By how much each entry of y may be off, where tolerances speak of other things than these entries: for methods that compare entries.
  /// Depends on t, y and memory() alone; may cost as much as an evaluation.
  virtual void allowances(double /*t*/, const double* y, double absolute, double relative, double* allowance) {
    for (int i = 0; i < size(); ++i) allowance[i] = absolute + relative * std::abs(y[i]);
  }
  /// Element of the model that state entry `entry` belongs to, for Status::element; -1 for none.
  [[nodiscard]] virtual int element_of(int /*entry*/) const { return -1; }
};

}  // namespace arthron
