#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace arthron::fuzz {

[[nodiscard]] inline std::string read_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Makes the folder too.
inline void write_file(const std::filesystem::path& file, const std::string& text) {
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace arthron::fuzz
