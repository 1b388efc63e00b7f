#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace arthron::test {

/// Every model file below these folders of the repository that needs nothing but the program; studies, which say so in their names, are
/// none.
inline std::vector<std::string> model_files(std::initializer_list<const char*> folders) {
  std::vector<std::string> files;
  for (const char* folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(ARTHRON_SOURCE_DIR) / folder)) {
      const std::filesystem::path& file = entry.path();
      const bool needs_plugin = file.string().find("/examples/plugins/") != std::string::npos;
      if (file.extension() == ".json" && !file.stem().string().ends_with("_study") && !needs_plugin) files.push_back(file.string());
    }
  return files;
}

}  // namespace arthron::test
