#include <doctest/doctest.h>

#include <random>

#include "arthron/spatial/inertia.hpp"
#include "arthron/spatial/lane_math.hpp"
#include "arthron/spatial/per_lane.hpp"
#include "arthron/spatial/wide.hpp"

using namespace arthron;

namespace {

/// Largest error in units in the last place against long double, over [low, high].
template <class OnLanes, class Exact>
double error_in_ulp(double low, double high, const OnLanes& on_lanes, const Exact& exact) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(low, high);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const Lanes x = Lanes::each([&](int) { return number(random); }), y = on_lanes(x);
    for (int lane = 0; lane < lane_count; ++lane) {
      const long double truth = exact(static_cast<long double>(x[lane]));
      const double size = std::abs(static_cast<double>(truth)), ulp = std::nextafter(size, 1e300) - size;
      worst = std::max(worst, std::abs(static_cast<double>(y[lane] - truth)) / ulp);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("sine, cosine, exponential and hyperbolic tangent on lanes are right to a few units in the last place") {
  const auto sine = [](const Lanes& x) { return sin(x); };
  const auto cosine = [](const Lanes& x) { return cos(x); };
  for (const double range : {0.1, 1.0, 10.0, 1e3, 1e5, 1e8}) {
    CAPTURE(range);
    CHECK(error_in_ulp(-range, range, sine, [](long double x) { return std::sin(x); }) < 3);
    CHECK(error_in_ulp(-range, range, cosine, [](long double x) { return std::cos(x); }) < 3);
  }
  for (const double range : {0.1, 1.0, 30.0, 700.0}) {
    CAPTURE(range);
    CHECK(error_in_ulp(
              -range, range, [](const Lanes& x) { return exp(x); }, [](long double x) { return std::exp(x); }) < 3);
    CHECK(error_in_ulp(
              -range, range, [](const Lanes& x) { return tanh(x); }, [](long double x) { return std::tanh(x); }) < 3);
  }
}

TEST_CASE("functions on lanes know what is beyond numbers") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double beyond[] = {inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e300};
  const Lanes x = Lanes::each([&](int lane) { return beyond[lane]; });
  CHECK(std::isnan(sin(x)[0]));
  CHECK(sin(x)[3] == std::sin(1e300));
  CHECK(exp(x)[0] == inf);
  CHECK(exp(x)[1] == 0);
  CHECK(std::isnan(exp(x)[2]));
  CHECK(tanh(x)[0] == 1);
  CHECK(tanh(x)[1] == -1);
  CHECK(std::isnan(tanh(x)[2]));
}

TEST_CASE("symmetric inertias on plain structs: shifting and releasing equal those on wide ones") {
  const Vec3 mc{0.3, -0.2, 0.5}, l{0.7, 0.1, -0.4};
  const Sym3 I{2, 3, 2.5, 0.1, -0.2, 0.3};
  const Inertia<double> M = rigid_inertia(1.5, mc, I);
  const WideInertia wide = rigid_inertia(1.5, Wide3(mc), WideSymmetric3(I));
  Inertia<double> added{};
  added.add_rigid(1.5, mc, I);
  const Spatial6 V{{1, 2, 3}, {-1, 0.5, 2}};
  const auto apart = [](const Spatial6& a, const Spatial6& b) { return norm(a.linear - b.linear) + norm(a.angular - b.angular); };
  CHECK(apart(M * V, wide * Wide6(V)) < 1e-14);
  CHECK(apart(M * V, added * V) < 1e-14);
  CHECK(apart(M * V, rigid_momentum(1.5, mc, I, V)) < 1e-14);
  // S M S^T V = S (M (S^T V)), with the column taken out first so that no block is special.
  Inertia<double> rest = M;
  const Spatial6 h{{0.1, 0.2, 0.3}, {1, 0, 1}}, U = M * h;
  release_column(rest, U, 1 / dot(h, U));
  CHECK(apart(rest * h, {}) < 1e-14);
  CHECK(apart(inertia_from(rest, l) * V, wrench_from(rest * velocity_at(V, l), l)) < 1e-14);
}
