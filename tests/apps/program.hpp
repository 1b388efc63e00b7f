#pragma once
#include <sstream>
#include <string>
#include <vector>

#include "cli.hpp"
#include "support/folder.hpp"

namespace arthron::test {

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
