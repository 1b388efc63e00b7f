#pragma once
#include "arthron/component/expression.hpp"
#include "arthron/component/joint.hpp"

namespace arthron {

/// A joint written in the model: its pose as expressions of its coordinates, q for one freedom, q1, q2, ... for more.
///   X(q) = { Rot(x, rx) Rot(y, ry) Rot(z, rz), (x, y, z) }
template <int freedoms>
struct ExpressionJoint {
  static constexpr std::array<std::string_view, 7> types{
      "", "expression", "expression_2", "expression_3", "expression_4", "expression_5", "expression_6"};
  static constexpr std::string_view type = types[freedoms];
  static constexpr int nq = freedoms, nu = freedoms;
  static constexpr std::array<std::string_view, freedoms> units{};
  std::array<Expression, 3> slide, turn;  // [m], [rad]

  static ExpressionJoint parse(const JsonReader& in) {
    std::vector<std::string> q;
    for (int i = 1; i <= freedoms; ++i) q.push_back(freedoms == 1 ? "q" : "q" + std::to_string(i));
    const auto length = [&](const char* key) { return in.expression_or({key, "m", "position of the child in the parent's frame"}, q, 0); };
    const auto angle = [&](const char* key, const char* help) { return in.expression_or({key, "rad", help}, q, 0); };
    ExpressionJoint joint{{length("x"), length("y"), length("z")},
                          {angle("rx", "turn about x"), angle("ry", "then about the turned y"), angle("rz", "then about the turned z")}};
    joint.check_freedoms(in, q);
    return joint;
  }

  template <class T>
  Pose<T> pose(const T* q) const {
    const auto rotation = [&](std::size_t i, const Vec3& axis) { return axis_rotation(axis, turn[i].evaluate(q)); };
    return {rotation(0, {1, 0, 0}) * rotation(1, {0, 1, 0}) * rotation(2, {0, 0, 1}),
            {slide[0].evaluate(q), slide[1].evaluate(q), slide[2].evaluate(q)}};
  }

 private:
  /// Every coordinate must move something.
  void check_freedoms(const JsonReader& in, const std::vector<std::string>& q) const {
    std::array<bool, freedoms> used{};
    for (const auto* list : {&slide, &turn})
      for (const Expression& expression : *list)
        for (const int variable : expression.used_variables()) used[variable] = true;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) in.complain("type", "no expression of " + q[i], "at least one: a joint moves along each of its freedoms");
  }
};

}  // namespace arthron
