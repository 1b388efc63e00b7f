#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "arthron/component/component_type.hpp"
#include "arthron/component/json_reader.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/spatial/placement.hpp"

/// What the author of a force writes, and how the kernel sees it.
///
/// A force type F is a plain struct that gives
///   static constexpr std::string_view type;
///   static F parse(const JsonReader&);                    asks for its handles with in.handle(...), in a fixed order, at most max_handles
///   void load(double t, const HandleState*, Spatial6* wrench) const;          wrench on each handle's body, at the handle
///                                                         (with `const Instant& now` instead of t, which it hands to its TimeFunctions)
/// and, where they apply,
///   double energy(double t, const HandleState*) const;                        potential energy [J]
///   bool conservative() const;                                                true when the load is the gradient of that energy alone
///   static constexpr std::array<OutputChannel, n> channels;                   measured quantities
///   void measure(double t, const HandleState*, double* values) const;
///   static constexpr bool frame_indifferent = true;                           knows no direction but those between its handles
///   using OnLanes = ...;                                                      the load on SIMD lanes, see lane_force.hpp
///   static constexpr std::string_view example;                                JSON object with the keys of one valid force, for checkers
///                                                                             (docs/checking-components.md) where random ones make none
/// Everything is seen in the frame of the file that draws the force: where that file is used turned, moved or as a mirror image, the kernel
/// brings states into its frame and wrenches back, except for frame-indifferent types, which are right in any frame.
namespace arthron {

/// A handle in motion: a point of a body, seen in a fixed frame.
template <class T>
struct HandleStateOf {
  Vector3<T> position;  // [m]
  Matrix3<T> rotation;  // since the design position
  Spatial<T> velocity;  // of the point [m/s], of the body [rad/s]
};
using HandleState = HandleStateOf<double>;

inline constexpr int max_handles = 8;

/// The same as seen from the drawing that `placement` lays into space.
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
};

/// All forces of one type in a plan.
class ForceBatch {
 public:
  virtual ~ForceBatch() = default;
  /// `first_handle` is the place of the force's first handle in the arrays below; `placement` is that of the file that draws it.
  virtual void add(const ForceDefinition& definition, int first_handle, const Placement& placement) = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void load(Slice forces, const Instant& now, const HandleState* states, Spatial6* wrenches) const = 0;
  /// Potential energy of the `index`-th force added [J].
  [[nodiscard]] virtual double energy(int index, const Instant& now, const HandleState* states) const = 0;
  /// Measured quantities of the `index`-th force added, in the order of ForceType::channels().
  virtual void measure(int index, const Instant& now, const HandleState* states, double* values) const = 0;
};

/// A registered force type, owned together with its definitions.
class ForceType : public ComponentType, public std::enable_shared_from_this<ForceType> {
 public:
  [[nodiscard]] virtual std::vector<OutputChannel> channels() const = 0;
  /// Keys of one valid force as the author gives them; empty where he does not.
  [[nodiscard]] virtual std::string_view example() const { return {}; }
  [[nodiscard]] virtual std::shared_ptr<const ForceDefinition> parse(const JsonReader& in) const = 0;
  [[nodiscard]] virtual std::unique_ptr<ForceBatch> make_batch() const = 0;
  [[nodiscard]] virtual std::unique_ptr<class LaneForceBatch> make_lane_batch() const = 0;
};

}  // namespace arthron
