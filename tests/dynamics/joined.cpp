#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "arthron/dynamics/stages.hpp"
#include "support/loaded.hpp"
#include "support/random_model.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

using std::size_t;

/// A rope of light links, as examples/rope has them, at random: bent by up to `bend` and turning by up to 1 rad/s at every joint.
struct Rope {
  int links;
  const char* joint;
  double bend;
};

Json model_of(const Rope& rope, unsigned seed) {
  constexpr double length = 0.05, mass = 0.01;
  std::mt19937 random(seed);
  const auto number = [&](double size) { return size * std::uniform_real_distribution<double>(-1, 1)(random); };
  const bool ball = std::string(rope.joint) == "spherical";
  const auto freedoms = [&](double size) { return ball ? Json{number(size), number(size), number(size)} : Json(number(size)); };
  Json model{{"arthron", 1}, {"name", "rope"}};
  for (int i = 0; i < rope.links; ++i) {
    const std::string name = "b" + std::to_string(i);
    model["bodies"][name] = {{"mass", mass},
                             {"com", {(i + 0.5) * length, 0, 0}},
                             {"inertia", {mass * length * length / 200, mass * length * length / 12, mass * length * length / 12}}};
    Json& joint = model["joints"]["j" + std::to_string(i)];
    joint = {{"type", rope.joint}, {"parent", i ? "b" + std::to_string(i - 1) : "ground"}, {"child", name}, {"at", {i * length, 0, 0}}};
    if (!ball) joint["axis"] = {number(1), number(1), number(1)};
    joint["initial"] = {{"position", freedoms(rope.bend)}, {"velocity", freedoms(1)}};
    joint["spring"] = {{"damping", 1e-4}};
  }
  model["simulate"] = {{"until", 1}, {"integrator", {{"type", "rk4"}, {"step", 1e-3}}}};
  return model;
}

/// Like std::max, but a NaN wins and stays.
void raise(double& worst, double value) {
  if (!(value <= worst)) worst = value;
}

/// Velocities and accelerations at one state, and the velocities of the bodies that follow from those of the joints.
struct Motion {
  std::vector<Spatial6> V, V_from_u, A;
  std::vector<double> u, udot;
};

Motion motion(Loaded& model, const State& state) {
  REQUIRE(evaluate_accelerations(*model.plan, state.t, state.q.data(), state.p.data(), *model.work).ok());
  Motion result{{}, {}, {}, model.work->u, model.work->udot};
  const size_t first = model.plan->grounds, last = model.plan->bodies.size();
  for (size_t b = first; b < last; ++b) result.V.push_back(model.work->body[b].V), result.A.push_back(model.work->A[b]);
  forward_velocities(*model.plan, *model.work);
  for (size_t b = first; b < last; ++b) result.V_from_u.push_back(model.work->body[b].V);
  return result;
}

/// Largest differences of two lists, relative to the largest entry of the first.
double linear_difference(const std::vector<Spatial6>& a, const std::vector<Spatial6>& b) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < a.size(); ++i) raise(worst, norm(a[i].linear - b[i].linear)), raise(largest, norm(a[i].linear));
  return worst / largest;
}
double angular_difference(const std::vector<Spatial6>& a, const std::vector<Spatial6>& b) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < a.size(); ++i) raise(worst, norm(a[i].angular - b[i].angular)), raise(largest, norm(a[i].angular));
  return worst / largest;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < a.size(); ++i) raise(worst, std::abs(a[i] - b[i])), raise(largest, std::abs(a[i]));
  return worst / largest;
}

using Differences = std::array<double, 7>;
constexpr size_t first_acceleration = 4;

Differences differences(const Motion& a, const Motion& b) {
  return {linear_difference(a.V_from_u, b.V_from_u),
          angular_difference(a.V_from_u, b.V_from_u),
          linear_difference(a.V, b.V),
          largest_difference(a.u, b.u),
          linear_difference(a.A, b.A),
          angular_difference(a.A, b.A),
          largest_difference(a.udot, b.udot)};
}

/// The largest differences that a change of the state by one unit of rounding makes: momenta of their own, coordinates of 1, as rounding of
/// the rotations they stand for does. Nobody can be nearer to the solution.
Differences moved_by_rounding(Loaded& model, const State& state, const Motion& motion_there, unsigned seed) {
  Differences worst{};
  std::mt19937 random(seed);
  const auto sign = [&] { return random() % 2 == 0 ? 1 : -1; };
  for (int trial = 0; trial < 3; ++trial) {
    State moved = state;
    for (double& p : moved.p) p = std::nextafter(p, sign() * HUGE_VAL);
    for (double& q : moved.q) q += sign() * std::numeric_limits<double>::epsilon();
    const Differences d = differences(motion_there, motion(model, moved));
    for (size_t i = 0; i < d.size(); ++i) raise(worst[i], d[i]);
  }
  return worst;
}

/// Divided into parts of some 20 us (of half of that where there would be too few), all joined.
Loaded divided(const std::string& json, int links) { return Loaded::text(json, "auto", {links < 1000 ? 10e3 : 20e3, 0}); }

void check_rope(const Rope& rope, unsigned seed) {
  CAPTURE(rope.links);
  CAPTURE(rope.joint);
  CAPTURE(rope.bend);
  CAPTURE(seed);
  const std::string json = model_of(rope, seed).dump();
  Loaded folding = Loaded::text(json), joining = divided(json, rope.links);
  REQUIRE(folding.plan->joins.empty());
  REQUIRE(joining.plan->joins.size() >= 2);
  State at_rest = folding.state;
  std::fill(at_rest.p.begin(), at_rest.p.end(), 0);
  for (const State* state : {&folding.state, &at_rest}) {
    CAPTURE((state == &at_rest));
    const Motion folded = motion(folding, *state), joined = motion(joining, *state);
    // Joints and bodies of joined parts move together.
    if (state != &at_rest) CHECK(linear_difference(joined.V, joined.V_from_u) < 1e-13 * rope.links);
    const Differences found = differences(folded, joined), rounding = moved_by_rounding(folding, *state, folded, seed);
    // A rope that moves in a plane folds with next to no rounding of its own: what is left is that of sums along the rope.
    const double sums = rope.links * std::numeric_limits<double>::epsilon();
    for (size_t i = state == &at_rest ? first_acceleration : 0; i < found.size(); ++i) {
      CAPTURE(i);
      CHECK(found[i] < 3 * rounding[i] + sums);
    }
  }
}

}  // namespace

TEST_CASE("joined parts of light links move as folded ones do, within what the last bit of the state decides") {
  for (const char* joint : {"spherical", "revolute"})
    for (const double bend : {0.0, 0.02, 0.3}) {
      for (unsigned seed = 1; seed <= 3; ++seed)
        for (const int links : {200, 1000}) check_rope({links, joint, bend}, seed);
      check_rope({5000, joint, bend}, 5);
    }
}
