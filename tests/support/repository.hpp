#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace arthron::test {

/// Every model file below these folders of the repository; studies, which say so in their names, are none.
inline std::vector<std::string> model_files(std::initializer_list<const char*> folders) {
  std::vector<std::string> files;
  for (const char* folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(ARTHRON_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".json" && !entry.path().stem().string().ends_with("_study")) files.push_back(entry.path().string());
  return files;
}

}  // namespace arthron::test
