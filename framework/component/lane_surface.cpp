#include "arthron/component/lane_surface.hpp"

#include <algorithm>
#include <memory>

#include "arthron/spatial/lane_functions.hpp"

namespace arthron {

namespace {

constexpr int most_values = Expression::max_operations + 3;

/// Room for values that nobody fills before they are known.
union Values {
  Values() {}   // NOLINT
  ~Values() {}  // NOLINT
  Curved<Lanes> list[most_values];
};

Lanes truth(const LaneMask& condition) { return select(condition, Lanes(1), Lanes(0)); }
LaneMask equal(const Lanes& a, const Lanes& b) { return a.v == b.v; }
bool is_everywhere(const Lanes& value, double number) { return everywhere(equal(value, Lanes(number))); }

Curved<Lanes> integer_power_of(Curved<Lanes> x, int n) {
  if (n < 0) return Curved<Lanes>(1.0) / integer_power_of(x, -n);
  Curved<Lanes> result(1.0);
  for (; n > 0; n /= 2, x = x * x)
    if (n % 2 == 1) result = result * x;
  return result;
}

/// 0 below 0, 1 above 1, a^2 (3 - 2a) between.
Curved<Lanes> ease(const Curved<Lanes>& a) {
  const Lanes s = a.value;
  const LaneMask within = s >= 0 && s <= 1;
  const Curved<Lanes> between =
      chain(a, Lanes(s * s * (3 - 2 * s)), select(within, 6 * s * (1 - s), Lanes(0)), select(within, 6 - 12 * s, Lanes(0)));
  Curved<Lanes> result = between;
  result.value = select(s < 0, Lanes(0), select(s > 1, Lanes(1), between.value));
  return result;
}

}  // namespace

bool LaneSurface::applies(const PerLane<const Expression*>& heights) {
  const auto alike = [&](const Expression* other) {
    return std::equal(heights[0]->operations_.begin(), heights[0]->operations_.end(), other->operations_.begin(), other->operations_.end(),
                      [](const Expression::Operation& a, const Expression::Operation& b) {
                        return a.op == b.op && a.a == b.a && a.b == b.b && a.c == b.c && (a.op == Op::constant || a.value == b.value);
                      });
  };
  return std::all_of(heights.begin(), heights.end(), alike);
}

LaneSurface::LaneSurface(const PerLane<const Expression*>& heights) {
  std::vector<Operand> known;
  for (std::size_t i = 0; i < heights[0]->operations_.size(); ++i) {
    const Lanes value = Lanes::each([&](int lane) { return heights[lane]->operations_[i].value; });
    append(heights[0]->operations_[i], value, known);
  }
  result_ = number_of(known.back());
  moves_ = heights[0]->uses(2);
}

void LaneSurface::append(const Expression::Operation& operation, const Lanes& value, std::vector<Operand>& known) {
  Operand result;
  if (operation.op == Op::constant) {
    result = {true, value, -1};
  } else if (operation.op == Op::variable) {
    result.number = operation.a;
  } else if (!take_constant(operation, known, result)) {
    const auto operand = [&](int number) { return number < 0 ? -1 : number_of(known[number]); };
    const int a = operand(operation.a), b = operand(operation.b), c = operand(operation.c);
    result.number = push({operation.op, false, a, b, c, value});
  }
  known.push_back(result);
}

/// Sums and products with a constant, which may be none at all.
bool LaneSurface::take_constant(const Expression::Operation& operation, const std::vector<Operand>& known, Operand& result) {
  if (operation.op < Op::add || operation.op > Op::divide) return false;
  const Operand &a = known[operation.a], &b = known[operation.b];
  if (a.constant == b.constant) return false;
  const int number = a.constant ? b.number : a.number;
  Op op = operation.op;
  Lanes value = a.constant ? a.value : b.value;
  if (op == Op::divide && a.constant) return false;
  if (op == Op::divide) value = 1 / value;
  if (op == Op::subtract && b.constant) op = Op::add, value = -value;
  const bool sum = op == Op::add || op == Op::subtract;
  if (op != Op::subtract && is_everywhere(value, sum ? 0 : 1))
    result.number = number;
  else
    result.number = push({op, true, number, -1, -1, value});
  return true;
}

int LaneSurface::number_of(Operand& operand) {
  if (operand.number < 0) operand.number = push({Op::constant, true, -1, -1, -1, operand.value});
  return operand.number;
}

int LaneSurface::push(const Operation& operation) {
  operations_.push_back(operation);
  return variables + static_cast<int>(operations_.size()) - 1;
}

Curved<Lanes> LaneSurface::at(const Lanes& x, const Lanes& y, const Lanes& t) const {
  return run(Curved<Lanes>::first(x), Curved<Lanes>::second(y), Curved<Lanes>(t));
}

Lanes LaneSurface::rate(const Lanes& x, const Lanes& y, const Lanes& t) const {
  if (!moves_) return Lanes(0);
  return run(Curved<Lanes>(x), Curved<Lanes>(y), Curved<Lanes>::first(t)).x;
}

ARTHRON_FLATTEN Curved<Lanes> LaneSurface::run(const Curved<Lanes>& x, const Curved<Lanes>& y, const Curved<Lanes>& t) const {
  Values values;
  Curved<Lanes>* next = values.list;
  for (const Curved<Lanes>* variable : {&x, &y, &t}) std::construct_at(next++, *variable);
  for (const Operation& operation : operations_) std::construct_at(next++, apply(operation, values.list));
  return values.list[result_];
}

/// As Expression::apply, both sides of whatever has several.
Curved<Lanes> LaneSurface::apply(const Operation& operation, const Curved<Lanes>* values) {
  using Number = Curved<Lanes>;
  const Number& a = values[std::max(operation.a, 0)];
  const Number& b = values[std::max(operation.b, 0)];
  const Lanes& value = operation.value;
  const bool with_value = operation.with_value;
  switch (operation.op) {
    case Op::constant: return Number(value);
    case Op::variable: return a;
    case Op::add: return with_value ? value + a : a + b;
    case Op::subtract: return with_value ? value - a : a - b;
    case Op::multiply: return with_value ? value * a : a * b;
    case Op::divide: return with_value ? value * a : a / b;
    case Op::power: return pow(a, b);
    case Op::integer_power: return integer_power_of(a, static_cast<int>(value[0]));
    case Op::constant_power: return pow(a, value[0]);
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
    case Op::log10: return Lanes(1 / std::log(10.0)) * log(a);
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sign: return Number(select(a.value > 0, Lanes(1), select(a.value < 0, Lanes(-1), Lanes(0))));
    case Op::min: return select(b < a, b, a);
    case Op::max: return select(a < b, b, a);
    case Op::ease: return ease(a);
    case Op::select: return select(equal(a.value, Lanes(0)), values[operation.c], b);
    case Op::less: return Number(truth(a < b));
    case Op::less_equal: return Number(truth(a <= b));
    case Op::greater: return Number(truth(a > b));
    case Op::greater_equal: return Number(truth(a >= b));
    case Op::equal: return Number(truth(equal(a.value, b.value)));
    case Op::not_equal: return Number(truth(!equal(a.value, b.value)));
    case Op::logical_and: return Number(truth(!equal(a.value, Lanes(0)) && !equal(b.value, Lanes(0))));
    case Op::logical_or: return Number(truth(!equal(a.value, Lanes(0)) || !equal(b.value, Lanes(0))));
  }
  return a;
}

}  // namespace arthron
