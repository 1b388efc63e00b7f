#pragma once
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "arthron/component/component_type.hpp"
#include "arthron/component/json_reader.hpp"
#include "arthron/component/shape.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/spatial/placement.hpp"

/// What the author of a force writes, and how the kernel sees it.
///
/// A force type F is a plain struct that gives
///   static constexpr std::string_view type;
///   static F parse(const JsonReader&);                    asks for its handles with in.handle(...) or in.handle_list(...)
///   void load(double t, const HandleState*, Spatial6* wrench) const;          wrench on each handle's body, at the handle, in the order of
///                                                         asking. With `const Instant& now` instead of t it can evaluate its
///                                                         TimeFunctions
/// and, where they apply,
///   double energy(double t, const HandleState*) const;                        potential energy [J]
///   bool conservative() const;                                                true when the load is the gradient of that energy alone
///   static constexpr std::array<OutputChannel, n> channels;                   measured quantities
///   void measure(double t, const HandleState*, double* values) const;
///   static constexpr bool frame_indifferent = true;                           depends on no direction but those between its handles
///   static constexpr ForceLook look;                                          its look between the first two handles; a line by default
///   std::vector<HandleShape> shapes() const;                                  shapes at its handles, which move with their bodies
///   using OnLanes = ...;                                                      the load on SIMD lanes, see lane_force.hpp
///   static constexpr std::string_view example;                                JSON object with the keys of one valid force, for checkers
///                                                                             (docs/checking-components.md) that find none at random
/// A force may have internal states x with rates of their own, such as pressures of an actuator or slips of a tyre with a relaxation
/// length. They are integrated together with the motion:
///   static constexpr std::array<OutputChannel, n> states;                     their names and units; each is a channel of that name
///   void state_rates(const Instant& now, const HandleState*, const double* x, double* xdot) const;
///   void initial_states(double* x) const;                                     at the start; zeros when not given
///   void state_sizes(double* size) const;                                     their usual sizes > 0; ones when not given. Absolute
///                                                                             tolerances are relative to these sizes
/// Then `load`, `energy` and `measure` take x after the handles: load(now, handles, x, wrench). energy() includes the energy stored in the
/// states; conservative() means that load and rates together neither add nor take any. Statics and inverse dynamics have no history:
/// there the states are those of initial_states.
/// A load or a rate that is not finite ends a simulation with a Status that names the force.
/// Handles are seen in the frame of the file that defines the force. Where that file is turned, moved or mirrored, the kernel
/// transforms states into its frame and wrenches back, except for frame-indifferent types, which are right in any frame.
namespace arthron {

/// A handle in motion: a point of a body, seen in a fixed frame.
template <class T>
struct HandleStateOf {
  Vector3<T> position;  // [m]
  Matrix3<T> rotation;  // since the design position
  Spatial<T> velocity;  // of the point [m/s], of the body [rad/s]
};
using HandleState = HandleStateOf<double>;

/// The same as seen in the file's frame, which `placement` puts into space.
inline HandleState seen_from(const Placement& placement, const HandleState& state) {
  const Mat3& R = placement.X.R;
  return {placement.point_back(state.position),
          transpose(R) * (state.rotation * R),
          {placement.polar_back(state.velocity.linear), placement.axial_back(state.velocity.angular)}};
}

struct OutputChannel {
  std::string_view name, unit;
};

/// One parsed force of a known type.
class ForceDefinition {
 public:
  virtual ~ForceDefinition() = default;
  [[nodiscard]] virtual const class ForceType& type() const = 0;
  [[nodiscard]] virtual const std::vector<Handle>& handles() const = 0;
  [[nodiscard]] virtual bool conservative() const = 0;
  [[nodiscard]] virtual std::vector<HandleShape> shapes() const = 0;
};

/// Where the numbers of one force begin in the arrays of all.
struct ForcePlace {
  int handle = 0, state = 0;
};

/// What forces know.
struct ForceInputs {
  const HandleState* handles;          // per handle, world axes
  const HandleState* drawn = nullptr;  // the same as the force's drawing sees them, where that differs; load has left them there
  const double* x = nullptr;           // internal states
};
/// What load writes, per handle and per state.
struct ForceOutputs {
  Spatial6* wrenches;            // world axes
  HandleState* drawn = nullptr;  // ForceInputs::drawn
  double* xdot = nullptr;
};

/// All forces of one type in a plan.
class ForceBatch {
 public:
  virtual ~ForceBatch() = default;
  /// `placement` is that of the file that draws the force.
  virtual void add(const ForceDefinition& definition, const ForcePlace& place, const Placement& placement) = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Internal states of all forces at the start, and the sizes they usually have.
  virtual void initial_states(double* x) const = 0;
  virtual void state_sizes(double* sizes) const = 0;
  /// Wrenches, and rates of the internal states.
  virtual void load(Slice forces, const Instant& now, const ForceInputs& in, const ForceOutputs& out) const = 0;
  /// Potential energy of the `index`-th force added [J], after load.
  [[nodiscard]] virtual double energy(int index, const Instant& now, const ForceInputs& in) const = 0;
  /// Measured quantities of the `index`-th force added, in the order of ForceType::channels(), after load.
  virtual void measure(int index, const Instant& now, const ForceInputs& in, double* values) const = 0;
};

/// A registered force type, owned together with its definitions.
class ForceType : public ComponentType, public std::enable_shared_from_this<ForceType> {
 public:
  [[nodiscard]] virtual std::vector<OutputChannel> channels() const = 0;
  /// Keys of one valid force as the author gives them; empty where he does not.
  [[nodiscard]] virtual std::string_view example() const { return {}; }
  [[nodiscard]] virtual std::vector<OutputChannel> states() const = 0;
  [[nodiscard]] virtual ForceLook look() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const ForceDefinition> parse(const JsonReader& in) const = 0;
  [[nodiscard]] virtual std::unique_ptr<ForceBatch> make_batch() const = 0;
  [[nodiscard]] virtual std::unique_ptr<class LaneForceBatch> make_lane_batch() const = 0;
};

}  // namespace arthron
