#include "arthron/component/time_function.hpp"

#include <boost/math/differentiation/autodiff.hpp>

namespace arthron {

TimeFunction::TimeFunction(Expression expression) {
  if (expression.is_constant())
    function_ = expression.evaluate<double>(nullptr);
  else
    function_ = std::move(expression);
}

double TimeFunction::value(double t) const {
  if (const double* constant = std::get_if<double>(&function_)) return *constant;
  if (const Expression* expression = std::get_if<Expression>(&function_)) return expression->evaluate(&t);
  return std::get_if<Table>(&function_)->at(t).value;
}

TimeFunction::Sample TimeFunction::sample(double t) const {
  if (const double* constant = std::get_if<double>(&function_)) return {*constant, 0, 0};
  if (const Expression* expression = std::get_if<Expression>(&function_)) {
    const auto time = boost::math::differentiation::make_fvar<double, 2>(t);
    const auto result = expression->evaluate(&time);
    return {result.derivative(0), result.derivative(1), result.derivative(2)};
  }
  const Table::Sample sample = std::get_if<Table>(&function_)->at(t);
  return {sample.value, sample.slope, sample.curvature};
}

}  // namespace arthron
