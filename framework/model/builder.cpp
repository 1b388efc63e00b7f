#include "arthron/model/builder.hpp"

#include <filesystem>
#include <fstream>

#include "arthron/model/files.hpp"

namespace arthron {

namespace fs = std::filesystem;

ModelBuilder ModelBuilder::from_file(const std::string& file) {
  std::vector<Diagnostic> diagnostics;
  Files files(diagnostics);
  const auto [document, trouble] = files.open(file);
  if (!trouble.empty()) diagnostics.push_back({file, 0, "", trouble, "a model file (JSON)", ""});
  if (!diagnostics.empty()) throw ModelError(std::move(diagnostics));
  return ModelBuilder(document->root(), fs::path(file).parent_path().string());
}

void ModelBuilder::save(const std::string& file) const {
  std::ofstream stream(file);
  stream << json().dump(2) << '\n';
  stream.close();
  if (!stream) throw ModelError({{file, 0, "", "a file that cannot be written", "a place for the model", ""}});
}

Model ModelBuilder::build(const Registry& registry, const std::string& folder, const std::vector<ParameterOverride>& overrides) const {
  const auto name = json().find("name");
  const std::string file = name != json().end() && name->is_string() ? name->get<std::string>() : "model";
  return build_model(json(), (fs::path(folder.empty() ? folder_ : folder) / file).string(), registry, overrides);
}

}  // namespace arthron
