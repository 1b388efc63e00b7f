#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "arthron/spatial/lanes.hpp"

/// Forward-mode automatic differentiation: a number together with its derivatives in N directions. Nests, Dual<Dual<T, 1>, N>, for rates of
/// derivatives, and runs on any scalar that the algebra of this folder runs on. Left unset unless given a value, as double is.
namespace arthron {

template <class T, int N>
struct Dual {
  T value;
  std::array<T, static_cast<std::size_t>(N)> d;

  Dual() = default;
  template <class Number>
  requires(std::convertible_to<Number, T> && !std::same_as<std::remove_cvref_t<Number>, Dual>) Dual(const Number& constant)
      : value(constant) {  // NOLINT: a constant is a number whose derivatives are zero
    d.fill(T(0.0));
  }
  /// f(x) with the derivative f'(x).
  Dual(const T& f, const T& slope, const Dual& x) : value(f) {
    for (std::size_t i = 0; i < N; ++i) d[i] = slope * x.d[i];
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator-(const Dual& a) {
    return each(-a.value, [&](std::size_t i) { return -a.d[i]; });
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return each(a.value + b.value, [&](std::size_t i) { return a.d[i] + b.d[i]; });
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return each(a.value - b.value, [&](std::size_t i) { return a.d[i] - b.d[i]; });
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return each(a.value * b.value, [&](std::size_t i) { return a.d[i] * b.value + a.value * b.d[i]; });
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = T(1.0) / b.value, quotient = a.value * inverse;
    return each(quotient, [&](std::size_t i) { return (a.d[i] - quotient * b.d[i]) * inverse; });
  }
  // Constants have no derivatives to carry along.
  friend Dual operator+(const Dual& a, double b) {
    return each(a.value + b, [&](std::size_t i) { return a.d[i]; });
  }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return a + (-b); }
  friend Dual operator-(double a, const Dual& b) {
    return each(a - b.value, [&](std::size_t i) { return -b.d[i]; });
  }
  friend Dual operator*(const Dual& a, double b) {
    return each(a.value * b, [&](std::size_t i) { return a.d[i] * b; });
  }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1 / b); }
  friend Dual operator/(double a, const Dual& b) { return Dual(a) / b; }

  // Decisions are taken by the value.
  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }

 private:
  template <class Derivative>
  static Dual each(const T& value, const Derivative& derivative) {
    Dual result;
    result.value = value;
    for (std::size_t i = 0; i < N; ++i) result.d[i] = derivative(i);
    return result;
  }
};

/// True when the number and all its derivatives are zero.
inline bool vanishes(double a) { return a == 0; }
template <class T, int N>
bool vanishes(const Dual<T, N>& a) {
  for (const T& derivative : a.d)
    if (!vanishes(derivative)) return false;
  return vanishes(a.value);
}

template <class Condition, class T, int N>
Dual<T, N> select(const Condition& condition, const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> result;
  result.value = select(condition, a.value, b.value);
  for (std::size_t i = 0; i < N; ++i) result.d[i] = select(condition, a.d[i], b.d[i]);
  return result;
}

template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T root = sqrt(x.value);
  return {root, T(0.5) / root, x};
}
template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return {sin(x.value), cos(x.value), x};
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return {cos(x.value), -sin(x.value), x};
}
template <class T, int N>
Dual<T, N> tan(const Dual<T, N>& x) {
  using std::tan;
  const T t = tan(x.value);
  return {t, T(1.0) + t * t, x};
}
template <class T, int N>
Dual<T, N> asin(const Dual<T, N>& x) {
  using std::asin, std::sqrt;
  return {asin(x.value), T(1.0) / sqrt(T(1.0) - x.value * x.value), x};
}
template <class T, int N>
Dual<T, N> acos(const Dual<T, N>& x) {
  using std::acos, std::sqrt;
  return {acos(x.value), T(-1.0) / sqrt(T(1.0) - x.value * x.value), x};
}
template <class T, int N>
Dual<T, N> atan(const Dual<T, N>& x) {
  using std::atan;
  return {atan(x.value), T(1.0) / (T(1.0) + x.value * x.value), x};
}
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  using std::atan2;
  const T scale = T(1.0) / (x.value * x.value + y.value * y.value);
  Dual<T, N> result(atan2(y.value, x.value), scale * x.value, y);
  for (std::size_t i = 0; i < N; ++i) result.d[i] -= scale * y.value * x.d[i];
  return result;
}
template <class T, int N>
Dual<T, N> sinh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return {sinh(x.value), cosh(x.value), x};
}
template <class T, int N>
Dual<T, N> cosh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return {cosh(x.value), sinh(x.value), x};
}
template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& x) {
  using std::tanh;
  const T t = tanh(x.value);
  return {t, T(1.0) - t * t, x};
}
template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& x) {
  using std::exp;
  const T e = exp(x.value);
  return {e, e, x};
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& x) {
  using std::log;
  return {log(x.value), T(1.0) / x.value, x};
}
template <class T, int N>
Dual<T, N> abs(const Dual<T, N>& x) {
  return select(x < Dual<T, N>(0.0), -x, x);
}
/// Constant exponents may have bases of any sign; others, like std::pow, positive ones.
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, double exponent) {
  using std::pow;
  if (exponent == 0) return Dual<T, N>(1.0);
  return {pow(x.value, exponent), exponent * pow(x.value, exponent - 1), x};
}
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& exponent) {
  using std::log, std::pow;
  Dual<T, N> result(pow(x.value, exponent.value), exponent.value * pow(x.value, exponent.value - T(1.0)), x);
  const T slope = result.value * log(x.value);
  for (std::size_t i = 0; i < N; ++i)
    if (!vanishes(exponent.d[i])) result.d[i] += slope * exponent.d[i];
  return result;
}

}  // namespace arthron
