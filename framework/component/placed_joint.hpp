#pragma once
#include <algorithm>
#include <utility>

#include "arthron/component/joint_motion.hpp"

namespace arthron {

template <class J>
constexpr ColumnShape column_shape_of(int column) {
  if constexpr (requires { J::shapes; }) return J::shapes[column];
  return ColumnShape::general;
}

template <class J>
class JointDefinitionOf final : public JointDefinition {
 public:
  JointDefinitionOf(J joint, std::shared_ptr<const JointType> type) : joint_(std::move(joint)), type_(std::move(type)) {}
  [[nodiscard]] const JointType& type() const override { return *type_; }
  [[nodiscard]] const J& joint() const { return joint_; }

 private:
  J joint_;
  std::shared_ptr<const JointType> type_;
};

/// A joint of type J in a tree: the author's functions seen through mirror images, and from the tree parent's side where the tree runs
/// against the joint. On any scalar that the author's templates run on.
template <class J>
struct PlacedJoint {
  J joint;
  JointSlot slot;

  /// The pose as the joint's author sees it.
  template <class T>
  [[nodiscard]] Pose<T> own(Pose<T> X) const {
    if (slot.mirrored) X.p = -X.p;
    return X;
  }

  template <class T>
  void turn_slides_of(Spatial<T>* columns, int count) const {
    if (!slot.mirrored) return;
    for (int i = 0; i < count; ++i) columns[i].linear = -columns[i].linear;
  }

  /// Columns that do not depend on the coordinates.
  void constant_subspace(Spatial6* H) const {
    Motion::constant_subspace(joint, H);
    turn_slides_of(H, J::nu);
  }

  /// Pose, and columns where they change with the coordinates.
  template <class T>
  void position(const T* q, Pose<T>& X, Spatial<T>* H) const {
    if constexpr (constant_subspace_of<J>()) {
      X = own(joint.pose(q));
      if (slot.reversed) drawn_subspace(q, H);
    } else {
      drawn_position(q, X, H);
    }
    if (slot.reversed) reverse_position(X, H);
  }

  template <class T>
  void rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    Motion::subspace_rate(joint, q, u, Hdot);
    turn_slides_of(Hdot, J::nu);
    if (slot.reversed) reverse_rate(q, u, Hdot);
  }

  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    Motion::coordinate_rate(joint, q, u, qdot);
  }

 private:
  using Motion = JointMotion<J>;

  /// Seen from the joint's own parent.
  template <class T>
  void drawn_subspace(const T* q, Spatial<T>* H) const {
    Motion::subspace(joint, q, H);
    turn_slides_of(H, J::nu);
  }
  template <class T>
  void drawn_position(const T* q, Pose<T>& X, Spatial<T>* H) const {
    Motion::position(joint, q, X, H);
    X = own(X);
    turn_slides_of(H, J::nu);
  }

  /// X' = X^-1 and, with h' the velocity of F in M at F's origin in M axes: h'_ang = -R^T h_ang, h'_lin = -R^T (h_lin - h_ang x p).
  template <class T>
  void reverse_position(Pose<T>& X, Spatial<T>* H) const {
    for (int i = 0; i < J::nu; ++i)
      H[i] = {-transposed_times(X.R, H[i].linear - cross(H[i].angular, X.p)), -transposed_times(X.R, H[i].angular)};
    X = inverse(X);
  }

  /// Time derivative of the columns of reverse_position, with d(R^T)/dt = -R^T w~ and dp/dt = v.
  template <class T>
  void reverse_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    Pose<T> X;
    std::array<Spatial<T>, Motion::nu> H;
    drawn_position(q, X, H.data());
    Spatial<T> V;
    for (int i = 0; i < J::nu; ++i) V += u[i] * H[i];
    for (int i = 0; i < J::nu; ++i) {
      const Spatial<T>&h = H[i], hdot = Hdot[i];
      const Vector3<T> arm = h.linear - cross(h.angular, X.p);
      const Vector3<T> arm_rate = hdot.linear - cross(hdot.angular, X.p) - cross(h.angular, V.linear);
      Hdot[i] = {transposed_times(X.R, cross(V.angular, arm) - arm_rate),
                 transposed_times(X.R, cross(V.angular, h.angular) - hdot.angular)};
    }
  }
};

}  // namespace arthron
