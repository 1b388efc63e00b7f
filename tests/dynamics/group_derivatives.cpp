#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "arthron/component/lane_force_batch.hpp"
#include "arthron/component/placed_joint.hpp"
#include "arthron/components/forces/bump_stop.hpp"
#include "arthron/components/forces/spring_damper.hpp"
#include "arthron/components/forces/torsion_spring.hpp"
#include "arthron/components/forces/tyre.hpp"
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
  static constexpr bool searches_pivots = true, accelerates = false;

  const Plan& plan;
  GroupNumbers<Number>& own;
  std::vector<Number>&q, &p, &u, &tau, &pdot;
  std::vector<Pose<Number>>& X_FM;
  std::vector<Spatial<Number>>& H_F;

  [[nodiscard]] Number coordinate(const GroupBody& body) const { return q[body.q[0]]; }
  [[nodiscard]] Pose<Number> motion(const GroupBody& body) const { return X_FM[body.joint[0]]; }
  [[nodiscard]] Spatial<Number> column(const GroupBody& body, int c) const { return H_F[body.u[0] + c]; }
  [[nodiscard]] Spatial<Number> rate_of_column(const GroupBody&, int) const { return {}; }
  [[nodiscard]] Number momentum(const GroupBody& body, int c) const { return p[body.u[0] + c]; }
  [[nodiscard]] Number effort(const GroupBody& body, int c) const { return tau[body.u[0] + c]; }
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
  void load_outside(const PerBranch&, const Spatial<Number>&) const {}
  void cut_at(const GroupCut&, const Pose<Number>&) const {}
  void cut_moves(const GroupCut&, const Spatial<Number>&) const {}
  [[nodiscard]] Spatial<Number> direction(const GroupCut&, int) const { return {}; }
  [[nodiscard]] Spatial<Number> direction_rate(const GroupCut&, int) const { return {}; }
  void turned(const GroupCut&, const GroupCutWork<Number>&) const {}
  void note_singular(bool, const GroupBody&) const { FAIL("a joint without inertia"); }
  void add_loads(std::size_t, const GroupBody&, Spatial<Number>&) const {}
};

/// A force whose law is written for any number.
struct Law {
  virtual ~Law() = default;
  virtual void load(const LaneInstant& now, const HandleStateOf<Number>* handles, const Number* x, Spatial<Number>* wrenches,
                    Number* xdot) const = 0;
};

template <class F>
struct LawOf final : Law {
  typename F::template On<Number> on;
  PlacementOn<Number> placement;
  std::size_t handles;

  LawOf(const F* force, const Placement* placed, std::size_t count, LaneTimeFunctions& functions)
      : on(per_lane<const F*>([&](std::size_t) { return force; }), functions),
        placement(per_lane<const Placement*>([&](std::size_t) { return placed; })),
        handles(count) {
    REQUIRE(on.applies());
  }
  void load(const LaneInstant& now, const HandleStateOf<Number>* seen, const Number* x, Spatial<Number>* wrenches,
            Number* xdot) const override {
    std::vector<HandleStateOf<Number>> drawn;
    for (std::size_t i = 0; i < handles; ++i) {
      drawn.push_back(seen[i]);
      if (!F_reads_rotation) drawn[i].rotation = Matrix3<Number>::identity();  // nobody has filled it
      drawn[i] = placement.seen(drawn[i]);
    }
    if constexpr (states_of<F>() > 0)
      on.load(now, drawn.data(), x, wrenches, xdot);
    else
      on.load(now, drawn.data(), wrenches);
    for (std::size_t i = 0; i < handles; ++i) wrenches[i] = placement.wrench(wrenches[i]);
  }
  static constexpr bool F_reads_rotation = F::OnLanes::uses_rotation;
};

template <class F>
bool make_law(const Force& force, LaneTimeFunctions& functions, std::unique_ptr<Law>& law) {
  const auto* definition = dynamic_cast<const ForceDefinitionOf<F>*>(force.definition.get());
  if (definition) law = std::make_unique<LawOf<F>>(&definition->force(), &force.placement, force.handles.size(), functions);
  return definition;
}

std::unique_ptr<Law> law_of(const Force& force, LaneTimeFunctions& functions) {
  std::unique_ptr<Law> law;
  const bool known = make_law<TyreForce>(force, functions, law) || make_law<SpringDamperForce>(force, functions, law) ||
                     make_law<BumpStopForce>(force, functions, law) || make_law<TorsionSpringForce>(force, functions, law);
  REQUIRE(known);
  return law;
}

/// State, or its rates.
struct Numbers {
  std::vector<Number> q, p, x;
  explicit Numbers(const Plan& plan) : q(plan.nq), p(plan.nu), x(plan.nx) {}
};

/// A model whose joints are turns, slides, balls and free ones, whose cut joints are balls and links, with its loads.
struct OnNumbers {
  explicit OnNumbers(const Loaded& model)
      : plan_(*model.plan),
        lanes_(std::vector<const Plan*>{model.plan.get()}),
        work_(lanes_, per_lane<const std::vector<Signal>*>([&](std::size_t) { return &model.work->signals; })),
        q_(plan_.nq_all),
        u_(plan_.nu_all),
        tau_(plan_.nu_all, Number(0.0)),
        X_FM_(plan_.joints.size()),
        handles_(lanes_.handles.size()),
        arms_(handles_.size()),
        wrenches_(handles_.size()) {
    const GroupNumbers<Lanes>& from = work_.group;
    own_.pattern = from.pattern;
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
    take_loads();
  }

  Numbers operator()(double t, Numbers at) {
    using namespace simd_group;
    Numbers rates(plan_);
    std::copy(at.q.begin(), at.q.end(), q_.begin());
    for_joints([&](const PlanJoint& joint, int number, const auto& type) { X_FM_[number] = type.pose(q_.data() + joint.q); });
    const Derivatives access{plan_, own_, q_, at.p, u_, tau_, rates.p, X_FM_, H_F_};
    const SimdGroup& group = lanes_.group;
    place_bodies(group, own_, access);
    place_cuts(group, own_, access);
    turn_directions(group, own_, access);
    REQUIRE(assemble(group, own_, access));
    (void)back_substitute(group, own_, access);
    load(t, at.x, rates.x, access);
    move_cuts(group, own_, access);
    load_cuts(group, own_, access);
    find_momenta(group, own_, true, true, access);
    for (const GroupBody& body : group.bodies)
      if (body.columns == 1) rates.q[body.q[0]] = u_[body.u[0]];
    for_joints([&](const PlanJoint& joint, int, const auto& type) {
      type.coordinate_rate(q_.data() + joint.q, u_.data() + joint.u, rates.q.data() + joint.q);
    });
    return rates;
  }

 private:
  void take_loads() {
    for (const GroupHandle<Lanes>& from : lanes_.handles) {
      GroupHandle<Number> handle{from.on, from.carrier, from.outside, from.body, {}, {}, from.rotates};
      for (int i = 0; i < 3; ++i) reinterpret_cast<Number*>(&handle.p_B)[i] = reinterpret_cast<const Lanes*>(&from.p_B)[i][0];
      for (int i = 0; i < 9; ++i) reinterpret_cast<Number*>(&handle.R_BW)[i] = reinterpret_cast<const Lanes*>(&from.R_BW)[i][0];
      places_.push_back(handle);
    }
    for (const Force& force : plan_.model->forces) laws_.push_back(law_of(force, lanes_.functions));
    REQUIRE(lanes_.loads_by_lane.empty());
    for (const LaneFreedom& from : lanes_.freedoms)
      freedoms_.push_back(map_numbers<Number>(from, [](const Lanes& lanes) { return Number(lanes[0]); }));
  }

  void load(double t, const std::vector<Number>& x, std::vector<Number>& xdot, const Derivatives& access) {
    work_.t = t;
    lanes_.functions.sample(work_.now(), work_.values.data(), work_.rates.data());
    std::vector<Number> values, rates;
    for (const Lanes& value : work_.values) values.emplace_back(value[0]);
    for (const Lanes& rate : work_.rates) rates.emplace_back(rate[0]);
    for (const FreedomLoad<Number>& load : freedoms_) tau_[load.u] = effort(load, q_[load.q], u_[load.u], values.data(), rates.data());
    simd_group::move_handles(places_, own_, access, handles_, arms_);
    for (std::size_t f = 0; f < laws_.size(); ++f) {
      const ForcePlace place = plan_.forces[f].place();
      laws_[f]->load(work_.now(), handles_.data() + place.handle, x.data() + place.state, wrenches_.data() + place.handle,
                     xdot.data() + place.state);
    }
    (void)simd_group::add_wrenches(places_, wrenches_, arms_, own_, access);
  }

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
  std::vector<Number> q_, u_, tau_;
  std::vector<Pose<Number>> X_FM_;
  std::vector<Spatial<Number>> H_F_;
  std::vector<GroupHandle<Number>> places_;
  std::vector<HandleStateOf<Number>> handles_;
  std::vector<Vector3<Number>> arms_;
  std::vector<Spatial<Number>> wrenches_;
  std::vector<std::unique_ptr<Law>> laws_;
  std::vector<FreedomLoad<Number>> freedoms_;
};

/// The scalar kernel: all of the state in one list, and its rates.
struct Scalar {
  Loaded& model;
  const Plan& plan = *model.plan;

  [[nodiscard]] std::vector<double> state() const {
    std::vector<double> y = model.state.q;
    y.insert(y.end(), model.state.p.begin(), model.state.p.end());
    y.insert(y.end(), model.state.x.begin(), model.state.x.end());
    return y;
  }
  std::vector<double> operator()(double t, const std::vector<double>& y) {
    std::vector<double> rates(y.size());
    const double* const p = y.data() + plan.nq;
    std::copy(p + plan.nu, y.data() + y.size(), model.work->x.begin());
    REQUIRE(model.evaluate(t, y.data(), p, rates.data(), rates.data() + plan.nq).ok());
    std::copy(model.work->xdot.begin(), model.work->xdot.end(), rates.begin() + plan.nq + plan.nu);
    return rates;
  }
};

std::vector<double> moved(std::vector<double> y, double h, const std::vector<double>& direction) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * direction[i];
  return y;
}

/// Classical Runge-Kutta steps from the start.
std::vector<double> state_at(double t_end, Scalar& rates) {
  constexpr double h = 1e-3;
  std::vector<double> y = rates.state();
  for (double t = 0; t < t_end - h / 2; t += h) {
    const std::vector<double> k1 = rates(t, y), k2 = rates(t + h / 2, moved(y, h / 2, k1)), k3 = rates(t + h / 2, moved(y, h / 2, k2)),
                              k4 = rates(t + h, moved(y, h, k3));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    normalise(rates.plan, y.data());
  }
  return y;
}

/// Quaternions move on their sphere: off it there are no rotations.
void keep_on_spheres(const Plan& plan, const std::vector<double>& y, std::vector<double>& direction) {
  for (const PlanJoint& joint : plan.joints) {
    if (joint.closure >= 0 || joint.nq == joint.nu) continue;
    const int first = joint.q + joint.nq - 4;
    double along = 0;
    for (int i = 0; i < 4; ++i) along += y[first + i] * direction[first + i];
    for (int i = 0; i < 4; ++i) direction[first + i] -= along * y[first + i];
  }
}

/// All rates of a car, with its loops, tyres, springs, dampers, stops and bars, along `count` random directions of all of its state. The
/// state has to be away from the kinks of its laws.
void compare_derivatives(const std::string& file, double t, int count) {
  Loaded car(load_model(std::string(ARTHRON_SOURCE_DIR "/examples/vehicle/") + file, builtins()));
  const Plan& plan = *car.plan;
  REQUIRE(plan.closures.size() == 13);  // three a corner, and the pinion
  REQUIRE(plan.nx == 2);                // bars
  Scalar scalar{car};
  OnNumbers kernel(car);
  const std::vector<double> y = state_at(t, scalar);
  std::mt19937 generator(3);
  std::normal_distribution<double> number;
  double largest = 1;
  for (int i = 0; i < plan.nu; ++i) largest = std::max(largest, std::abs(y[plan.nq + i]));
  for (int k = 0; k < count; ++k) {
    CAPTURE(k);
    std::vector<double> direction(y.size());
    for (double& d : direction) d = number(generator);
    for (int i = 0; i < plan.nu; ++i) direction[plan.nq + i] *= 1e-3 * largest;
    keep_on_spheres(plan, y, direction);
    Numbers at(plan);
    std::size_t entry = 0;
    for (std::vector<Number>* list : {&at.q, &at.p, &at.x})
      for (Number& value : *list) value = along(y[entry], direction[entry]), ++entry;
    const Numbers found = kernel(t, at);
    // The scalar kernel on both sides, at two distances: the error of the narrower is a quarter of that of the wider, so that
    // (4 narrow - wide)/3 is exact to the fourth order.
    const auto difference = [&](double h) {
      std::vector<double> ahead = scalar(t, moved(y, h, direction));
      const std::vector<double> behind = scalar(t, moved(y, -h, direction));
      for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = (ahead[i] - behind[i]) / (2 * h);
      return ahead;
    };
    const std::vector<double> values = scalar(t, y), wide = difference(2e-6), narrow = difference(1e-6);
    const auto check = [&](const std::vector<Number>& rates, int first) {
      double size = 0, slope = 0;
      for (std::size_t i = 0; i < rates.size(); ++i)
        size = std::max(size, std::abs(values[first + i])), slope = std::max(slope, std::abs(narrow[first + i]));
      for (std::size_t i = 0; i < rates.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(rates[i].value - values[first + i]) < 1e-10 * size);
        CHECK(std::abs(rates[i].d[0] - (4 * narrow[first + i] - wide[first + i]) / 3) < 1e-7 * slope);
      }
    };
    check(found.q, 0), check(found.p, plan.nq), check(found.x, plan.nq + plan.nu);
  }
}

}  // namespace

TEST_CASE(
    "the kernel on numbers that carry derivatives: directional derivatives of a steering car's rates are those of central differences") {
  compare_derivatives("step_steer.json", 0.65, 8);
}

TEST_CASE("the kernel on numbers that carry derivatives: so they are on a bump of the road") { compare_derivatives("bump.json", 0.47, 8); }
