#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "arthron/component/placed_joint.hpp"
#include "arthron/components/joints/free.hpp"
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/group_motion.hpp"
#include "arthron/dynamics/lane_workspace.hpp"
#include "arthron/spatial/dual.hpp"
#include "support/loaded.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

using Number = Dual<double, 1>;

/// Structs of lanes as structs of numbers that have no derivatives: those of the first lane.
template <class To, class From>
void take_lane(const std::vector<From>& from, std::vector<To>& to) {
  static_assert(sizeof(From) / sizeof(Lanes) == sizeof(To) / sizeof(Number));
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size() * sizeof(From) / sizeof(Lanes); ++i)
    reinterpret_cast<Number*>(to.data())[i] = Number(reinterpret_cast<const Lanes*>(from.data())[i][0]);
}

Number along(double value, double direction) {
  Number number(value);
  number.d[0] = direction;
  return number;
}

/// Access to one model on numbers that carry derivatives.
struct Derivatives {
  using Number = ::Number;
  static constexpr bool searches_pivots = true;

  const Plan& plan;
  GroupNumbers<Number>& own;
  std::vector<Number>&q, &p, &u, &pdot;
  std::vector<Pose<Number>>& X_FM;
  std::vector<Spatial<Number>>& H_F;

  [[nodiscard]] Number coordinate(const GroupBody& body) const { return q[body.q[0]]; }
  [[nodiscard]] Pose<Number> motion(const GroupBody& body) const { return X_FM[body.joint[0]]; }
  [[nodiscard]] Spatial<Number> column(const GroupBody& body, int c) const { return H_F[body.u[0] + c]; }
  [[nodiscard]] Spatial<Number> rate_of_column(const GroupBody&, int) const { return {}; }
  [[nodiscard]] Number momentum(const GroupBody& body, int c) const { return p[body.u[0] + c]; }
  [[nodiscard]] Number effort(const GroupBody&, int) const { return 0.0; }
  [[nodiscard]] Number rate(const GroupBody& body, int c) const { return u[body.u[0] + c]; }
  [[nodiscard]] ColumnShape shape(const GroupBody& body, int c) const { return plan.shapes[body.u[0] + c]; }
  [[nodiscard]] bool varies(const GroupBody&, int) const { return false; }
  [[nodiscard]] Vector3<Number> gravity() const { return cast<Number>(plan.model->gravity); }
  void placed(const GroupBody&, const Pose<Number>&) const {}
  void moved(const GroupBody&, const Spatial<Number>&) const {}
  void found(const GroupBody& body, int c, const Number& value) const { u[body.u[0] + c] = value; }
  void found_rate(const GroupBody& body, int c, const Number& value) const { pdot[body.u[0] + c] = value; }
  [[nodiscard]] Pose<Number> pose_outside(const PerBranch& bodies) const { return own.carrier[bodies[0]].X_WB; }
  [[nodiscard]] Spatial<Number> velocity_outside(const PerBranch& bodies) const { return own.carrier[bodies[0]].V; }
  void add_outside(const PerBranch&, const Spatial<Number>&, bool) const {}
  void cut_at(const GroupCut&, const Pose<Number>&) const {}
  void cut_moves(const GroupCut&, const Spatial<Number>&) const {}
  [[nodiscard]] Spatial<Number> direction(const GroupCut&, int) const { return {}; }
  [[nodiscard]] Spatial<Number> direction_rate(const GroupCut&, int) const { return {}; }
  void turned(const GroupCut&, const GroupCutWork<Number>&) const {}
  void note_singular(bool, const GroupBody&) const { FAIL("a joint without inertia"); }
  void add_loads(std::size_t, const GroupBody&, Spatial<Number>&) const {}
};

/// The kernel of a model whose joints are turns, slides, balls and free ones, whose cut joints are balls and links.
struct OnNumbers {
  explicit OnNumbers(const Loaded& model)
      : plan_(*model.plan),
        lanes_(std::vector<const Plan*>{model.plan.get()}),
        work_(lanes_, per_lane<const std::vector<Signal>*>([&](std::size_t) { return &model.work->signals; })),
        q_(plan_.nq_all),
        u_(plan_.nu_all),
        X_FM_(plan_.joints.size()) {
    const GroupNumbers<Lanes>& from = work_.group;
    take_lane(from.given, own_.given), take_lane(from.cut, own_.cut), take_lane(from.coefficients, own_.coefficients);
    take_lane(from.body, own_.body), take_lane(from.column, own_.column);
    take_lane(from.carrier, own_.carrier);
    for (auto* sums : {&own_.force, &own_.momentum, &own_.load}) sums->resize(from.force.size());
    own_.X.resize(from.X.size()), own_.gamma.resize(from.gamma.size()), own_.y.resize(from.y.size());
    for (std::vector<Number>* rows : {&own_.g, &own_.sigma, &own_.d_inverse}) rows->resize(from.g.size());
    own_.pivots.resize(from.pivots.size());
    for (const Spatial6& h : model.work->H_F) H_F_.push_back({cast<Number>(h.linear), cast<Number>(h.angular)});
    for (const GroupCut& cut : lanes_.group.cuts) REQUIRE((!cut.varies || cut.holds == GroupCut::Holds::length));
    for (const GroupBody& body : lanes_.group.bodies) REQUIRE_FALSE(body.driven);
  }

  void operator()(std::vector<Number> q, std::vector<Number> p, std::vector<Number>& qdot, std::vector<Number>& pdot) {
    using namespace simd_group;
    std::copy(q.begin(), q.end(), q_.begin());
    for_joints([&](const PlanJoint& joint, int number, const auto& type) { X_FM_[number] = type.pose(q_.data() + joint.q); });
    const Derivatives access{plan_, own_, q_, p, u_, pdot, X_FM_, H_F_};
    const SimdGroup& group = lanes_.group;
    place_bodies(group, own_, access);
    place_cuts(group, own_, access);
    turn_directions(group, own_, access);
    REQUIRE(assemble(group, own_, access));
    (void)back_substitute(group, own_, access);
    move_cuts(group, own_, access);
    load_cuts(group, own_, access);
    find_momenta(group, own_, false, true, access);
    for (const GroupBody& body : group.bodies)
      if (body.columns == 1) qdot[body.q[0]] = u_[body.u[0]];
    for_joints([&](const PlanJoint& joint, int, const auto& type) {
      type.coordinate_rate(q_.data() + joint.q, u_.data() + joint.u, qdot.data() + joint.q);
    });
  }

 private:
  /// Of the tree's joints those that do more than turn or slide.
  template <class Action>
  void for_joints(const Action& action) const {
    for (std::size_t j = 0; j < plan_.joints.size(); ++j) {
      const PlanJoint& joint = plan_.joints[j];
      if (joint.closure >= 0 || joint.nu == 1) continue;
      const JointDefinition& definition = *plan_.model->joints[j].definition;
      REQUIRE_FALSE(joint.reversed);
      if (const auto* ball = dynamic_cast<const JointDefinitionOf<SphericalJoint>*>(&definition))
        action(joint, static_cast<int>(j), ball->joint());
      else if (const auto* free = dynamic_cast<const JointDefinitionOf<FreeJoint>*>(&definition))
        action(joint, static_cast<int>(j), free->joint());
      else
        FAIL("a joint of another type");
    }
  }

  const Plan& plan_;
  LanePlan lanes_;
  LaneWorkspace work_;
  GroupNumbers<Number> own_;
  std::vector<Number> q_, u_;
  std::vector<Pose<Number>> X_FM_;
  std::vector<Spatial<Number>> H_F_;
};

/// A car that coasts and turns, with nothing but gravity and its loops acting: laws of forces do not carry derivatives yet.
Loaded unloaded_car() {
  Model model = load_model(ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json", builtins());
  model.forces.clear();
  for (Joint& joint : model.joints) joint.drive.reset(), joint.stiffness.clear(), joint.damping.clear(), joint.rest.clear();
  return Loaded(std::move(model));
}

}  // namespace

TEST_CASE("the kernel on numbers that carry derivatives: directional derivatives of a car's rates are those of central differences") {
  Loaded car = unloaded_car();
  const Plan& plan = *car.plan;
  REQUIRE(plan.closures.size() == 13);  // three a corner, and the pinion
  OnNumbers kernel(car);
  std::mt19937 generator(3);
  std::normal_distribution<double> number;
  double largest = 1;
  for (const double p : car.state.p) largest = std::max(largest, std::abs(p));
  for (double& p : car.state.p) p += 0.01 * largest * number(generator);
  for (int k = 0; k < 5; ++k) {
    CAPTURE(k);
    std::vector<double> dq(plan.nq), dp(plan.nu);
    for (double& d : dq) d = number(generator);
    for (double& d : dp) d = 0.01 * largest * number(generator);
    std::vector<Number> q(plan.nq), p(plan.nu), qdot(plan.nq), pdot(plan.nu);
    for (int i = 0; i < plan.nq; ++i) q[i] = along(car.state.q[i], dq[i]);
    for (int i = 0; i < plan.nu; ++i) p[i] = along(car.state.p[i], dp[i]);
    kernel(q, p, qdot, pdot);
    // The scalar kernel on both sides, at two distances: the error of the narrower is a quarter of that of the wider, so that
    // (4 narrow - wide)/3 is exact to the fourth order.
    const auto rates_at = [&](double h) {
      std::vector<double> at_q = car.state.q, at_p = car.state.p, rates(plan.nq + plan.nu);
      for (int i = 0; i < plan.nq; ++i) at_q[i] += h * dq[i];
      for (int i = 0; i < plan.nu; ++i) at_p[i] += h * dp[i];
      REQUIRE(car.evaluate(0, at_q.data(), at_p.data(), rates.data(), rates.data() + plan.nq).ok());
      return rates;
    };
    const auto difference = [&](double h) {
      std::vector<double> ahead = rates_at(h);
      const std::vector<double> behind = rates_at(-h);
      for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = (ahead[i] - behind[i]) / (2 * h);
      return ahead;
    };
    const std::vector<double> values = rates_at(0), wide = difference(2e-4), narrow = difference(1e-4);
    const auto check = [&](const std::vector<Number>& found, int first) {
      double size = 0, slope = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        size = std::max(size, std::abs(values[first + i])), slope = std::max(slope, std::abs(narrow[first + i]));
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(found[i].value - values[first + i]) < 1e-10 * size);
        CHECK(std::abs(found[i].d[0] - (4 * narrow[first + i] - wide[first + i]) / 3) < 1e-7 * slope);
      }
    };
    check(qdot, 0), check(pdot, plan.nq);
  }
}
