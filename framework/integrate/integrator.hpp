#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arthron/core/diagnostic.hpp"
#include "arthron/integrate/ode.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

struct IntegratorStatistics {
  std::int64_t evaluations = 0;  // of the right-hand side
  std::int64_t accepted = 0, rejected = 0;
  double last_step = 0;  // [s]
};

/// Bounds that keep any model from running for ever or from stepping over what happens in between.
struct IntegratorLimits {
  double max_step = std::numeric_limits<double>::infinity();  // [s], adaptive methods
  std::int64_t max_steps = 100'000'000;                       // tried, accepted or not
};

/// The beginning of a method's last step and what the method knew there: enough to take this step again, bit for bit.
struct StepRecord {
  double t = 0, limit = 0;        // [s]; limit as step() was told, t when no step has been taken yet
  std::vector<double> y{}, f{};   // state the step began with, corrected, and its rate
  std::vector<double> memory{};   // of the Ode
  std::vector<double> carried{};  // what an implicit method starts its iteration from
  double h = 0;                   // length that is tried first [s]
  double grid_start = 0;          // fixed steps: time of the first, and how many since
  std::int64_t grid_steps = 0;
  IntegratorStatistics statistics{};
  bool anew = false;  // the method starts anew from (t, y), as if it knew nothing else
};

/// Walks an Ode through time, one accepted step a call.
class Integrator {
 public:
  Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator() = default;

  [[nodiscard]] virtual Status start(double t0, const std::vector<double>& y0) = 0;
  /// One accepted step, never past `t_limit` and exactly onto it when it comes within reach. Nothing happens when it is reached already.
  /// Fails with the status of the right-hand side, or step_too_small naming the state with the largest error, or too_many_steps; the
  /// state then stays where the last step ended.
  [[nodiscard]] virtual Status step(double t_limit) = 0;
  /// State at t in [step_start(), time()], the last step; exact at both ends. Not after a failed step. Fails as step() does where the rate
  /// at the end is needed and has none.
  [[nodiscard]] virtual Status interpolate(double t, std::vector<double>& y) = 0;
  /// False when the steps are so long that interpolation would lose the method's accuracy: then limit the steps to the output times.
  [[nodiscard]] virtual bool interpolates() const { return true; }

  /// Where steps must be repeated from to come to where the method is: the last one, or the first that felt its limit. Methods that
  /// remember more than one step cannot tell all they know: their record says `anew`.
  [[nodiscard]] virtual StepRecord last_step() const = 0;
  /// Goes to the beginning of the step; step() then takes it again.
  [[nodiscard]] virtual Status repeat(const StepRecord& record) = 0;
  /// Takes back the steps that felt their limit, so that those that follow do not depend on where one stopped. Methods that do not
  /// interpolate have to stop where rows are wanted and take nothing back.
  virtual void reopen() {}

  [[nodiscard]] double time() const { return t_; }
  [[nodiscard]] double step_start() const { return t_old_; }
  [[nodiscard]] const std::vector<double>& state() const { return y_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return statistics_; }

 protected:
  double t_ = 0, t_old_ = 0;
  std::vector<double> y_;
  IntegratorStatistics statistics_;
};

struct IntegratorType {
  std::string_view name, description;
  bool fixed_step;
};

/// Every method of this build.
[[nodiscard]] const std::vector<IntegratorType>& integrator_types();

/// The mistake of naming a method that this build does not have; none for one it has.
[[nodiscard]] std::optional<Diagnostic> check_integrator_type(const std::string& name);

/// The method `settings.type` for `ode`, which must outlive it. Throws ModelError for a name this build does not know.
[[nodiscard]] std::unique_ptr<Integrator> make_integrator(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode);

}  // namespace arthron
