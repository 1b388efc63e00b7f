#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arthron/component/force.hpp"
#include "arthron/component/joint.hpp"
#include "arthron/core/index.hpp"

/// What the user said: immutable after load. Geometry is at the design position (all joint coordinates zero), in the model's frame,
/// which is the world frame unless a ground moves. Names are paths ("front_left.upright"). SI units.
namespace arthron {

/// Where a component stands in its file, for messages that come after loading.
struct SourceRef {
  std::string file;
  int line = 0;
  std::string pointer;
};

/// The same, one for all elements that stand at the same place: those of repeated subsystems do.
class SharedSource {
 public:
  SharedSource() = default;
  SharedSource(SourceRef source) : source_(std::make_shared<const SourceRef>(std::move(source))) {}
  operator const SourceRef&() const { return **this; }
  const SourceRef* operator->() const { return &**this; }
  const SourceRef& operator*() const {
    static const SourceRef nowhere;
    return source_ ? *source_ : nowhere;
  }

 private:
  std::shared_ptr<const SourceRef> source_;
};

/// Rigid motion as a function of time: displacement and rotation vector from the design position, along the axes of the file that says it.
struct PrescribedMotion {
  std::vector<TimeFunction> translation;  // 3 [m]
  std::vector<TimeFunction> rotation;     // 3 [rad]
  Placement placement{};                  // of that file
};

class ModelGraph;  // arthron/topology/graph.hpp
struct Model;

/// The graph of a Model, made when it is first asked for. A copy makes its own: the Model may be changed before it is asked.
class KeptGraph {
 public:
  KeptGraph() = default;
  KeptGraph(const KeptGraph&) noexcept {}
  KeptGraph(KeptGraph&& other) noexcept : graph_(other.graph_.exchange(nullptr)) {}
  KeptGraph& operator=(KeptGraph other) noexcept;
  ~KeptGraph();
  [[nodiscard]] const ModelGraph& of(const Model& model) const;

 private:
  mutable std::atomic<const ModelGraph*> graph_ = nullptr;
};

/// A file (or a definition within a file) at its place in the model. The model itself is subsystem 0; they are numbered depth first, and
/// all elements of the Model stand in that order.
struct Subsystem {
  std::string path;  // "" of the model itself
  std::string name;  // as its file calls itself
  std::string file;
  int parent = -1;
  Placement placement;  // of its drawing in the model's frame
  SharedSource source;  // where the enclosing file uses it
};

struct Body {
  std::string path;
  int subsystem = 0;
  bool ground = false;                       // moves as prescribed, or not at all; mass and inertia are ignored
  double mass = 0;                           // [kg]
  Vec3 com;                                  // [m]
  Sym3 inertia;                              // about the com, model axes [kg m^2]
  Pose<double> frame;                        // the body's own frame; its position and orientation channels report this frame
  std::optional<PrescribedMotion> motion;    // of a moving ground
  std::optional<std::vector<Shape>> shapes;  // what is drawn, in `frame`; none: whatever suits its joints and mass
  SharedSource source;
};

/// How a body should move at t = 0, in the model's axes; what is absent is left to its joints.
struct BodyVelocity {
  BodyIndex body;
  std::optional<Vec3> linear, angular;  // of the centre of mass [m/s], [rad/s]
};

/// Loads that a joint carries of itself, one entry a freedom. Springs, stops and drives act along the user coordinates x (rotation vectors
/// for balls), dampers and friction against the velocities u of the freedoms.

/// Compliant stops. Beyond a limit by d > 0 the push back is  stiffness d (1 + damping d')  and never a pull.
struct JointLimits {
  std::vector<double> lower, upper;  // user coordinates; empty: none on this side [m or rad]
  std::vector<double> stiffness;     // [N/m or N m/rad]
  std::vector<double> damping;       // empty for none [s/m or s/rad]
};

/// Dry friction, regularised:  -tanh(u / speed) (effort + (static_effort - effort) exp(-(u / stribeck_speed)^2))
struct JointFriction {
  std::vector<double> effort, static_effort;  // sliding and breakaway [N or N m]
  std::vector<double> speed, stribeck_speed;  // [m/s or rad/s]
};

/// Position and velocity servo:  stiffness (target - x) + damping (target_rate - x'), held within +-max_effort
struct JointDrive {
  std::vector<TimeFunction> target;        // [m or rad]
  std::vector<TimeFunction> target_rate;   // empty: the rate of `target`
  std::vector<double> stiffness, damping;  // empty for none [N/m or N m/rad, N s/m or N m s/rad]
  std::vector<double> max_effort;          // empty: no bound [N or N m]
};

struct Joint {
  std::string path;
  int subsystem = 0;
  std::shared_ptr<const JointDefinition> definition;
  BodyIndex parent, child;
  int parent_port = -1, child_port = -1;  // ports by which the file names them, as Handle::port
  Pose<double> frame;     // on the parent, at the design position: origin `at`, axes in which the definition's vectors are written
  bool mirrored = false;  // the definition's slides go the other way in that frame, see JointSlot
  std::vector<double> stiffness, damping;  // per freedom; empty for none [N/m or N m/rad, N s/m or N m s/rad]
  std::vector<double> rest;                // user coordinates where the spring is relaxed
  std::vector<TimeFunction> effort;        // per freedom [N or N m]
  std::optional<JointLimits> limits;
  std::optional<JointFriction> friction;
  std::optional<JointDrive> drive;
  std::vector<TimeFunction> motion;      // per user coordinate; a driven joint when not empty
  std::optional<bool> cut;               // true: open the loop here; false: not here; empty: the planner chooses
  std::vector<double> initial_position;  // user coordinates (rotation vector for ball and free joints)
  std::vector<double> initial_velocity;  // per freedom
  bool keep = false;                     // closing loops at the start changes neither of the two
  SharedSource source;

  /// The joint's frame on the child at the design position: `frame` itself for most types, moved by what the pose is at zero.
  [[nodiscard]] Pose<double> child_frame() const;
  /// True when something of the above acts along the freedoms of a joint that is not driven.
  [[nodiscard]] bool loaded() const { return !stiffness.empty() || !damping.empty() || !effort.empty() || limits || friction || drive; }
};

/// A linear relation of joint coordinates, as gears, racks and differentials make: sum coefficient_k q_k = 0.
struct Coupling {
  struct Term {
    JointIndex joint;
    int freedom = 0;
    double coefficient = 0;
  };
  std::string path;
  int subsystem = 0;
  std::vector<Term> terms;
  SharedSource source;
};

struct Force {
  std::string path;
  int subsystem = 0;
  std::shared_ptr<const ForceDefinition> definition;
  std::vector<Handle> handles;  // in the frame of the file that draws it
  Placement placement;          // of that file
  SharedSource source;
  bool touches_road = false;  // it asks for the road
};

/// A named point of a body with position and velocity channels.
struct Marker {
  std::string path;
  int subsystem = 0;
  Handle handle;
  SharedSource source;
};

struct Port {
  std::string path;
  int subsystem = 0;
  enum class Kind { mount, output, signal_input, signal_output } kind = Kind::mount;
  BodyIndex body;          // of an output; of a mount: what it is connected to, or the ground that stands in while it is open
  int through = -1;        // port by which a mount is connected, or that an output passes on; -1: the body itself
  Vec3 at, axis;           // of an output
  TimeFunction signal;     // of a signal input: what it is connected to, or its default
  std::string channel;     // of a signal output: path of the channel it names
  bool required = true;    // must be connected when the file is used in another
  bool connected = false;  // the enclosing model uses it
  SharedSource source;
};

/// Where a number that functions of time take at run time comes from.
struct SignalSource {
  std::string path;       // of the port: a signal input of the model itself, or a signal output that is fed back
  bool input = false;     // set by the program
  TimeFunction function;  // of an input: what it is now
  SharedSource source;    // of an input; of a measurement: what uses it
  std::string instance;   // subsystem that `source` is in
};

struct Parameter {
  std::string path, unit;
  int subsystem = 0;
  double value = 0;
  Range range{};         // of the values its file allows
  bool tunable = false;  // may be changed while the model runs
};

struct IntegratorSettings {
  std::string type = "dopri5";
  double relative_tolerance = 1e-6, absolute_tolerance = 1e-6;
  double step = 1e-3;  // fixed-step methods, and the first step of adaptive ones is derived
};

/// How closed loops are kept closed after every step.
struct LoopSettings {
  bool reanchor = true;  // move the cut impulses into the momenta, so that they cannot grow
  bool project = true;   // bring the coordinates back onto the closures, under acceleration-based formulations the velocities too
  double tolerance = 0;  // opening that is left alone [m]; 0: rounding
  double baumgarte = 0;  // rate at which acceleration-based formulations bring openings back as they go, 0: they do not [1/s]
};

struct SimulationSettings {
  double until = 10;
  IntegratorSettings integrator;
  LoopSettings loops;
  double output_step = 0.01;
  std::vector<std::string> channels;  // empty: a default selection
  std::string formulation = "hdca";
  std::string elimination = "auto";  // auto | fold | pair
  std::optional<int> threads{};      // none: as many as there are cores, where that pays
};

struct Model {
  std::string name;
  Vec3 gravity{0, 0, -9.81};
  std::vector<Subsystem> subsystems;  // the model itself first
  std::vector<Body> bodies;           // "ground" first; of each subsystem grounds, open mounts and bodies, each in the order of the file
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<Force> forces;
  std::vector<Marker> markers;
  std::vector<Port> ports;
  std::vector<SignalSource> signals;  // by the numbers that functions of time know them by
  std::vector<Parameter> parameters;
  SimulationSettings simulation;
  std::vector<std::string> files;                  // read, the first is the model itself
  std::vector<BodyVelocity> initial_velocities{};  // of bodies of which any is said
  KeptGraph kept_graph{};

  /// Its structure: bodies, joints and the subsystems they are in. The Model must not change once it is asked for.
  [[nodiscard]] const ModelGraph& graph() const { return kept_graph.of(*this); }
};

}  // namespace arthron
