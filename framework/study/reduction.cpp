#include "arthron/study/reduction.hpp"

#include <cmath>
#include <limits>

namespace arthron {

const std::vector<std::string>& Reduction::names() {
  static const std::vector<std::string> names{"final", "initial", "min",     "max",         "mean",
                                              "rms",   "range",   "abs_max", "time_of_min", "time_of_max"};
  return names;
}

std::string Reduction::unit(Kind kind, const std::string& channel) {
  return kind == Kind::time_of_min || kind == Kind::time_of_max ? "s" : channel;
}

void Reduction::take(double t, double value) {
  if (rows_++ == 0) {
    first_ = min_ = max_ = value;
    first_t_ = min_t_ = max_t_ = t;
  } else {
    // A straight line x from a to b has the mean square (a^2 + a b + b^2)/3.
    const double dt = t - last_t_;
    integral_ += dt * (last_ + value) / 2;
    square_integral_ += dt * (last_ * last_ + last_ * value + value * value) / 3;
  }
  if (value < min_) min_ = value, min_t_ = t;
  if (value > max_) max_ = value, max_t_ = t;
  last_ = value, last_t_ = t;
}

double Reduction::result() const {
  if (rows_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const double duration = last_t_ - first_t_;
  switch (kind_) {
    case Kind::final: return last_;
    case Kind::initial: return first_;
    case Kind::min: return min_;
    case Kind::max: return max_;
    case Kind::mean: return duration > 0 ? integral_ / duration : last_;
    case Kind::rms: return duration > 0 ? std::sqrt(square_integral_ / duration) : std::abs(last_);
    case Kind::range: return max_ - min_;
    case Kind::abs_max: return std::fmax(std::abs(min_), std::abs(max_));
    case Kind::time_of_min: return min_t_;
    case Kind::time_of_max: return max_t_;
  }
  return last_;
}

}  // namespace arthron
