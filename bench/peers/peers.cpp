/// One evaluation of the equations of motion, ours (q, p) -> (qdot, pdot) and the peers' forward dynamics, of the same system at the same
/// states, on one core. Accelerations are compared first; times are medians of batches taken in turns.
/// Usage: peers CASE [SECONDS]: rows of CSV on stdout, at most some SECONDS for each engine (2). peers --list: the cases.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>

#include "../thread_clock.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/simulation/simulation.hpp"
#include "peer.hpp"
#include "systems.hpp"
#include "translate.hpp"

using namespace arthron;
using namespace arthron::peers;

namespace {

constexpr double first = 0.25;          // time of the first state: all is in motion [s]
constexpr double step = 1e-3;           // between states, as an integrator would visit them [s]
constexpr std::size_t state_count = 9;  // evaluated in turn, so that nobody finds the answer of last time still right

void demand(const Status& status, const char* what) {
  if (!status.ok()) throw std::runtime_error(what);
}

/// Our engine at states along a motion.
class Ours {
 public:
  explicit Ours(const std::shared_ptr<const Model>& model)
      : plan_(compile(model)), work_(make_workspace(*plan_)), qdot_(plan_->nq), pdot_(plan_->nu) {
    State start;  // finds where the cut joints are
    demand(initial_state(*plan_, *work_, start), "no initial state");
    Model moving = *model;
    moving.simulation.integrator.type = "rk4";
    moving.simulation.integrator.step = step;
    moving.simulation.threads = 1;
    Simulation simulation(std::make_shared<const Model>(std::move(moving)));
    demand(simulation.start(), "no initial state");
    for (std::size_t k = 0; k < state_count; ++k) {
      demand(simulation.advance_to(first + step * static_cast<double>(k)), "a motion that does not go on");
      states_.push_back(simulation.state());
    }
  }

  [[nodiscard]] const Plan& plan() const { return *plan_; }

  void evaluate(std::size_t k) {
    const State& state = states_[k];
    demand(arthron::evaluate_rates(*plan_, state.t, state.q.data(), state.p.data(), qdot_.data(), pdot_.data(), *work_),
           "evaluation failed");
  }

  /// Where the links are, and how they move; at rest in the same place when asked.
  [[nodiscard]] Motion motion(std::size_t k, bool at_rest = false) { return observe(k, at_rest), peers::motion(*plan_, *work_); }
  [[nodiscard]] std::vector<Acceleration> velocities(std::size_t k) { return observe(k, false), peers::velocities(*plan_, *work_); }
  [[nodiscard]] std::vector<Acceleration> accelerations(std::size_t k, bool at_rest = false) {
    return observe(k, at_rest), peers::accelerations(*plan_, *work_);
  }

 private:
  void observe(std::size_t k, bool at_rest) {
    State state = states_[k];
    if (at_rest) std::fill(state.p.begin(), state.p.end(), 0);
    demand(evaluate_accelerations(*plan_, state.t, state.q.data(), state.p.data(), *work_), "evaluation failed");
  }

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Workspace> work_;
  std::vector<State> states_;
  std::vector<double> qdot_, pdot_;
};

double size(const Vector& v) { return std::sqrt(product(v, v)); }

/// Largest difference of accelerations, in units of the largest acceleration, or of gravity and 1 rad/s^2 where all are less.
double deviation(const std::vector<Acceleration>& a, const std::vector<Acceleration>& b) {
  double linear = 9.81, angular = 1, off_linear = 0, off_angular = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(size(a[i].linear) + size(a[i].angular) + size(b[i].linear) + size(b[i].angular))) return HUGE_VAL;
    linear = std::max(linear, size(a[i].linear)), angular = std::max(angular, size(a[i].angular));
    off_linear = std::max(off_linear, size(a[i].linear - b[i].linear)),
    off_angular = std::max(off_angular, size(a[i].angular - b[i].angular));
  }
  return std::max(off_linear / linear, off_angular / angular);
}

/// What `evaluate` gives, by which the states were reached, against our accelerations: differences of the velocities, of order 4.
double deviation_of_rates(Ours& ours) {
  constexpr std::size_t middle = state_count / 2;
  std::array<std::vector<Acceleration>, 5> around;
  for (std::size_t k = 0; k < around.size(); ++k) around[k] = ours.velocities(middle + k - 2);
  const auto rate = [&](std::size_t i, Vector Acceleration::*part) {
    const Vector outer = around[0][i].*part - around[4][i].*part, inner = around[3][i].*part - around[1][i].*part;
    return along({}, 1 / (12 * step), along(outer, 8, inner));
  };
  std::vector<Acceleration> rates;
  for (std::size_t i = 0; i < around[0].size(); ++i) rates.push_back({rate(i, &Acceleration::linear), rate(i, &Acceleration::angular)});
  return deviation(ours.accelerations(middle), rates);
}

/// An engine while it is timed.
struct Contestant {
  std::string name;
  std::function<void(std::size_t)> evaluate;
  double deviation = 0;
  std::size_t turns = 1, calls = 1, next = 0;
  std::vector<double> times{};

  double seconds_per_call(std::size_t count) {
    const double start = bench::thread_seconds();
    for (std::size_t i = 0; i < count; ++i) {
      evaluate(next);
      if (++next == state_count) next = 0;
    }
    return (bench::thread_seconds() - start) / static_cast<double>(count);
  }
};

struct Quartiles {
  double low, median, high;
};
Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t quarter) { return values[quarter * (values.size() - 1) / 4]; };
  return {at(1), at(2), at(3)};
}

/// Batches of so many seconds in turns; slow engines stay out when they have had some.
void take_turns(std::vector<Contestant>& contestants, double seconds, double batch) {
  constexpr std::size_t least = 5, most = 201;
  std::size_t turns = 0;
  for (Contestant& c : contestants) {
    // The first call warms up; where calls are long, one is enough to say so.
    double each = c.seconds_per_call(1);
    if (each < batch) each = c.seconds_per_call(static_cast<std::size_t>(batch / (each + 1e-9)) + 1);
    c.calls = std::max<std::size_t>(1, batch / each);
    c.turns = std::clamp(seconds / (each * static_cast<double>(c.calls)), least, most);
    turns = std::max(turns, c.turns);
  }
  for (std::size_t turn = 0; turn < turns; ++turn)
    for (Contestant& c : contestants)
      if (turn < c.turns || &c == &contestants[0]) c.times.push_back(c.seconds_per_call(c.calls));
}

using PeerMaker = std::unique_ptr<Peer> (*)(const Mechanism&);

struct Case {
  std::string name;
  std::function<std::shared_ptr<const Model>()> model;
  std::vector<PeerMaker> peers{};
  std::function<std::shared_ptr<const Model>()> smaller{};  // to be held against it, ours as well
};

const std::vector<Case>& cases() {
#ifdef ARTHRON_PEER_MUJOCO
  constexpr PeerMaker mujoco = [](const Mechanism& given) { return make_mujoco(given); };
  // Of a hinge in a plane one ball is enough, to those who know that it is plane.
  constexpr PeerMaker knowing = [](const Mechanism& given) { return make_mujoco(given, true); };
#else
  constexpr PeerMaker mujoco = nullptr, knowing = nullptr;
#endif
#ifdef ARTHRON_PEER_SIMBODY
  constexpr PeerMaker simbody = make_simbody;
#else
  constexpr PeerMaker simbody = nullptr;
#endif
  static const std::vector<Case> all = [=] {
    std::vector<Case> list;
    const auto add = [&](const std::string& name, std::function<Model()> model, const std::vector<PeerMaker>& peers) {
      list.push_back({name, [model] { return without_loads(model()); }, {}, {}});
      std::copy_if(peers.begin(), peers.end(), std::back_inserter(list.back().peers), [](PeerMaker peer) { return peer != nullptr; });
    };
    for (const int n : {16, 64, 256, 1024}) add("chain-" + std::to_string(n), [n] { return *bench::chain(n, "auto"); }, {mujoco, simbody});
    add("tree-127", [] { return *bench::binary_tree(127); }, {mujoco, simbody});
    add("quadruped", [] { return moving("quadruped"); }, {mujoco, simbody});
    for (const int n : {2, 40, 400}) add("fourbar-" + std::to_string(n), [n] { return four_bars(n); }, {mujoco, knowing, simbody});
    // How time grows with N.
    add("fourbar-growth", [] { return four_bars(400); }, {});
    list.back().smaller = [] { return without_loads(four_bars(40)); };
    add("vehicle", [] { return moving("vehicle"); }, {mujoco, simbody});
    add("vehicle-hung", hung_vehicle, {mujoco, simbody});
    list.push_back({"vehicle-forces", [] { return std::make_shared<const Model>(example("vehicle")); }, {}});
    return list;
  }();
  return all;
}

/// Compares a peer with ours at some states, and keeps all of them in it.
double compare(Ours& ours, Peer& peer, bool loops) {
  double most = 0;
  const bool at_rest = loops && peer.soft_loops();
  for (std::size_t k = 0; k < state_count; ++k) peer.add(ours.motion(k));
  std::size_t rests = state_count;
  for (std::size_t k = 0; k < state_count; k += state_count / 2) {
    if (at_rest) peer.add(ours.motion(k, true));
    peer.evaluate(at_rest ? rests++ : k);
    most = std::max(most, deviation(ours.accelerations(k, at_rest), peer.accelerations()));
  }
  return most;
}

std::size_t moving_bodies(const Ours& ours) { return ours.plan().bodies.size() - static_cast<std::size_t>(ours.plan().grounds); }

void measure(const Case& given, double seconds) {
  Ours ours(given.model());
  const bool loops = !ours.plan().closures.empty();
  const std::size_t bodies = moving_bodies(ours);
  std::vector<Contestant> contestants{{"Arthron", [&](std::size_t k) { ours.evaluate(k); }, deviation_of_rates(ours)}};
  if (!(contestants[0].deviation < 1e-4)) throw std::runtime_error(given.name + ": our rates and accelerations differ");
  std::vector<std::unique_ptr<Peer>> peers;
  const Mechanism mechanism = given.peers.empty() ? Mechanism{} : arthron::peers::mechanism(ours.plan());
  for (const PeerMaker make : given.peers) {
    Peer& peer = *peers.emplace_back(make(mechanism));
    const double apart = compare(ours, peer, loops);
    if (apart > (loops && peer.soft_loops() ? 1e-2 : peer.accuracy(bodies))) {
      std::fprintf(stderr, "peers: %s: accelerations of %s differ by %.1e of the largest; not timed\n", given.name.c_str(),
                   peer.name().c_str(), apart);
      std::exit(1);
    }
    contestants.push_back({peer.name(), [&peer](std::size_t k) { peer.evaluate(k); }, apart});
  }
  std::unique_ptr<Ours> smaller;
  if (given.smaller) {
    smaller = std::make_unique<Ours>(given.smaller());
    contestants.push_back({"Arthron (a tenth)", [&](std::size_t k) { smaller->evaluate(k); }, deviation_of_rates(*smaller)});
  }
  // A run has the cache to itself for long, which counts where the numbers of one evaluation are too many for the inner ones.
  take_turns(contestants, seconds, given.smaller ? 50e-3 : 4e-3);
  for (const Contestant& c : contestants) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < c.times.size(); ++i) ratios.push_back(contestants[0].times[i] / c.times[i]);
    const Quartiles time = quartiles(c.times), ratio = quartiles(ratios);
    const std::size_t moved = smaller && &c == &contestants.back() ? moving_bodies(*smaller) : bodies;
    std::printf("%s,%zu,%s,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.1e,%zu\n", given.name.c_str(), moved, c.name.c_str(), 1e6 * time.median,
                1e6 * time.low, 1e6 * time.high, ratio.median, ratio.low, ratio.high, c.deviation, c.times.size());
  }
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) return std::fprintf(stderr, "usage: peers CASE [SECONDS] | --list\n"), 2;
  const std::string name = arguments[1];
  if (name == "--list") {
    for (const Case& c : cases()) std::printf("%s\n", c.name.c_str());
    return 0;
  }
  const auto found = std::find_if(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; });
  if (found == cases().end()) return std::fprintf(stderr, "peers: no case %s; peers --list has them\n", name.c_str()), 2;
  measure(*found, count > 2 ? std::atof(arguments[2]) : 2);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "peers: %s\n", error.what());
  return 1;
}
