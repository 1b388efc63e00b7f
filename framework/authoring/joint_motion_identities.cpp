#include <Eigen/SVD>
#include <algorithm>

#include "arthron/authoring/joint_identities.hpp"
#include "arthron/authoring/measures.hpp"
#include "arthron/dynamics/directions.hpp"

namespace arthron {

namespace {

constexpr Identity pose_rotates{"R of the pose is a rotation", rounding_error};
constexpr Identity H_is_pose_rate{"H is the rate of the pose", difference_error};
constexpr Identity H_has_rank{"columns of H are independent (condition of H)", 1e7};
constexpr Identity found_across{"constrained directions D are across H", rounding_error};
constexpr Identity shapes_hold{"columns of H keep the shapes declared", rounding_error};
constexpr Identity Hdot_is_rate{"Hdot is the rate of H", difference_error};
constexpr Identity H_is_constant{"H is constant, as constant_subspace says", difference_error};

/// |R^T R - 1|, or 2 for a reflection.
double distance_from_rotation(const Mat3& R) {
  const Mat3 product = transpose(R) * R;
  std::vector<double> unit, found;
  append(unit, Mat3::identity()), append(found, product);
  return dot(cross(R.c0, R.c1), R.c2) < 0 ? 2 : deviation(unit, found);
}

/// The columns, from the pose alone.
Derivative pose_rate(const SingleJoint& joint, std::size_t column) {
  SingleJoint::Velocities unit{};
  unit[column] = 1;
  return derivative([&](double t) { return numbers_of(joint.at(joint.moved(t, unit)).X); });
}

bool slides(const JointType& type) {
  bool some = false;
  for (int i = 0; i < type.nu(); ++i) some = some || type.shape(i) != ColumnShape::rotation;
  return some;
}

/// Largest singular value over the smallest, of columns of length one.
double condition(const SingleJoint& joint, const std::array<Spatial6, 6>& H) {
  Eigen::MatrixXd columns(6, static_cast<Eigen::Index>(joint.nu()));
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    columns.col(i) = dense(H[i]);
    const double length = columns.col(i).norm();
    if (!std::isfinite(length)) return std::numeric_limits<double>::quiet_NaN();
    if (length < 1e-12) return std::numeric_limits<double>::infinity();
    columns.col(i) /= length;
  }
  const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(columns).singularValues();
  return singular[0] / singular[singular.size() - 1];
}

/// Of the constrained directions that the kernel finds.
double part_of_D_along(const SingleJoint& joint, const std::array<Spatial6, 6>& H) {
  Columns6 columns(6, static_cast<Eigen::Index>(joint.nu())), dual, D;
  for (std::size_t i = 0; i < joint.nu(); ++i) columns.col(static_cast<Eigen::Index>(i)) = dense(H[i]);
  split_directions(columns, dual, D);
  double worst = 0;
  for (Eigen::Index r = 0; r < D.cols(); ++r)
    for (Eigen::Index i = 0; i < columns.cols(); ++i) {
      const double part = std::abs(D.col(r).dot(columns.col(i))) / std::max(1.0, columns.col(i).norm());
      if (!(part <= worst)) worst = part;
    }
  return worst;
}

}  // namespace

void examine_motion(const SingleJoint& joint, Examination& examination) {
  const auto place = [&] { return joint.words(); };
  const SingleJoint::Position now = joint.at(joint.q);
  bool H_holds = true;
  for (std::size_t i = 0; i < joint.nu(); ++i) {
    const auto in_column = [&] { return "in column " + std::to_string(i + 1) + ' ' + joint.words(); };
    Derivative rate = pose_rate(joint, i);
    const Spatial6 V = velocity_of(rate.value, now.X.R);
    rate.value.clear(), append(rate.value, V);
    std::vector<double> column;
    append(column, now.H[i]);
    H_holds = note_derivative(examination, H_is_pose_rate, rate, column, in_column) && H_holds;
    const ColumnShape shape = joint.type.shape(static_cast<int>(i));
    // Seen from the child a turn about a point that slides away is no pure rotation, and the kernel does not take it for one.
    if (shape == ColumnShape::translation) examination.note(shapes_hold, norm(now.H[i].angular), in_column);
    if (shape == ColumnShape::rotation && !(joint.reversed && slides(joint.type)))
      examination.note(shapes_hold, norm(now.H[i].linear), in_column);
  }
  if (joint.nu() == 0) return;
  const double condition_of_H = condition(joint, now.H);
  examination.note(H_has_rank, condition_of_H, place);
  if (condition_of_H <= H_has_rank.allowed && joint.nu() < 6) examination.note(found_across, part_of_D_along(joint, now.H), place);
  if (joint.reversed && !H_holds) return;  // seen from the child, rates are made of the columns too
  const Derivative truth = derivative([&](double t) { return numbers_of(joint.at(joint.moved(t)).H, joint.nu()); });
  note_derivative(examination, Hdot_is_rate, truth, numbers_of(joint.column_rates(), joint.nu()), place);
}

void examine_pose(const SingleJoint& joint, Examination& examination) {
  examination.note(pose_rotates, distance_from_rotation(joint.at(joint.q).X.R), [&] { return joint.words(); });
  if (joint.batch->varies()) return;
  SingleJoint start(joint.instance, joint.reversed, joint.mirrored);
  for (std::size_t i = 0; i < joint.nu(); ++i) {
    const Derivative there = pose_rate(start, i);
    Derivative here = pose_rate(joint, i);
    std::vector<double> columns;
    const Spatial6 V = velocity_of(here.value, joint.at(joint.q).X.R);
    here.value.clear(), append(here.value, V);
    append(columns, velocity_of(there.value, start.at(start.q).X.R));
    note_derivative(examination, H_is_constant, here, columns,
                    [&] { return "in column " + std::to_string(i + 1) + " between the start and " + joint.words().substr(5); });
  }
}

}  // namespace arthron
