#include "arthron/model/load.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

std::string read_text(const std::string& file) {
  const auto fail = [&](const std::string& found) -> ModelError { return ModelError({{file, 0, "", found, "a model file (JSON)", ""}}); };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw fail("no such file");
  if (std::filesystem::is_directory(status)) throw fail("a directory");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || text.bad()) throw fail("a file that cannot be read");
  return std::move(text).str();
}

}  // namespace

Model parse_model(const std::string& text, const std::string& file, const Registry& registry,
                  const std::vector<ParameterOverride>& overrides) {
  std::vector<Diagnostic> diagnostics;
  const JsonDocument document(text, file, diagnostics);
  if (!document.complete()) throw ModelError(std::move(diagnostics));
  if (!document.root().is_object())
    throw ModelError({{file, document.line(""), "", quote(document.root()), "an object { \"arthron\": 1, ... }", ""}});

  Model model;
  model.files = {file};
  Loading loading{model, registry, overrides, {document, diagnostics, {}, {}, {}}, "", {}, {}};
  read_file(JsonReader(std::make_shared<JsonReader::Source>(loading.scope, document.root(), "")), loading);
  if (diagnostics.empty()) return model;
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  throw ModelError(std::move(diagnostics));
}

Model load_model(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides) {
  return parse_model(read_text(file), file, registry, overrides);
}

}  // namespace arthron
