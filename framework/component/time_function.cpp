#include "arthron/component/time_function.hpp"

#include <algorithm>
#include <array>
#include <boost/math/differentiation/autodiff.hpp>
#include <numeric>

namespace arthron {

struct TimeFunction::OfSignals {
  Expression expression;
  std::vector<TimeFunction> signals;
  friend bool operator==(const OfSignals&, const OfSignals&) = default;
};

struct TimeFunction::Incoming {
  int number;
  bool measured;
  TimeFunction otherwise;

  /// The signal, or nullptr where it says nothing.
  [[nodiscard]] const Signal* live(const Instant& now) const {
    const Signal* signal = now.signals ? now.signals + number : nullptr;
    return signal && signal->live ? signal : nullptr;
  }
  friend bool operator==(const Incoming&, const Incoming&) = default;
};

TimeFunction::TimeFunction(Expression expression, std::vector<TimeFunction> signals) {
  const std::vector<int> used = expression.used_variables();
  const bool constant =
      std::all_of(used.begin(), used.end(), [&](int variable) { return variable > 0 && signals[variable - 1].is_constant(); });
  auto composed = std::make_shared<OfSignals>(OfSignals{std::move(expression), std::move(signals)});
  function_ = std::shared_ptr<const OfSignals>(std::move(composed));
  if (constant) function_ = value(0);
}

TimeFunction::TimeFunction(Expression expression) {
  if (expression.is_constant())
    function_ = expression.evaluate<double>(nullptr);
  else
    function_ = std::move(expression);
}

TimeFunction TimeFunction::input(int number, TimeFunction otherwise) {
  TimeFunction function;
  function.function_ = std::make_shared<const Incoming>(Incoming{number, false, std::move(otherwise)});
  return function;
}

TimeFunction TimeFunction::measurement(int number) {
  TimeFunction function;
  function.function_ = std::make_shared<const Incoming>(Incoming{number, true, {}});
  return function;
}

bool TimeFunction::is_measured() const {
  if (const auto* incoming = std::get_if<std::shared_ptr<const Incoming>>(&function_))
    return (*incoming)->measured || (*incoming)->otherwise.is_measured();
  const auto* composed = std::get_if<std::shared_ptr<const OfSignals>>(&function_);
  return composed && std::any_of((*composed)->signals.begin(), (*composed)->signals.end(),
                                 [](const TimeFunction& signal) { return signal.is_measured(); });
}

bool operator==(const TimeFunction& a, const TimeFunction& b) {
  if (a.function_.index() != b.function_.index()) return false;
  return std::visit(
      [&]<class Part>(const Part& part) {
        const Part& other = std::get<Part>(b.function_);
        if constexpr (requires { *part; })
          return *part == *other;
        else
          return part == other;
      },
      a.function_);
}

/// Where the expression, which is all of this function or combines its signals, takes another side.
std::vector<double> TimeFunction::branch_changes(const Expression& expression, double from, double to) const {
  std::vector<double> changes;
  if (!expression.branches()) return changes;
  const auto sides = [&](double t) {
    std::array<double, 1 + max_signals> variables{t};
    if (const auto* composed = std::get_if<std::shared_ptr<const OfSignals>>(&function_))
      for (std::size_t i = 0; i < (*composed)->signals.size(); ++i) variables[i + 1] = (*composed)->signals[i].value(t);
    return expression.sides(variables.data());
  };
  // Most conditions compare the time with a constant, on either side of which to look; for the others there is a grid.
  constexpr int intervals = 1024;
  constexpr std::size_t most = 100'000;
  std::vector<double> places{to};
  for (int i = 0; i < intervals; ++i) places.push_back(from + (to - from) * i / intervals);
  for (const double constant : expression.constants())
    for (const double size : {constant, -constant})
      for (const double at : {std::nextafter(size, from), size, std::nextafter(size, to)})
        if (at > from && at < to) places.push_back(at);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const std::vector<bool> there = sides(places[i + 1]);
    double here = places[i];
    for (std::vector<bool> own = sides(here); own != there && changes.size() < most; own = sides(here)) {
      double low = here, high = places[i + 1];
      for (double middle = std::midpoint(low, high); middle > low && middle < high; middle = std::midpoint(low, high))
        (sides(middle) == own ? low : high) = middle;
      changes.push_back(here = high);
    }
  }
  return changes;
}

std::vector<double> TimeFunction::breaks(double from, double to) const {
  std::vector<double> all;
  if (const Expression* expression = std::get_if<Expression>(&function_)) {
    all = branch_changes(*expression, from, to);
  } else if (const Table* table = std::get_if<Table>(&function_)) {
    all = table->breaks();
  } else if (const auto* incoming = std::get_if<std::shared_ptr<const Incoming>>(&function_)) {
    all = (*incoming)->otherwise.breaks(from, to);
  } else if (const auto* composed = std::get_if<std::shared_ptr<const OfSignals>>(&function_)) {
    all = branch_changes((*composed)->expression, from, to);
    for (const TimeFunction& signal : (*composed)->signals) {
      const std::vector<double> own = signal.breaks(from, to);
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  std::erase_if(all, [&](double t) { return !(t > from && t <= to); });
  return all;
}

double TimeFunction::value(const Instant& now) const {
  if (const double* constant = std::get_if<double>(&function_)) return *constant;
  if (const Expression* expression = std::get_if<Expression>(&function_)) return expression->evaluate(&now.t);
  if (const Table* table = std::get_if<Table>(&function_)) return table->at(now.t).value;
  if (const auto* incoming = std::get_if<std::shared_ptr<const Incoming>>(&function_)) {
    const Signal* signal = (*incoming)->live(now);
    return signal ? signal->at(now.t) : (*incoming)->otherwise.value(now);
  }
  const OfSignals& composed = **std::get_if<std::shared_ptr<const OfSignals>>(&function_);
  std::array<double, 1 + max_signals> variables{now.t};
  for (std::size_t i = 0; i < composed.signals.size(); ++i) variables[i + 1] = composed.signals[i].value(now);
  return composed.expression.evaluate(variables.data());
}

TimeFunction::Sample TimeFunction::sample(const Instant& now) const {
  const double t = now.t;
  if (const double* constant = std::get_if<double>(&function_)) return {*constant, 0, 0};
  if (const Expression* expression = std::get_if<Expression>(&function_)) {
    const auto time = boost::math::differentiation::make_fvar<double, 2>(t);
    const auto result = expression->evaluate(&time);
    return {result.derivative(0), result.derivative(1), result.derivative(2)};
  }
  if (const Table* table = std::get_if<Table>(&function_)) {
    const Table::Sample sample = table->at(t);
    return {sample.value, sample.slope, sample.curvature};
  }
  if (const auto* incoming = std::get_if<std::shared_ptr<const Incoming>>(&function_)) {
    const Signal* signal = (*incoming)->live(now);
    return signal ? Sample{signal->at(t), signal->rate, 0} : (*incoming)->otherwise.sample(now);
  }
  // A signal near t is its Taylor polynomial; more than the second derivative is not asked for.
  const OfSignals& composed = **std::get_if<std::shared_ptr<const OfSignals>>(&function_);
  const auto time = boost::math::differentiation::make_fvar<double, 2>(t);
  const auto ahead = time - t;
  std::array<std::remove_const_t<decltype(time)>, 1 + max_signals> variables{time};
  for (std::size_t i = 0; i < composed.signals.size(); ++i) {
    const Sample signal = composed.signals[i].sample(now);
    variables[i + 1] = signal.value + ahead * (signal.rate + 0.5 * signal.acceleration * ahead);
  }
  const auto result = composed.expression.evaluate(variables.data());
  return {result.derivative(0), result.derivative(1), result.derivative(2)};
}

}  // namespace arthron
