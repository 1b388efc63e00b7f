#include "arthron/model/files.hpp"

#include <filesystem>

#include "arthron/core/text_file.hpp"

namespace arthron {

namespace fs = std::filesystem;

Files::Opened Files::open(const std::string& file) {
  if (const auto again = opened_.find(file); again != opened_.end()) return {again->second, ""};
  if (earlier_)
    if (const auto known = earlier_->opened_.find(file); known != earlier_->opened_.end() && known->second) {
      names_.push_back(file);
      return {opened_[file] = known->second, ""};
    }
  const auto known = documents_.find(identity(file));
  if (known != documents_.end()) return {opened_[file] = known->second.get(), ""};
  std::string trouble;
  const std::string text = read_text(file, trouble);
  if (!trouble.empty()) return {nullptr, trouble};
  const Opened opened = add(text, file);
  opened_[file] = opened.document;
  return opened;
}

std::pair<const HardpointTable*, std::string> Files::open_table(const std::string& file) {
  const std::string name = identity(file);
  if (const auto known = tables_.find(name); known != tables_.end()) return {&known->second, ""};
  if (earlier_)
    if (const auto known = earlier_->tables_.find(name); known != earlier_->tables_.end())
      return {&tables_.emplace(name, known->second).first->second, ""};
  std::string trouble;
  const std::string text = read_text(file, trouble);
  if (!trouble.empty()) return {nullptr, trouble};
  names_.push_back(file);
  return {&tables_.emplace(name, read_hardpoints(text, file, diagnostics_)).first->second, ""};
}

std::string Files::content() const {
  std::string text;
  const auto add = [&text](const JsonDocument& document) {
    text += document.root().dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  for (const std::string& file : names_)
    if (const auto document = documents_.find(identity(file)); document != documents_.end() && document->second) add(*document->second);
  for (const JsonDocument& document : built_) add(document);
  for (const auto& [name, table] : tables_) text += hardpoint_text(table.points, "m");
  return text;
}

Files::Opened Files::add(const std::string& text, const std::string& file) {
  return keep(std::make_unique<JsonDocument>(text, file, diagnostics_));
}

Files::Opened Files::add(const Json& definition, const std::string& name) {
  return keep(std::make_unique<JsonDocument>(JsonDocument::without_text(definition, name, diagnostics_)));
}

Files::Opened Files::keep(std::unique_ptr<JsonDocument> document) {
  const std::string& file = document->file();
  std::unique_ptr<JsonDocument>& place = documents_[identity(file)];
  names_.push_back(file);
  if (document->complete() && !document->root().is_object())
    diagnostics_.push_back({file, document->line(""), "", quote(document->root()), "an object { \"arthron\": 1, ... }", ""});
  else if (document->complete())
    place = std::move(document);
  return {place.get(), ""};
}

std::string Files::identity(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(file, error);
  return error ? file : path.string();
}

std::string Files::beside(const std::string& including, const std::string& use) {
  return (fs::path(including).parent_path() / use).lexically_normal().string();
}

std::string Files::nearest(const std::string& including, const std::string& use) {
  const fs::path written(use);
  std::error_code error;
  const fs::path folder = fs::path(beside(including, use)).parent_path();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
  const std::string name = nearest_name(written.filename().string(), names);
  return name.empty() ? "" : (written.parent_path() / name).string();
}

}  // namespace arthron
