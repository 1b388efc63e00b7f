#pragma once
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "arthron/component/json_source.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/component/subsystem.hpp"
#include "arthron/model/files.hpp"
#include "arthron/model/load.hpp"
#include "arthron/model/model.hpp"

/// The sections of a model file. Each is read through a JsonReader by one function, which also describes it when the reader is in
/// describe mode: loader, schema and reference cannot differ.
namespace arthron {

/// What all files of a model share on their way into it.
struct Composition {
  Model& model;
  Registry registry;  // grows by the types of plug-ins
  const std::vector<ParameterOverride>& overrides;
  Files& files;
  std::vector<Diagnostic>& diagnostics;
  std::shared_ptr<const Road> road{};  // of the model
  bool joints_are_sound = true;
  bool plugins_are_sound = true;
};

/// A named definition.
struct Entry {
  std::string name;
  JsonReader reader;
};

/// A parameter's value from outside the file, and whom to tell when it is wrong.
struct GivenParameter {
  double value = 0;  // NaN: the mistake has been reported
  std::function<void(std::string found, std::string expected, std::string suggestion)> complain;
};

struct Child;

/// One use of one file (or of a definition within a file) on its way into a Model.
struct Loading {
  /// Reads `object`, which stands at `pointer` in the document.
  Loading(Composition& composition, const JsonDocument& document, const Json& object, const std::string& pointer)
      : all(composition), scope{document, all.diagnostics}, in(std::make_shared<JsonReader::Source>(scope, object, pointer)) {}
  /// Describes instead.
  Loading(Composition& composition, const JsonDocument& document)
      : all(composition), scope{document, all.diagnostics}, in(JsonReader::describe()) {}
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  Composition& all;
  Model& model = all.model;
  const Registry& registry = all.registry;
  ReaderScope scope;
  JsonReader in;
  std::optional<JsonReader> ports_section;
  Loading* enclosing = nullptr;
  int subsystem = 0;
  bool within_file = false;                          // a definition inside the enclosing file
  const SubsystemType* type = nullptr;               // that built the definition, which is no file's then
  std::string prefix;                                // of the paths of all that the file defines
  std::map<std::string, GivenParameter> given;       // parameters from outside
  std::map<std::string, std::string> taken;          // name -> section that defines it
  std::unordered_map<int, Pose<double>> frames;      // by body: in which others may write their geometry, in the file's frame
  Placement placement;                               // of the file's drawing in the model's frame
  std::vector<Entry> grounds, port_entries, bodies;  // between the passes
  std::map<std::string, Port::Kind> port_kinds;      // of the ports that can be read
  std::map<std::string, int> port_index;             // their places in the model
  std::map<std::string, int> mounted_through;        // connected mounts -> port of the enclosing file or of another subsystem, or -1
  std::map<std::string, const Json*> connections;    // ports that the enclosing file connects, and to what
  std::set<std::string> connecting;                  // mounts whose body is being looked for
  std::set<std::string> in_circles;                  // mounts that are connected to themselves
  std::vector<Port> ports;                           // in the file's frame
  std::vector<Child> children;
};

/// A subsystem of the file.
struct Child {
  std::string name;
  JsonReader use;     // its entry in the section
  std::string index;  // name of its number in expressions; "" when it is not repeated
  int number = 0;
  std::unique_ptr<Loading> loading;
  Placement local;  // of its drawing in the enclosing file's frame
};

/// Makes the number of a repeated subsystem known to expressions while it lives.
class NumberKnown {
 public:
  NumberKnown(const Child& child, ReaderScope& scope) : index_(child.index), scope_(scope) {
    if (!index_.empty()) scope_.parameters[index_] = child.number;
  }
  ~NumberKnown() {
    if (!index_.empty()) scope_.parameters.erase(index_);
  }
  NumberKnown(const NumberKnown&) = delete;
  NumberKnown& operator=(const NumberKnown&) = delete;

 private:
  const std::string index_;
  ReaderScope& scope_;
};

/// Reads the file into the model, with all that it uses. Mistakes go to the diagnostics.
void read_file(Loading& loading);

// The passes of a composed model: each goes through all files before the next begins, for names refer to one another across files.
/// Parameters and names of everything that others may refer to; opens the files of the subsystems.
void declare(Loading& loading);
void declare_subsystems(const JsonReader& section, Loading& loading);
/// What the type of a subsystem builds with the keys of its use. nullptr when there is none, which has been reported.
std::unique_ptr<Loading> build_use(const Child& child, Loading& enclosing);
/// Bodies of mounts and functions of signals.
void connect(Loading& loading);
/// Points, frames, where the subsystems are, and ports.
void place(Loading& loading);
void place_subsystems(Loading& loading);
/// Bodies, joints, forces, markers.
void fill(Loading& loading);

/// Types from libraries that the file names, for the whole model.
void read_plugins(const JsonReader& in, Loading& loading);
void read_parameters(const JsonReader& section, Loading& loading);
/// Points and the frames of bodies and grounds: they may refer to one another in any order.
void read_places(const JsonReader& points, const std::vector<Entry>& framed, Loading& loading);
/// Turn of axes by the key "rotation"; identity when absent.
[[nodiscard]] Mat3 read_turn(const JsonReader& in);
/// What is drawn for a body whose frame is X_FB in the file's, in that frame; nothing when the file does not say.
[[nodiscard]] std::optional<std::vector<Shape>> read_shapes(const JsonReader& in, const Pose<double>& X_FB, const Loading& loading);
/// Shapes in frames of the file, as the model has them in the body's own frame X_WB.
void place_shapes(std::vector<Shape>& shapes, const Pose<double>& X_FB, const Placement& placement, const Pose<double>& X_WB);
void read_ground(const Entry& entry, Loading& loading);
void read_body(const Entry& entry, Loading& loading);
void read_joints(const JsonReader& section, Loading& loading);
/// Reads what joins joints, after the joints.
void read_couplings(const JsonReader& section, Loading& loading);
void read_forces(const JsonReader& section, Loading& loading);
void read_markers(const JsonReader& section, Loading& loading);
/// Kinds of the ports, so that names can be resolved before they are read.
void sort_ports(Loading& loading);
void read_ports(Loading& loading);
/// Declares the key "default" of a signal input; its value, nullptr for none.
const Json* ask_default(const JsonReader& port);
/// Reports functions at `key` that use a measurement, for what must be known before anything can be measured.
void refuse_measured(const JsonReader& in, std::string_view key, const std::vector<TimeFunction>& functions);
/// What the section says, and of `settings` the rest.
SimulationSettings read_simulation(const JsonReader& in, SimulationSettings settings);

/// The body of that name in the file (a mount's when it is connected), or of an output "subsystem.port"; not valid() when there is none.
BodyIndex find_body(Loading& loading, const std::string& name);
BodyIndex add_body(const std::string& name, bool ground, SourceRef source, Loading& loading);

/// Definitions of a section in the order of the file, without those whose names cannot be used (reported).
[[nodiscard]] std::vector<Entry> claim_names(const JsonReader& section, const std::string& section_name, Loading& loading);
/// False, and reported, when the name is taken.
bool claim_name(const JsonReader& section, const std::string& key, const std::string& name, const std::string& section_name,
                Loading& loading);
[[nodiscard]] SourceRef source_of(const JsonReader& in);
/// Frame named by the optional key "in"; the file's own frame when there is none.
[[nodiscard]] Pose<double> frame_asked_for(const JsonReader& in, const Loading& loading);
/// True for letters, digits and _, not starting with a digit, at most 64 of them.
[[nodiscard]] bool is_name(const std::string& text);
/// Reports the name if it means something in expressions already.
void check_expression_name(const JsonReader& section, const std::string& key, const std::string& name);
inline constexpr Key subsystem_type_key{"type", "", "type of the subsystem, instead of a file"};
inline constexpr auto name_words = "a name of letters, digits and _ that starts with no digit (at most 64)";

template <class Types>
std::vector<std::string> names_of(const Types& types) {
  std::vector<std::string> names;
  for (const auto& entry : types) names.push_back(entry.first);
  return names;
}

}  // namespace arthron
