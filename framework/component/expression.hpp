#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace arthron {

/// A text that is no expression. what() says why in words fit for users.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::string token, int position)
      : std::runtime_error(message), token_(std::move(token)), position_(position) {}
  /// The unknown name, or "" when the mistake is another one.
  [[nodiscard]] const std::string& token() const { return token_; }
  /// 1-based character of the text, or 0 when no single place is at fault.
  [[nodiscard]] int position() const { return position_; }

 private:
  std::string token_;
  int position_;
};

/// Arithmetic over named variables, parsed once by muParser into a short list of operations.
/// Evaluation is a template on the scalar: on double for values, on autodiff numbers for exact derivatives.
/// Immutable and safe to share between threads; evaluation allocates nothing.
class Expression {
 public:
  static constexpr int max_operations = 128;

  /// Parses `text` (without the leading '='). Names of `constants` are replaced by their values. Throws ExpressionError.
  static Expression parse(const std::string& text, const std::vector<std::string>& variables,
                          const std::map<std::string, double>& constants = {});
  static Expression constant(double value);

  /// variables[i] is the value of the i-th name given to parse.
  template <class T>
  [[nodiscard]] T evaluate(const T* variables) const;
  /// True when no variable is used.
  [[nodiscard]] bool is_constant() const { return used_variables().empty(); }
  /// Which of the names given to parse the value depends on, in increasing order.
  [[nodiscard]] std::vector<int> used_variables() const;
  [[nodiscard]] bool uses(int variable) const {
    for (const Operation& operation : operations_)
      if (operation.op == Op::variable && operation.a == variable) return true;
    return false;
  }
  /// True when a quotient has the divisor zero for these values.
  [[nodiscard]] bool divides_by_zero(const double* variables) const;
  /// True when there are conditions or other operations with several sides in it.
  [[nodiscard]] bool branches() const;
  /// Which sides they take for these values.
  [[nodiscard]] std::vector<bool> sides(const double* variables) const;
  /// The numbers that are written in it, as they are left after arithmetic among themselves.
  [[nodiscard]] std::vector<double> constants() const;
  /// True when both are the same operations on the same numbers.
  friend bool operator==(const Expression& a, const Expression& b) { return a.operations_ == b.operations_; }
  /// Names available in every expression (functions and constants), for docs and suggestions.
  static const std::vector<std::string>& known_names();

 private:
  friend class ExpressionRecorder;
  friend class LaneSurface;
  enum class Op : std::uint8_t {
    constant,  // value
    variable,  // number a of the names
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    integer_power,  // a ^ value
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    log10,
    sqrt,
    abs,
    sign,
    min,
    max,
    ease,    // 0 below 0, 1 above 1, a^2 (3 - 2a) between
    select,  // a != 0 ? b : c
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    constant_power  // a ^ value, value no whole number
  };
  /// From abs to logical_or they have several sides.
  static bool has_sides(Op op) { return op >= Op::abs && op <= Op::logical_or; }
  struct Operation {
    Op op;
    int a = -1, b = -1, c = -1;  // earlier operations
    double value = 0;
    friend bool operator==(const Operation&, const Operation&) = default;
  };
  Expression() = default;
  template <class T>
  static T apply(const Operation& operation, const T* values, const T* variables);

  std::vector<Operation> operations_;  // operands first; the last one is the result
};

/// Compiled once for each kind of number, not wherever it is called: the switch is long.
template <class T>
[[gnu::noinline]] T Expression::evaluate(const T* variables) const {
  std::array<T, max_operations> values;
  T* next = values.data();
  for (const Operation& operation : operations_) *next++ = apply(operation, values.data(), variables);
  return *(next - 1);
}

/// x^n by repeated squaring: exact at x = 0 and for negative x, where the derivatives of a general power are not defined.
template <class T>
T integer_power(T x, int n) {
  if (n < 0) return T(1) / integer_power(x, -n);
  T result(1);
  for (; n > 0; n /= 2, x = x * x)
    if (n % 2 == 1) result = result * x;
  return result;
}

/// x^n for any other constant n. At x = 0 it has the derivatives that n > 1 or n > 2 leaves it, where the formulas for a general power,
/// which divide by x, have none.
template <class T>
T constant_power(const T& x, double n) {
  using std::pow;
  if constexpr (requires { T::order_sum; }) {
    if (x.derivative(0) == 0) {
      T result = T(std::pow(0.0, n)) + (n * std::pow(0.0, n - 1)) * x;
      // However steep the power is: x that does not move has no part in it.
      if constexpr (T::order_sum > 1)
        if (x.derivative(1) != 0) result += (n * (n - 1) / 2 * std::pow(0.0, n - 2)) * x * x;
      return result;
    }
  }
  return pow(x, n);
}

template <class T>
T Expression::apply(const Operation& operation, const T* values, const T* variables) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin, std::sinh,
      std::sqrt, std::tan, std::tanh;
  const auto truth = [](bool condition) { return T(condition ? 1.0 : 0.0); };
  const T zero(0.0), one(1.0);
  const T& a = operation.a >= 0 && operation.op != Op::variable ? values[operation.a] : zero;
  const T& b = operation.b >= 0 ? values[operation.b] : zero;
  switch (operation.op) {
    case Op::constant: return T(operation.value);
    case Op::variable: return variables[operation.a];
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return pow(a, b);
    case Op::integer_power: return integer_power(a, static_cast<int>(operation.value));
    case Op::constant_power: return constant_power(a, operation.value);
    case Op::negate: return -a;
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::atan2: return atan2(a, b);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::log10:
      if constexpr (std::is_floating_point_v<T>)
        return std::log10(a);
      else
        return log(a) / T(std::log(10.0));
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sign: return T(a > zero ? 1.0 : a < zero ? -1.0 : 0.0);
    case Op::min: return b < a ? b : a;
    case Op::max: return a < b ? b : a;
    case Op::ease:
      if (a < zero) return zero;
      if (a > one) return one;
      return a * a * (T(3.0) - T(2.0) * a);
    case Op::select: return a != zero ? b : values[operation.c];
    case Op::less: return truth(a < b);
    case Op::less_equal: return truth(a <= b);
    case Op::greater: return truth(a > b);
    case Op::greater_equal: return truth(a >= b);
    case Op::equal: return truth(a == b);
    case Op::not_equal: return truth(a != b);
    case Op::logical_and: return truth(a != zero && b != zero);
    case Op::logical_or: return truth(a != zero || b != zero);
  }
  return zero;
}

}  // namespace arthron
