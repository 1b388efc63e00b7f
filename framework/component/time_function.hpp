#pragma once
#include <utility>
#include <variant>

#include "arthron/component/expression.hpp"
#include "arthron/component/table.hpp"

namespace arthron {

/// A number that varies with simulation time: constant, expression of `t`, or table. Derivatives are exact (automatic differentiation).
class TimeFunction {
 public:
  struct Sample {
    double value = 0, rate = 0, acceleration = 0;
  };

  TimeFunction() = default;  // zero
  explicit TimeFunction(double constant) : function_(constant) {}
  /// `expression` has the single variable t.
  explicit TimeFunction(Expression expression);
  explicit TimeFunction(Table table) : function_(std::move(table)) {}

  [[nodiscard]] double value(double t) const;
  [[nodiscard]] Sample sample(double t) const;
  [[nodiscard]] bool is_constant() const { return std::holds_alternative<double>(function_); }

 private:
  std::variant<double, Expression, Table> function_ = 0.0;
};

}  // namespace arthron
