#pragma once
#include <algorithm>
#include <cmath>

#include "arthron/dynamics/observe.hpp"
#include "support/closed_graph.hpp"
#include "support/subsystems.hpp"

/// A model at one state in every order of elimination.
namespace arthron::test {

inline std::shared_ptr<const Plan> eliminated(Model model, const std::string& elimination, const Grain& grain = {}) {
  model.simulation.elimination = elimination;
  return compile(std::make_shared<const Model>(std::move(model)), grain);
}

/// Velocities and accelerations of all bodies, one after the other, in the Model's order.
inline std::vector<Spatial6> motions(const Plan& plan, const Workspace& work) {
  std::vector<Spatial6> list;
  for (const int b : plan.body_of)
    if (b >= plan.grounds)
      list.emplace_back(work.body[static_cast<std::size_t>(b)].V), list.emplace_back(work.A[static_cast<std::size_t>(b)]);
  return list;
}

/// At the state of another plan of the same model.
inline std::vector<Spatial6> motions_at(const Plan& from, const State& state, const Plan& plan) {
  const std::unique_ptr<Workspace> work = make_workspace(plan);
  State own;
  if (!initial_state(plan, *work, own).ok()) throw std::runtime_error("no initial state");
  for (std::size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint &there = from.joints[j], &here = plan.joints[j];
    if (here.closure >= 0 || here.driven) continue;
    std::copy_n(state.q.begin() + there.q, here.nq, own.q.begin() + here.q);
    std::copy_n(state.p.begin() + there.u, here.nu, own.p.begin() + here.u);
  }
  if (!evaluate_accelerations(plan, own.t, own.q.data(), own.p.data(), *work).ok()) throw std::runtime_error("no accelerations");
  return motions(plan, *work);
}

/// The largest difference of velocities, relative to the largest of them, or that of accelerations.
inline double difference(const std::vector<Spatial6>& a, const std::vector<Spatial6>& b) {
  double worst = 0;
  for (const std::size_t kind : {std::size_t{0}, std::size_t{1}}) {
    double scale = 1, largest = 0;
    for (std::size_t i = kind; i < a.size(); i += 2) {
      const Spatial6 d = a[i] - b[i];
      scale = std::max({scale, norm(a[i].linear), norm(a[i].angular)});
      const double here = std::max(norm(d.linear), norm(d.angular));
      if (!(here <= largest)) largest = here;
    }
    if (!(largest / scale <= worst)) worst = largest / scale;
  }
  return worst;
}

/// A random mechanism of nested subsystems: a tree, or with loops and couplings.
inline Model random_hierarchy(unsigned seed) {
  Json json = seed % 3 == 0 ? RandomModel(builtins(), seed).tree(4 + static_cast<int>(seed % 20))
                            : closed_graph(seed, 5 + static_cast<int>(seed % 12), 1 + static_cast<int>(seed % 5));
  if (seed % 7 == 1 && seed % 3 != 0) couple(json, seed);
  return in_subsystems(parse_model(json.dump(), "test.json", builtins()), seed, 1 + static_cast<int>(seed % 6));
}

/// How far auto, pairs and subsystems, whole and in small segments, are from folding, with momenta at random.
inline double elimination_disagreement(const Model& model, unsigned seed) {
  const auto fold = eliminated(model, "fold");
  const std::unique_ptr<Workspace> work = make_workspace(*fold);
  State state;
  if (!initial_state(*fold, *work, state).ok()) throw std::runtime_error("no initial state");
  for (std::size_t i = 0; i < state.p.size(); ++i) state.p[i] += std::sin(static_cast<double>(i) + seed);
  if (!evaluate_accelerations(*fold, state.t, state.q.data(), state.p.data(), *work).ok()) throw std::runtime_error("no accelerations");
  const std::vector<Spatial6> truth = motions(*fold, *work);
  double worst = 0;
  const auto compare = [&](const char* elimination, const Grain& grain) {
    const double found = difference(truth, motions_at(*fold, state, *eliminated(model, elimination, grain)));
    if (!(found <= worst)) worst = found;
  };
  for (const char* elimination : {"auto", "pair", "modular"}) compare(elimination, {});
  compare("modular", fine_grain);
  return worst;
}

}  // namespace arthron::test
