#pragma once
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "arthron/component/body.hpp"
#include "arthron/component/json_source.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/component/subsystem.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/model/files.hpp"
#include "arthron/model/hardpoints.hpp"
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
  bool copies = true;   // of repeated subsystems are made where nothing but place and signals tells them apart
  bool copied = false;  // one was
};

/// A named definition.
struct Entry {
  std::string name;
  JsonReader reader;
};

/// A parameter's value from outside the file, and whom to tell when it is wrong.
struct GivenParameter {
  using Quantity = JsonReader::Source::Quantity;
  std::vector<Quantity> numbers;             // one, or the three of a vector; NaN: the mistake has been reported
  const std::vector<Unit>* units = nullptr;  // of bare numbers; SI when absent
  std::function<void(std::string found, std::string expected, std::string suggestion)> complain;
};

struct Child;

/// A body or ground as its file draws it, in the file's frame.
struct DrawnBody {
  BodyIndex body;
  Pose<double> X_FB;   // in whose axes inertia and shapes are written
  Pose<double> frame;  // its own
  BodyProperties properties;
  std::optional<std::vector<Shape>> shapes;
  Rare<PrescribedMotion> motion;
  BodyVelocity velocity;  // at the start, in the file's axes; its body is not
};

/// An element as its file draws it: by its name there, in the file's frame.
template <class Element>
struct Drawn {
  JsonReader in;
  Element element;
  bool of_signals = false, of_road = false;  // it depends on these, and not on the file and its parameters alone
};

/// How far one use of a file is from another, in the numbers of the Model.
struct Distance {
  int subsystems = 0, bodies = 0, ports = 0;
};

/// One use of one file (or of a definition within a file) on its way into a Model.
struct Loading {
  /// Reads `object`, which stands at `pointer` in the document.
  Loading(Composition& composition, const JsonDocument& document, const Json& object, const std::string& pointer);
  /// Describes instead.
  Loading(Composition& composition, const JsonDocument& document);
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
  std::list<std::pair<std::string, Json>> tabled;    // parameters from a table, as the file might have said them
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
  std::vector<Drawn<DrawnBody>> drawn_bodies;
  std::vector<Drawn<Joint>> drawn_joints;
  std::vector<Coupling> drawn_couplings;  // of joints by their places in drawn_joints
  std::vector<Drawn<Force>> drawn_forces;
  std::vector<Marker> drawn_markers;
  std::vector<Child> children;
  struct Extent {
    Slice subsystems, bodies, ports, parameters;
  } extent;                 // of it and all that it uses in the Model
  Distance from_first;      // of the use that it stands for now, when it stands for several
  bool measures = false;    // it or what it uses has made measurements known to the Model
  bool new_signals = true;  // its signals are others than those with which it was drawn
};

/// A subsystem of the file.
struct Child {
  std::string name;
  JsonReader use;     // its entry in the section
  std::string index;  // name of its number in expressions; "" when it is not repeated
  int number = 0;
  std::shared_ptr<Loading> loading;  // of a copy that of its original
  Placement local;                   // of its drawing in the enclosing file's frame
  int original = -1;                 // place among the children of the one that it is a copy of; -1: it is read by itself
  Distance from_original{};
  std::map<std::string, TimeFunction> signals{};  // that the enclosing file connects
};

inline Loading::Loading(Composition& composition, const JsonDocument& document, const Json& object, const std::string& pointer)
    : all(composition), scope{document, all.diagnostics}, in(std::make_shared<JsonReader::Source>(scope, object, pointer)) {}
inline Loading::Loading(Composition& composition, const JsonDocument& document)
    : all(composition), scope{document, all.diagnostics}, in(JsonReader::describe()) {}

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
/// Those that are drawn, at the file's place in the model.
void put_into_model(const Loading& loading);

/// Where the child is in the model. Copies and what is read by itself ask the same function: their bits are the same wherever it is
/// compiled.
[[nodiscard]] Placement placement_in_model(const Child& child, const Loading& enclosing);

// Repeated subsystems are alike but for their names, places and signals: the first one is read, the others are copies of it. One Loading
// stands for all of them in turn.
/// Appends a copy of what the original has declared. False when it has to be read by itself.
bool declare_copy(Child& copy, Loading& enclosing);
/// What reads the child, as the child.
Loading& standing_for(const Child& child, const Loading& enclosing);
/// Gives it the signals of the child, and their own to the children of it.
void renew_signals(const Child& child, Loading& loading);
/// Makes the measurements that a copy uses known to the Model.
void connect_copy(const Child& copy, Loading& enclosing);
void fill_copy(const Child& copy, Loading& enclosing);

/// What `connect` gives to the signal inputs of a subsystem.
[[nodiscard]] std::map<std::string, TimeFunction> connected_signals(const Child& child, Loading& enclosing);
/// Signal inputs that nobody connects are what the file itself says; those of the model, until the program says otherwise.
[[nodiscard]] std::map<std::string, TimeFunction> default_signals(Loading& loading);
/// Values that the enclosing file gives to the parameters of the used one.
[[nodiscard]] std::map<std::string, GivenParameter> given_parameters(const Child& child, Loading& enclosing);
/// The road of the model, seen from the file.
void see_road(Loading& loading);
/// The reader's object, with nothing asked of it yet, in the scope as it is now.
[[nodiscard]] JsonReader anew(const JsonReader& in);
/// Reads once more what depends on signals and road.
void redraw_bodies(Loading& loading);
void redraw_joints_and_forces(Loading& loading);
/// True when a drawn element is out of date.
template <class Element>
bool is_outdated(const Drawn<Element>& drawn, const Loading& loading) {
  return drawn.of_road || (drawn.of_signals && loading.new_signals);
}
/// Reads an element and notes what it depends on.
template <class Read>
auto draw(const JsonReader& in, Loading& loading, const Read& read) {
  loading.scope.signals_used = loading.scope.road_used = false;
  auto element = read(in);
  return Drawn<decltype(element)>{in, std::move(element), loading.scope.signals_used, loading.scope.road_used};
}

/// Types from libraries that the file names, for the whole model.
void read_plugins(const JsonReader& in, Loading& loading);
/// Units of bare numbers in the file.
void read_units(const JsonReader& section, Loading& loading);
void read_parameters(const JsonReader& section, Loading& loading);
/// What stands for a parameter: a number, a vector, or an expression of either. Empty when the mistake has been reported.
[[nodiscard]] std::vector<JsonReader::Source::Quantity> read_numbers_given(const JsonReader& in, const std::string& key, const Json& value);
/// The table that a section of parameters names by "from"; nullptr for none.
[[nodiscard]] const HardpointTable* table_of(const JsonReader& section, Loading& loading);
/// Points and the frames of bodies and grounds: they may refer to one another in any order.
void read_places(const JsonReader& points, const std::vector<Entry>& framed, Loading& loading);
/// Turn of axes by the key "rotation"; identity when absent.
[[nodiscard]] Mat3 read_turn(const JsonReader& in);
/// What is drawn for a body whose frame is X_FB in the file's, in that frame; nothing when the file does not say.
[[nodiscard]] std::optional<std::vector<Shape>> read_shapes(const JsonReader& in, const Pose<double>& X_FB, const Loading& loading);
/// Shapes in frames of the file, as the model has them in the body's own frame X_WB.
void place_shapes(std::vector<Shape>& shapes, const Pose<double>& X_FB, const Placement& placement, const Pose<double>& X_WB);
void draw_bodies(Loading& loading);
void put_body(const DrawnBody& drawn, const Loading& loading);
void draw_joints(const JsonReader& section, Loading& loading);
/// What joins joints, after the joints.
void draw_couplings(const JsonReader& section, Loading& loading);
void draw_forces(const JsonReader& section, Loading& loading);
void draw_markers(const JsonReader& section, Loading& loading);
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
BodyIndex add_body(const std::string& name, bool ground, SharedSource source, Loading& loading);

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
inline constexpr std::size_t most_subsystems = 100000;
inline constexpr Key subsystem_type_key{"type", "", "type of the subsystem, instead of a file"};
inline constexpr auto name_words = "a name of letters, digits and _ that starts with no digit (at most 64)";

template <class Types>
std::vector<std::string> names_of(const Types& types) {
  std::vector<std::string> names;
  for (const auto& entry : types) names.push_back(entry.first);
  return names;
}

}  // namespace arthron
