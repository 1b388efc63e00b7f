#pragma once
#include <map>
#include <string>
#include <vector>

#include "arthron/component/expression.hpp"
#include "arthron/spatial/vector3.hpp"

namespace arthron {

/// Vectors that expressions know by name; NaN: the name is known, its mistake has been reported.
using NamedVectors = std::map<std::string, Vec3>;

/// Arithmetic that yields a number or a vector of three, "lower_ball + [0, 0, dz]". Vectors are added, scaled and compared in nothing; they
/// have the components .x, .y and .z and the functions dot, cross, norm, unit, rotate(v, axis, angle) and mirror(v, normal). A number may
/// have a unit behind it, "5 mm". Vectors dissolve into operations on numbers while the text is read.
struct VectorExpression {
  std::vector<Expression> components;  // one or three
  [[nodiscard]] bool is_vector() const { return components.size() == 3; }

  /// As Expression::parse. Throws ExpressionError.
  static VectorExpression parse(const std::string& text, const std::vector<std::string>& variables,
                                const std::map<std::string, double>& constants, const NamedVectors& vectors);
  /// The same of which only a number is wanted.
  static Expression parse_number(const std::string& text, const std::vector<std::string>& variables,
                                 const std::map<std::string, double>& constants, const NamedVectors& vectors);
};

/// Names of functions that came with vectors: parameters of older files may be called so.
[[nodiscard]] const std::vector<std::string>& vector_function_names();

}  // namespace arthron
