#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arthron/component/registry.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

/// `name=value` of the command line: replaces a parameter's default before expressions are evaluated.
struct ParameterOverride {
  std::string name;
  double value = 0;
};

/// Reads a model file. Throws ModelError with every mistake of the file.
[[nodiscard]] Model load_model(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides = {});
/// The same from text; `file` names it in messages.
[[nodiscard]] Model parse_model(const std::string& text, const std::string& file, const Registry& registry,
                                const std::vector<ParameterOverride>& overrides = {});

/// The same from a definition that no text stands behind (see builder.hpp); `file` names it in messages, and the files it uses are looked
/// for beside it.
[[nodiscard]] Model build_model(const nlohmann::ordered_json& definition, const std::string& file, const Registry& registry,
                                const std::vector<ParameterOverride>& overrides = {});

/// A model file with all the files it uses, read once: models with other parameters are made of it without asking the disk again, from
/// several threads at once if need be.
class ModelSource {
 public:
  /// Throws ModelError as load_model does.
  ModelSource(std::string file, const Registry& registry);
  ~ModelSource();

  /// The model as its file has it.
  [[nodiscard]] const Model& base() const;
  /// The same with overrides. Throws ModelError.
  [[nodiscard]] Model load(const std::vector<ParameterOverride>& overrides) const;
  /// All that the files say and subsystem types build of it, for telling one model from another.
  [[nodiscard]] std::string content() const;

 private:
  struct Read;
  std::unique_ptr<Read> read_;
};

/// JSON Schema (draft 7) of the model language with every registered type.
[[nodiscard]] nlohmann::ordered_json model_schema(const Registry& registry);
/// Reference of all types and sections as text: keys, units, defaults, help.
[[nodiscard]] std::string describe_types(const Registry& registry);

}  // namespace arthron
