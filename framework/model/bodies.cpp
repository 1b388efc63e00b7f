#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cstdio>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

Body& body_of(const Entry& entry, Loading& loading) {
  return loading.model.bodies[static_cast<std::size_t>(loading.scope.bodies.at(entry.name).value)];
}

std::string numbers_text(const std::array<double, 3>& numbers) {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "(%.4g, %.4g, %.4g)", numbers[0], numbers[1], numbers[2]);
  return text.data();
}

/// Principal moments in decreasing order.
std::array<double, 3> principal_moments(const Sym3& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[2], moments[1], moments[0]};
}

/// A tolerance on the triangle inequality lets flat bodies pass whose numbers are rounded to six digits.
void check_inertia(const JsonReader& in, const Sym3& inertia) {
  const std::array<double, 3> moments = principal_moments(inertia);
  constexpr double rounding = 1e-6, smallest = 1e-30, most_slender = 1e-10;
  if (!(moments[2] > std::max(smallest, most_slender * moments[0])))
    in.source().report("inertia", "principal moments " + numbers_text(moments),
                       "each > 0 (kg m^2), the smallest not below 1e-10 of the largest");
  else if (moments[0] > (1 + rounding) * (moments[1] + moments[2]))
    in.source().report("inertia", "principal moments " + numbers_text(moments),
                       "each <= the sum of the other two (kg m^2): no rigid body has these");
}

}  // namespace

void read_ground(const Entry& entry, Loading& loading) {
  const JsonReader motion =
      entry.reader.object({"motion", "", "movement from the drawn position, about the origin of the frame; fixed when absent"});
  PrescribedMotion prescribed{motion.time_functions({"translation", "m", "displacement along the file's axes"}, 3),
                              motion.time_functions({"rotation", "rad", "rotation vector (axis times angle)"}, 3)};
  Body& body = body_of(entry, loading);
  body.frame = loading.placement.frame(loading.frames.at(loading.scope.bodies.at(entry.name).value));
  if (motion.describing() || !entry.reader.holds_object("motion")) return;
  refuse_measured(motion, "translation", prescribed.translation);
  refuse_measured(motion, "rotation", prescribed.rotation);
  for (auto* functions : {&prescribed.translation, &prescribed.rotation}) functions->resize(3);
  prescribed.placement = loading.placement;
  body.motion = std::move(prescribed);
}

void read_body(const Entry& entry, Loading& loading) {
  const JsonReader& in = entry.reader;
  Body& body = body_of(entry, loading);
  const auto frame = loading.frames.find(loading.scope.bodies.at(entry.name).value);
  const bool framed = frame != loading.frames.end();
  const Pose<double> X_FB = framed ? frame->second : Pose<double>();

  body.mass = in.number({"mass", "kg", "mass"}, {1e-12, 1e12});
  const Vec3 com = in.in_frame(X_FB).point_or({"com", "m", "centre of mass"}, {0, 0, 0});
  const Sym3 inertia = in.inertia({"inertia", "kg m^2", "about the centre of mass: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"});
  if (!in.describing() && in.has("inertia")) check_inertia(in, inertia);
  body.com = loading.placement.point(com);
  body.inertia = rotated(loading.placement.X.R, rotated(X_FB.R, inertia));
  body.frame = loading.placement.frame(framed ? X_FB : Pose<double>{Mat3::identity(), com});
}

}  // namespace arthron
