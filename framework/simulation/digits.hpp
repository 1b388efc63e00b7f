#pragma once
#include <nlohmann/json_fwd.hpp>

#include "arthron/simulation/channels.hpp"
#include "arthron/simulation/simulation.hpp"

namespace arthron {

/// How many digits of a run's channels a second run with smaller errors confirms, and until when. A channel's digits are those of its
/// largest value: d of them hold while the runs differ by at most half a unit of the d-th.
struct Digits {
  struct Channel {
    ChannelColumn column;
    double largest = 0;     // absolute value in the run, at least the absolute tolerance
    double difference = 0;  // the largest
    /// Where the difference has grown: the time of the row before, below 0 for none, and the difference.
    struct Growth {
      double before, difference;
    };
    std::vector<Growth> growth{};

    /// Digits that hold to the end.
    [[nodiscard]] int digits() const;
    /// Time of the last row up to which so many digits hold; nothing where they do not hold in the first row.
    [[nodiscard]] std::optional<double> until(int digits, double end) const;
  };
  std::string against;       // what the second run had smaller, in words
  double compared = 0;       // time of the last row that both runs have [s]
  std::string message;       // why the second run ended there, where it failed
  double wall = 0, cpu = 0;  // of the second run [s]
  std::vector<Channel> channels{};
};

/// Runs a model a second time beside a run, row by row.
class DigitCheck {
 public:
  /// With a hundredth of the model's tolerances, but no less than a run may have, or half its step. Throws ModelError where there is
  /// nothing smaller.
  DigitCheck(const Model& model, const std::vector<ChannelRequest>& requests, std::int64_t max_steps);
  /// To be put into the state that the run begins with, where that is not the initial one.
  [[nodiscard]] Simulation& taken_over() { return started_ = true, *simulation_; }
  /// A row of the run, and of the other where that gets there.
  void row(double t, std::span<const double> values);
  [[nodiscard]] const Digits& digits() const { return digits_; }

 private:
  [[nodiscard]] Status advance_to(double t);
  void compare(double t, std::span<const double> values);

  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ChannelSet> channels_;
  std::vector<double> row_;
  Digits digits_;
  bool started_ = false;
  double last_row_ = -1;
  Status status_;
};

[[nodiscard]] std::string to_text(const Digits& digits);
[[nodiscard]] nlohmann::ordered_json to_json(const Digits& digits);

}  // namespace arthron
