#pragma once
#include <Eigen/Geometry>

#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/handle_box.hpp"

/// One rigid body on a hinge at the mount, with a spring and a damper in the hinge: the law from which both libraries make their box.
/// Neither says so outside: what they hand out are handle equations.
namespace black_box {

using arthron::Vec3;

struct Body {
  Vec3 axis = {};                     // of the hinge, in the mount's frame
  double mass = 0;                    // [kg]
  Vec3 com = {};                      // [m] from the hinge, body axes, which are the mount's at angle zero
  Vec3 inertia = {};                  // about the com [kg m^2]
  double stiffness = 0, damping = 0;  // [N m/rad], [N m s/rad]
  bool carries = false;
  Vec3 output = {};            // [m] from the hinge
  double angle = 0, rate = 0;  // at the start
};

class HingedBody : public arthron::HandleBox {
 public:
  explicit HingedBody(const Body& body) : body_(body) {}

  int states() const override { return 2; }
  void start(double* y) const override { y[0] = body_.angle, y[1] = body_.rate; }
  bool has_output() const override { return body_.carries; }

  arthron::HandleMotion move(double, const double* y, const arthron::HandleMotion& mount) override {
    using namespace arthron;
    rate_ = y[1];
    const Mat3 R = mount.X_WH.R * axis_rotation(body_.axis, y[0]);
    const Vec3 axis = mount.X_WH.R * body_.axis, w = mount.V.angular + rate_ * axis;
    const Eigen::Vector3d turn = dense(w), c = dense(R * body_.com), r = dense(R * body_.output);
    const Eigen::Matrix3d C = skew(R * body_.com), axes = dense(R);
    const Eigen::Matrix3d I = axes * dense(body_.inertia).asDiagonal() * axes.transpose() - body_.mass * C * C;
    const Eigen::Vector3d weight(0, 0, -9.81 * body_.mass);
    Matrix6 M;
    M << body_.mass * Eigen::Matrix3d::Identity(), -body_.mass * C, body_.mass * C, I;
    Vector6 b, relative;
    b << body_.mass * turn.cross(turn.cross(c)) - weight, turn.cross(I * turn) - c.cross(weight);
    relative << Eigen::Vector3d::Zero(), dense(cross(mount.V.angular, rate_ * axis));
    b += M * relative;
    const Matrix6 X = body_.carries ? shift(R * body_.output) : Matrix6(Matrix6::Zero());
    Vector6 g = X.transpose() * relative;
    if (body_.carries) g.head<3>() += turn.cross(turn.cross(r));
    // The hinge gives way along its axis.
    H_ << Eigen::Vector3d::Zero(), dense(axis);
    U_ = M * H_, d_ = H_.dot(U_), y_ = X.transpose() * H_;
    u_ = (-body_.stiffness * y[0] - body_.damping * rate_ - H_.dot(b)) / d_;
    M_ = M - U_ * U_.transpose() / d_, b_ = b + u_ * U_, X_ = X - U_ * y_.transpose() / d_;
    Gamma_ = y_ * y_.transpose() / d_, g_ = g + u_ * y_;
    return {{R, mount.X_WH.p + R * body_.output}, velocity_at(Spatial6{mount.V.linear, w}, R * body_.output)};
  }

  arthron::BoxEquations equations() override {
    arthron::BoxEquations e;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) e.M[at(i, j)] = M_(i, j), e.X[at(i, j)] = X_(i, j), e.Gamma[at(i, j)] = Gamma_(i, j);
      e.b[static_cast<std::size_t>(i)] = b_[i], e.g[static_cast<std::size_t>(i)] = g_[i];
    }
    return e;
  }

  void rates(const arthron::Spatial6& A, const arthron::Spatial6& f, double* rate) override {
    rate[0] = rate_, rate[1] = u_ - (U_.dot(arthron::dense(A)) + y_.dot(arthron::dense(f))) / d_;
  }

 private:
  static std::size_t at(int i, int j) { return static_cast<std::size_t>(6 * i + j); }

  Body body_;
  double rate_ = 0, d_ = 1, u_ = 0;
  arthron::Matrix6 M_, X_, Gamma_;
  arthron::Vector6 H_, U_, y_, b_, g_;
};

}  // namespace black_box
