#include "arthron/component/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <limits>
#include <numbers>
#include <span>

#include "arthron/component/used_names.hpp"

namespace arthron {

/// Lets muParser do the reading and writes down what it would have computed: every operator and function handed to it records one
/// operation and returns the operation's number, so that "evaluating" the text once leaves the list of its operations.
class ExpressionRecorder {
 public:
  using Op = Expression::Op;
  using Operation = Expression::Operation;

  ExpressionRecorder(const std::vector<std::string>& variables, const std::map<std::string, double>& constants)
      : variables_(variables), constants_(constants) {
    active_ = this;
  }
  ~ExpressionRecorder() { active_ = nullptr; }
  ExpressionRecorder(const ExpressionRecorder&) = delete;
  ExpressionRecorder& operator=(const ExpressionRecorder&) = delete;

  Expression record(const std::string& text);

  template <Op op>
  static double unary(double a) {
    return active_->append({op, index(a)});
  }
  template <Op op>
  static double binary(double a, double b) {
    return active_->append({op, index(a), index(b)});
  }
  template <Op op>
  static double fold_left(const double* values, int count) {
    double result = values[0];
    for (const double value : std::span(values, static_cast<std::size_t>(count)).subspan(1)) result = binary<op>(result, value);
    return result;
  }
  static double literal(double value) { return active_->append({Op::constant, -1, -1, -1, value}); }
  static double identity(double a) { return a; }
  static double logical_not(double a) { return binary<Op::equal>(a, literal(0)); }
  static double select(double condition, double yes, double no) {
    return active_->append({Op::select, index(condition), index(yes), index(no)});
  }
  /// h0 below x0, h1 above x1, a cubic with level ends between.
  static double step(double x, double x0, double h0, double x1, double h1) {
    const double s = binary<Op::divide>(binary<Op::subtract>(x, x0), binary<Op::subtract>(x1, x0));
    return binary<Op::add>(h0, binary<Op::multiply>(binary<Op::subtract>(h1, h0), unary<Op::ease>(s)));
  }
  static int read_literal(const char* text, int* position, double* handle);
  static double* read_name(const char* name, void*);

 private:
  /// What muParser made of a text: the operations in its order, before any of them is computed; of a name there is the name.
  struct Reading {
    struct Entry {
      Operation operation;
      std::string name;
    };
    std::vector<Entry> entries;
    int result = 0;
  };
  /// The same texts are read again and again: by every copy of a subsystem, and by every variant of a study.
  static std::map<std::string, Reading>& readings() {
    static thread_local std::map<std::string, Reading> known;
    return known;
  }
  int read(const std::string& text);
  int repeat(const Reading& reading);
  double append_name(const std::string& name);

  static int index(double handle) { return static_cast<int>(handle); }
  double append(Operation operation);
  [[nodiscard]] bool is_constant(int operand) const { return operand < 0 || operations_[operand].op == Op::constant; }
  [[nodiscard]] std::vector<Operation> needed_for(int result) const;

  static thread_local ExpressionRecorder* active_;
  const std::vector<std::string>& variables_;
  const std::map<std::string, double>& constants_;
  std::vector<Operation> operations_;
  std::vector<double> values_;  // of the constant operations
  std::deque<double> handles_;  // of names; muParser keeps pointers to them
  Reading reading_;
};

thread_local ExpressionRecorder* ExpressionRecorder::active_ = nullptr;

namespace {

using Op = ExpressionRecorder::Op;

const std::map<std::string, double>& built_in_constants() {
  static const std::map<std::string, double> constants{{"pi", std::numbers::pi}, {"e", std::numbers::e}, {"deg", std::numbers::pi / 180}};
  return constants;
}

/// muParser with nothing of its own but the grammar.
class Grammar : public mu::ParserBase {
 public:
  Grammar() {
    EnableBuiltInOprt(false);
    Init();
    EnableOptimizer(false);
    AddValIdent(ExpressionRecorder::read_literal);
    SetVarFactory(ExpressionRecorder::read_name);
  }

 private:
  using Recorder = ExpressionRecorder;

  void InitCharSets() override {
    DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    DefineOprtChars("+-*/^<>=!&|");
    DefineInfixOprtChars("+-!");
  }
  void InitConst() override {}
  void InitOprt() override {
    DefineOprt("||", Recorder::binary<Op::logical_or>, mu::prLOR);
    DefineOprt("&&", Recorder::binary<Op::logical_and>, mu::prLAND);
    DefineOprt("<", Recorder::binary<Op::less>, mu::prCMP);
    DefineOprt("<=", Recorder::binary<Op::less_equal>, mu::prCMP);
    DefineOprt(">", Recorder::binary<Op::greater>, mu::prCMP);
    DefineOprt(">=", Recorder::binary<Op::greater_equal>, mu::prCMP);
    DefineOprt("==", Recorder::binary<Op::equal>, mu::prCMP);
    DefineOprt("!=", Recorder::binary<Op::not_equal>, mu::prCMP);
    DefineOprt("+", Recorder::binary<Op::add>, mu::prADD_SUB);
    DefineOprt("-", Recorder::binary<Op::subtract>, mu::prADD_SUB);
    DefineOprt("*", Recorder::binary<Op::multiply>, mu::prMUL_DIV);
    DefineOprt("/", Recorder::binary<Op::divide>, mu::prMUL_DIV);
    DefineOprt("^", Recorder::binary<Op::power>, mu::prPOW, mu::oaRIGHT);
    DefineInfixOprt("-", Recorder::unary<Op::negate>, mu::prINFIX, false);
    DefineInfixOprt("+", Recorder::identity, mu::prINFIX, false);
    DefineInfixOprt("!", Recorder::logical_not, mu::prINFIX, false);
  }
  void InitFun() override {
    DefineFun("sin", Recorder::unary<Op::sin>, false);
    DefineFun("cos", Recorder::unary<Op::cos>, false);
    DefineFun("tan", Recorder::unary<Op::tan>, false);
    DefineFun("asin", Recorder::unary<Op::asin>, false);
    DefineFun("acos", Recorder::unary<Op::acos>, false);
    DefineFun("atan", Recorder::unary<Op::atan>, false);
    DefineFun("atan2", Recorder::binary<Op::atan2>, false);
    DefineFun("sinh", Recorder::unary<Op::sinh>, false);
    DefineFun("cosh", Recorder::unary<Op::cosh>, false);
    DefineFun("tanh", Recorder::unary<Op::tanh>, false);
    DefineFun("exp", Recorder::unary<Op::exp>, false);
    DefineFun("log", Recorder::unary<Op::log>, false);
    DefineFun("ln", Recorder::unary<Op::log>, false);
    DefineFun("log10", Recorder::unary<Op::log10>, false);
    DefineFun("sqrt", Recorder::unary<Op::sqrt>, false);
    DefineFun("abs", Recorder::unary<Op::abs>, false);
    DefineFun("sign", Recorder::unary<Op::sign>, false);
    DefineFun("min", Recorder::fold_left<Op::min>, false);
    DefineFun("max", Recorder::fold_left<Op::max>, false);
    DefineFun("step", Recorder::step, false);
    DefineFun("if", Recorder::select, false);
  }
};

ExpressionError too_long() { return {"too long: more than " + std::to_string(Expression::max_operations) + " operations", "", 0}; }

ExpressionError in_words(const mu::ParserError& error) {
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(' ') + 1);
  const std::string quoted = "\"" + token + "\"";
  const int position = error.GetPos() < 0 ? 0 : error.GetPos() + 1;
  switch (error.GetCode()) {
    case mu::ecEMPTY_EXPRESSION: return {"empty", "", 0};
    case mu::ecUNEXPECTED_EOF: return {"it ends too early", "", 0};
    case mu::ecMISSING_PARENS: return {"missing \")\"", "", 0};
    case mu::ecTOO_MANY_PARAMS: return {"too many arguments for " + quoted, "", 0};
    case mu::ecTOO_FEW_PARAMS: return {"too few arguments for " + quoted, "", 0};
    default:
      if (token.starts_with('*')) return {"unexpected " + quoted + " (a power is written ^, as in 2^t)", "", position};
      return {token.empty() ? "not an expression" : "unexpected " + quoted, "", position};
  }
}

}  // namespace

double ExpressionRecorder::append(Operation operation) {
  // muParser bounds the text, not what we hang on it.
  constexpr std::size_t most = 10 * Expression::max_operations;
  if (operations_.size() >= most) throw too_long();
  reading_.entries.push_back({operation, ""});

  const bool computed = operation.op != Op::constant && operation.op != Op::variable;
  if (operation.op == Op::power && is_constant(operation.b)) {
    const double exponent = values_[operation.b];
    const bool whole = std::trunc(exponent) == exponent && std::abs(exponent) <= 1024;
    operation = {whole ? Op::integer_power : Op::constant_power, operation.a, -1, -1, exponent};
  }
  // A division by zero stays one, so that it can be called so.
  const bool by_zero = operation.op == Op::divide && values_[operation.b] == 0;
  if (computed && !by_zero && is_constant(operation.a) && is_constant(operation.b) && is_constant(operation.c))
    operation = {Op::constant, -1, -1, -1, Expression::apply<double>(operation, values_.data(), nullptr)};
  operations_.push_back(operation);
  values_.push_back(operation.op == Op::constant ? operation.value : std::numeric_limits<double>::quiet_NaN());
  return static_cast<double>(operations_.size() - 1);
}

int ExpressionRecorder::read_literal(const char* text, int* position, double* handle) {
  if (!(*text >= '0' && *text <= '9') && *text != '.') return 0;
  const char* end = text + std::char_traits<char>::length(text);
  double value = 0;
  const auto [rest, error] = std::from_chars(text, end, value);
  if (rest == text) return 0;
  if (error != std::errc()) throw ExpressionError("number out of range: " + std::string(text, rest), "", *position + 1);
  *position += static_cast<int>(rest - text);
  *handle = literal(value);
  return 1;
}

double* ExpressionRecorder::read_name(const char* name, void*) {
  ExpressionRecorder& recorder = *active_;
  recorder.handles_.push_back(recorder.append_name(name));
  return &recorder.handles_.back();
}

double ExpressionRecorder::append_name(const std::string& name) {
  const auto variable = std::find(variables_.begin(), variables_.end(), name);
  double handle = -1;
  if (variable != variables_.end()) handle = append({Op::variable, static_cast<int>(variable - variables_.begin())});
  for (const auto* constants : {&constants_, &built_in_constants()})
    if (const auto found = constants->find(name); handle < 0 && found != constants->end()) handle = literal(found->second);
  if (handle < 0) throw ExpressionError("unknown name \"" + name + "\"", name, 0);
  reading_.entries.back().name = name;
  return handle;
}

int ExpressionRecorder::repeat(const Reading& reading) {
  for (const auto& [operation, name] : reading.entries) name.empty() ? append(operation) : append_name(name);
  return reading.result;
}

std::vector<Expression::Operation> ExpressionRecorder::needed_for(int result) const {
  const auto size = static_cast<std::size_t>(result) + 1;
  std::vector<int> place(size, -1);
  place.back() = 0;
  for (std::size_t i = size; i-- > 0;)
    if (const Operation& operation = operations_[i]; place[i] >= 0 && operation.op != Op::variable)
      for (const int operand : {operation.a, operation.b, operation.c})
        if (operand >= 0) place[operand] = 0;

  std::vector<Operation> needed;
  for (std::size_t i = 0; i < size; ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(needed.size());
    Operation operation = operations_[i];
    if (operation.op != Op::variable)
      for (int* operand : {&operation.a, &operation.b, &operation.c})
        if (*operand >= 0) *operand = place[*operand];
    needed.push_back(operation);
  }
  return needed;
}

int ExpressionRecorder::read(const std::string& text) {
  // muParser would take the branch of ?: while it reads, and so record one branch only.
  if (text.find('?') != std::string::npos) throw ExpressionError("instead of ?: write if(condition, value, other value)", "", 0);
  try {
    // Making one takes longer than reading with it. What it knows of names belongs to the text before.
    static thread_local Grammar grammar;
    grammar.ClearVar();
    grammar.SetExpr(text);
    reading_.result = index(grammar.Eval());
    if (grammar.GetNumResults() != 1) throw ExpressionError("unexpected \",\": one value is wanted", "", 0);
    return reading_.result;
  } catch (const mu::ParserError& error) {
    throw in_words(error);
  }
}

Expression ExpressionRecorder::record(const std::string& text) {
  constexpr std::size_t most_readings = 10000;
  std::map<std::string, Reading>& known = readings();
  Expression expression;
  if (const auto found = known.find(text); found != known.end()) {
    expression.operations_ = needed_for(repeat(found->second));
    return expression;
  }
  expression.operations_ = needed_for(read(text));
  if (known.size() >= most_readings) known.clear();
  known.emplace(text, std::move(reading_));
  return expression;
}

Expression Expression::parse(const std::string& text, const std::vector<std::string>& variables,
                             const std::map<std::string, double>& constants) {
  Expression expression = ExpressionRecorder(variables, constants).record(text);
  if (expression.operations_.size() > Expression::max_operations) throw too_long();
  return expression;
}

std::vector<int> used_names(const std::string& text, const std::vector<std::string>& variables,
                            const std::map<std::string, double>& constants) {
  return ExpressionRecorder(variables, constants).record(text).used_variables();
}

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

const std::vector<std::string>& Expression::known_names() {
  static const std::vector<std::string> names = [] {
    const Grammar grammar;
    std::vector<std::string> all;
    for (const auto& [name, callback] : grammar.GetFunDef()) all.push_back(name);
    for (const auto& [name, value] : built_in_constants()) all.push_back(name);
    std::sort(all.begin(), all.end());
    return all;
  }();
  return names;
}

}  // namespace arthron
