#pragma once
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "arthron/component/expression.hpp"
#include "arthron/component/instant.hpp"
#include "arthron/component/table.hpp"

namespace arthron {

/// A number that varies with simulation time: constant, expression of `t` and of other such numbers (signals), table, or a signal that
/// comes in at run time. Derivatives are exact (automatic differentiation). Copies share what they are made of.
class TimeFunction {
 public:
  struct Sample {
    double value = 0, rate = 0, acceleration = 0;
  };

  TimeFunction() = default;  // zero
  explicit TimeFunction(double constant) : function_(constant) {}
  /// `expression` has the single variable t.
  explicit TimeFunction(Expression expression);
  /// `expression` has the variables t and, behind it, the signals: at most max_signals.
  static constexpr std::size_t max_signals = 7;
  TimeFunction(Expression expression, std::vector<TimeFunction> signals);
  explicit TimeFunction(Table table) : function_(std::move(table)) {}

  /// The signal of that number, set by a program; `otherwise` where it is not.
  [[nodiscard]] static TimeFunction input(int number, TimeFunction otherwise);
  /// The signal of that number, measured in the model; its rate counts as zero.
  [[nodiscard]] static TimeFunction measurement(int number);

  [[nodiscard]] double value(const Instant& now) const;
  [[nodiscard]] Sample sample(const Instant& now) const;
  [[nodiscard]] bool is_constant() const { return std::holds_alternative<double>(function_); }
  /// True when a measurement has a part in it: it is not known before the velocities are.
  [[nodiscard]] bool is_measured() const;
  /// Times in (from, to] at which another piece of it begins: a table's next curve, another branch of an expression; see kinks.hpp.
  [[nodiscard]] std::vector<double> breaks(double from, double to) const;
  /// True when both are written with the same numbers, so that they have the same values wherever the signals have.
  friend bool operator==(const TimeFunction& a, const TimeFunction& b);

 private:
  [[nodiscard]] std::vector<double> branch_changes(const Expression& expression, double from, double to) const;
  struct OfSignals;
  struct Incoming;
  std::variant<double, Expression, Table, std::shared_ptr<const OfSignals>, std::shared_ptr<const Incoming>> function_ = 0.0;
};

}  // namespace arthron
