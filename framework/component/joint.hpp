#pragma once
#include <array>
#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "arthron/component/component_type.hpp"
#include "arthron/component/json_reader.hpp"
#include "arthron/core/slice.hpp"
#include "arthron/spatial/spatial.hpp"

/// What the author of a joint writes, and how the kernel sees it.
///
/// A joint type J is a plain struct that gives
///   static constexpr std::string_view type;                                   name in JSON
///   static constexpr int nq, nu;                                              coordinates, freedoms (0 to 6)
///   static J parse(const JsonReader&);
///   template <class T> Pose<T> pose(const T* q) const;                        X_FM: child frame M in parent frame F
/// That is enough: columns H(q), where V_FM = sum H[i] u[i] is the velocity of M in F at M's origin, F axes, and their rates come from the
/// pose by automatic differentiation. pose is therefore called on numbers that carry derivatives (dual.hpp): write T, not double, and let
/// `using std::sin;` find the functions of T. Where they apply,
///   static constexpr std::array<ColumnShape, nu> shapes;                      default: general
///   static constexpr std::array<std::string_view, nu> units;                  of the user coordinates: "m", "rad", or "" where it varies;
///                                                                             default: m for translations, else rad
///   static constexpr bool constant_subspace;                                  true when H does not depend on q; default false
///   template <class T> void coordinate_rate(const T* q, const T* u, T* qdot) const;          needed when nq != nu; else qdot = u
///   void normalise(double* q) const;                                          brings q back onto its manifold (unit quaternion)
///   template <class T> void from_chart(const T* chart, T* q) const;           nu user coordinates -> q; needed when nq != nu
///   template <class T> void to_chart(const T* q, T* chart) const;
///   static constexpr bool branchless;                                         true when the templates do not branch on the scalar, so
///                                                                             that they run on SIMD lanes; default false. Such a type
///                                                                             has an operator== too (= default)
///   Vec3 link_end() const;                                                    of a joint that replaces a link: the link's end on the
///                                                                             parent, F axes. Pages show a rod from there to the child
///   static constexpr bool holds_length;                                       true when the joint constrains only the distance between
///                                                                             these two points, so that its complement points along the
///                                                                             link; default false
///   static constexpr std::string_view example;                                JSON object with the keys of one valid joint, for checkers
///                                                                             (docs/checking-components.md) that find none at random
/// For speed, closed forms in place of differentiation:
///   template <class T> void subspace(const T* q, Spatial<T>* H) const;
///   template <class T> void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const;
///   void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const;     u and its rate when the chart moves in time
///   void chart_rate(const double* q, const double* u, double* rate) const;    rate of the chart, linear in u
/// and, for joints that close loops faster, all three of
///   void complement(const Pose<double>& X, Spatial6* D) const;                6 - nu wrenches D^T H = 0 from the pose alone, F axes, each
///                                                                             a force or a couple, unit vectors across one another
///   void complement_rate(const Pose<double>& X, const Spatial6& V, Spatial6* Ddot) const;    while M moves with V in F at M's origin
///   Spatial6 gap(const Pose<double>& X) const;                                displacement and rotation from the joint's nearest pose to X
/// With them the kernel need not search for the joint's coordinates in every evaluation.
/// A type need not know of mirror images: the kernel gives a mirrored joint the same coordinates and the mirrored pose.
namespace arthron {

/// Which half of a motion column may be non-zero at all times; lets the kernel skip the other half.
enum class ColumnShape : unsigned char { rotation, translation, general };

/// The three forces that hold a point, for complements.
inline void hold_point(Spatial6* D) { D[0] = {{1, 0, 0}, {}}, D[1] = {{0, 1, 0}, {}}, D[2] = {{0, 0, 1}, {}}; }

/// Where a joint's numbers live in the flat arrays of Plan and Workspace.
struct JointSlot {
  int joint = 0;          // index of its pose
  int q = 0, u = 0;       // first coordinate, first freedom
  bool reversed = false;  // the tree runs from the joint's child to its parent: pose and subspace are inverted
  bool mirrored = false;  // a mirror image: in its frame, Placement::axial_frame of the drawn one, slides go the other way, turns do not
  int cut = -1;           // number of a cut joint whose type gives its complement
};

/// One parsed joint of a known type.
class JointDefinition {
 public:
  virtual ~JointDefinition() = default;
  [[nodiscard]] virtual const class JointType& type() const = 0;
};

/// All joints of one type in a plan. One virtual call a type and stage, for a slice of the joints in the order in which they were added;
/// the loops are inlined behind it.
class JointBatch {
 public:
  virtual ~JointBatch() = default;
  virtual void add(const JointDefinition& definition, const JointSlot& slot) = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] Slice all() const { return {0, size()}; }
  /// True when some column changes with the coordinates, so that rate() has something to say.
  [[nodiscard]] virtual bool varies() const = 0;
  /// Writes, once and for all, what does not depend on the coordinates.
  virtual void constants(Pose<double>* X, Spatial6* H) const = 0;
  /// Writes X[joint] (tree child in tree parent, both at the joint) and the columns H[u...] in the tree parent's joint axes.
  virtual void position(Slice joints, const double* q, Pose<double>* X, Spatial6* H) const = 0;
  /// Writes the rates Hdot[u...] in the same axes.
  virtual void rate(Slice joints, const double* q, const double* u, Spatial6* Hdot) const = 0;
  virtual void coordinate_rate(Slice joints, const double* q, const double* u, double* qdot) const = 0;
  /// Brings q back onto its manifold, for the joints whose coordinates lie below `count`.
  virtual void normalise(Slice joints, double* q, int count) const = 0;

  /// Cut joints of types that give their complement: what constrains them, from their poses X[cut] and velocities V[cut] alone. Directions
  /// and rates are written to six places a cut.
  [[nodiscard]] virtual bool gives_complement() const = 0;
  /// As JointType has it.
  [[nodiscard]] virtual bool holds_length() const = 0;
  virtual void complement(Slice joints, const Pose<double>* X, Spatial6* D) const = 0;
  virtual void complement_rate(Slice joints, const Pose<double>* X, const Spatial6* V, Spatial6* Ddot) const = 0;
  virtual void gap(Slice joints, const Pose<double>* X, Spatial6* gap) const = 0;
};

/// A registered joint type. Definitions share in owning it, so a model outlives the registry it was read with.
class JointType : public ComponentType, public std::enable_shared_from_this<JointType> {
 public:
  [[nodiscard]] virtual int nq() const = 0;
  [[nodiscard]] virtual int nu() const = 0;
  [[nodiscard]] virtual ColumnShape shape(int column) const = 0;
  /// True when its columns do not change with the coordinates, and qdot = u: one column alone is then a turn, or a slide, by its
  /// coordinate.
  [[nodiscard]] virtual bool steady() const = 0;
  /// "m" or "rad"; "" where that depends on the joint.
  [[nodiscard]] virtual std::string_view unit(int column) const = 0;
  /// Keys of one valid joint as the author gives them; empty where he does not.
  [[nodiscard]] virtual std::string_view example() const { return {}; }
  [[nodiscard]] virtual std::shared_ptr<const JointDefinition> parse(const JsonReader& in) const = 0;
  [[nodiscard]] virtual std::unique_ptr<JointBatch> make_batch() const = 0;
  [[nodiscard]] virtual std::unique_ptr<class LaneJointBatch> make_lane_batch() const = 0;
  /// The pose in the design position, where all user coordinates are zero: the child's joint frame in the parent's.
  [[nodiscard]] virtual Pose<double> drawn_pose(const JointDefinition& definition) const = 0;
  /// Of a joint that replaces a link: its end on the parent, in the parent's joint axes.
  [[nodiscard]] virtual std::optional<Vec3> link_end(const JointDefinition& definition) const = 0;
  /// True when its joints constrain only the length of that link.
  [[nodiscard]] virtual bool holds_length() const = 0;
  /// User coordinates (nu numbers; rotation vectors for ball and free joints) to and from q.
  virtual void from_chart(const JointDefinition& definition, const double* chart, double* q) const = 0;
  virtual void to_chart(const JointDefinition& definition, const double* q, double* chart) const = 0;
  virtual void chart_motion(const JointDefinition& definition, const TimeFunction::Sample* chart, double* u, double* udot) const = 0;
  /// Rate of the user coordinates, N(q) u.
  virtual void chart_rate(const JointDefinition& definition, const double* q, const double* u, double* rate) const = 0;
  /// Efforts along the freedoms, N(q)^T f, of forces f along the user coordinates.
  virtual void chart_effort(const JointDefinition& definition, const double* q, const double* force, double* effort) const = 0;
};

}  // namespace arthron
