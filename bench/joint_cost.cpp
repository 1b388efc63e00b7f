#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "arthron/component/plugin_loader.hpp"
#include "arthron/components/builtins.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/model/load.hpp"

/// What joints of a plug-in cost: nanoseconds a joint for its share of one evaluation (pose, columns and their rates), and then for all of
/// an evaluation of a chain, of the built-in type; those of a plug-in with the same closed forms, with the pose alone, and with the pose
/// and the word that H is constant, in units of that. Medians of interleaved repeats in one run.
using namespace arthron;

namespace {

constexpr int joints = 500, repeats = 41;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// A chain on joints of one type.
struct Chain {
  std::shared_ptr<const Plan> plan;
  std::unique_ptr<Workspace> work;
  State state;
  std::vector<double> qdot, pdot;

  Chain(const Registry& types, const std::string& type) {
    nlohmann::ordered_json model{{"arthron", 1}, {"name", "chain"}};
    for (int i = 0; i < joints; ++i) {
      const std::string link = "l" + std::to_string(i);
      model["bodies"][link] = {{"mass", 1}, {"com", {0.1 * i, 0, -0.1}}, {"inertia", {0.01, 0.01, 0.01}}};
      nlohmann::ordered_json joint{{"type", type},
                                   {"parent", i ? "l" + std::to_string(i - 1) : "ground"},
                                   {"child", link},
                                   {"at", {0.1 * i, 0, 0}},
                                   {"axis", {0.6, 0, 0.8}}};
      if (type.ends_with("screw")) joint["pitch"] = 0.1;
      if (type.ends_with("universal")) joint["axis2"] = {0, 1, 0};
      model["joints"]["j" + std::to_string(i)] = std::move(joint);
    }
    plan = compile(std::make_shared<const Model>(parse_model(model.dump(), "chain", types)), {1e12, 1e12});
    work = make_workspace(*plan);
    if (!initial_state(*plan, *work, state).ok()) std::abort();
    for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] = 0.3 + 0.01 * static_cast<double>(i % 7);
    qdot.resize(state.q.size()), pdot.resize(state.p.size());
    evaluate_once();
  }
  void joints_once() {
    for (const auto& batch : plan->joint_batches) {
      batch->position(batch->all(), work->q.data(), work->X_FM.data(), work->H_F.data());
      if (batch->varies()) batch->rate(batch->all(), work->q.data(), work->u.data(), work->Hdot_F.data());
    }
  }
  void evaluate_once() {
    if (!evaluate(*plan, 0, state.q.data(), state.p.data(), qdot.data(), pdot.data(), *work).ok()) std::abort();
  }
};

template <class Call>
double nanoseconds(const Call& call, int calls) {
  const double start = seconds();
  for (int i = 0; i < calls; ++i) call();
  return 1e9 * (seconds() - start) / calls / joints;
}

}  // namespace

int main() {
  Registry types = builtin_registry();
  load_plugin(ARTHRON_BENCH_JOINTS, types);
  const std::vector<std::string> kinds{"", "closed/", "pose/", "constant/"};
  std::printf(
      "| joint | built-in [ns] | closed forms | pose alone | pose, constant H | built-in [ns] | closed forms | pose alone | pose, constant "
      "H |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string name : {"revolute", "screw", "cylindrical", "universal"}) {
    std::vector<Chain> chains;
    for (const std::string& kind : kinds)
      if (types.joint(kind + name)) chains.emplace_back(types, kind + name);
    std::vector<std::vector<double>> alone(chains.size()), whole(chains.size());
    for (int r = 0; r < repeats; ++r)
      for (std::size_t k = 0; k < chains.size(); ++k) {
        alone[k].push_back(nanoseconds([&] { chains[k].joints_once(); }, 100));
        whole[k].push_back(nanoseconds([&] { chains[k].evaluate_once(); }, 20));
      }
    std::printf("| %s |", name.c_str());
    for (const auto* times : {&alone, &whole}) {
      std::printf(" %.1f |", median((*times)[0]));
      for (std::size_t k = 1; k < kinds.size(); ++k)
        k < chains.size() ? std::printf(" %.2f |", median((*times)[k]) / median((*times)[0])) : std::printf(" |");
    }
    std::printf("\n");
  }
}
