#pragma once
#include "support/mechanisms/motion.hpp"

/// Kinematics from the motions of single joints alone: a second way to degrees of freedom and to the motions that joints admit.
namespace arthron::test {

/// A body's way from its drawn place: x -> R x + p.
struct Displacement {
  Matrix R = Matrix::Identity();
  Vector p = Vector::Zero();
};
[[nodiscard]] Displacement operator*(const Displacement& a, const Displacement& b);
[[nodiscard]] Displacement inverse(const Displacement& a);
/// Of a body whose mass centre is drawn at `com`.
[[nodiscard]] Displacement displacement_of(const BodyRow& row, const Vector& com);

/// Coordinates of all joints, in the order of the file.
using Coordinates = std::vector<std::vector<double>>;

/// Every joint of a model alone on the ground.
class SingleJoints {
 public:
  SingleJoints(const Registry& types, const Json& model);

  /// How its child is displaced against its parent, for each joint. Throws std::runtime_error where a joint cannot have its coordinates.
  [[nodiscard]] std::vector<Displacement> displacements(const Coordinates& coordinates) const;
  /// Twists of the child against the parent for unit velocities of each freedom, [velocity of the point at the drawn origin; angular
  /// velocity] in the axes of the parent at its drawn place.
  [[nodiscard]] std::vector<Eigen::MatrixXd> twists(const Coordinates& coordinates) const;
  [[nodiscard]] Coordinates drawn() const;

 private:
  [[nodiscard]] Motion start(const Coordinates& positions, int moving_freedom) const;
  const Registry& types_;
  Json flat_;
  std::vector<std::string> names_;
  std::vector<int> freedoms_;
};

/// What the joints of a model admit in one position.
struct Mobility {
  int freedom = 0;          // 6 for each body less the rank of all constraints, drives among them
  double least = 1;         // smallest singular value that counts as a constraint, of rows that are unit vectors over lengths of 1 m
  double largest_null = 0;  // largest one that does not
  Eigen::MatrixXd
      motions;  // columns: independent admissible velocities of all bodies with drives at rest, [velocity at centre; angular velocity] each
  Eigen::MatrixXd relative;  // V_child - V_parent of every joint in these, six rows each
  Vector centre;             // point of reference

  /// So near to a change of rank that small errors make large ones.
  [[nodiscard]] bool near_singular() const { return least < 0.02 || largest_null > 1e-7; }
};

/// Twists of a joint in world axes at `centre`, from those of a parent at its drawn place.
[[nodiscard]] Eigen::MatrixXd placed(const Eigen::MatrixXd& twists, const Displacement& parent, const Vector& centre);

[[nodiscard]] Mobility mobility(const Json& model, const std::vector<Displacement>& bodies, const std::vector<Eigen::MatrixXd>& twists);

/// At the drawn position.
[[nodiscard]] Mobility drawn_mobility(const Registry& types, const Json& model);

}  // namespace arthron::test
