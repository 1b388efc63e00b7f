#include "arthron/model/find.hpp"

#include <algorithm>

#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

template <class Element>
int find(const Model& model, const std::vector<Element>& elements, const std::string& path, const std::string& kind,
         const std::string& option = "") {
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const Element& element) { return element.path == path; });
  if (found != elements.end()) return static_cast<int>(found - elements.begin());
  std::vector<std::string> paths;
  for (const Element& element : elements) paths.push_back(element.path);
  const std::string file = model.files.empty() ? model.name : model.files.front();
  throw ModelError({{option.empty() ? file : "", 0, option.empty() ? kind : option, '"' + path + '"', "the path of a " + kind,
                     nearest_name(path, paths)}});
}

}  // namespace

BodyIndex find_body(const Model& model, const std::string& path) { return {find(model, model.bodies, path, "body")}; }
JointIndex find_joint(const Model& model, const std::string& path) { return {find(model, model.joints, path, "joint")}; }
int find_force(const Model& model, const std::string& path) { return find(model, model.forces, path, "force"); }
int find_marker(const Model& model, const std::string& path) { return find(model, model.markers, path, "marker"); }
int find_port(const Model& model, const std::string& path) { return find(model, model.ports, path, "port"); }
int find_subsystem(const Model& model, const std::string& path, const std::string& option) {
  return find(model, model.subsystems, path, "subsystem", option);
}

}  // namespace arthron
