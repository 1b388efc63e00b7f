#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "arthron/spatial/rotation_vector.hpp"
#include "arthron/spatial/wide.hpp"

using namespace arthron;

namespace {

struct Random {
  std::mt19937 generator{1};
  double number() { return std::uniform_real_distribution<double>(-1, 1)(generator); }
  Vec3 vector() { return {number(), number(), number()}; }
  Mat3 matrix() { return {vector(), vector(), vector()}; }
};

double size(const Mat3& m) { return norm(m.c0) + norm(m.c1) + norm(m.c2); }
constexpr double rounding = 1e-14;  // identities of a dozen operations on numbers of order one

}  // namespace

TEST_CASE("four-lane algebra equals that of the plain structs") {
  Random random;
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = random.vector(), b = random.vector();
    const Mat3 m = random.matrix(), n = random.matrix();
    const Sym3 s{random.number(), random.number(), random.number(), random.number(), random.number(), random.number()};
    CHECK(std::abs(dot(Wide3(a), Wide3(b)) - dot(a, b)) < rounding);
    CHECK(norm(static_cast<Vec3>(cross(Wide3(a), Wide3(b))) - cross(a, b)) < rounding);
    CHECK(norm(static_cast<Vec3>(WideMatrix3(m) * Wide3(a)) - m * a) < rounding);
    CHECK(norm(static_cast<Vec3>(transposed_times(WideMatrix3(m), Wide3(a))) - transposed_times(m, a)) < rounding);
    CHECK(size(static_cast<Mat3>(WideMatrix3(m) * WideMatrix3(n)) - m * n) < rounding);
    CHECK(size(static_cast<Mat3>(transpose(WideMatrix3(m))) - transpose(m)) == 0);
    CHECK(size(static_cast<Mat3>(WideDiagonals3(m)) - m) == 0);
    CHECK(norm(static_cast<Vec3>(WideDiagonals3(m) * Wide3(a)) - m * a) < rounding);
    CHECK(norm(static_cast<Vec3>(transposed_times(WideDiagonals3(m), Wide3(a))) - transposed_times(m, a)) < rounding);
    CHECK(static_cast<Sym3>(WideSymmetric3(s)) == s);
    CHECK(norm(static_cast<Vec3>(WideSymmetric3(s) * Wide3(a)) - s * a) < rounding);
    CHECK(norm(static_cast<Vec3>(rotated(WideMatrix3(m), s) * Wide3(a)) - rotated(m, s) * a) < rounding);
    const Spatial6 V{a, b}, P{b, a};
    CHECK(std::abs(dot(Wide6(V), Wide6(P)) - dot(V, P)) < rounding);
  }
}

TEST_CASE("shifts keep power: S(l) P . V = P . S(l)^T V") {
  Random random;
  for (int i = 0; i < 20; ++i) {
    const Spatial6 V{random.vector(), random.vector()}, P{random.vector(), random.vector()};
    const Vec3 l = random.vector();
    CHECK(std::abs(dot(wrench_from(P, l), V) - dot(P, velocity_at(V, l))) < rounding);
  }
}

TEST_CASE("angular motion of a moving rotation vector matches finite differences of the rotation, small and large") {
  Random random;
  for (const double scale : {1e-9, 0.3, 0.999, 1.001, 3.0}) {
    const Vec3 direction = random.vector(), theta = (scale / norm(direction)) * direction, rate = random.vector(),
               acceleration = random.vector();
    const auto at = [&](double t) {
      const auto q = quaternion_of(theta + t * rate + (t * t / 2) * acceleration);
      return quaternion_rotation(q[0], q[1], q[2], q[3]);
    };
    const auto velocity_at_time = [&](double t) {
      return angular_motion(theta + t * rate + (t * t / 2) * acceleration, rate + t * acceleration, acceleration).velocity;
    };
    const double h = 1e-5;
    const AngularMotion motion = angular_motion(theta, rate, acceleration);
    const Vec3 x{0.3, -0.5, 0.8};
    CHECK(norm((0.5 / h) * (at(h) * x - at(-h) * x) - cross(motion.velocity, at(0) * x)) < 1e-9);
    CHECK(norm((0.5 / h) * (velocity_at_time(h) - velocity_at_time(-h)) - motion.acceleration) < 1e-9);
  }
}
