#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli.hpp"

namespace arthron::test {

/// An empty folder that goes away again.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("arthron_apps_test_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) list.push_back(entry.path().filename());
    return list;
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code;
  std::string out, err;
  [[nodiscard]] bool complains_of(const std::string& words) const { return err.find(words) != std::string::npos; }
};

/// Runs the program within this process.
inline Outcome program(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"arthron"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int code = cli::run(static_cast<int>(argv.size()), argv.data(), {out, err});
  return {code, out.str(), err.str()};
}

inline constexpr auto double_pendulum = R"json({
  "arthron": 1, "name": "double_pendulum",
  "parameters": { "length": 1 },
  "points": { "pivot": [0, 0, 0], "elbow": ["=length", 0, 0] },
  "bodies": {
    "upper": { "mass": 1, "com": ["=length/2", 0, 0], "inertia": [0.01, 0.1, 0.1] },
    "lower": { "mass": 2, "com": ["=1.5*length", 0, 0], "inertia": [0.01, 0.2, 0.2] }
  },
  "joints": {
    "shoulder": { "type": "revolute", "parent": "ground", "child": "upper", "at": "pivot", "axis": [0, 1, 0] },
    "elbow_joint": { "type": "revolute", "parent": "upper", "child": "lower", "at": "elbow", "axis": [0, 1, 0] }
  },
  "markers": { "tip": { "body": "lower", "at": ["=2*length", 0, 0] } },
  "simulate": { "until": 1, "output": { "step": 0.1 } }
})json";

}  // namespace arthron::test
