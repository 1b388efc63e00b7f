#pragma once
#include "arthron/component/force.hpp"

namespace arthron {

/// Elastic mount between two bodies with stiffness and damping along and about three axes fixed in body A, relaxed at the drawn position.
///   force  on B: -(K x - preload) - C x',   torque on B: -J^-T (K_r theta - preload) - C_r w
/// x: displacement of point B over A, theta: rotation vector of B against A, w: their relative angular velocity, all along the axes; J is
/// the map of theta' to w. The elastic part is the gradient of  x.K x/2 + theta.K_r theta/2 - preloads, for any rotation below half a turn.
struct BushingForce {
  static constexpr std::string_view type = "bushing";
  static constexpr std::array<OutputChannel, 12> channels{{{"force_x", "N"},
                                                           {"force_y", "N"},
                                                           {"force_z", "N"},
                                                           {"torque_x", "N m"},
                                                           {"torque_y", "N m"},
                                                           {"torque_z", "N m"},
                                                           {"displacement_x", "m"},
                                                           {"displacement_y", "m"},
                                                           {"displacement_z", "m"},
                                                           {"rotation_x", "rad"},
                                                           {"rotation_y", "rad"},
                                                           {"rotation_z", "rad"}}};
  Mat3 axes;                                                      // columns: the bushing's axes at the drawn position
  Vec3 offset;                                                    // from A to B at the drawn position
  Vec3 stiffness, damping, preload;                               // along the axes [N/m, N s/m, N]
  Vec3 rotational_stiffness, rotational_damping, preload_torque;  // about the axes [N m/rad, N m s/rad, N m]

  static BushingForce parse(const JsonReader& in);
  void load(double t, const HandleState* h, Spatial6* wrench) const;
  [[nodiscard]] double energy(double t, const HandleState* h) const;
  [[nodiscard]] bool conservative() const { return damping == Vec3{} && rotational_damping == Vec3{}; }
  void measure(double t, const HandleState* h, double* values) const;

 private:
  struct Deflection;
  [[nodiscard]] Deflection deflection(const HandleState* h) const;
};

}  // namespace arthron
