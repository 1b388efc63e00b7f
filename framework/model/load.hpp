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

/// The same from a definition without a text (see builder.hpp). `file` names it in messages, and the files it uses are searched
/// beside it.
[[nodiscard]] Model build_model(const nlohmann::ordered_json& definition, const std::string& file, const Registry& registry,
                                const std::vector<ParameterOverride>& overrides = {});

/// A model file with all the files it uses, read once. Models with other parameters are made of it without reading the disk again, from
/// several threads at once if needed.
class ModelSource {
 public:
  /// Throws ModelError as load_model does.
  ModelSource(std::string file, const Registry& registry);
  ~ModelSource();

  /// The model as its file has it.
  [[nodiscard]] const Model& base() const;
  /// The same with overrides. Throws ModelError.
  [[nodiscard]] Model load(const std::vector<ParameterOverride>& overrides) const;
  /// The content of the files and of what subsystem types build, to distinguish models.
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
