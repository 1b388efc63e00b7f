#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arthron/component/units.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/describe.hpp"
#include "arthron/model/load.hpp"
#include "arthron/model/model.hpp"
#include "arthron/study/reduction.hpp"
#include "arthron/study/sampling.hpp"

namespace arthron {

/// What a study file says, before the model has been asked.
struct StudyDefinition {
  struct Parameter {
    std::string path;
    SourceRef place;
    bool written = true;  // its values, or the ends of their interval, are the user's own: beyond the parameter's range they are mistakes
    std::vector<Dimension> dimensions{};  // that numbers with units have
  };
  struct Result {
    std::string name, channel;
    Reduction::Kind kind = Reduction::Kind::final;
    double from = 0;  // rows before this time do not count [s]
    SourceRef place;
  };
  struct Fixed {
    ParameterOverride value;
    SourceRef place;
    std::vector<Dimension> dimensions{};
  };

  std::string name, file;
  std::string model;  // file, as a path from where the program runs
  std::vector<Fixed> fixed;
  std::vector<Parameter> parameters;
  Samples samples;         // one row a variant, one column a parameter
  std::vector<int> lines;  // of the samples in their file, when they are listed in one
  std::vector<Result> results;
  bool lanes = true;    // several variants at once on SIMD lanes, where these apply
  std::string content;  // all that the study file and its list say, for telling one study from another

  /// The settings of a model, replaced by what the study says. Throws ModelError.
  [[nodiscard]] SimulationSettings settings(const SimulationSettings& of_model) const;

  /// Whether these settings, and not the model's, say which channels are put out.
  [[nodiscard]] bool chooses_channels() const;

  struct Text;
  std::shared_ptr<const Text> text;
};

/// Throws ModelError with every mistake of the file.
[[nodiscard]] StudyDefinition read_study(const std::string& file);

/// Reads the variants from a table of comma-separated numbers whose first line names the parameters. Mistakes go to the diagnostics.
void read_list(const std::string& text, const std::string& file, StudyDefinition& study, std::vector<Diagnostic>& diagnostics);

/// JSON Schema (draft 7) of study files, and the reference of their keys.
[[nodiscard]] nlohmann::ordered_json study_schema();
[[nodiscard]] ReferenceEntry study_reference();

inline constexpr int most_variants = 1000000;

}  // namespace arthron
