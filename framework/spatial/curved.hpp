#pragma once
#include <cmath>
#include <concepts>
#include <type_traits>

#include "arthron/spatial/lanes.hpp"

/// A number that depends on two variables x and y, with its first and second derivatives: what surfaces are evaluated on. Runs on any
/// scalar that the algebra of this folder runs on. Left unset unless given a value, as double is.
namespace arthron {

template <class T>
struct Curved {
  T value, x, y, xx, xy, yy;

  Curved() = default;
  template <class Number>
  requires(std::convertible_to<Number, T> && !std::same_as<std::remove_cvref_t<Number>, Curved>) Curved(const Number& constant)
      : value(constant), x(T(0.0)), y(T(0.0)), xx(T(0.0)), xy(T(0.0)), yy(T(0.0)) {}  // NOLINT: a constant is a number that does not move
  Curved(const T& f, const T& f_x, const T& f_y, const T& f_xx, const T& f_xy, const T& f_yy)
      : value(f), x(f_x), y(f_y), xx(f_xx), xy(f_xy), yy(f_yy) {}

  /// The variables themselves.
  static Curved first(const T& value) { return {value, T(1.0), T(0.0), T(0.0), T(0.0), T(0.0)}; }
  static Curved second(const T& value) { return {value, T(0.0), T(1.0), T(0.0), T(0.0), T(0.0)}; }

  friend Curved operator-(const Curved& a) { return {-a.value, -a.x, -a.y, -a.xx, -a.xy, -a.yy}; }
  friend Curved operator+(const Curved& a, const Curved& b) {
    return {a.value + b.value, a.x + b.x, a.y + b.y, a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
  }
  friend Curved operator-(const Curved& a, const Curved& b) {
    return {a.value - b.value, a.x - b.x, a.y - b.y, a.xx - b.xx, a.xy - b.xy, a.yy - b.yy};
  }
  friend Curved operator*(const Curved& a, const Curved& b) {
    return {a.value * b.value,
            a.x * b.value + a.value * b.x,
            a.y * b.value + a.value * b.y,
            a.xx * b.value + 2.0 * (a.x * b.x) + a.value * b.xx,
            a.xy * b.value + a.x * b.y + a.y * b.x + a.value * b.xy,
            a.yy * b.value + 2.0 * (a.y * b.y) + a.value * b.yy};
  }
  friend Curved operator/(const Curved& a, const Curved& b) {
    const T inverse = T(1.0) / b.value, q = a.value * inverse, q_x = (a.x - q * b.x) * inverse, q_y = (a.y - q * b.y) * inverse;
    return {q,
            q_x,
            q_y,
            (a.xx - q * b.xx - 2.0 * (q_x * b.x)) * inverse,
            (a.xy - q * b.xy - q_x * b.y - q_y * b.x) * inverse,
            (a.yy - q * b.yy - 2.0 * (q_y * b.y)) * inverse};
  }
  friend Curved operator*(const T& s, const Curved& a) { return {s * a.value, s * a.x, s * a.y, s * a.xx, s * a.xy, s * a.yy}; }
  friend Curved operator+(const T& s, const Curved& a) { return {s + a.value, a.x, a.y, a.xx, a.xy, a.yy}; }
  friend Curved operator-(const T& s, const Curved& a) { return s + (-a); }

  // By value.
  friend auto operator<(const Curved& a, const Curved& b) { return a.value < b.value; }
  friend auto operator>(const Curved& a, const Curved& b) { return a.value > b.value; }
  friend auto operator<=(const Curved& a, const Curved& b) { return a.value <= b.value; }
  friend auto operator>=(const Curved& a, const Curved& b) { return a.value >= b.value; }
  friend auto operator==(const Curved& a, const Curved& b) { return a.value == b.value; }
  friend auto operator!=(const Curved& a, const Curved& b) { return a.value != b.value; }
};

/// f(a), from the value and the first two derivatives of f there.
template <class T>
Curved<T> chain(const Curved<T>& a, const T& f, const T& slope, const T& bend) {
  const T bent_x = bend * a.x, bent_y = bend * a.y;
  return {f, slope * a.x, slope * a.y, slope * a.xx + bent_x * a.x, slope * a.xy + bent_x * a.y, slope * a.yy + bent_y * a.y};
}

template <class Condition, class T>
Curved<T> select(const Condition& condition, const Curved<T>& a, const Curved<T>& b) {
  return {select(condition, a.value, b.value), select(condition, a.x, b.x),   select(condition, a.y, b.y),
          select(condition, a.xx, b.xx),       select(condition, a.xy, b.xy), select(condition, a.yy, b.yy)};
}

template <class T>
Curved<T> sqrt(const Curved<T>& a) {
  using std::sqrt;
  const T root = sqrt(a.value), slope = T(0.5) / root;
  return chain(a, root, slope, T(-0.5 * (slope / a.value)));
}
template <class T>
Curved<T> sin(const Curved<T>& a) {
  using std::cos, std::sin;
  const T s = sin(a.value);
  return chain(a, s, T(cos(a.value)), T(-s));
}
template <class T>
Curved<T> cos(const Curved<T>& a) {
  using std::cos, std::sin;
  const T c = cos(a.value);
  return chain(a, c, T(-sin(a.value)), T(-c));
}
template <class T>
Curved<T> tan(const Curved<T>& a) {
  using std::tan;
  const T t = tan(a.value), slope = 1.0 + t * t;
  return chain(a, t, slope, T(2.0 * (t * slope)));
}
template <class T>
Curved<T> asin(const Curved<T>& a) {
  using std::asin, std::sqrt;
  const T rest = 1.0 - a.value * a.value, slope = T(1.0) / sqrt(rest);
  return chain(a, T(asin(a.value)), slope, T(a.value * slope / rest));
}
template <class T>
Curved<T> acos(const Curved<T>& a) {
  using std::acos, std::sqrt;
  const T rest = 1.0 - a.value * a.value, slope = T(-1.0) / sqrt(rest);
  return chain(a, T(acos(a.value)), slope, T(a.value * slope / rest));
}
template <class T>
Curved<T> atan(const Curved<T>& a) {
  using std::atan;
  const T slope = T(1.0) / (1.0 + a.value * a.value);
  return chain(a, T(atan(a.value)), slope, T(-2.0 * (a.value * slope * slope)));
}
template <class T>
Curved<T> atan2(const Curved<T>& b, const Curved<T>& a) {
  using std::atan2;
  const T scale = T(1.0) / (a.value * a.value + b.value * b.value), of_b = a.value * scale, of_a = -(b.value * scale);
  const T bb = 2.0 * (of_b * of_a), aa = -bb, ab = of_a * of_a - of_b * of_b;  // second derivatives
  const auto second = [&](const T& b_i, const T& a_i, const T& b_j, const T& a_j) {
    return bb * b_i * b_j + aa * a_i * a_j + ab * (b_i * a_j + a_i * b_j);
  };
  return {T(atan2(b.value, a.value)),
          of_b * b.x + of_a * a.x,
          of_b * b.y + of_a * a.y,
          of_b * b.xx + of_a * a.xx + second(b.x, a.x, b.x, a.x),
          of_b * b.xy + of_a * a.xy + second(b.x, a.x, b.y, a.y),
          of_b * b.yy + of_a * a.yy + second(b.y, a.y, b.y, a.y)};
}
template <class T>
Curved<T> sinh(const Curved<T>& a) {
  using std::cosh, std::sinh;
  const T s = sinh(a.value);
  return chain(a, s, T(cosh(a.value)), s);
}
template <class T>
Curved<T> cosh(const Curved<T>& a) {
  using std::cosh, std::sinh;
  const T c = cosh(a.value);
  return chain(a, c, T(sinh(a.value)), c);
}
template <class T>
Curved<T> tanh(const Curved<T>& a) {
  using std::tanh;
  const T t = tanh(a.value), slope = 1.0 - t * t;
  return chain(a, t, slope, T(-2.0 * (t * slope)));
}
template <class T>
Curved<T> exp(const Curved<T>& a) {
  using std::exp;
  const T e = exp(a.value);
  return chain(a, e, e, e);
}
template <class T>
Curved<T> log(const Curved<T>& a) {
  using std::log;
  const T slope = T(1.0) / a.value;
  return chain(a, T(log(a.value)), slope, T(-(slope * slope)));
}
template <class T>
Curved<T> abs(const Curved<T>& a) {
  return select(a.value < T(0.0), -a, a);
}
/// Exponents that do not move may have bases of any sign; others, like std::pow, positive ones.
template <class T>
Curved<T> pow_of_constant(const Curved<T>& a, const T& n) {
  using std::pow;
  return chain(a, T(pow(a.value, n)), T(n * pow(a.value, T(n - 1.0))), T(n * (n - 1.0) * pow(a.value, T(n - 2.0))));
}
template <class T>
Curved<T> pow(const Curved<T>& a, double n) {
  if (n == 0) return Curved<T>(1.0);
  if (n == 1) return a;
  return pow_of_constant(a, T(n));
}
template <class T>
Curved<T> pow(const Curved<T>& a, const Curved<T>& n) {
  using std::abs, std::pow;
  Curved<T> power = exp(n * log(a));
  power.value = pow(a.value, n.value);
  return select(abs(n.x) + abs(n.y) + abs(n.xx) + abs(n.xy) + abs(n.yy) <= T(0.0), pow_of_constant(a, n.value), power);
}

}  // namespace arthron
