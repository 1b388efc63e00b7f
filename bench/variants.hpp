#pragma once
#include "arthron/dynamics/lane_dynamics.hpp"
#include "arthron/spatial/per_lane.hpp"
#include "chain.hpp"

namespace arthron::bench {

/// Four variants on lanes, as Evaluation has one.
struct VariantEvaluation {
  LanePlan plan;
  LaneWorkspace work;
  std::vector<Lanes> q, p, qdot, pdot;

  explicit VariantEvaluation(const PerLane<const Evaluation*>& four)
      : plan(per_lane<const Plan*>([&](std::size_t lane) { return four[lane]->plan.get(); })),
        work(plan, per_lane<const std::vector<Signal>*>([&](std::size_t lane) { return &four[lane]->work->signals; })),
        q(four[0]->state.q.size()),
        p(four[0]->state.p.size()),
        qdot(q.size()),
        pdot(p.size()) {
    for (int lane = 0; lane < lane_count; ++lane) {
      const State& state = four[lane]->state;
      set_lane(q.data(), lane, state.q.data(), static_cast<int>(q.size()));
      set_lane(p.data(), lane, state.p.data(), static_cast<int>(p.size()));
    }
  }
  double operator()(double t = 0) {
    if (!evaluate(plan, t, q.data(), p.data(), qdot.data(), pdot.data(), work)) throw std::runtime_error("evaluation failed");
    return qdot.back()[0] + pdot.front()[0];
  }
};

}  // namespace arthron::bench
