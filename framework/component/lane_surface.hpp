#pragma once
#include <span>
#include <vector>

#include "arthron/component/expression.hpp"
#include "arthron/spatial/curved.hpp"
#include "arthron/spatial/per_lane.hpp"

namespace arthron {

/// Heights over x, y and t that are the same operations on other numbers in every lane, as NearestPoint asks for them.
class LaneSurface {
 public:
  /// Whether they are.
  [[nodiscard]] static bool applies(const PerLane<const Expression*>& heights);
  explicit LaneSurface(const PerLane<const Expression*>& heights);

  [[nodiscard]] Curved<Lanes> at(const Lanes& x, const Lanes& y, const Lanes& t) const;
  /// dh/dt.
  [[nodiscard]] Lanes rate(const Lanes& x, const Lanes& y, const Lanes& t) const;

 private:
  using Op = Expression::Op;
  /// Operands are numbers of values, of which x, y and t are the first three. Where one operand of a sum or a product is a constant, it
  /// is `value`: `add` is a + value, `subtract` value - a, `multiply` and `divide` a value.
  struct Operation {
    Op op;
    bool with_value = false;
    int a = -1, b = -1, c = -1;
    Lanes value{};
  };
  /// An operand of the expression: a constant, or the number of a value.
  struct Operand {
    bool constant = false;
    Lanes value{};
    int number = -1;
  };

  void append(const Expression::Operation& operation, const Lanes& value, std::vector<Operand>& known);
  [[nodiscard]] bool take_constant(const Expression::Operation& operation, const std::vector<Operand>& known, Operand& result);
  int number_of(Operand& operand);
  int push(const Operation& operation);
  [[nodiscard]] Curved<Lanes> run(const Curved<Lanes>& x, const Curved<Lanes>& y, const Curved<Lanes>& t) const;
  [[nodiscard]] static Curved<Lanes> apply(const Operation& operation, const Curved<Lanes>* values);

  static constexpr int variables = 3;
  std::vector<Operation> operations_;
  int result_ = 0;
  bool moves_ = false;  // it depends on t
};

}  // namespace arthron
