/// The papers' tables as CSV on standard output.
/// Usage: paper_tables TABLE [SECONDS]
///   evaluation   closed-loop paper, table 1: time of a right-hand side, HDCA and DCA
///   work         closed-loop paper, table 2 and figures 10, 11: time and evaluations of 10 s, HDCA and DCA
///   spread       the same evaluations with adams at many tolerances around each
///   cut          the same evaluations with the loops cut at the ground
///   chain        open-loop paper, section III: time and evaluations of 10 s, HDCA and DCA
///   subsystems   subsystem-multiplier paper, table 3: time of free and forced simulations, SLM and SSLM
///   multipliers  the same, table 4: time to find the multipliers
///   ladder       the same on ladders of up to 200 loops
///   forced NAME  the same, figures 7 and 8: prescribed motion, and how far forced simulation deviates from it
/// SECONDS of processor time are spent on every number at least; times are the shortest or the median of that.
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "arthron/formulations/joint_space/joint_space.hpp"
#include "ladder.hpp"
#include "paper_forced.hpp"

using namespace arthron;
using namespace arthron::bench;

namespace {

constexpr const char* cases[] = {"loop4", "loop8", "double_loop"};

void evaluation(double budget) {
  constexpr int states = 200;
  std::printf("case,example,elimination,hdca_us,dca_us,ratio\n");
  for (int number = 1; number <= 3; ++number)
    for (const char* elimination : {"fold", "pair"}) {
      const char* const name = cases[number - 1];
      const auto along = [&](const char* formulation) {
        const auto set = [&](SimulationSettings& settings) { settings.formulation = formulation, settings.elimination = elimination; };
        return AlongMotion(example(name, set), states);
      };
      AlongMotion hdca = along("hdca"), dca = along("dca");
      std::vector<double> of_hdca, of_dca, ratios;
      const double start = processor_seconds();
      while (of_hdca.size() < 11 || processor_seconds() - start < budget) {
        of_hdca.push_back(hdca.seconds()), of_dca.push_back(dca.seconds());
        ratios.push_back(of_dca.back() / of_hdca.back());
      }
      std::printf("%d,%s,%s,%.3f,%.3f,%.3f\n", number, name, elimination, 1e6 * median(of_hdca), 1e6 * median(of_dca), median(ratios));
    }
}

/// A case with all that is compared; not stabilised: without projection and re-anchoring.
std::shared_ptr<const Model> closed_loop(int number, const char* formulation, const char* integrator, double tolerance, bool stabilised) {
  return example(cases[number - 1], [&](SimulationSettings& settings) {
    settings.formulation = formulation, settings.integrator.type = integrator;
    settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = tolerance;
    settings.loops.project = settings.loops.reanchor = stabilised;
  });
}

/// How far K is from the reference solution (tests/data) at whole seconds, the largest [m].
double error_of_K(const std::shared_ptr<const Model>& model) {
  std::ifstream reference(ARTHRON_SOURCE_DIR "/tests/data/" + model->name + ".csv");
  Simulation simulation(model);
  Channel K = simulation.channel("K.position");
  demand(simulation.start(), "a run that does not start");
  double worst = 0, t = 0, x = 0, y = 0;
  char comma = ',';
  std::string line;
  std::getline(reference, line);
  for (int row = 0; std::getline(reference, line); ++row) {
    std::istringstream(line) >> t >> comma >> x >> comma >> y;
    if (row % 10 != 0) continue;
    demand(simulation.advance_to(t), "a run that does not end");
    demand(simulation.observe(), "no row");
    worst = std::fmax(worst, std::hypot(K.value(0) - x, K.value(1) - y));
  }
  if (t != model->simulation.until) throw std::runtime_error("a reference that does not end with the run");
  return worst;
}

void work(double budget) {
  std::printf(
      "case,integrator,tolerance,stabilised,hdca_ms,dca_ms,kappa_time,hdca_evaluations,dca_evaluations,kappa_evaluations,hdca_error,"
      "dca_error\n");
  for (int number = 1; number <= 3; ++number)
    for (const char* integrator : {"dopri5", "adams", "bs32"})
      for (int digits = 3; digits <= 9; ++digits)
        for (const bool stabilised : {false, true}) {
          const auto hdca = closed_loop(number, "hdca", integrator, std::pow(10.0, -digits), stabilised);
          const auto dca = closed_loop(number, "dca", integrator, std::pow(10.0, -digits), stabilised);
          const std::vector<Cost> cost = cheapest({[&] { return run_cost(hdca); }, [&] { return run_cost(dca); }}, budget);
          const auto count = [](const Cost& c) { return static_cast<double>(c.evaluations); };
          std::printf("%d,%s,1e-%d,%s,%.4g,%.4g,%.2f,%.0f,%.0f,%.2f,%.2g,%.2g\n", number, integrator, digits, stabilised ? "yes" : "no",
                      1e3 * cost[0].seconds, 1e3 * cost[1].seconds, cost[1].seconds / cost[0].seconds, count(cost[0]), count(cost[1]),
                      count(cost[1]) / count(cost[0]), error_of_K(hdca), error_of_K(dca));
          std::fflush(stdout);
        }
}

/// Adams chooses orders and steps in jumps: the same comparison at 21 tolerances within half a decade of each, their geometric mean and
/// extremes.
void spread(double) {
  constexpr int around = 10;
  std::printf("case,tolerance,stabilised,kappa_mean,kappa_least,kappa_most\n");
  for (int number = 1; number <= 3; ++number)
    for (int digits = 3; digits <= 9; ++digits)
      for (const bool stabilised : {false, true}) {
        double sum = 0, least = 1e300, most = 0;
        for (int i = -around; i <= around; ++i) {
          const double tolerance = std::pow(10.0, -digits + 0.5 * i / around);
          const auto evaluations = [&](const char* formulation) {
            return static_cast<double>(run_cost(closed_loop(number, formulation, "adams", tolerance, stabilised)).evaluations);
          };
          const double kappa = evaluations("dca") / evaluations("hdca");
          sum += std::log(kappa), least = std::min(least, kappa), most = std::max(most, kappa);
        }
        std::printf("%d,1e-%d,%s,%.2f,%.2f,%.2f\n", number, digits, stabilised ? "yes" : "no", std::exp(sum / (2 * around + 1)), least,
                    most);
      }
}

/// The evaluations of cases 1 and 2 when the loop is cut at the ground, where a chain that is assembled from its other end leaves it open.
void cut_at_ground(double) {
  std::printf("case,integrator,tolerance,stabilised,hdca_evaluations,dca_evaluations\n");
  for (int number = 1; number <= 2; ++number)
    for (const char* integrator : {"dopri5", "adams", "bs32"})
      for (int digits = 3; digits <= 9; digits += 3)
        for (const bool stabilised : {false, true}) {
          const auto evaluations = [&](const char* formulation) {
            Model model = *closed_loop(number, formulation, integrator, std::pow(10.0, -digits), stabilised);
            model.joints.back().cut = true;
            return static_cast<long long>(run_cost(std::make_shared<const Model>(std::move(model))).evaluations);
          };
          std::printf("%d,%s,1e-%d,%s,%lld,%lld\n", number, integrator, digits, stabilised ? "yes" : "no", evaluations("hdca"),
                      evaluations("dca"));
        }
}

/// The open-loop paper's chain.
void chain_of_16(double budget) {
  std::printf("elimination,formulation,evaluations,ms\n");
  for (const char* elimination : {"fold", "pair"}) {
    const auto kind = [&](const char* formulation) {
      const auto model = example(
          "pendulum16", [&](SimulationSettings& settings) { settings.formulation = formulation, settings.elimination = elimination; });
      return [model] { return run_cost(model); };
    };
    const std::vector<Cost> cost = cheapest({kind("hdca"), kind("dca")}, budget);
    for (std::size_t i = 0; i < 2; ++i)
      std::printf("%s,%s,%lld,%.4g\n", elimination, i == 0 ? "hdca" : "dca", static_cast<long long>(cost[i].evaluations),
                  1e3 * cost[i].seconds);
  }
}

constexpr double forced_until = 5;  // [s]
constexpr const char* mechanisms[] = {"carpet_scraper", "three_rrr"};

/// Table 3's simulations: free for 15 s at 1e-3, for 5 s at 1e-8, forced for 5 s at 1e-8.
std::function<Cost()> simulation(const std::string& name, char row, const char* formulation) {
  if (row == 'c') return [mechanism = Forced(name, forced_until), formulation] { return mechanism.run(formulation, 1e-8); };
  const auto model = example(name, [&](SimulationSettings& settings) {
    settings.formulation = formulation, settings.until = row == 'a' ? 15 : 5, settings.output_step = 0.01;
    settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = row == 'a' ? 1e-3 : 1e-8;
  });
  return [model] { return run_cost(model); };
}

void subsystems(double budget) {
  std::printf("mechanism,row,slm_ms,sslm_ms,ratio,slm_evaluations,sslm_evaluations\n");
  for (const char* name : mechanisms)
    for (const char row : {'a', 'b', 'c'}) {
      const std::vector<Cost> cost = cheapest({simulation(name, row, "slm"), simulation(name, row, "sslm")}, budget);
      std::printf("%s,%c,%.4g,%.4g,%.3f,%lld,%lld\n", name, row, 1e3 * cost[0].seconds, 1e3 * cost[1].seconds,
                  cost[1].seconds / cost[0].seconds, static_cast<long long>(cost[0].evaluations),
                  static_cast<long long>(cost[1].evaluations));
      std::fflush(stdout);
    }
}

/// Least times of one evaluation of the multipliers [s]: right-hand side and constraint matrix, and their solution.
struct MultiplierTime {
  double form = 1e300, both = 1e300;
  [[nodiscard]] double solve() const { return both - form; }
};

/// The equations of one state, ready for their multipliers to be found again and again.
class Multipliers {
 public:
  Multipliers(const std::shared_ptr<const Model>& model, MultiplierSolve solve, double t)
      : simulation_(model), work_(make_workspace(simulation_.plan())), own_(simulation_.plan(), solve) {
    State first;
    demand(initial_state(simulation_.plan(), *work_, first), "no initial state");
    demand(simulation_.start(), "a run that does not start");
    demand(simulation_.advance_to(t), "a run that does not end");
    const State& state = simulation_.state();
    demand(evaluate_joint_space(simulation_.plan(), state.t, state.q.data(), state.p.data(), *work_, own_), "evaluation failed");
  }
  void measure(MultiplierTime& least) {
    least.form = std::min(least.form, mean([&] { form(); }));
    least.both = std::min(least.both, mean([&] { form(), solve_multipliers(own_); }));
  }
  [[nodiscard]] int rows() const { return own_.rows.rows(); }
  [[nodiscard]] int loops() const { return simulation_.plan().cuts; }

 private:
  void form() {
    find_missing_accelerations(simulation_.plan(), *work_, own_);
    form_gicm(simulation_.plan(), *work_, own_);
  }
  /// Of so many that reading the clock does not count.
  template <class Task>
  [[nodiscard]] double mean(Task task) const {
    const int count = 1 + 2000 / rows();
    const double start = processor_seconds();
    for (int i = 0; i < count; ++i) task();
    return (processor_seconds() - start) / count;
  }

  Simulation simulation_;
  std::unique_ptr<Workspace> work_;
  JointSpaceWork own_;
};

void print_multipliers(const char* name, const std::shared_ptr<const Model>& model, double budget) {
  constexpr double moment = 0.1;  // [s], away from the start, where a mechanism may be singular
  Multipliers slm(model, MultiplierSolve::whole_system, moment), sslm(model, MultiplierSolve::subsystems, moment);
  MultiplierTime of_slm, of_sslm;
  const double start = processor_seconds();
  for (int turn = 0; turn < 3 || processor_seconds() - start < budget; ++turn) slm.measure(of_slm), sslm.measure(of_sslm);
  std::printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f,%.3f,%.3f\n", name, slm.loops(), slm.rows(), 1e6 * of_slm.form, 1e6 * of_slm.solve(),
              1e6 * of_sslm.form, 1e6 * of_sslm.solve(), of_sslm.solve() / of_slm.solve(), of_sslm.both / of_slm.both);
  std::fflush(stdout);
}

constexpr const char* multiplier_columns = "mechanism,loops,rows,slm_form_us,slm_solve_us,sslm_form_us,sslm_solve_us,ratio_solve,ratio\n";

void multipliers(double budget) {
  std::fputs(multiplier_columns, stdout);
  for (const char* name : mechanisms) print_multipliers(name, example(name, [](SimulationSettings&) {}), budget);
}

void ladder(double budget) {
  std::fputs(multiplier_columns, stdout);
  for (const int loops : {2, 5, 10, 50, 200}) print_multipliers("ladder", bench::ladder(loops), budget);
}

/// Largest difference of any joint of the tree from the prescribed motion when SSLM runs on the efforts, every `step` [rad].
std::vector<double> deviations(const Forced& mechanism, double tolerance, double step) {
  InverseDynamics inverse(mechanism.prescribed());
  std::vector<double> list;
  mechanism.run("sslm", tolerance, step, [&](double t, const Plan& plan, const std::vector<double>& y) {
    demand(inverse.at(t), "a drive that the loops cannot follow");
    double worst = 0;
    for (std::size_t j = 0; j < plan.joints.size(); ++j) {
      if (plan.joints[j].closure >= 0) continue;
      double angle = 0;
      joint_position(*mechanism.prescribed(), inverse.workspace(), {static_cast<int>(j)}, &angle);
      worst = std::fmax(worst, std::abs(y[plan.joints[j].q] - angle));
    }
    list.push_back(worst);
  });
  return list;
}

void print_forced(const std::string& name) {
  constexpr double step = 0.01;
  const Forced mechanism(name, forced_until);
  const std::vector<double> published = deviations(mechanism, 1e-8, step), fine = deviations(mechanism, 1e-12, step);
  std::printf("t");
  for (const std::string& drive : mechanism.drives()) std::printf(",%s_effort", drive.c_str());
  std::printf(",deviation,deviation_fine\n");
  for (std::size_t i = 0; i < published.size(); ++i) {
    const double t = step * static_cast<double>(i);
    std::printf("%g", t);
    for (std::size_t d = 0; d < mechanism.drives().size(); ++d) std::printf(",%.5g", mechanism.effort(d, t));
    std::printf(",%.3g,%.3g\n", published[i], fine[i]);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string, void (*)(double)> tables = {{"evaluation", evaluation},   {"work", work},         {"spread", spread},
                                                          {"cut", cut_at_ground},       {"chain", chain_of_16}, {"subsystems", subsystems},
                                                          {"multipliers", multipliers}, {"ladder", ladder}};
  const std::string table = count > 1 ? arguments[1] : "";
  if (table == "forced" && count > 2) {
    print_forced(arguments[2]);
  } else if (const auto known = tables.find(table); known != tables.end()) {
    known->second(count > 2 ? std::atof(arguments[2]) : 0.2);
  } else {
    std::fprintf(
        stderr,
        "usage: paper_tables evaluation|work|spread|cut|chain|subsystems|multipliers|ladder [SECONDS]\n       paper_tables forced NAME\n");
    return 2;
  }
  return 0;
}
