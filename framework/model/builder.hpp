#pragma once
#include <string>
#include <utility>
#include <vector>

#include "arthron/component/content_builder.hpp"
#include "arthron/model/load.hpp"

namespace arthron {

/// A model built in code: the definition that a file would hold.
class ModelBuilder : public ContentBuilder<ModelBuilder> {
 public:
  explicit ModelBuilder(const std::string& name) : ContentBuilder({{"arthron", 1}, {"name", name}}) {}
  /// Begins with the definition in a file. Throws ModelError when it cannot be read as JSON.
  [[nodiscard]] static ModelBuilder from_file(const std::string& file);

  AnyBuilder simulate() { return {json(), {"simulate"}}; }

  /// Writes it as a model file. Throws ModelError when that cannot be written.
  void save(const std::string& file) const;

  /// The model. Files it uses are searched from `folder`; without one, from the folder of the file it began with, or from the working
  /// folder. Throws ModelError with every mistake, named by the model's name and JSON pointers.
  [[nodiscard]] Model build(const Registry& registry, const std::string& folder = "",
                            const std::vector<ParameterOverride>& overrides = {}) const;

 private:
  explicit ModelBuilder(Json definition, std::string folder) : ContentBuilder(std::move(definition)), folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace arthron
