#include <functional>
#include <map>

#include "../thread_clock.hpp"
#include "run.hpp"
#include "simbody_system.hpp"

namespace arthron::peers {

namespace {

using Maker = std::function<std::unique_ptr<SimTK::Integrator>(const SimTK::System&)>;

template <class Integrator, class... Options>
Maker of(Options... options) {
  return [=](const SimTK::System& system) { return std::make_unique<Integrator>(system, options...); };
}

const std::vector<std::pair<std::string, Maker>>& makers() {
  static const std::vector<std::pair<std::string, Maker>> all = {
      {"RungeKuttaMerson", of<SimTK::RungeKuttaMersonIntegrator>()},
      {"RungeKuttaFeldberg", of<SimTK::RungeKuttaFeldbergIntegrator>()},
      {"RungeKutta3", of<SimTK::RungeKutta3Integrator>()},
      {"RungeKutta2", of<SimTK::RungeKutta2Integrator>()},
      {"Verlet", of<SimTK::VerletIntegrator>()},
      {"SemiExplicitEuler2", of<SimTK::SemiExplicitEuler2Integrator>()},
      {"ExplicitEuler", of<SimTK::ExplicitEulerIntegrator>()},
      {"CPodesAdams", of<SimTK::CPodesIntegrator>(SimTK::CPodes::Adams, SimTK::CPodes::Functional)},
      {"CPodesBDF", of<SimTK::CPodesIntegrator>(SimTK::CPodes::BDF, SimTK::CPodes::Newton)}};
  return all;
}

class SimbodyRun final : public Run {
 public:
  SimbodyRun(const Mechanism& mechanism, const Motion& start, const std::vector<Point>& points, const std::string& integrator,
             double accuracy)
      : simbody_(mechanism), points_(points) {
    simbody_.go_to(start);
    for (const auto& [name, make] : makers())
      if (name == integrator) integrator_ = make(simbody_.system());
    if (!integrator_) throw std::runtime_error("no such integrator in Simbody");
    integrator_->setAccuracy(accuracy);
    integrator_->setAllowInterpolation(false);
    integrator_->setInternalStepLimit(between_looks_at_clock);
    integrator_->initialize(simbody_.state());
  }

  void advance(double t, double deadline) override {
    while (integrator_->getTime() < t) {
      integrator_->stepTo(t);
      if (bench::thread_seconds() > deadline) throw TookTooLong();
    }
  }

  [[nodiscard]] Sample sample() override {
    const SimTK::State& state = integrator_->getState();
    Sample sample;
    for (const Point& point : points_)
      sample.points.push_back(
          vec(simbody_.bodies()[point.link].findStationLocationInGround(state, vec(simbody_.mechanism().in_link(point.link, point.at)))));
    simbody_.system().realize(state, SimTK::Stage::Dynamics);
    sample.energy = simbody_.system().calcEnergy(state);
    return sample;
  }

  [[nodiscard]] long long evaluations() const override { return integrator_->getNumRealizations(); }

 private:
  static constexpr int between_looks_at_clock = 50;  // steps
  SimbodySystem simbody_;
  std::vector<Point> points_;
  std::unique_ptr<SimTK::Integrator> integrator_;
};

std::unique_ptr<Run> make(const Mechanism& mechanism, const Motion& start, const std::vector<Point>& points, const std::string& integrator,
                          double accuracy) {
  return std::make_unique<SimbodyRun>(mechanism, start, points, integrator, accuracy);
}

}  // namespace

extern "C" const SimbodyRuns& arthron_simbody_runs() {
  static const SimbodyRuns runs = [] {
    SimbodyRuns offer{{}, make};
    for (const auto& maker : makers()) offer.integrators.push_back(maker.first);
    return offer;
  }();
  return runs;
}

}  // namespace arthron::peers
