#include "arthron/analysis/statics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "arthron/dynamics/observe.hpp"
#include "support/loaded.hpp"

/// Rest of models, against closed forms and against the accelerations that are left.
using namespace arthron;
using namespace arthron::test;
using Json = nlohmann::ordered_json;

namespace {

struct Resting : Loaded {
  Statics statics;
  explicit Resting(const Json& json) : Loaded(Loaded::text(json.dump())), statics(*plan) {}

  Equilibrium settle() { return statics.settle(0, state.q.data(), *work); }
  Firmness firmness() { return statics.firmness(0, state.q.data(), *work); }
  /// Largest acceleration of a freedom when let go.
  double acceleration() {
    REQUIRE(evaluate_accelerations(*plan, 0, state.q.data(), state.p.data(), *work).ok());
    double largest = 0;
    for (const double udot : work->udot) largest = std::max(largest, std::abs(udot));
    return largest;
  }
};

Json rod(double length) { return {{"mass", 2}, {"com", {length / 2, 0, 0}}, {"inertia", {0.001, 0.1, 0.1}}}; }

/// Three rods between two pivots, a closed loop of one freedom, drawn symmetrically `below` its pivots; it starts turned away from there.
Json bridge(double below) {
  const Json a{0.5, 0, -below}, b{1.5, 0, -below}, left{0, 0, 0}, right{2, 0, 0};
  const auto link = [](const Json& from, const Json& to) -> Json {
    return {{"mass", 1},
            {"com", {(from[0].get<double>() + to[0].get<double>()) / 2, 0, (from[2].get<double>() + to[2].get<double>()) / 2}},
            {"inertia", {0.05, 0.08, 0.05}}};
  };
  const auto hinge = [](const char* parent, const char* child, const Json& at) -> Json {
    return {{"type", "revolute"}, {"parent", parent}, {"child", child}, {"at", at}, {"axis", {0, 1, 0}}};
  };
  Json first = hinge("ground", "l", left);
  first["initial"] = {{"position", 0.2}, {"keep", true}};
  return {{"arthron", 1},
          {"name", "bridge"},
          {"bodies", {{"l", link(left, a)}, {"m", link(a, b)}, {"r", link(b, right)}}},
          {"joints", {{"j1", first}, {"j2", hinge("l", "m", a)}, {"j3", hinge("m", "r", b)}, {"j4", hinge("r", "ground", right)}}},
          {"markers", {{"a", {{"body", "m"}, {"at", a}}}, {"b", {{"body", "m"}, {"at", b}}}}}};
}

}  // namespace

TEST_CASE("a rod on a hinge rests where its spring balances its weight") {
  // k q = m g l/2 cos q, solved here by Newton's method to rounding.
  const double k = 15, torque = 2 * 9.81 / 2;
  double q = 0.5;
  for (int i = 0; i < 50; ++i) q -= (k * q - torque * std::cos(q)) / (k + torque * std::sin(q));
  Resting model({{"arthron", 1},
                 {"name", "rod"},
                 {"bodies", {{"rod", rod(1)}}},
                 {"joints",
                  {{"hinge",
                    {{"type", "revolute"},
                     {"parent", "ground"},
                     {"child", "rod"},
                     {"at", {0, 0, 0}},
                     {"axis", {0, 1, 0}},
                     {"spring", {{"stiffness", k}, {"damping", 3}}}}}}}});
  CHECK(model.settle().status.ok());
  CHECK(std::abs(model.state.q[0] - q) < 1e-15);
  CHECK(model.firmness().unstable == 0);
}

TEST_CASE("a closed loop hangs symmetrically, and so it stands on its head, where it is not stable") {
  // By symmetry the drawn position is one of rest.
  for (const double below : {0.8, -0.8}) {
    Resting model(bridge(below));
    CHECK(model.acceleration() > 1);
    const Equilibrium rest = model.settle();
    REQUIRE(rest.status.ok());
    CHECK(rest.residual < 1e-14);
    CHECK(norm(marker_state(*model.plan, *model.work, 0).position - Vec3{0.5, 0, -below}) < 1e-14);
    CHECK(norm(marker_state(*model.plan, *model.work, 1).position - Vec3{1.5, 0, -below}) < 1e-14);
    CHECK(model.acceleration() < 1e-12);
    CHECK(model.firmness().unstable == (below > 0 ? 0 : 1));
    CHECK(model.firmness().loose == 0);
  }
}

TEST_CASE("stiff and soft springs together balance to rounding") {
  // Springs in series between ground and ground: all carry m g or less; displacements are m g / k each.
  const double stiff = 1e9, soft = 10, weight = 2 * 9.81;
  Json model{{"arthron", 1}, {"name", "series"}};
  const auto slide = [](const char* parent, const char* child, double k) -> Json {
    return {{"type", "prismatic"}, {"parent", parent},  {"child", child},
            {"at", {0, 0, 0}},     {"axis", {0, 0, 1}}, {"spring", {{"stiffness", k}}}};
  };
  for (const char* name : {"a", "b"}) model["bodies"][name] = {{"mass", 2}, {"inertia", {1, 1, 1}}};
  model["joints"] = {{"stiff", slide("ground", "a", stiff)}, {"soft", slide("a", "b", soft)}};
  Resting resting(model);
  const Equilibrium rest = resting.settle();
  REQUIRE(rest.status.ok());
  CHECK(resting.state.q[0] == doctest::Approx(-2 * weight / stiff).epsilon(1e-12));
  CHECK(resting.state.q[1] == doctest::Approx(-weight / soft).epsilon(1e-12));
}

TEST_CASE("what nothing holds is named, and what nothing loads is left alone") {
  Json falling{{"arthron", 1}, {"name", "falling"}, {"bodies", {{"stone", rod(1)}, {"hung", rod(1)}}}};
  falling["joints"]["hinge"] = {{"type", "spherical"}, {"parent", "ground"}, {"child", "hung"}, {"at", {0, 0, 0}}};
  falling["joints"]["fall"] = {{"type", "free"}, {"parent", "ground"}, {"child", "stone"}, {"at", {0, 0, 0}}};
  Resting stone(falling);
  const std::vector<double> before = stone.state.q;
  const Equilibrium none = stone.settle();
  CHECK(none.status.code == Status::Code::not_balanced);
  CHECK(none.status.element == 1);
  CHECK(stone.state.q == before);

  // A rod on a ball joint hangs down; it may turn about itself and about the vertical, which is the same direction there.
  falling["bodies"].erase("stone"), falling["joints"].erase("fall");
  falling["joints"]["hinge"]["initial"]["position"] = {0, 1.2, 0.3};
  Resting hung(falling);
  CHECK(hung.settle().status.ok());
  CHECK(hung.firmness().loose == 1);
  CHECK(hung.firmness().unstable == 0);
  CHECK(hung.acceleration() < 1e-12);
}

TEST_CASE("rest follows slow motions and loads") {
  // A body between two springs, the lower on a ground that rises with v: x' = v k1/(k1 + k2) - f'/(k1 + k2), f' the rate of a load
  // downward.
  const double k1 = 300, k2 = 500, v = 0.2, load_rate = 40;
  Json model{{"arthron", 1}, {"name", "slow"}, {"bodies", {{"body", rod(1)}}}};
  model["grounds"]["table"]["motion"] = {{"translation", {0, 0, "=0.2*t"}}, {"rotation", {0, 0, 0}}};
  model["joints"]["guide"] = {{"type", "prismatic"}, {"parent", "ground"}, {"child", "body"},
                              {"at", {0, 0, 0}},     {"axis", {0, 0, 1}},  {"spring", {{"stiffness", k2}, {"damping", 50}}},
                              {"effort", "=-40*t"}};
  model["forces"]["spring"] = {
      {"type", "spring_damper"}, {"from", {"table", {0, 0, -1}}}, {"to", {"body", {0, 0, 0}}}, {"stiffness", k1}, {"free_length", 1}};
  Resting slow(model);
  REQUIRE(slow.settle().status.ok());
  REQUIRE(slow.statics.rate(0, slow.state.q.data(), 1e-3, *slow.work).ok());
  CHECK(slow.work->u[0] == doctest::Approx((v * k1 - load_rate) / (k1 + k2)).epsilon(1e-11));
}
