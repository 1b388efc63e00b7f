#pragma once
#include <functional>
#include <string>
#include <vector>

#include "../peers/mechanism.hpp"
#include "arthron/model/model.hpp"

/// The systems whose work-precision diagrams are drawn.
namespace arthron::precision {

/// Where the points of a model are, its markers, one set for each of the times.
using Course = std::vector<std::vector<peers::Vector>>;

struct Case {
  std::string name;
  std::function<Model()> model;  // its markers are what is looked at
  double until = 0;              // [s]
  /// The truth at these times; none: the tightest of our own runs stands for it.
  std::function<Course(const std::vector<double>& times)> reference{};
  bool simbody = true;              // can express it
  double longest = 0.3;             // processor time that a run of ours may take [s]
  double longest_of_simbody = 1.5;  // and one of Simbody's
};

[[nodiscard]] const std::vector<Case>& cases();

/// Moments at which runs are held against the truth.
[[nodiscard]] std::vector<double> looks(const Case& given);

}  // namespace arthron::precision
