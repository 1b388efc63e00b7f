#pragma once
#include <string>
#include <vector>

#include "arthron/plan/plan.hpp"

/// The tree of subsystems, as it is told to users.
namespace arthron {

/// Subsystems of one file right within the same one, with the same parameters, connected alike and closing their loops alike: what is true
/// of the first is true of all.
struct AlikeSubsystems {
  std::vector<int> members;  // numbers in the Model, ascending
  int depth = 0;             // 0: right within the model

  [[nodiscard]] int first() const { return members.front(); }
};

/// The tree depth first, alike subsystems once, without the model itself; what lies within several is listed for the first of them.
[[nodiscard]] std::vector<AlikeSubsystems> subsystem_tree(const Plan& plan);

/// Per subsystem the one that stands for it in the tree, the first of those that it is alike with.
[[nodiscard]] std::vector<int> stand_ins(const Plan& plan);

/// "left", or "car_0 ... car_63 (x 64)".
[[nodiscard]] std::string names_of(const Model& model, const AlikeSubsystems& alike);

/// "3 rows (upper_ball)" that a subsystem closes, as its file names them.
[[nodiscard]] std::string describe_rows(const Plan& plan, const std::vector<int>& closures, int subsystem);

/// How many loops there are, how many of them are coupled, and where they are closed: in the lowest subsystem that holds all joints of a
/// loop. Empty where there are none.
[[nodiscard]] std::string describe_clusters(const Plan& plan);

/// "a, b, c" of no more than a dozen, ", ..." for the others.
[[nodiscard]] std::string dozen(const std::vector<std::string>& names);

}  // namespace arthron
