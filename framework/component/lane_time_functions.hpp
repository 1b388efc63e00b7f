#pragma once
#include <vector>

#include "arthron/component/time_function.hpp"
#include "arthron/spatial/per_lane.hpp"

namespace arthron {

/// An instant of all variants at once: the time, their signals, and the values of functions of time, by the numbers LaneTimeFunctions gave
/// them.
struct LaneInstant {
  double t;  // [s]
  PerLane<const Signal*> signals;
  bool signals_agree;  // in all variants
  const Lanes *values, *rates;

  [[nodiscard]] Instant of(int lane) const { return {t, signals[lane]}; }
};

/// The functions of time that lanes need. Asked once for every time, whoever needs them, and once for all variants where they are the same.
class LaneTimeFunctions {
 public:
  enum class Wanted { value, value_and_rate };

  /// Number by which the function is asked for that is functions[lane] in a variant; zero where it is nullptr. They must outlive this.
  int add(const PerLane<const TimeFunction*>& functions, Wanted wanted = Wanted::value);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Writes values and, where wanted, rates of all functions at an instant.
  void sample(const LaneInstant& now, Lanes* values, Lanes* rates) const;

 private:
  struct Entry {
    PerLane<const TimeFunction*> functions;
    bool rate;
    bool same;  // in all variants
  };
  std::vector<Entry> entries_;
};

}  // namespace arthron
