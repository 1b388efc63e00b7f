#pragma once
#include <doctest/doctest.h>

#include <functional>

#include "arthron/dynamics/accelerate.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dense_oracle.hpp"
#include "support/disagreement.hpp"
#include "support/loaded.hpp"

/// All formulations at one state: accelerations, reactions and multipliers.
namespace arthron::test {

struct Found {
  std::vector<Spatial6> A, F;  // of the moving bodies
  std::vector<double> udot, sigma;
};

inline Found found(const Plan& plan, const Workspace& work) {
  Found result{{work.A.begin() + plan.grounds, work.A.end()}, {work.F.begin() + plan.grounds, work.F.end()}, work.udot, {}};
  for (std::size_t c = 0; c < plan.closures.size(); ++c)
    for (int r = 0; r < plan.closures[c].rows; ++r) result.sigma.push_back(work.closures->cuts[c].sigma[r]);
  return result;
}

inline Found found(const Plan& plan, const DenseSolution& dense) {
  return {{dense.A.begin() + plan.grounds, dense.A.end()}, {dense.F.begin() + plan.grounds, dense.F.end()}, dense.udot, dense.sigma};
}

inline double size(double a) { return std::abs(a); }

/// Largest difference relative to the largest number, or to `least` where all are smaller.
template <class Number>
double difference(const std::vector<Number>& expected, const std::vector<Number>& values, double least) {
  REQUIRE(expected.size() == values.size());
  double worst = 0, scale = least;
  for (std::size_t i = 0; i < values.size(); ++i) raise(worst, size(expected[i] - values[i])), raise(scale, size(expected[i]));
  return worst / scale;
}

inline void check_equal(const Found& expected, const Found& value, const Scales& least, double tolerance) {
  CHECK(difference(expected.A, value.A, least.acceleration) < tolerance);
  CHECK(difference(expected.udot, value.udot, least.joint_acceleration) < tolerance);
  CHECK(difference(expected.F, value.F, least.force) < tolerance);
  CHECK(difference(expected.sigma, value.sigma, least.force) < tolerance);
}

/// The initial state with some more motion in every joint, as far as the closures admit it.
inline State moving_state(const Plan& plan, unsigned seed, Workspace& work) {
  std::vector<JointStart> starts;
  for (const Joint& joint : plan.model->joints) {
    starts.push_back({joint.initial_position, joint.initial_velocity, {}, joint.keep});
    std::vector<double>& velocity = starts.back().velocity;
    velocity.resize(static_cast<std::size_t>(joint.definition->type().nu()), 0);
    for (std::size_t i = 0; i < velocity.size() && joint.motion.empty(); ++i)
      velocity[i] += 0.5 * std::sin(3.0 * static_cast<double>(starts.size()) + 0.7 * static_cast<double>(i) + seed);
  }
  State state;
  REQUIRE(assemble(plan, starts, 0, work, state).ok());
  return state;
}

struct Way {
  std::string formulation, elimination;
};

/// Every formulation, those that leave the elimination open in both ways.
inline std::vector<Way> ways() {
  std::vector<Way> list{{"hdca", "pair"}, {"dca", "pair"}};
  for (const std::string_view formulation : formulation_names)
    if (formulation != "hdca") list.push_back({std::string(formulation), "auto"});
  return list;
}

/// The dense oracle is the truth, or HDCA where that is too large; what is cubic in the number of loops, or loses digits on light ropes, is
/// left out there.
inline void check_formulations(Model model, unsigned seed, const std::function<std::shared_ptr<const Plan>(Model)>& planned) {
  const std::shared_ptr<const Plan> plan = planned(model);
  const std::unique_ptr<Workspace> work = make_workspace(*plan);
  const State state = moving_state(*plan, seed, *work);
  REQUIRE(evaluate_accelerations(*plan, 0, state.q.data(), state.p.data(), *work).ok());

  constexpr std::size_t most_bodies = 80;
  const bool large = plan->bodies.size() > most_bodies;
  const Scales least = scales_at_rest(*plan);
  const double tolerance = large ? std::max(1e-9, recursion_tolerance(*plan)) : 1e-9;
  Found truth = found(*plan, *work);
  if (!large) {
    const Found oracle = found(*plan, dense_accelerations(*plan, *work));
    check_equal(oracle, truth, least, tolerance);
    truth = oracle;
  }
  for (const Way& way : ways()) {
    if (way.formulation == "slm" && large && !plan->closures.empty()) continue;
    if (way.elimination == "pair" && large) continue;
    CAPTURE(way.formulation);
    CAPTURE(way.elimination);
    model.simulation.formulation = way.formulation;
    model.simulation.elimination = way.elimination;
    const std::shared_ptr<const Plan> own_plan = planned(model);
    const std::unique_ptr<Workspace> own = make_workspace(*own_plan);
    State start;
    REQUIRE(initial_state(*own_plan, *own, start).ok());
    if (way.formulation == "hdca")
      REQUIRE(evaluate_accelerations(*own_plan, 0, state.q.data(), state.p.data(), *own).ok());
    else
      REQUIRE(observe_accelerations(*own_plan, 0, state.q.data(), work->u.data(), *own).ok());
    check_equal(truth, found(*own_plan, *own), least, tolerance);
  }
}

}  // namespace arthron::test
