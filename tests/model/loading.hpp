#pragma once
#include <stdexcept>
#include <string>

#include "arthron/components/builtins.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"

namespace arthron::testing {

inline const Registry& builtins() {
  static const Registry registry = [] {
    Registry filled;
    register_builtins(filled);
    return filled;
  }();
  return registry;
}

inline Model parse(const std::string& text, const std::vector<ParameterOverride>& overrides = {}) {
  return parse_model(text, "m.json", builtins(), overrides);
}

inline const Body& body(const Model& model, const std::string& path) {
  for (const Body& candidate : model.bodies)
    if (candidate.path == path) return candidate;
  throw std::runtime_error("no body " + path);
}

/// The report on a model with mistakes; "" when it has none.
inline std::string mistakes(const std::string& text, const std::vector<ParameterOverride>& overrides = {}) {
  try {
    (void)parse(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

/// A model file of one line: the sections given, with what every file needs.
inline std::string file(const std::string& sections) {
  return R"({"arthron": 1, "name": "m")" + (sections.empty() ? "" : ", " + sections) + "}";
}

/// One arm on a hinge, with more sections behind it.
inline std::string pendulum(const std::string& sections = "") {
  return file(R"("bodies": {"arm": {"mass": 2, "com": [1, 0, 0], "inertia": [1, 2, 3]}},
                 "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0]}})" +
              (sections.empty() ? "" : ", " + sections));
}

/// The same with other joints.
inline std::string arm_with_joints(const std::string& joints, const std::string& sections = "") {
  return file(R"("bodies": {"arm": {"mass": 2, "com": [1, 0, 0], "inertia": [1, 2, 3]}}, "joints": {)" + joints + "}" +
              (sections.empty() ? "" : ", " + sections));
}

}  // namespace arthron::testing
