#include "arthron/formulations/block_module/block_module.hpp"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"
#include "arthron/formulations/block_module/report.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/schedule/workers.hpp"
#include "support/closed_graph.hpp"
#include "support/constraint_jacobian.hpp"
#include "support/disagreement.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

/// Asked of the formulation: accelerations, joint accelerations and reactions relative to the largest of each kind.
constexpr double agreement = 1e-9;

/// Accelerations and reactions as evaluate_accelerations left them.
struct Solution {
  std::vector<Spatial6> A, F;
  std::vector<double> udot;
  Eigen::VectorXd sigma;  // all rows, one closure behind the other
};

Eigen::VectorXd multipliers(const Loaded& model) {
  Eigen::VectorXd sigma(0);
  for (std::size_t c = 0; c < model.plan->closures.size(); ++c) {
    const int rows = model.plan->closures[c].rows;
    sigma.conservativeResize(sigma.size() + rows);
    sigma.tail(rows) = model.work->closures->cuts[c].sigma.head(rows);
  }
  return sigma;
}

Solution solution(const Loaded& model) {
  const Workspace& work = *model.work;
  return {{work.A.begin(), work.A.end()}, {work.F.begin(), work.F.end()}, work.udot, multipliers(model)};
}

/// The block modules in place of what evaluate_accelerations does last; what they are to find is made NaN before.
Status accelerate_by_modules(Loaded& model, BlockModuleWork& modules) {
  const Plan& plan = *model.plan;
  Workspace& work = *model.work;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Spatial6 unknown{{nan, nan, nan}, {nan, nan, nan}};
  std::fill(work.A.begin() + plan.grounds, work.A.end(), unknown);
  std::fill(work.F.begin(), work.F.end(), unknown);
  std::fill(work.udot.begin(), work.udot.end(), nan);
  if (work.closures)
    for (ClosureWork::Cut& cut : work.closures->cuts) cut.sigma.setConstant(nan);
  const Status status = block_module_accelerations(plan, work, modules);
  if (!status.ok()) return status;
  if (work.closures) closure_reactions(plan, work);
  reactions(plan, work);
  return status;
}

/// Largest difference of accelerations from those in the workspace, of bodies and of joints, relative to the largest, or to gravity where
/// all is held.
template <class A>
double acceleration_error(const Plan& plan, const A& bodies, const std::vector<double>& joints, const Workspace& other) {
  double worst = 0, largest = 1e-9 + norm(plan.model->gravity);
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const Spatial6 x = bodies[b], y = other.A[b];
    raise(worst, size(x - y)), raise(largest, size(x));
  }
  for (std::size_t c = 0; c < joints.size(); ++c) raise(worst, std::abs(joints[c] - other.udot[c])), raise(largest, std::abs(joints[c]));
  return worst / largest;
}

double reaction_error(const Plan& plan, const std::vector<Spatial6>& F, const Workspace& other) {
  double worst = 0, largest = 1e-9;
  for (std::size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const Spatial6 y = other.F[b];
    raise(worst, size(F[b] - y)), raise(largest, size(F[b]));
  }
  return worst / largest;
}

/// Orthonormal basis of the multipliers that no freedom of the tree feels.
Eigen::MatrixXd unfelt(const Eigen::MatrixXd& J) {
  if (J.rows() == 0) return Eigen::MatrixXd(0, 0);
  if (J.cols() == 0) return Eigen::MatrixXd::Identity(J.rows(), J.rows());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J);
  qr.setThreshold(1e-7);
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(J.rows() - qr.rank());
}

/// Ratio of the largest singular value and the smallest that is not zero.
double condition(const Eigen::MatrixXd& J) {
  if (J.size() == 0) return 1;
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
  double smallest = values[0];
  for (const double value : values)
    if (value > 1e-7 * values[0]) smallest = value;
  return values[0] / smallest;
}

/// Dependent rows: of all closures together, and of each alone. And what they cost.
struct Redundancy {
  int all = 0, within_closures = 0, search_steps = 0;
};

Redundancy check_model(Loaded& model, double multiplier_agreement = agreement) {
  REQUIRE(model.accelerate().ok());
  const Plan& plan = *model.plan;
  const std::size_t moving = plan.bodies.size() - static_cast<std::size_t>(plan.grounds);
  const bool small = moving > 0 && moving <= 80;  // the dense oracle is cubic
  const Solution folded = solution(model);
  BlockModuleWork modules(plan);
  REQUIRE(accelerate_by_modules(model, modules).ok());
  const Solution found = solution(model);
  DenseSolution dense;
  if (small) {
    dense = dense_accelerations(plan, *model.work);
    CHECK(acceleration_error(plan, dense.A, dense.udot, *model.work) < agreement);
  } else {
    CHECK(acceleration_error(plan, folded.A, folded.udot, *model.work) < agreement);
  }
  if (!model.work->closures) {
    CHECK(reaction_error(plan, small ? dense.F : folded.F, *model.work) < agreement);
    return {};
  }
  const Eigen::MatrixXd J = constraint_jacobian(model);
  const Eigen::MatrixXd null = unfelt(J);
  if (null.cols() == 0) CHECK(reaction_error(plan, small ? dense.F : folded.F, *model.work) < agreement);
  // Relative to what multipliers of this size could do.
  const double size = 1e-9 + found.sigma.norm();
  CHECK((null.transpose() * found.sigma).norm() <= agreement * size);
  CHECK((J.transpose() * (found.sigma - folded.sigma)).norm() <= multiplier_agreement * J.norm() * (size + folded.sigma.norm()));
  Redundancy redundancy{static_cast<int>(null.cols()), 0, modules.search_steps};
  int row = 0;
  for (const PlanClosure& closure : plan.closures) {
    redundancy.within_closures += static_cast<int>(unfelt(J.middleRows(row, closure.rows)).cols());
    row += closure.rows;
  }
  return redundancy;
}

/// Some motion: momenta that phase one brings onto the closures.
void set_moving(Loaded& model, unsigned seed) {
  for (std::size_t i = 0; i < model.state.p.size(); ++i) model.state.p[i] += 0.1 * std::sin(3.0 * static_cast<double>(i) + seed);
}

Redundancy check_text(const Json& json, unsigned seed) {
  Loaded model = Loaded::text(json.dump(), "auto");
  set_moving(model, seed);
  return check_model(model);
}

}  // namespace

TEST_CASE("closures that repeat one another: accelerations agree, and multipliers are the smallest over all closures together") {
  for (unsigned seed = 541; seed <= 560; ++seed) {
    CAPTURE(seed);
    Json model = repeated_loops(seed);
    couple(model, seed);
    const Redundancy redundancy = check_text(model, seed);
    CHECK(redundancy.all > redundancy.within_closures);
  }
}

TEST_CASE("graphs with more closures than freedoms: multipliers are the smallest over all closures together") {
  int spanning = 0;
  for (unsigned seed = 561; seed <= 760; ++seed) {
    CAPTURE(seed);
    const int bodies = 4 + static_cast<int>(seed % 5);
    Loaded model = Loaded::text(closed_graph(seed, bodies, 2 * bodies).dump(), "auto");
    set_moving(model, seed);
    // Closures are eliminated one after the other: one that nearly depends on those before it takes digits from all behind it. Graphs of
    // poorer condition lose them in a few of a hundred.
    REQUIRE(model.accelerate().ok());
    if (condition(constraint_jacobian(model)) > 30) continue;
    // What the multipliers do together loses a digit more in one of two hundred.
    const Redundancy redundancy = check_model(model, 10 * agreement);
    spanning += redundancy.all > redundancy.within_closures ? 1 : 0;
  }
  CHECK(spanning > 50);
}

TEST_CASE("a body held by two welds at its centre of mass hangs half on each") {
  Loaded model = Loaded::text(R"json({ "arthron": 1, "name": "m", "gravity": [0, 0, -10],
    "bodies": { "block": { "mass": 3, "inertia": [1, 2, 2.5] } },
    "joints": { "float": { "type": "free", "parent": "ground", "child": "block", "at": [0, 0, 0] },
                "left": { "type": "fixed", "parent": "ground", "child": "block", "at": [0, 0, 0], "cut": true },
                "right": { "type": "fixed", "parent": "ground", "child": "block", "at": [0, 0, 0], "cut": true } } })json");
  REQUIRE(model.accelerate().ok());
  BlockModuleWork modules(*model.plan);
  REQUIRE(accelerate_by_modules(model, modules).ok());
  for (const ClosureWork::Cut& cut : model.work->closures->cuts) {
    Vector6 wrench = Vector6::Zero();
    for (int r = 0; r < 6; ++r) wrench += cut.sigma[r] * dense(cut.D[r]);
    Vector6 half = Vector6::Zero();
    half[2] = 15;
    CHECK((wrench - half).norm() < 1e-13 * half.norm());
  }
}

namespace {

std::string number(int i) { return std::to_string(i); }

/// Cranks on the ground with couplers between their tips, all revolute about z: planar four-bars side by side.
Json ladder(int loops) {
  Json model{{"arthron", 1}, {"name", "ladder"}, {"gravity", {0, -9.81, 0}}};
  const auto joint = [](const std::string& parent, const std::string& child, int x, int y, bool cut) {
    return Json{{"type", "revolute"}, {"parent", parent}, {"child", child}, {"at", {x, y, 0}}, {"axis", {0, 0, 1}}, {"cut", cut}};
  };
  for (int i = 0; i <= loops; ++i) {
    model["bodies"]["crank" + number(i)] = {{"mass", 1}, {"com", {i, 0.4, 0}}, {"inertia", {0.1, 0.02, 0.1}}};
    model["joints"]["foot" + number(i)] = joint("ground", "crank" + number(i), i, 0, false);
    if (i == 0) continue;
    model["bodies"]["coupler" + number(i)] = {{"mass", 1}, {"com", {i - 0.5, 1, 0}}, {"inertia", {0.02, 0.1, 0.1}}};
    model["joints"]["left" + number(i)] = joint("crank" + number(i - 1), "coupler" + number(i), i - 1, 1, false);
    model["joints"]["right" + number(i)] = joint("crank" + number(i), "coupler" + number(i), i, 1, true);
  }
  return model;
}

/// A hub on the ground with many arms of two bodies each.
Json star(int arms) {
  Json model{{"arthron", 1}, {"name", "star"}};
  const auto add = [&](const std::string& parent, const std::string& child, int place) {
    model["bodies"][child] = {{"mass", 1}, {"com", {0.1, 0.2 * place, 0.3}}, {"inertia", {0.1, 0.1, 0.1}}};
    model["joints"]["to_" + child] = {
        {"type", "revolute"}, {"parent", parent}, {"child", child}, {"at", {0, 0.2 * place, 0}}, {"axis", {1, place, 1}}};
  };
  add("ground", "hub", 0);
  for (int i = 0; i < arms; ++i) add("hub", "arm" + number(i), i), add("arm" + number(i), "hand" + number(i), i);
  return model;
}

int largest_border(const BlockModuleWork& modules) {
  int largest = 0;
  for (const BlockModuleWork::Module& module : modules.modules) largest = std::max(largest, module.border.size());
  return largest;
}

}  // namespace

TEST_CASE("a ladder of four-bars: borders do not grow with it, and redundancies within loops take no search") {
  int border = 0;
  for (const int loops : {2, 5, 20}) {
    CAPTURE(loops);
    Loaded model = Loaded::text(ladder(loops).dump(), "auto");
    set_moving(model, 3);
    const Redundancy redundancy = check_model(model);
    CHECK(redundancy.all == 3 * loops);
    CHECK(redundancy.within_closures == 3 * loops);
    CHECK(redundancy.search_steps == 0);
    const int now = largest_border(BlockModuleWork(*model.plan));
    if (border > 0) CHECK(now == border);
    border = now;
  }
  CHECK(border <= 3);
}

TEST_CASE("a body with many children is one handle") {
  Loaded model = Loaded::text(star(30).dump());
  set_moving(model, 3);
  check_model(model);
  const BlockModuleWork modules(*model.plan);
  CHECK(largest_border(modules) == 1);
  CHECK(modules.assemblies.size() == 61);
}

TEST_CASE("tree joints within a subsystem are eliminated before anything that connects it with others") {
  const Loaded model(load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins()));
  const Plan& plan = *model.plan;
  const BlockModuleWork modules(plan);
  int nested = 0;
  for (std::size_t s = 1; s < plan.subsystems.size(); ++s) {
    CAPTURE(plan.model->subsystems[s].path);
    const PlanSubsystem& subsystem = plan.subsystems[s];
    const std::vector<int> joints = joints_of(*plan.model, static_cast<int>(s));
    const auto within = [&](int body) { return std::binary_search(subsystem.bodies.begin(), subsystem.bodies.end(), body); };
    std::size_t last_within = 0, first_across = modules.assemblies.size();
    for (std::size_t i = 0; i < modules.assemblies.size(); ++i) {
      const BlockModuleWork::Assembly& assembly = modules.assemblies[i];
      int inside = 0;
      for (int t = assembly.touches.first; t < assembly.touches.last; ++t) inside += within(modules.touches[t].body) ? 1 : 0;
      if (inside == assembly.touches.size() && assembly.body >= 0 &&
          std::binary_search(joints.begin(), joints.end(), plan.bodies[assembly.body].joint))
        last_within = i + 1, ++nested;
      else if (inside > 0 && inside < assembly.touches.size())
        first_across = std::min(first_across, i);
    }
    CHECK(last_within <= first_across);
  }
  CHECK(nested > 0);
}

TEST_CASE("assembled by three workers modules give the same bits as one after the other, and every assembly is in one task") {
  for (unsigned seed = 801; seed <= 830; ++seed) {
    CAPTURE(seed);
    Json json = seed % 2 ? repeated_loops(seed) : closed_graph(seed, 8 + static_cast<int>(seed % 9), static_cast<int>(seed % 5));
    couple(json, seed);
    Loaded model = Loaded::text(json.dump(), "auto");
    set_moving(model, seed);
    REQUIRE(model.accelerate().ok());
    BlockModuleWork whole(*model.plan, 1e12), divided(*model.plan, 0);
    REQUIRE(accelerate_by_modules(model, whole).ok());
    const Solution expected = solution(model);
    std::vector<int> made(divided.assemblies.size(), 0);
    for (const BlockModuleWork::Task& task : divided.tasks)
      for (const int i : task.assemblies) ++made[i];
    CHECK(std::count(made.begin(), made.end(), 1) == std::ssize(made));
    CHECK(divided.tasks.size() >= divided.assemblies.size());
    Workers workers(3);
    model.work->parallel = &workers;
    REQUIRE(accelerate_by_modules(model, divided).ok());
    const Solution found = solution(model);
    CHECK(found.udot == expected.udot);
    CHECK(found.sigma == expected.sigma);
  }
}

TEST_CASE("block modules in words: levels, border bodies and the largest matrices") {
  const Loaded star_model = Loaded::text(star(3).dump());
  CHECK(describe_block_modules(*star_model.plan) ==
        "block modules: 1 submodel in 1 level\n"
        "  level 1: 1 submodel, 0 border bodies\n"
        "  7 assemblies, largest constraint block 5 x 5, largest dependency matrix 6 x 6\n");
}
