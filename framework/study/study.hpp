#pragma once
#include <functional>
#include <optional>
#include <span>

#include "arthron/simulation/channels.hpp"
#include "arthron/study/definition.hpp"

namespace arthron {

/// What came of a variant.
struct StudyRow {
  enum class Status { ok, refused, failed };  // refused: no such model can be made; failed: the computation did not reach its end
  std::size_t variant = 0;
  Status status = Status::ok;
  std::vector<double> results;  // one a column, when it is ok
  std::string message;          // what went wrong, on one line
};

/// A model in many variants: other values of its parameters, and of each the same few results. Immutable: any number of threads may run
/// variants of it.
class Study {
 public:
  /// Reads the study, its model and its list. Throws ModelError with the mistakes of the first of them that has some. The types outlive it.
  Study(const std::string& file, const Registry& types);

  [[nodiscard]] const StudyDefinition& definition() const { return definition_; }
  [[nodiscard]] std::size_t size() const { return definition_.samples.size(); }
  /// The values of a variant, one a parameter.
  [[nodiscard]] const std::vector<double>& values(std::size_t variant) const { return definition_.samples[variant]; }
  [[nodiscard]] const std::vector<ChannelColumn>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<ChannelColumn>& results() const { return results_; }
  /// Differs when the study, its list, a file of its model, what types build in it or the version of the program differs.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

  /// Variants are computed in groups, the first so many, the next so many: together on SIMD lanes where these apply, else one by one. Who
  /// computes which group when makes no difference to the numbers.
  [[nodiscard]] std::size_t group_size() const { return group_size_; }
  [[nodiscard]] std::size_t groups() const { return (size() + group_size_ - 1) / group_size_; }
  /// Rows of a group, computed on the calling thread alone. `proceed`, when given, is asked after every step; once it says no, there are
  /// none.
  [[nodiscard]] std::optional<std::vector<StudyRow>> run(std::size_t group, const std::function<bool()>& proceed = {}) const;

 private:
  /// How a result comes from the columns of a run.
  struct Curve {
    std::size_t column = 0;
    Reduction::Kind kind = Reduction::Kind::final;
    double from = 0;
  };
  [[nodiscard]] std::vector<ParameterOverride> overrides(std::size_t variant) const;
  class Variant;
  void check_parameters();
  void choose_results();

  StudyDefinition definition_;
  ModelSource source_;
  std::vector<ChannelColumn> parameters_, results_;
  std::vector<ChannelRequest> channels_;
  std::vector<Curve> curves_;  // one a result
  std::string fingerprint_;
  std::size_t group_size_ = 1;
};

}  // namespace arthron
