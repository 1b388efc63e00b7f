#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "arthron/components/builtins.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"
#include "support/folder.hpp"

/// Examples of the documentation show what matters and leave out the rest of the model: here is the rest.
namespace arthron::test {

using Json = nlohmann::ordered_json;

/// Things of the reader's own that fragments of the page name. One that a fragment uses and does not define is added to it.
inline constexpr auto surroundings = R"json({
  "parameters": { "rate": 35000, "half": 0.7, "pinion_radius": 0.01, "height": 1.5 },
  "points": { "pivot": [0, 0, 0.7], "tip": [0, 0, 1.3], "hub": [0, 0.7, 0.3], "lid_centre": [0, 0, 1] },
  "grounds": { "wall": {} },
  "ports": { "steer": { "signal": "input" } },
  "bodies": {
    "arm": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2] },
    "forearm": { "mass": 2, "com": [0, 0, 0.2], "inertia": [0.03, 0.03, 0.01], "frame": { "at": [0, 0, 0.9] } },
    "car": { "mass": 500, "inertia": [100, 300, 300] },
    "disc": { "mass": 1, "inertia": [0.01, 0.02, 0.01] },
    "rod": { "mass": 1, "inertia": [0.01, 0.02, 0.02] },
    "upright": { "mass": 9, "inertia": [0.1, 0.1, 0.1] },
    "rim": { "mass": 18, "inertia": [0.4, 0.8, 0.4] }
  },
  "joints": {
    "motor": { "type": "revolute", "parent": "ground", "child": "rod", "at": [0, 0, 0], "axis": [0, 0, 1] },
    "drum": { "type": "revolute", "parent": "ground", "child": "disc", "at": [0, 0, 0], "axis": [0, 0, 1] },
    "column": { "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] },
    "rack": { "type": "prismatic", "parent": "ground", "child": "car", "at": [0, 0, 0], "axis": [0, 1, 0] },
    "left": { "type": "revolute", "parent": "ground", "child": "upright", "at": [0, 0, 0], "axis": [0, 1, 0] },
    "right": { "type": "revolute", "parent": "ground", "child": "rim", "at": [0, 0, 0], "axis": [0, 1, 0] },
    "crown": { "type": "revolute", "parent": "ground", "child": "forearm", "at": [0, 0, 0], "axis": [0, 1, 0] }
  },
  "subsystems": {
    "front_left": { "use": "../corner.json", "connect": { "chassis": "ground" } }
  }
})json";

/// Files of the reader's own.
inline const std::map<std::string, std::string> readers_files = {
    {"corner.json", R"json({ "arthron": 1, "name": "corner",
       "parameters": { "rate": 3e4, "lower_ball": { "value": [10, 700, 180], "unit": "mm" } },
       "ports": { "chassis": { "mount": true }, "steer": { "signal": "input" }, "hub": { "output": "knuckle", "at": [0, 0.7, 0.3], "axis": [0, 1, 0] },
                  "height": { "signal": "output", "channel": "knuckle.position.z" } },
       "bodies": { "knuckle": { "mass": 9, "inertia": [0.1, 0.1, 0.1] } },
       "joints": { "slide": { "type": "prismatic", "parent": "chassis", "child": "knuckle", "at": [0, 0, 0], "axis": [0, 0, 1],
                              "spring": { "stiffness": "=rate" }, "effort": "=steer" } } })json"},
    {"here/wheel.json", R"json({ "arthron": 1, "name": "wheel",
       "ports": { "hub": { "mount": true }, "rim": { "output": "tread", "at": [0, 0, 0] } },
       "bodies": { "tread": { "mass": 9, "inertia": [0.1, 0.1, 0.1] } },
       "joints": { "spin": { "type": "revolute", "parent": "hub", "child": "tread", "at": [0, 0, 0], "axis": [0, 1, 0] } } })json"},
    {"here/plant.json", R"json({ "arthron": 1, "name": "plant",
       "ports": { "force": { "signal": "input" }, "tilt": { "signal": "output", "channel": "hinge.position" },
                  "tilt_rate": { "signal": "output", "channel": "hinge.velocity" } },
       "bodies": { "pole": { "mass": 9, "inertia": [0.1, 0.1, 0.1] } },
       "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "pole", "at": [0, 0, 0], "axis": [0, 1, 0], "effort": "=force" } } })json"},
    {"here/hardpoints.csv", "name,x [mm],y [mm],z [mm]\nlower_front,150,380,190\nlower_ball,10,700,180\n"},
    {"here/other_points.csv", "name,x,y,z\nlower_ball,0.01,0.71,0.18\n"},
    {"here/lamp.json", R"json({ "arthron": 1, "name": "lamp", "ports": { "angle": { "signal": "input" } } })json"},
    {"here/meshes/hull.stl", "solid hull\nendsolid hull\n"}};

/// Names in texts and expressions, and names of a coupling's joints.
inline void collect_words(const Json& json, std::set<std::string>& words) {
  if (json.is_string()) {
    static const std::regex name("[A-Za-z_][A-Za-z0-9_]*");
    const std::string text = json.get<std::string>();
    for (std::sregex_iterator word(text.begin(), text.end(), name), end; word != end; ++word) words.insert(word->str());
  }
  if (json.is_object() && json.contains("terms"))
    for (const auto& [joint, factor] : json["terms"].items()) words.insert(joint);
  if (json.is_structured())
    for (const Json& nested : json) collect_words(nested, words);
}

inline bool defines(const Json& model, const std::string& name) {
  for (const char* section : {"bodies", "grounds", "joints", "forces", "markers", "ports", "subsystems"})
    if (model.contains(section) && model[section].contains(name)) return true;
  return false;
}

/// Adds what a fragment names and does not define, and joints for bodies that have none. Places and numbers have names of their own kind.
inline Json completed(Json model) {
  model["arthron"] = 1;
  if (!model.contains("name")) model["name"] = "fragment";
  const Json around = Json::parse(surroundings);
  for (bool more = true; more;) {
    more = false;
    std::set<std::string> words;
    collect_words(model, words);
    for (const auto& [section, entries] : around.items())
      for (const auto& [name, entry] : entries.items()) {
        const bool place = section == "parameters" || section == "points";
        const bool signal = section == "parameters" && model.contains("ports") && model["ports"].contains(name);
        if (!words.contains(name) || signal || (place ? model.contains(section) && model[section].contains(name) : defines(model, name)))
          continue;
        model[section][name] = entry;
        more = true;
      }
  }
  std::set<std::string> held;
  const Json joints = model.value("joints", Json::object()), bodies = model.value("bodies", Json::object());
  for (const Json& joint : joints)
    for (const char* end : {"parent", "child"}) held.insert(joint[end].get<std::string>());
  for (const auto& [name, body] : bodies.items())
    if (!held.contains(name))
      model["joints"][name + "_held"] = {{"type", "free"}, {"parent", "ground"}, {"child", name}, {"at", {0, 0, 0}}};
  return model;
}

/// A folder with the files and libraries that examples name.
class ReadersFolder {
 public:
  ReadersFolder() {
    for (const auto& [name, text] : readers_files) folder_.write(name, text);
    std::filesystem::create_directories(folder_.file("here/parts"));
    const std::filesystem::path plugins = std::filesystem::path(ARTHRON_TEST_PLUGINS).parent_path() / "examples/plugins";
    std::filesystem::copy(plugins / "cam/build/libacme_cam.so", folder_.file("here/libacme_joints.so"));
    std::filesystem::copy(plugins / "rubber/build/libacme_rubber.so", folder_.file("here/parts/libtendons.so"));
  }
  /// The report on a fragment in its surroundings; "" when it loads.
  [[nodiscard]] std::string mistakes_of(const Json& fragment) const {
    try {
      (void)load_model(folder_.write("here/fragment.json", completed(fragment).dump(1)), builtin_registry());
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }

 private:
  Folder folder_;
};

}  // namespace arthron::test
