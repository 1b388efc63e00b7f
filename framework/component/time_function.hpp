#pragma once
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "arthron/component/expression.hpp"
#include "arthron/component/table.hpp"

namespace arthron {

/// A number that varies with simulation time: constant, expression of `t` and of other such numbers (signals), or table.
/// Derivatives are exact (automatic differentiation). Copies share what they are made of.
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

  [[nodiscard]] double value(double t) const;
  [[nodiscard]] Sample sample(double t) const;
  [[nodiscard]] bool is_constant() const { return std::holds_alternative<double>(function_); }

 private:
  struct OfSignals;
  std::variant<double, Expression, Table, std::shared_ptr<const OfSignals>> function_ = 0.0;
};

}  // namespace arthron
