#include "arthron/model/load.hpp"

#include <algorithm>
#include <map>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

/// Files in the order of reading, lines in the order of the file; a mistake of a file that is used several times is told once.
std::vector<Diagnostic> sorted(std::vector<Diagnostic> diagnostics, const std::vector<std::string>& files) {
  constexpr std::size_t most_instances = 4;
  std::map<std::string, std::size_t> rank;
  for (const std::string& file : files) rank.emplace(file, rank.size() + 1);
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(rank[a.file], a.line) < std::pair(rank[b.file], b.line);
  });
  std::vector<Diagnostic> told;
  std::map<std::string, std::pair<std::size_t, std::size_t>> seen;  // text -> place in told, instances
  for (Diagnostic& diagnostic : diagnostics) {
    const std::string instance = std::exchange(diagnostic.instance, "");
    const auto [entry, fresh] = seen.try_emplace(to_string(diagnostic), told.size(), 0);
    auto& [place, instances] = entry->second;
    if (fresh) told.push_back(std::move(diagnostic));
    std::string& names = told[place].instance;
    if (names == instance) continue;
    if (++instances <= most_instances) names += (names.empty() ? "" : ", ") + instance;
    if (instances == most_instances + 1) names += ", ...";
  }
  return told;
}

Model read_model(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides, Files& files,
                 std::vector<Diagnostic>& diagnostics, const Files::Opened& opened) {
  if (!opened.trouble.empty()) throw ModelError({{file, 0, "", opened.trouble, "a model file (JSON)", ""}});
  if (!opened.document) throw ModelError(sorted(std::move(diagnostics), files.names()));
  const auto read = [&](Composition all) {
    Loading root(all, *opened.document, opened.document->root(), "");
    read_file(root);
    return all.copied;
  };
  Model model;
  std::vector<Diagnostic> mistakes = diagnostics;
  const bool copied = read({model, registry, overrides, files, diagnostics});
  if (diagnostics.empty()) {
    model.files = files.names();
    return model;
  }
  if (!copied) throw ModelError(sorted(std::move(diagnostics), files.names()));
  // Once more with every subsystem by itself, so that mistakes are told with the names of all that have them.
  Model ignored;
  Files again(mistakes);
  Composition all{ignored, registry, overrides, again, mistakes};
  all.copies = false;
  read(std::move(all));
  throw ModelError(sorted(std::move(mistakes), files.names()));
}

}  // namespace

Model parse_model(const std::string& text, const std::string& file, const Registry& registry,
                  const std::vector<ParameterOverride>& overrides) {
  std::vector<Diagnostic> diagnostics;
  Files files(diagnostics);
  return read_model(file, registry, overrides, files, diagnostics, files.add(text, file));
}

Model build_model(const Json& definition, const std::string& file, const Registry& registry,
                  const std::vector<ParameterOverride>& overrides) {
  std::vector<Diagnostic> diagnostics;
  Files files(diagnostics);
  return read_model(file, registry, overrides, files, diagnostics, files.add(definition, file));
}

Model load_model(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides) {
  std::vector<Diagnostic> diagnostics;
  Files files(diagnostics);
  return read_model(file, registry, overrides, files, diagnostics, files.open(file));
}

struct ModelSource::Read {
  Read(std::string name, const Registry& types)
      : file(std::move(name)), registry(types), base(read_model(file, registry, {}, files, diagnostics, files.open(file))) {}

  std::string file;
  const Registry& registry;
  std::vector<Diagnostic> diagnostics;
  Files files{diagnostics};
  Model base;
};

ModelSource::ModelSource(std::string file, const Registry& registry) : read_(std::make_unique<Read>(std::move(file), registry)) {}
ModelSource::~ModelSource() = default;

const Model& ModelSource::base() const { return read_->base; }

Model ModelSource::load(const std::vector<ParameterOverride>& overrides) const {
  std::vector<Diagnostic> diagnostics;
  Files files(diagnostics, &read_->files);
  return read_model(read_->file, read_->registry, overrides, files, diagnostics, files.open(read_->file));
}

std::string ModelSource::content() const { return read_->files.content(); }

}  // namespace arthron
