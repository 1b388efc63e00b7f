#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "arthron/core/finite.hpp"
#include "arthron/integrate/integrator.hpp"

namespace arthron {

/// An Ode's right-hand side as a trial step sees it: counted, checked for finite values, and silent after its first failure, so that a
/// library's step runs to its end on harmless zeros and is then thrown away.
class CheckedRhs {
 public:
  CheckedRhs(Ode& ode, IntegratorStatistics& statistics) : ode_(ode), statistics_(statistics) {}

  /// Begins a trial step.
  void forgive() { status_ = {}; }
  [[nodiscard]] const Status& status() const { return status_; }

  /// dydt, or zeros when status() says it failed.
  void evaluate(double t, const double* y, double* dydt) { evaluate(ode_, &Ode::rhs, t, y, dydt); }
  /// The same without the constraints.
  void evaluate(Constraints& constraints, double t, const double* y, double* dydt) {
    evaluate(constraints, &Constraints::free_rhs, t, y, dydt);
  }

  /// Ode::measure, after evaluate at y.
  void measure(double t, const double* y, double* error, double* size) {
    attempt([&] { return ode_.measure(t, y, error, size); });
  }

  /// Something else that a trial step needs.
  template <class Action>
  void attempt(Action action) {
    if (status_.ok()) status_ = action();
  }

  /// Fails with not_finite and the element of the first entry that is not.
  void require_finite(const double* v) {
    if (!status_.ok() || all_finite(v, ode_.size())) return;
    int bad = 0;
    while (std::isfinite(v[bad])) ++bad;
    status_ = {Status::Code::not_finite, ode_.element_of(bad)};
  }

 private:
  template <class System>
  void evaluate(System& system, Status (System::*rates)(double, const double*, double*), double t, const double* y, double* dydt) {
    if (status_.ok()) {
      ++statistics_.evaluations;
      status_ = (system.*rates)(t, y, dydt);
    }
    require_finite(dydt);
    if (!status_.ok()) std::fill(dydt, dydt + ode_.size(), 0.0);
  }

  Ode& ode_;
  IntegratorStatistics& statistics_;
  Status status_;
};

/// Steps below this are rounding: sixteen units in the last place of the largest time in sight.
inline double smallest_step(double t, double t_limit) {
  const double far = std::isfinite(t_limit) ? std::abs(t_limit) : 0;
  return 16 * std::numeric_limits<double>::epsilon() * std::fmax(std::abs(t), far);
}

}  // namespace arthron
