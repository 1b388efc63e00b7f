#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arthron/component/json_source.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/model/load.hpp"
#include "arthron/model/model.hpp"

/// The sections of a model file. Each is read through a JsonReader by one function, which also describes it when the reader is in
/// describe mode: loader, schema and reference cannot differ.
namespace arthron {

/// One file on its way into a Model.
struct Loading {
  Model& model;
  const Registry& registry;
  const std::vector<ParameterOverride>& overrides;
  ReaderScope scope;
  std::string prefix;                               // of the paths of all that the file defines
  std::map<std::string, std::string> taken;         // name -> section that defines it
  std::vector<std::optional<Pose<double>>> frames;  // per body of the model: in which others may write their geometry
};

/// A named definition.
struct Entry {
  std::string name;
  JsonReader reader;
};

/// Reads the file into the model. Mistakes go to loading.scope.diagnostics.
void read_file(const JsonReader& in, Loading& loading);

void read_parameters(const JsonReader& section, Loading& loading);
/// Points and the frames of bodies and grounds: they may refer to one another in any order.
void read_places(const JsonReader& points, const std::vector<Entry>& framed, Loading& loading);
void read_ground(const Entry& entry, Loading& loading);
void read_body(const Entry& entry, Loading& loading);
void read_joints(const JsonReader& section, Loading& loading);
void read_forces(const JsonReader& section, Loading& loading);
void read_markers(const JsonReader& section, Loading& loading);
void read_ports(const JsonReader& section, const std::vector<Entry>& entries, Loading& loading);
SimulationSettings read_simulation(const JsonReader& in);

/// Definitions of a section in the order of the file, without those whose names cannot be used (reported).
[[nodiscard]] std::vector<Entry> claim_names(const JsonReader& section, const std::string& section_name, Loading& loading);
[[nodiscard]] SourceRef source_of(const JsonReader& in);
/// Frame named by the optional key "in"; the file's own frame when there is none.
[[nodiscard]] Pose<double> frame_asked_for(const JsonReader& in, const Loading& loading);
/// True for letters, digits and _, not starting with a digit, at most 64 of them.
[[nodiscard]] bool is_name(const std::string& text);
inline constexpr auto name_words = "a name of letters, digits and _ that starts with no digit (at most 64)";

}  // namespace arthron
