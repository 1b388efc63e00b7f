/// lanes_against_scalar [ROUNDS]: eight variants of one topology on SIMD lanes against the same one after the other, in one run: time per
/// body and variant of an evaluation, whole RK4 runs of one simulated second, the study of a car over a bump as `sweep` computes it, and
/// the ratios. Both sides take turns, and the best of the rounds counts, so that what else the machine does falls on both.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>

#include "arthron/components/builtins.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/lane_run.hpp"
#include "arthron/study/study.hpp"
#include "variants.hpp"

namespace {

using namespace arthron;

constexpr std::size_t variants = 8;

/// The best time of each of two pieces of work that take turns [s].
template <class A, class B>
std::pair<double, double> best_of(int rounds, const A& a, const B& b) {
  const auto time = [](const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::pair<double, double> best{1e9, 1e9};
  for (int round = 0; round < rounds; ++round) best = {std::min(best.first, time(a)), std::min(best.second, time(b))};
  return best;
}

/// A model by the number of the variant.
using Variants = std::function<Model(std::size_t)>;

double factor_of(std::size_t number) { return 1 + 0.01 * static_cast<double>(number); }

/// With other masses and springs, too.
std::shared_ptr<const Model> variant_of(const Variants& models, std::size_t number) {
  Model model = models(number);
  const double factor = factor_of(number);
  for (Body& body : model.bodies) {
    body.mass *= factor;
    body.inertia = {factor * body.inertia.xx, factor * body.inertia.yy, factor * body.inertia.zz,
                    factor * body.inertia.xy, factor * body.inertia.xz, factor * body.inertia.yz};
  }
  for (Joint& joint : model.joints)
    for (double& stiffness : joint.stiffness) stiffness *= factor;
  model.simulation.integrator.type = "rk4", model.simulation.integrator.step = 1e-3;
  model.simulation.until = 1, model.simulation.output_step = 0.02;
  return std::make_shared<const Model>(std::move(model));
}

struct Alone {
  bench::Evaluation evaluation;
  void operator()(double t) {
    const State& s = evaluation.state;
    if (!evaluate_rates(*evaluation.plan, t, s.q.data(), s.p.data(), evaluation.qdot.data(), evaluation.pdot.data(), *evaluation.work).ok())
      throw std::runtime_error("evaluation failed");
  }
};

void report(const char* model, const char* what, double alone, double together, const char* unit) {
  std::cout << std::left << std::setw(17) << model << std::setw(12) << what << std::right << std::fixed << std::setprecision(1)
            << std::setw(9) << alone << std::setw(9) << together << ' ' << std::setw(3) << unit << std::setprecision(2) << std::setw(8)
            << alone / together << '\n';
}

void compare_evaluations(const char* name, const Variants& models, int rounds) {
  std::vector<Alone> alone;
  for (std::size_t i = 0; i < variants; ++i) alone.push_back({bench::Evaluation(variant_of(models, i))});
  const auto four_from = [&](std::size_t first) {
    return per_lane<const bench::Evaluation*>([&](std::size_t lane) { return &alone[first + lane].evaluation; });
  };
  bench::VariantEvaluation first(four_from(0)), second(four_from(4));
  constexpr int evaluations = 200;
  const auto times = best_of(
      rounds,
      [&] {
        for (Alone& one : alone)
          for (int k = 0; k < evaluations; ++k) one(1e-3 * k);
      },
      [&] {
        for (bench::VariantEvaluation* four : {&first, &second})
          for (int k = 0; k < evaluations; ++k) (*four)(1e-3 * k);
      });
  const Plan& plan = *alone[0].evaluation.plan;
  const double each = 1e9 / (static_cast<double>(variants * evaluations) *
                             static_cast<double>(plan.bodies.size() - static_cast<std::size_t>(plan.grounds)));
  report(name, "evaluation", times.first * each, times.second * each, "ns");
}

void compare_runs(const char* name, const Variants& models, int rounds) {
  std::vector<std::unique_ptr<Simulation>> simulations;
  std::vector<std::unique_ptr<ChannelSet>> channels;
  std::vector<LaneVariant> together;
  for (std::size_t i = 0; i < variants; ++i) {
    simulations.push_back(std::make_unique<Simulation>(variant_of(models, i)));
    channels.push_back(std::make_unique<ChannelSet>(simulations.back()->plan(), std::vector<ChannelRequest>{{"energy", "", ""}}));
    together.push_back({simulations.back().get(), channels.back().get()});
  }
  const auto succeed = [](const RunSummary& summary) {
    if (!summary.status.ok()) throw std::runtime_error(summary.message);
  };
  const auto times = best_of(
      std::max(3, rounds / 20),
      [&] {
        for (std::size_t i = 0; i < variants; ++i) succeed(run(*simulations[i], *channels[i]));
      },
      [&] {
        for (const RunSummary& summary : run_on_lanes(together)) succeed(summary);
      });
  report(name, "run", 1e3 * times.first / variants, 1e3 * times.second / variants, "ms");
}

/// A study with more settings, on lanes and with variants one by one: time of a variant, loading included, and how far the results are
/// apart.
void compare_study(const char* name, const std::string& file, const std::string& settings, const Registry& registry, int rounds) {
  std::ifstream stream(file);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  const auto insert_behind = [&](const std::string& key, const std::string& more) { text.insert(text.find(key) + key.size(), more); };
  insert_behind(R"("model": ")", file.substr(0, file.rfind('/') + 1));
  insert_behind(R"("simulate": {)", settings);
  const std::filesystem::path copy = std::filesystem::temp_directory_path() / "lanes_against_scalar.json";
  const auto study_of = [&] {
    std::ofstream(copy) << text;
    return Study(copy.string(), registry);
  };
  const Study together = study_of();
  insert_behind("{", R"("lanes": false,)");
  const Study alone = study_of();
  std::filesystem::remove(copy);
  const auto rows_of = [](const Study& study) {
    std::vector<StudyRow> rows;
    for (std::size_t group = 0; group < study.groups(); ++group) {
      const auto found = study.run(group);
      rows.insert(rows.end(), found->begin(), found->end());
    }
    return rows;
  };
  std::vector<StudyRow> of_lanes, of_single;
  const auto times = best_of(
      rounds, [&] { of_single = rows_of(alone); }, [&] { of_lanes = rows_of(together); });
  const double each = 1e3 / static_cast<double>(together.size());
  report(name, "variant", each * times.first, each * times.second, "ms");
  double apart = 0;
  for (std::size_t v = 0; v < of_lanes.size(); ++v)
    for (std::size_t i = 0; i < of_lanes[v].results.size(); ++i)
      apart = std::max(apart, std::abs(of_lanes[v].results[i] / of_single[v].results[i] - 1));
  std::cout << "  results differ by " << std::scientific << std::setprecision(1) << apart << " of themselves\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  const Registry registry = builtin_registry();
  const std::string examples = ARTHRON_SOURCE_DIR "/examples/";
  std::cout << "model            of            alone    lanes        ratio\n";
  const auto compare = [&](const char* name, const Variants& models) {
    compare_evaluations(name, models, rounds);
    compare_runs(name, models, rounds);
  };
  const auto quadruped = [&](std::size_t) { return load_model(examples + "quadruped/quadruped.json", registry); };
  const auto trotting = [&](std::size_t i) {
    return load_model(examples + "quadruped/quadruped.json", registry, {{"trot", 6 * factor_of(i)}, {"strap", 0.7 * factor_of(i)}});
  };
  const auto walking = [&](std::size_t) { return load_model(examples + "quadruped_walk/quadruped_walk.json", registry); };
  const auto lifting = [&](std::size_t i) {
    return load_model(examples + "quadruped_walk/quadruped_walk.json", registry, {{"lift", 0.25 * factor_of(i)}});
  };
  const auto driving = [&](std::size_t i) {
    return load_model(examples + "vehicle/vehicle.json", registry, {{"speed", 20 * factor_of(i)}});
  };
  compare("vehicle", driving);
  const std::string ride = examples + "vehicle/ride_study.json", equal_steps = R"("integrator": {"type": "rk4", "step": 1e-3},)";
  compare_study("ride_study", ride, "", registry, std::max(2, rounds / 50));
  compare_study("  equal steps", ride, equal_steps, registry, std::max(2, rounds / 50));
  compare("chain of 16", [](std::size_t) { return *bench::chain(16); });
  compare("quadruped", quadruped);
  compare("  other efforts", trotting);
  compare("quadruped_walk", walking);
  compare("  other targets", lifting);
}
