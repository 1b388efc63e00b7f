#include "arthron/component/expression.hpp"

#include <algorithm>
#include <span>

namespace arthron {

Expression Expression::constant(double value) {
  Expression expression;
  expression.operations_ = {{Op::constant, -1, -1, -1, value}};
  return expression;
}

bool Expression::divides_by_zero(const double* variables) const {
  std::array<double, max_operations> values;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    values[i] = apply(operations_[i], values.data(), variables);
    if (operations_[i].op == Op::divide && values[operations_[i].b] == 0) return true;
  }
  return false;
}

bool Expression::branches() const {
  return std::any_of(operations_.begin(), operations_.end(), [](const Operation& operation) { return has_sides(operation.op); });
}

std::vector<bool> Expression::sides(const double* variables) const {
  std::array<double, max_operations> values;
  std::vector<bool> sides;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    values[i] = apply(operation, values.data(), variables);
    if (!has_sides(operation.op)) continue;
    const double a = values[operation.a], b = operation.b < 0 ? 0 : values[operation.b];
    switch (operation.op) {
      case Op::ease: sides.push_back(a < 0), sides.push_back(a > 1); break;
      case Op::logical_and:
      case Op::logical_or:
      case Op::select: sides.push_back(a != 0), sides.push_back(b != 0 && operation.op != Op::select); break;
      default: sides.push_back(a < b), sides.push_back(a > b); break;  // abs and sign have b = 0
    }
  }
  return sides;
}

std::vector<double> Expression::constants() const {
  std::vector<double> numbers;
  for (const Operation& operation : operations_)
    if (operation.op == Op::constant) numbers.push_back(operation.value);
  return numbers;
}

std::vector<int> Expression::used_variables() const {
  std::vector<int> used;
  for (const Operation& operation : operations_)
    if (operation.op == Op::variable) used.push_back(operation.a);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

}  // namespace arthron
