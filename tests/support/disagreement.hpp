#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "arthron/dynamics/dense_oracle.hpp"

/// How far two solutions of the same equations are apart.
namespace arthron::test {

inline double size(const Spatial6& a) { return norm(a.linear) + norm(a.angular); }

/// Like std::max, but a NaN wins and stays.
inline void raise(double& worst, double value) {
  if (!(value <= worst)) worst = value;
}

/// What differences are measured with where everything is smaller.
struct Scales {
  double acceleration = 1e-9, force = 1e-9, joint_acceleration = 1e-9;
};

/// Of models that may be at rest: gravity, over 1 m where it turns something, and all weight.
inline Scales scales_at_rest(const Plan& plan) {
  const double gravity = std::max(norm(plan.model->gravity), 1.0);
  double mass = 1e-9;
  for (const PlanBody& body : plan.bodies) mass += body.mass;
  return {gravity, mass * gravity, gravity};
}

/// Largest difference of accelerations (grounds left out), joint accelerations and reactions, each relative to the largest of its kind.
template <class A, class F>
double disagreement(const Plan& plan, const A& a1, const F& f1, const std::vector<double>& u1, const Workspace& other,
                    const Scales& least = {}) {
  double da = 0, df = 0, du = 0, sa = least.acceleration, sf = least.force, su = least.joint_acceleration;
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const Spatial6 x = a1[b], y = other.A[b], f = f1[b], g = other.F[b];
    raise(da, size(x - y)), raise(sa, size(x));
    raise(df, size(f - g)), raise(sf, size(f));
  }
  for (std::size_t c = 0; c < u1.size(); ++c) raise(du, std::abs(u1[c] - other.udot[c])), raise(su, std::abs(u1[c]));
  double worst = da / sa;
  raise(worst, df / sf), raise(worst, du / su);
  return worst;
}

/// Recursions lose at most 100 units of rounding a body, amplified by the conditioning of the joint-space inertia, taken as 1e4.
inline double recursion_tolerance(std::size_t bodies) { return 1e2 * static_cast<double>(bodies) * 2.2e-16 * 1e4; }
inline double recursion_tolerance(const Plan& plan) { return recursion_tolerance(plan.bodies.size()); }

}  // namespace arthron::test
