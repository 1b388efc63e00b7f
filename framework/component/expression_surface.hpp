#pragma once
#include "arthron/component/expression.hpp"
#include "arthron/spatial/curved.hpp"
#include "arthron/spatial/dual.hpp"

namespace arthron {

/// A height over x, y and t as NearestPoint asks for it, on scalars that decide one by one.
template <class T>
struct ExpressionSurface {
  const Expression& height;

  [[nodiscard]] Curved<T> at(const T& x, const T& y, const T& t) const {
    const Curved<T> variables[] = {Curved<T>::first(x), Curved<T>::second(y), Curved<T>(t)};
    return height.evaluate(variables);
  }
  /// dh/dt.
  [[nodiscard]] T rate(const T& x, const T& y, const T& t) const {
    if (!height.uses(2)) return T(0.0);
    Dual<T, 1> variables[] = {Dual<T, 1>(x), Dual<T, 1>(y), Dual<T, 1>(t)};
    variables[2].d[0] = T(1.0);
    return height.evaluate(variables).d[0];
  }
};

}  // namespace arthron
