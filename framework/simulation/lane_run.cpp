#include "arthron/simulation/lane_run.hpp"

#include <algorithm>
#include <optional>

#include "arthron/simulation/lane_walker.hpp"
#include "arthron/simulation/runner.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {

namespace {

/// Up to lane_count variants on their way.
class Together {
 public:
  explicit Together(std::vector<Runner*> runners, std::vector<Simulation*> simulations)
      : runners_(std::move(runners)),
        simulations_(std::move(simulations)),
        plan_(plans()),
        work_(plan_, per_lane<const std::vector<Signal>*>([&](std::size_t lane) { return &of(lane).workspace().signals; })),
        walker_(plan_, work_, settings()),
        y_(plan_.topology().nq + plan_.topology().nu + plan_.topology().nx),
        y_lane_(y_.size()),
        status_(simulations_.size()),
        going_(simulations_.size(), true),
        alone_(simulations_.size(), false) {}

  void go() {
    for (int lane = 0; lane < lane_count; ++lane) {
      const State& state = of(lane).state();
      Lanes* place = y_.data();
      for (const std::vector<double>* numbers : {&state.q, &state.p, &state.x}) {
        set_lane(place, lane, numbers->data(), static_cast<int>(numbers->size()));
        place += numbers->size();
      }
    }
    try {
      walk();
    } catch (const InternalError&) {
      throw;
    } catch (...) {
      go_on_alone();
    }
  }

  [[nodiscard]] const Status& status(std::size_t lane) const { return status_[lane]; }
  [[nodiscard]] const IntegratorStatistics& statistics(std::size_t lane) const {
    return alone_[lane] ? of(lane).statistics() : walker_.statistics()[lane];
  }

 private:
  void walk() {
    walker_.start(simulations_[0]->state().t, y_, per_lane<const Workspace*>([&](std::size_t lane) { return &of(lane).workspace(); }));
    for (std::size_t lane = 0; lane < runners_.size(); ++lane) {
      if (!walker_.status()[lane].ok()) end(lane, walker_.status()[lane]);
      if (going_[lane]) settle(lane, runners_[lane]->begin());
    }
    for (std::size_t first = first_going(); first < runners_.size(); first = first_going()) advance_to(runners_[first]->next_row());
  }

  /// Author code that throws stops all lanes. Each variant goes on from its last row by itself, so that those fail that have to.
  void go_on_alone() {
    for (std::size_t lane = 0; lane < runners_.size(); ++lane)
      if (going_[lane]) go_on_alone(lane);
  }
  void go_on_alone(std::size_t lane) {
    alone_[lane] = true;
    end(lane, runners_[lane]->rows());
  }

  [[nodiscard]] LaneSettings settings() const {
    const SimulationSettings& first = of(0).settings();
    LaneSettings settings{.method = first.integrator.type, .step = first.integrator.step, .limits = of(0).limits()};
    settings.reanchor = first.loops.reanchor, settings.project = first.loops.project, settings.follows = of(0).prescribes();
    settings.sizes.resize(of(0).state_sizes().size());
    const bool adaptive = first.integrator.type != "rk2" && first.integrator.type != "rk4";
    if (adaptive) settings.step = std::numeric_limits<double>::infinity();
    for (int lane = 0; lane < lane_count; ++lane) {
      const SimulationSettings& own = of(lane).settings();
      settings.absolute_tolerance.set(lane, own.integrator.absolute_tolerance);
      settings.relative_tolerance.set(lane, own.integrator.relative_tolerance);
      settings.opening.set(lane, own.loops.tolerance);
      set_lane(settings.sizes.data(), lane, of(lane).state_sizes().data(), static_cast<int>(settings.sizes.size()));
      if (adaptive) settings.step = std::fmin(settings.step, of(lane).next_step());
    }
    return settings;
  }
  [[nodiscard]] Simulation& of(std::size_t lane) const { return *simulations_[std::min(lane, simulations_.size() - 1)]; }
  [[nodiscard]] std::vector<const Plan*> plans() const {
    std::vector<const Plan*> plans;
    for (const Simulation* simulation : simulations_) plans.push_back(&simulation->plan());
    return plans;
  }
  [[nodiscard]] std::size_t first_going() const {
    return static_cast<std::size_t>(std::find(going_.begin(), going_.end(), true) - going_.begin());
  }

  void advance_to(double t) {
    const double until = simulations_[0]->settings().until, limit = simulations_[0]->steps_end_where_told() ? t : std::max(t, until);
    while (walker_.time() < t && first_going() < going_.size()) {
      const double before = walker_.time();
      walker_.step(limit);
      for (std::size_t lane = 0; lane < runners_.size(); ++lane) {
        if (!going_[lane]) continue;
        const Status status = status_after_step(lane);
        if (!status.ok())
          show(lane, before, walker_.state()), end(lane, status);
        else if (walker_.leaves(lane))
          go_on_alone(lane);
        else if (!runners_[lane]->proceed())
          interrupt(lane, std::fmin(t, walker_.time()));
      }
    }
    if (first_going() == going_.size()) return;
    walker_.interpolate(t, y_);
    const bool observed = observe(t);
    for (std::size_t lane = 0; lane < runners_.size(); ++lane) {
      if (!going_[lane]) continue;
      if (!walker_.status()[lane].ok()) {
        show(lane, walker_.time(), walker_.state()), end(lane, walker_.status()[lane]);
        continue;
      }
      if (walker_.leaves(lane)) {
        go_on_alone(lane);
        continue;
      }
      if (!observed) show(lane, t, y_);
      settle(lane, runners_[lane]->row(observed));
    }
  }

  /// Fills the workspaces of all variants that go on; false where each has to do so by itself.
  bool observe(double t) {
    LaneLooks looks;
    for (std::size_t lane = 0; lane < runners_.size(); ++lane) {
      if (!going_[lane]) continue;
      if (!walker_.status()[lane].ok() || walker_.leaves(lane)) return false;
      looks.accelerations |= runners_[lane]->needs_accelerations() || of(lane).channels_need_accelerations();
      looks.cut_joints |= runners_[lane]->needs_cut_joints() || of(lane).channels_need_cut_joints();
    }
    normalise(plan_, y_.data());
    PerLane<Workspace*> to{};
    for (std::size_t lane = 0; lane < runners_.size(); ++lane) {
      if (!going_[lane]) continue;
      show(lane, t, y_);
      to[lane] = &of(lane).workspace_to_fill(looks.cut_joints);
    }
    const int nq = plan_.topology().nq;
    std::copy(y_.begin() + nq + plan_.topology().nu, y_.end(), work_.x.begin());
    return arthron::observe(plan_, t, y_.data(), y_.data() + nq, looks, work_, to);
  }

  /// Of the step that a variant has taken with the others.
  Status status_after_step(std::size_t lane) {
    if (!walker_.status()[lane].ok() || walker_.leaves(lane) || plan_.group.cuts.empty()) return walker_.status()[lane];
    get_lane(walker_.state().data(), static_cast<int>(lane), y_lane_.data(), static_cast<int>(y_lane_.size()));
    const Status status = walker_.may_open(lane) ? simulations_[lane]->closures_follow_at(walker_.time(), y_lane_) : Status{};
    if (status.ok())
      simulations_[lane]->follow(walker_.time(), y_lane_);
    else
      walker_.leave(lane, status);
    return status;
  }

  void interrupt(std::size_t lane, double t) {
    walker_.interpolate(t, y_);
    show(lane, t, y_);
    end(lane, {Status::Code::interrupted});
  }

  void show(std::size_t lane, double t, const std::vector<Lanes>& y) {
    get_lane(y.data(), static_cast<int>(lane), y_lane_.data(), static_cast<int>(y.size()));
    simulations_[lane]->go_to(t, y_lane_);
  }

  /// After a row.
  void settle(std::size_t lane, const Status& status) {
    if (!status.ok() || runners_[lane]->ended()) end(lane, status);
  }

  void end(std::size_t lane, const Status& status) {
    status_[lane] = status;
    going_[lane] = false;
  }

  std::vector<Runner*> runners_;
  std::vector<Simulation*> simulations_;
  LanePlan plan_;
  LaneWorkspace work_;
  LaneWalker walker_;
  std::vector<Lanes> y_;
  std::vector<double> y_lane_;
  std::vector<Status> status_;
  std::vector<bool> going_, alone_;
};

/// Starts up to lane_count variants, and runs those together that can start.
void run_block(std::span<const LaneVariant> variants, std::vector<RunSummary>& summaries) {
  const Clock clock;
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<Status> status;
  std::vector<Runner*> running;
  std::vector<Simulation*> simulations;
  for (const LaneVariant& variant : variants) {
    runners.push_back(std::make_unique<Runner>(*variant.simulation, *variant.channels, variant.observer, RunRecord{}));
    status.push_back(variant.simulation->start());
    if (status.back().ok()) running.push_back(runners.back().get()), simulations.push_back(variant.simulation);
  }
  std::optional<Together> together;
  if (!running.empty()) together.emplace(running, simulations).go();
  for (std::size_t i = 0, lane = 0; i < variants.size(); ++i) {
    const bool started = status[i].ok();
    summaries.push_back(started ? runners[i]->summary(together->status(lane), together->statistics(lane))
                                : runners[i]->summary(status[i], variants[i].simulation->statistics()));
    if (started) ++lane;
  }
  for (std::size_t i = summaries.size() - variants.size(); i < summaries.size(); ++i)
    summaries[i].wall = clock.wall(), summaries[i].cpu = clock.cpu() / static_cast<double>(variants.size());
}

}  // namespace

std::string lanes_apply(const std::vector<const Simulation*>& simulations) {
  for (const Simulation* simulation : simulations) {
    const SimulationSettings &first = simulations[0]->settings(), &own = simulation->settings();
    if (const std::string reason = lanes_apply(simulation->plan()); !reason.empty()) return reason;
    if (!LaneWalker::knows(own.integrator.type))
      return "the method is " + own.integrator.type + ", and lanes know explicit Runge-Kutta methods";
    if (simulation->formulation() != "hdca")
      return "the formulation is " + std::string(simulation->formulation()) + ", and lanes know hdca";
    if (simulation->has_kinks()) return "a prescribed velocity jumps, where lanes would step over it";
    const auto differ = [](const char* what, double a, double b) {
      return std::string("the variants differ in ") + what + ": " + shortest_text(a) + " and " + shortest_text(b);
    };
    if (own.integrator.type != first.integrator.type) return "the variants differ in their method";
    if (own.loops.project != first.loops.project || own.loops.reanchor != first.loops.reanchor)
      return "the variants differ in how they keep loops closed";
    if (own.integrator.step != first.integrator.step) return differ("step", first.integrator.step, own.integrator.step);
    if (own.until != first.until) return differ("end", first.until, own.until);
    if (own.output_step != first.output_step) return differ("output step", first.output_step, own.output_step);
    if (simulation->steered() != simulations[0]->steered()) return "inputs are set in some of the variants";
    if (const std::string difference = topology_difference(simulations[0]->plan(), simulation->plan()); !difference.empty())
      return "the variants differ in their topology: " + difference;
  }
  return "";
}

std::vector<RunSummary> run_on_lanes(const std::vector<LaneVariant>& variants) {
  std::vector<const Simulation*> simulations;
  for (const LaneVariant& variant : variants) simulations.push_back(variant.simulation);
  if (std::string reason = lanes_apply(simulations); !reason.empty())
    throw ModelError({{variants[0].simulation->model().name, 0, "lanes", std::move(reason), "variants that run together on lanes", ""}});
  std::vector<RunSummary> summaries;
  for (std::size_t first = 0; first < variants.size(); first += static_cast<std::size_t>(lane_count))
    run_block(std::span(variants).subspan(first, std::min<std::size_t>(variants.size() - first, lane_count)), summaries);
  return summaries;
}

}  // namespace arthron
