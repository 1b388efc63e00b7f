#include "arthron/component/expression_recorder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "arthron/component/expression_grammar.hpp"
#include "arthron/component/units.hpp"

namespace arthron {

namespace {

ExpressionError too_long() { return {"too long: more than " + std::to_string(Expression::max_operations) + " operations", "", 0}; }
ExpressionError refusal(const char* words) { return {words, "", 0}; }

constexpr auto number_wanted = "a vector where a number is wanted (.x, .y and .z are its components)";
constexpr auto unlike = "a number and a vector can be neither added nor subtracted";
constexpr auto vector_wanted = "a number where a vector is wanted";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

thread_local ExpressionRecorder* ExpressionRecorder::active_ = nullptr;

ExpressionRecorder::ExpressionRecorder(const std::vector<std::string>& variables, const std::map<std::string, double>& constants,
                                       const NamedVectors& vectors)
    : variables_(variables), constants_(constants), vectors_(vectors) {
  active_ = this;
}

std::map<std::string, ExpressionRecorder::Reading>& ExpressionRecorder::readings() {
  static thread_local std::map<std::string, Reading> known;
  return known;
}

int ExpressionRecorder::number(double handle) const {
  if (is_vector(handle)) throw refusal(number_wanted);
  return static_cast<int>(handle);
}

const ExpressionRecorder::Triple& ExpressionRecorder::vector(double handle, const char* otherwise) const {
  if (!is_vector(handle)) throw refusal(otherwise);
  return triples_[static_cast<std::size_t>(-handle) - 1];
}

double ExpressionRecorder::make_vector(const Triple& components) {
  triples_.push_back(components);
  return -static_cast<double>(triples_.size());
}

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

/// `function` of the components of two vectors, or of two numbers.
template <class Function>
double ExpressionRecorder::each(double a, double b, const char* mixed, const Function& function) {
  if (!is_vector(a) && !is_vector(b)) return function(a, b);
  const Triple u = active_->vector(a, mixed), v = active_->vector(b, mixed);
  return active_->make_vector({function(u[0], v[0]), function(u[1], v[1]), function(u[2], v[2])});
}

double ExpressionRecorder::plus(double a, double b) { return each(a, b, unlike, binary<Op::add>); }
double ExpressionRecorder::minus(double a, double b) { return each(a, b, unlike, binary<Op::subtract>); }

double ExpressionRecorder::times(double a, double b) {
  if (is_vector(a) && is_vector(b)) throw refusal("vectors have two products: write dot(a, b) or cross(a, b)");
  if (!is_vector(a) && !is_vector(b)) return binary<Op::multiply>(a, b);
  const Triple v = active_->vector(is_vector(a) ? a : b, vector_wanted);
  const double factor = is_vector(a) ? b : a;
  return active_->make_vector({binary<Op::multiply>(factor, v[0]), binary<Op::multiply>(factor, v[1]), binary<Op::multiply>(factor, v[2])});
}

double ExpressionRecorder::over(double a, double b) {
  if (is_vector(b)) throw refusal("a division by a vector");
  if (!is_vector(a)) return binary<Op::divide>(a, b);
  const Triple v = active_->vector(a, vector_wanted);
  return active_->make_vector({binary<Op::divide>(v[0], b), binary<Op::divide>(v[1], b), binary<Op::divide>(v[2], b)});
}

double ExpressionRecorder::negative(double a) {
  if (!is_vector(a)) return unary<Op::negate>(a);
  const Triple v = active_->vector(a, vector_wanted);
  return active_->make_vector({unary<Op::negate>(v[0]), unary<Op::negate>(v[1]), unary<Op::negate>(v[2])});
}

double ExpressionRecorder::select(double condition, double yes, double no) {
  const int chosen = active_->number(condition);
  return each(yes, no, "a number or a vector, as the condition may be", [chosen](double a, double b) {
    return active_->append({Op::select, chosen, active_->number(a), active_->number(b)});
  });
}

double ExpressionRecorder::step(double x, double x0, double h0, double x1, double h1) {
  const double s = binary<Op::divide>(binary<Op::subtract>(x, x0), binary<Op::subtract>(x1, x0));
  return binary<Op::add>(h0, binary<Op::multiply>(binary<Op::subtract>(h1, h0), unary<Op::ease>(s)));
}

double ExpressionRecorder::dot(double a, double b) {
  const Triple u = active_->vector(a, vector_wanted), v = active_->vector(b, vector_wanted);
  const auto product = [&](int i) { return binary<Op::multiply>(u[i], v[i]); };
  return binary<Op::add>(binary<Op::add>(product(0), product(1)), product(2));
}

double ExpressionRecorder::cross(double a, double b) {
  const Triple u = active_->vector(a, vector_wanted), v = active_->vector(b, vector_wanted);
  const auto component = [&](int i, int k) {
    return binary<Op::subtract>(binary<Op::multiply>(u[i], v[k]), binary<Op::multiply>(u[k], v[i]));
  };
  return active_->make_vector({component(1, 2), component(2, 0), component(0, 1)});
}

double ExpressionRecorder::norm(double a) { return unary<Op::sqrt>(dot(a, a)); }
double ExpressionRecorder::unit(double a) { return over(a, norm(a)); }

/// v cos(angle) + (e x v) sin(angle) + e (e . v) (1 - cos(angle)), e along the axis.
double ExpressionRecorder::rotate(double a, double axis, double angle) {
  const double e = unit(axis), c = unary<Op::cos>(angle), s = unary<Op::sin>(angle);
  const double along = times(e, binary<Op::multiply>(dot(e, a), binary<Op::subtract>(literal(1), c)));
  return plus(plus(times(a, c), times(cross(e, a), s)), along);
}

/// Across the plane through the origin: v - 2 (n . v) n / (n . n), which is a change of sign where n is an axis.
double ExpressionRecorder::mirror(double a, double normal) {
  const double twice = binary<Op::divide>(binary<Op::multiply>(literal(2), dot(normal, a)), dot(normal, normal));
  return minus(a, times(twice, normal));
}

bool ExpressionRecorder::is_known(const std::string& name) const {
  return name == "t" || std::find(variables_.begin(), variables_.end(), name) != variables_.end() || constants_.contains(name) ||
         vectors_.contains(name);
}

/// A unit behind a number, "mm" or "mm^2": what it makes of the value; how many characters it takes, 0 for none.
int ExpressionRecorder::read_unit_behind(const char* text, int* position, double& value) {
  const char *begin = text, *end = nullptr;
  while (*begin == ' ') ++begin;
  for (end = begin; is_letter(*end) || (end > begin && is_digit(*end)); ++end) {
  }
  std::string symbol(begin, end);
  if (symbol.empty() || is_known(symbol) || *end == '(' || !unit_of_symbol(symbol)) return 0;
  if (*end == '^' && is_digit(end[1]))
    for (symbol += *end++; is_digit(*end); ++end) symbol += *end;
  const UnitReading reading = read_unit(symbol);
  if (!reading.unit) throw ExpressionError("unknown unit \"" + symbol + "\"", "", *position + 1);
  value = reading.unit->to_si(value);
  reading_.anywhere = false;
  return static_cast<int>(end - text);
}

int ExpressionRecorder::read_value(const char* text, int* position, double* handle) {
  if (*text == '[') return active_->read_list(text, position, handle);
  if (is_letter(*text)) return active_->read_name(text, position, handle);
  return is_digit(*text) || *text == '.' ? active_->read_literal(text, position, handle) : 0;
}

int ExpressionRecorder::read_literal(const char* text, int* position, double* handle) {
  const char* end = text + std::char_traits<char>::length(text);
  double value = 0;
  const auto [rest, error] = std::from_chars(text, end, value);
  if (rest == text) return 0;
  if (error != std::errc()) throw ExpressionError("number out of range: " + std::string(text, rest), "", *position + 1);
  *position += static_cast<int>(rest - text);
  *position += read_unit_behind(rest, position, value);
  *handle = literal(value);
  return 1;
}

/// "[x, y, z]": three expressions, each with a parser of its own.
int ExpressionRecorder::read_list(const char* text, int* position, double* handle) {
  constexpr int deepest = 16;
  std::vector<const char*> ends;  // of the components
  int open = 0;
  const char* at = text;
  do {
    open += *at == '[' || *at == '(' ? 1 : *at == ']' || *at == ')' ? -1 : 0;
    if (open == 1 && *at == ',') ends.push_back(at);
    if (*at++ == '\0') throw ExpressionError("missing \"]\"", "", *position + 1);
  } while (open > 0);
  if (at[-1] != ']') throw ExpressionError("missing \"]\"", "", *position + 1);
  ends.push_back(at - 1);
  if (ends.size() != 3)
    throw ExpressionError("a vector has three components [x, y, z], not " + std::to_string(ends.size()), "", *position + 1);
  if (++depth_ > deepest) throw refusal("lists within lists");
  Triple components{};
  const char* begin = text + 1;
  for (std::size_t i = 0; i < 3; begin = ends[i++] + 1) {
    try {
      components[i] = evaluate(std::string(begin, ends[i]));
      (void)number(components[i]);
    } catch (const ExpressionError& error) {
      const int place = error.position() > 0 ? error.position() + *position + static_cast<int>(begin - text) : 0;
      throw ExpressionError(error.what(), error.token(), place);
    }
  }
  --depth_;
  *position += static_cast<int>(at - text);
  *handle = make_vector(components);
  return 1;
}

/// muParser has looked for functions before. Names are values for it, since it allows nothing behind variables that it meets first.
int ExpressionRecorder::read_name(const char* text, int* position, double* handle) {
  const char* end = text;
  while (is_letter(*end) || is_digit(*end)) ++end;
  const std::string name(text, end);
  const auto known = names_.find(name);
  *handle = known != names_.end() ? known->second : names_[name] = append_name(name);
  *position += static_cast<int>(end - text);
  return 1;
}

double ExpressionRecorder::append_name(const std::string& name) {
  if (!vectors_.contains(name) || is_number_name(name)) return append_number(name);
  return make_vector({append_number(name + ".x"), append_number(name + ".y"), append_number(name + ".z")});
}

bool ExpressionRecorder::is_number_name(const std::string& name) const {
  return constants_.contains(name) || std::find(variables_.begin(), variables_.end(), name) != variables_.end();
}

/// A name, or a component of a vector.
double ExpressionRecorder::append_number(const std::string& name) {
  const auto variable = std::find(variables_.begin(), variables_.end(), name);
  double handle = -1;
  if (variable != variables_.end()) handle = append({Op::variable, static_cast<int>(variable - variables_.begin())});
  for (const auto* constants : {&constants_, &built_in_constants()})
    if (const auto found = constants->find(name); handle < 0 && found != constants->end()) handle = literal(found->second);
  if (const std::size_t dot = name.find('.'); handle < 0 && dot != std::string::npos)
    if (const auto found = vectors_.find(name.substr(0, dot)); found != vectors_.end())
      handle = literal(name.back() == 'x' ? found->second.x : name.back() == 'y' ? found->second.y : found->second.z);
  if (handle < 0) throw ExpressionError("unknown name \"" + name + "\"", name, 0);
  reading_.entries.back().name = name;
  return handle;
}

/// False where a name is unknown, or is no longer what it was.
bool ExpressionRecorder::repeat(const Reading& reading) {
  for (const auto& [operation, name] : reading.entries) {
    if (name.empty()) {
      append(operation);
      continue;
    }
    if (name.find('.') == std::string::npos ? vectors_.contains(name) && !is_number_name(name)
                                            : is_number_name(name.substr(0, name.find('.'))))
      return false;
    try {
      append_number(name);
    } catch (const ExpressionError&) {
      return false;
    }
  }
  return true;
}

Expression ExpressionRecorder::needed_for(int result) const {
  const auto size = static_cast<std::size_t>(result) + 1;
  std::vector<int> place(size, -1);
  place.back() = 0;
  for (std::size_t i = size; i-- > 0;)
    if (const Operation& operation = operations_[i]; place[i] >= 0 && operation.op != Op::variable)
      for (const int operand : {operation.a, operation.b, operation.c})
        if (operand >= 0) place[operand] = 0;

  Expression needed;
  for (std::size_t i = 0; i < size; ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(needed.operations_.size());
    Operation operation = operations_[i];
    if (operation.op != Op::variable)
      for (int* operand : {&operation.a, &operation.b, &operation.c})
        if (*operand >= 0) *operand = place[*operand];
    needed.operations_.push_back(operation);
  }
  if (needed.operations_.size() > Expression::max_operations) throw too_long();
  return needed;
}

/// Making a parser takes longer than reading with it: one for every depth of lists is kept.
double ExpressionRecorder::evaluate(const std::string& text) {
  static thread_local std::deque<ExpressionGrammar> grammars;
  while (grammars.size() <= static_cast<std::size_t>(depth_)) grammars.emplace_back();
  return grammars[static_cast<std::size_t>(depth_)].evaluate(text);
}

void ExpressionRecorder::read(const std::string& text) {
  // muParser would take the branch of ?: while it reads, and so record one branch only.
  if (text.find('?') != std::string::npos) throw refusal("instead of ?: write if(condition, value, other value)");
  const double result = evaluate(text);
  if (is_vector(result))
    for (const double component : vector(result, vector_wanted)) reading_.result.push_back(static_cast<int>(component));
  else
    reading_.result.push_back(static_cast<int>(result));
}

VectorExpression ExpressionRecorder::record(const std::string& text) {
  constexpr std::size_t most_readings = 10000;
  std::map<std::string, Reading>& known = readings();
  const auto expressions = [this](const std::vector<int>& results) {
    VectorExpression parsed;
    for (const int result : results) parsed.components.push_back(needed_for(result));
    return parsed;
  };
  if (const auto found = known.find(text); found != known.end()) {
    if (repeat(found->second)) return expressions(found->second.result);
    operations_.clear(), values_.clear(), triples_.clear(), names_.clear(), reading_ = {};
  }
  read(text);
  VectorExpression parsed = expressions(reading_.result);
  if (!reading_.anywhere) return parsed;
  if (known.size() >= most_readings) known.clear();
  known.insert_or_assign(text, std::move(reading_));
  return parsed;
}

VectorExpression VectorExpression::parse(const std::string& text, const std::vector<std::string>& variables,
                                         const std::map<std::string, double>& constants, const NamedVectors& vectors) {
  return ExpressionRecorder(variables, constants, vectors).record(text);
}

Expression VectorExpression::parse_number(const std::string& text, const std::vector<std::string>& variables,
                                          const std::map<std::string, double>& constants, const NamedVectors& vectors) {
  VectorExpression parsed = parse(text, variables, constants, vectors);
  if (parsed.is_vector()) throw refusal(number_wanted);
  return std::move(parsed.components.front());
}

Expression Expression::parse(const std::string& text, const std::vector<std::string>& variables,
                             const std::map<std::string, double>& constants) {
  return VectorExpression::parse_number(text, variables, constants, {});
}

}  // namespace arthron
