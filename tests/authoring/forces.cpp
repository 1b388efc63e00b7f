#include <cmath>

#include "arthron/authoring/doctest.hpp"

using namespace arthron;

namespace {

/// A spring between two points, with parts for others to spoil.
struct Spring {
  static constexpr std::string_view type = "test/spring";
  static constexpr bool frame_indifferent = true;
  double stiffness;

  static Spring parse(const JsonReader& in) {
    in.handle({"from", "", "one end"}), in.handle({"to", "", "the other"});
    return {in.number({"stiffness", "N/m", "of the spring"})};
  }
  void load(double, const HandleState* h, Spatial6* wrench) const {
    wrench[0] = {stiffness * (h[1].position - h[0].position), {}};
    wrench[1] = -wrench[0];
  }
  [[nodiscard]] double energy(double, const HandleState* h) const {
    const Vec3 d = h[1].position - h[0].position;
    return stiffness * dot(d, d) / 2;
  }
  [[nodiscard]] bool conservative() const { return true; }
};

template <class F>
F spoiled(const JsonReader& in) {
  return {Spring::parse(in)};
}

struct WrongEnergy : Spring {
  static constexpr std::string_view type = "test/wrong_energy";
  static WrongEnergy parse(const JsonReader& in) { return spoiled<WrongEnergy>(in); }
  [[nodiscard]] double energy(double t, const HandleState* h) const { return 1.5 * Spring::energy(t, h); }
};

struct OtherLoadOnLanes : Spring {
  static constexpr std::string_view type = "test/other_on_lanes";
  static OtherLoadOnLanes parse(const JsonReader& in) { return spoiled<OtherLoadOnLanes>(in); }
  struct OnLanes {
    OnLanes(const PerLane<const OtherLoadOnLanes*>& forces, LaneTimeFunctions&) : stiffness(forces[0]->stiffness) {}
    static constexpr bool uses_rotation = false;
    [[nodiscard]] bool applies() const { return true; }
    void load(const LaneInstant&, const HandleStateOf<Lanes>* h, Spatial<Lanes>* wrench) const {
      wrench[0] = {Lanes(stiffness) * (h[1].position - h[0].position), {}};
      wrench[1] = wrench[0];
    }
    double stiffness;
  };
};

struct KnowsDown : Spring {
  static constexpr std::string_view type = "test/knows_down";
  static KnowsDown parse(const JsonReader& in) { return spoiled<KnowsDown>(in); }
  void load(double t, const HandleState* h, Spatial6* wrench) const {
    Spring::load(t, h, wrench);
    wrench[0].linear.z -= 3;
  }
  [[nodiscard]] double energy(double t, const HandleState* h) const { return Spring::energy(t, h) + 3 * h[0].position.z; }
};

struct NeedsDistance : Spring {
  static constexpr std::string_view type = "test/needs_distance";
  static NeedsDistance parse(const JsonReader& in) { return spoiled<NeedsDistance>(in); }
  void load(double, const HandleState* h, Spatial6* wrench) const {
    const Vec3 d = h[1].position - h[0].position;
    wrench[0] = {(stiffness * (norm(d) - 0.5) / norm(d)) * d, {}};
    wrench[1] = -wrench[0];
  }
  [[nodiscard]] double energy(double, const HandleState* h) const {
    const double extension = norm(h[1].position - h[0].position) - 0.5;
    return stiffness * extension * extension / 2;
  }
};

struct ForgetsAnEnd : Spring {
  static constexpr std::string_view type = "test/forgets_an_end";
  static ForgetsAnEnd parse(const JsonReader& in) { return spoiled<ForgetsAnEnd>(in); }
  void load(double, const HandleState* h, Spatial6* wrench) const { wrench[0] = {stiffness * (h[1].position - h[0].position), {}}; }
};

/// A spring in row with an ideal accumulator of one state, which takes up what the first handle turns: gives and takes, loses nothing.
struct Accumulator {
  static constexpr std::string_view type = "test/accumulator";
  static constexpr std::array<OutputChannel, 1> states{{{"charge", "1"}}};
  double stiffness;

  static Accumulator parse(const JsonReader& in) {
    in.handle({"on", "", "turned by it"});
    return {in.number({"stiffness", "N m", "of the accumulator"})};
  }
  void load(const Instant&, const HandleState*, const double* x, Spatial6* wrench) const { wrench[0] = {{}, {0, 0, -stiffness * x[0]}}; }
  void state_rates(const Instant&, const HandleState* h, const double*, double* xdot) const { xdot[0] = h[0].velocity.angular.z; }
  [[nodiscard]] double energy(const Instant&, const HandleState*, const double* x) const { return stiffness * x[0] * x[0] / 2; }
  [[nodiscard]] bool conservative() const { return true; }
};

struct LeakyAccumulator : Accumulator {
  static constexpr std::string_view type = "test/leaky_accumulator";
  static LeakyAccumulator parse(const JsonReader& in) { return {Accumulator::parse(in)}; }
  void state_rates(const Instant& now, const HandleState* h, const double* x, double* xdot) const {
    Accumulator::state_rates(now, h, x, xdot);
    xdot[0] -= 0.5 * x[0];
  }
};

struct RateNotANumber : Accumulator {
  static constexpr std::string_view type = "test/rate_not_a_number";
  static RateNotANumber parse(const JsonReader& in) { return {Accumulator::parse(in)}; }
  void state_rates(const Instant&, const HandleState*, const double* x, double* xdot) const { xdot[0] = std::sqrt(-1 - x[0] * x[0]); }
  [[nodiscard]] bool conservative() const { return false; }
};

struct Remembers : Spring {
  static constexpr std::string_view type = "test/remembers";
  static Remembers parse(const JsonReader& in) { return spoiled<Remembers>(in); }
  mutable double calls = 0;
  void load(double t, const HandleState* h, Spatial6* wrench) const {
    Spring::load(t, h, wrench);
    calls += 1;
    wrench[0].linear.x += 1e-3 * calls;
  }
  [[nodiscard]] bool conservative() const { return false; }
};

template <class F>
std::vector<std::string> failed() {
  std::vector<std::string> names;
  for (const Finding& finding : examine_force_type<F>().failures()) names.push_back(finding.identity);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("every built-in force: all identities of forces hold") {
  const Registry registry = builtin_registry();
  for (const auto& [name, type] : registry.forces()) ARTHRON_CHECK_EXAMINATION(examine_force(registry, name));
}

TEST_CASE("a force that is right passes, by the line an author writes") { ARTHRON_CHECK_FORCE(Spring); }

TEST_CASE("energy that is too large by half: the load is not its gradient, by a third of it") {
  const Examination examination = examine_force_type<WrongEnergy>();
  REQUIRE(examination.failures().size() == 1);
  const Finding finding = examination.failures()[0];
  CHECK(finding.identity == "load is minus the gradient of energy");
  CHECK(finding.figure > 0.01);
  CHECK(finding.where.starts_with("of the load on handle "));
  CHECK(finding.where.find("\"stiffness\":") != std::string::npos);
}

TEST_CASE("a load of the wrong sign on SIMD lanes") { CHECK(failed<OtherLoadOnLanes>() == Names{"SIMD lanes give the same load"}); }

TEST_CASE("a force that says it knows no direction, but pulls down: load and energy depend on the frame") {
  CHECK(failed<KnowsDown>() ==
        Names{"load is the same in any frame, mirror images too", "energy is the same in any frame, mirror images too"});
}

TEST_CASE("a force that divides by the distance of its handles") {
  CHECK(failed<NeedsDistance>() == Names{"they are finite where all handles lie in one place"});
}

TEST_CASE("a force that leaves a wrench unwritten") {
  const Names names = failed<ForgetsAnEnd>();
  REQUIRE(!names.empty());
  CHECK(names.front() == "load, energy and measurements are finite");
}

TEST_CASE("internal states: an accumulator that leaks though it says it is conservative, and one with a rate that is no number") {
  ARTHRON_CHECK_FORCE(Accumulator);
  CHECK(failed<LeakyAccumulator>() == Names{"power is the loss of energy, internal states included"});
  const Names names = failed<RateNotANumber>();
  REQUIRE(!names.empty());
  CHECK(names.front() == "load, energy and measurements are finite");
}

TEST_CASE("a force that remembers earlier calls") {
  const Names names = failed<Remembers>();
  CHECK(std::find(names.begin(), names.end(), "the same state gives the same load") != names.end());
}
