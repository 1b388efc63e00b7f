#include "arthron/analysis/handles.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "arthron/analysis/handle_reader.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/find.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/compound_tree.hpp"
#include "support/loaded.hpp"

/// Handle equations of subsystems, as mounted and alone. Source of truth: momenta, velocities and cut impulses of the whole model, which is
/// pushed where a subsystem is mounted; the definition of the papers' xi.
using namespace arthron;
using arthron::test::Loaded;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Model stirred(Model model) {
  int k = 0;
  for (Joint& joint : model.joints) {
    if (!joint.motion.empty()) continue;
    const std::size_t n = static_cast<std::size_t>(joint.definition->type().nu());
    joint.initial_velocity.resize(n), joint.initial_position.resize(n);
    for (double& u : joint.initial_velocity) u += 0.3 + 0.1 * (++k % 7);
    for (double& q : joint.initial_position) q += 0.02 * (++k % 5);
  }
  return model;
}

Matrix matrix_of(const std::vector<double>& numbers, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(numbers.data(), rows, columns);
}
Vector vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The whole model at a state, with what is exchanged at handles.
class Whole {
 public:
  explicit Whole(Model model)
      : loaded_(stirred(std::move(model))), plan_(*loaded_.plan), qdot_(loaded_.state.q.size()), pdot_(loaded_.state.p.size()) {
    home_ = subsystem_of_bodies(plan_);
    solve(loaded_.state.p);
  }

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const Workspace& work() const { return *loaded_.work; }
  [[nodiscard]] const State& state() const { return loaded_.state; }
  void solve(const std::vector<double>& p) {
    REQUIRE(loaded_.evaluate(0, loaded_.state.q.data(), p.data(), qdot_.data(), pdot_.data()).ok());
  }

  /// An impulse on a body changes the momenta of all joints between it and the ground.
  void push(int body, Wide6 impulse) {
    std::vector<double> p = loaded_.state.p;
    for (int b = body; b >= plan_.grounds; b = plan_.bodies[static_cast<std::size_t>(b)].parent) {
      const PlanBody& at = plan_.bodies[static_cast<std::size_t>(b)];
      for (int c = at.u; c < at.u + at.columns && !at.driven; ++c)
        p[static_cast<std::size_t>(c)] += dot(work().column[static_cast<std::size_t>(c)].H, impulse);
      impulse = wrench_from(impulse, work().body[static_cast<std::size_t>(b)].arm);
    }
    solve(p);
  }

  [[nodiscard]] int number(const std::string& body) const {
    return plan_.body_of[static_cast<std::size_t>(find_body(*plan_.model, body).value)];
  }
  [[nodiscard]] Vector6 velocity(const HandlePoint& point) const {
    const BodyWork& body = work().body[static_cast<std::size_t>(number(point.body))];
    return dense(velocity_at(body.V, Wide3(point.position) - body.X_WB.p));
  }
  /// What a body gives to those of its branches that lie within a subsystem, or to those that do not.
  [[nodiscard]] Vector6 given(const HandlePoint& point, int subsystem, bool within) const {
    const int on = number(point.body);
    Vector6 sum = Vector6::Zero();
    for (int b = plan_.grounds; b < std::ssize(plan_.bodies); ++b) {
      if (plan_.bodies[static_cast<std::size_t>(b)].parent != on ||
          lies_within(*plan_.model, home_[static_cast<std::size_t>(b)], subsystem) != within)
        continue;
      const BodyWork& body = work().body[static_cast<std::size_t>(b)];
      sum += shift(static_cast<Vec3>(body.X_WB.p) - point.position) * dense(body.P);
    }
    // Loops that are closed on it.
    for (std::size_t c = 0; c < static_cast<std::size_t>(plan_.cuts); ++c) {
      const PlanClosure& closure = plan_.closures[c];
      const ClosureWork::Cut& cut = work().closures->cuts[c];
      const int other = closure.child == on ? closure.parent : closure.parent == on ? closure.child : -1;
      int branch = other;  // that the other side is on
      while (branch >= plan_.grounds && plan_.bodies[static_cast<std::size_t>(branch)].parent != on)
        branch = plan_.bodies[static_cast<std::size_t>(branch)].parent;
      if (branch < plan_.grounds || in_subsystem(branch, subsystem) != within) continue;
      const Vec3 cut_point =
          static_cast<Vec3>(work().body[static_cast<std::size_t>(closure.child)].X_WB.p) + static_cast<Vec3>(cut.arm_child);
      sum += (closure.child == on ? -1 : 1) * (shift(cut_point - point.position) * dense(cut.T)).eval();
    }
    return sum;
  }
  /// Multipliers of a loop, and the share that bodies chosen by `inside` have in its velocity.
  template <class Inside>
  void loop(const HandleLoop& given, const Inside& inside, std::vector<double>& s, std::vector<double>& w) const {
    const PlanClosure& closure =
        plan_
            .closures[static_cast<std::size_t>(plan_.joints[static_cast<std::size_t>(find_joint(*plan_.model, given.name).value)].closure)];
    const ClosureWork::Cut& cut = work().closures->cuts[static_cast<std::size_t>(&closure - plan_.closures.data())];
    for (int r = 0; r < closure.rows; ++r) {
      s.push_back(cut.sigma[r]);
      double share = 0;
      if (inside(closure.child))
        share -=
            dot(cut.D[static_cast<std::size_t>(r)], velocity_at(work().body[static_cast<std::size_t>(closure.child)].V, cut.arm_child));
      if (inside(closure.parent))
        share +=
            dot(cut.D[static_cast<std::size_t>(r)], velocity_at(work().body[static_cast<std::size_t>(closure.parent)].V, cut.arm_parent));
      w.push_back(share);
    }
  }
  [[nodiscard]] bool in_subsystem(int b, int subsystem) const {
    return b >= plan_.grounds && lies_within(*plan_.model, home_[static_cast<std::size_t>(b)], subsystem);
  }
  /// In the subsystem, or on something that is.
  [[nodiscard]] bool carried_by(int b, int subsystem) const {
    for (; b >= plan_.grounds; b = plan_.bodies[static_cast<std::size_t>(b)].parent)
      if (in_subsystem(b, subsystem)) return true;
    return false;
  }

 private:
  Loaded loaded_;
  const Plan& plan_;
  std::vector<double> qdot_, pdot_;
  std::vector<int> home_;
};

/// How far the whole is from the equations, relative to the largest number in them.
double misfit(const Whole& whole, int subsystem, const HandleEquations& e) {
  std::vector<double> s, w;
  for (const HandlePoint& output : e.outputs) {
    const Vector6 taken = whole.given(output, subsystem, false), V = whole.velocity(output);
    s.insert(s.end(), taken.data(), taken.data() + 6), w.insert(w.end(), V.data(), V.data() + 6);
  }
  for (const HandleLoop& loop : e.loops)
    whole.loop(
        loop, [&](int b) { return e.mounted ? whole.carried_by(b, subsystem) : whole.in_subsystem(b, subsystem); }, s, w);
  const Eigen::Index n = e.rows;
  REQUIRE(static_cast<Eigen::Index>(s.size()) == n);
  const Vector S = vector_of(s);
  double worst = 0;
  const auto compare = [&](const Vector& found, const Vector& expected, double scale) {
    worst = std::max(worst, (found - expected).norm() / std::max(scale, expected.norm()));
  };
  const Vector6 V = whole.velocity(e.base), P = whole.given(e.base, subsystem, true);
  const Matrix M = matrix_of(e.M, 6, 6), X = matrix_of(e.X, 6, n), Gamma = matrix_of(e.Gamma, n, n);
  compare(P, M * V + vector_of(e.b) + X * S, (M * V).norm() + (X * S).norm());
  if (n > 0) compare(vector_of(w), X.transpose() * V + vector_of(e.g) - Gamma * S, (Gamma * S).norm());
  return worst;
}

double check_against_whole(Whole& whole, int subsystem, const HandleEquations& e) {
  double worst = misfit(whole, subsystem, e);
  for (int i = 0; i < 6; ++i) {
    Vector6 impulse = Vector6::Zero();
    impulse[i] = i < 3 ? 100 : 20;
    whole.push(whole.number(e.base.body), spatial(impulse));
    worst = std::max(worst, misfit(whole, subsystem, e));
  }
  whole.solve(whole.state().p);
  return worst;
}

}  // namespace

TEST_CASE("the car's subsystems, as mounted and alone: what the whole does when it is pushed fits their handle equations") {
  Model car = load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", test::builtins());
  car.simulation.elimination = "fold";
  Whole whole(car);
  HandleReader reader(whole.plan().model);
  int mounted = 0, alone = 0, with_outputs = 0, with_loops = 0;
  double worst = 0;
  for (int s = 1; s < std::ssize(car.subsystems); ++s) {
    CAPTURE(car.subsystems[static_cast<std::size_t>(s)].path);
    std::vector<HandleEquations> found;
    REQUIRE(reader.mounted(whole.plan(), whole.state(), whole.work(), s, found).ok());
    for (const HandleEquations& e : found) {
      CHECK(e.outputs.empty());
      const double misfit = check_against_whole(whole, s, e);
      CHECK(misfit < 1e-9);
      worst = std::max(worst, misfit), ++mounted;
    }
    REQUIRE(reader.alone(whole.plan(), whole.state(), whole.work(), s, found).ok());
    for (const HandleEquations& e : found) {
      const double misfit = check_against_whole(whole, s, e);
      CHECK(misfit < 1e-9);
      worst = std::max(worst, misfit), ++alone;
      with_outputs += e.outputs.empty() ? 0 : 1, with_loops += e.loops.empty() ? 0 : 1;
    }
  }
  CHECK(mounted >= 13);
  CHECK(alone >= 13);
  CHECK(with_outputs >= 4);
  CHECK(with_loops >= 6);
  MESSAGE("largest misfit: " << worst);
}

TEST_CASE("a mirrored corner has the mirrored equations") {
  Model model = load_model(ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/double_wishbone_axle.json", test::builtins());
  for (Joint& joint : model.joints)
    if (joint.path.ends_with(".lower")) joint.initial_velocity = {0.7}, joint.initial_position = {0.1};
  model.simulation.elimination = "fold";
  Loaded whole(std::move(model));
  REQUIRE(whole.accelerate().ok());
  HandleReader reader(whole.plan->model);
  const auto equations = [&](const std::string& path) {
    std::vector<HandleEquations> found;
    REQUIRE(reader.mounted(*whole.plan, whole.state, *whole.work, find_subsystem(*whole.plan->model, path), found).ok());
    REQUIRE(found.size() == 1);
    return found.front();
  };
  const HandleEquations left = equations("left"), right = equations("right");
  Vector mirror(6);
  mirror << 1, -1, 1, -1, 1, -1;
  const Matrix M = matrix_of(left.M, 6, 6);
  CHECK((M - mirror.asDiagonal() * matrix_of(right.M, 6, 6) * mirror.asDiagonal()).norm() < 1e-12 * M.norm());
  const Vector b = vector_of(left.b);
  CHECK(b.norm() > 0.1);
  CHECK((b - mirror.asDiagonal() * vector_of(right.b)).norm() < 1e-12 * b.norm());
}

TEST_CASE("xi are the same equations, solved for the velocity of the base") {
  Model car = load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", test::builtins());
  car.simulation.elimination = "fold";
  const Whole whole(car);
  HandleReader reader(whole.plan().model);
  std::vector<HandleEquations> found;
  REQUIRE(reader.alone(whole.plan(), whole.state(), whole.work(), find_subsystem(car, "front.left"), found).ok());
  REQUIRE(found.size() == 1);
  const HandleEquations& e = found.front();
  const auto xi = e.xi();
  REQUIRE(xi.has_value());
  const Eigen::Index n = e.rows;
  const Matrix M = matrix_of(e.M, 6, 6), X = matrix_of(e.X, 6, n), Gamma = matrix_of(e.Gamma, n, n);
  const Vector T1 = Vector::LinSpaced(6, -1, 2), T2 = Vector::LinSpaced(n, 3, -2);
  const Vector V = matrix_of(xi->xi11, 6, 6) * T1 + matrix_of(xi->xi12, 6, n) * T2 + vector_of(xi->xi10);
  const Vector w = matrix_of(xi->xi21, n, 6) * T1 + matrix_of(xi->xi22, n, n) * T2 + vector_of(xi->xi20);
  CHECK((M * V + vector_of(e.b) - X * T2 - T1).norm() < 1e-9 * (M * V).norm());
  CHECK((X.transpose() * V + vector_of(e.g) + Gamma * T2 - w).norm() < 1e-11 * w.norm());
}
