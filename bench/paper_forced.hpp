#pragma once
#include <cmath>
#include <nlohmann/json.hpp>

#include "arthron/analysis/inverse_dynamics.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/integrate/integrator.hpp"
#include "arthron/model/builder.hpp"
#include "arthron/model/find.hpp"
#include "paper_runs.hpp"

/// Forced simulation: efforts of the drives from inverse dynamics of a prescribed motion, given to forward dynamics without drives.
namespace arthron::bench {

/// Numbers at equal distances in time, in between by the polynomial through the six nearest.
class EvenTable {
 public:
  EvenTable(double step, std::size_t count) : step_(step), values_(count) {}
  double& operator[](std::size_t i) { return values_[i]; }
  [[nodiscard]] double at(double t) const {
    constexpr int points = 6;
    const double last = static_cast<double>(values_.size()) - points;
    const double first = std::clamp(std::floor(t / step_) - points / 2 + 1, 0.0, last), x = t / step_ - first;
    double sum = 0;
    for (int i = 0; i < points; ++i) {
      double weight = 1;
      for (int j = 0; j < points; ++j)
        if (j != i) weight *= (x - j) / (i - j);
      sum += weight * values_[first + i];
    }
    return sum;
  }

 private:
  double step_;
  std::vector<double> values_;
};

/// The driven variant of an example, NAME_driven.json, its drives replaced by the efforts that bring their motion about.
class Forced {
 public:
  Forced(const std::string& name, double until)
      : file_(example_file(name, name + "_driven")), until_(until), prescribed_(compile(driven())) {
    for (const Joint& joint : prescribed_->model->joints)
      if (!joint.motion.empty()) drives_.push_back(joint.path);
    constexpr double step = 2e-4;
    const std::size_t count = static_cast<std::size_t>(std::ceil(until / step)) + 1;
    efforts_.assign(drives_.size(), EvenTable(step, count));
    InverseDynamics inverse(prescribed_);
    for (std::size_t i = 0; i < count; ++i) {
      demand(inverse.at(step * static_cast<double>(i)), "a drive that the loops cannot follow");
      if (i == 0) keep_start(inverse);
      for (std::size_t d = 0; d < drives_.size(); ++d) efforts_[d][i] = inverse.efforts(joint(d))[0];
    }
  }

  /// A run by a formulation; `row` gets times `row_step` apart and the state there. 0: no rows.
  Cost run(const std::string& formulation, double tolerance, double row_step = 0,
           const std::function<void(double t, const Plan& plan, const std::vector<double>& y)>& row = {}) const {
    const std::shared_ptr<const Plan> plan = compile(undriven(formulation));
    const std::unique_ptr<Workspace> work = make_workspace(*plan);
    State state;
    demand(assemble(*plan, start_, 0, *work, state), "a start that the loops do not admit");
    Feeding ode(*this, *plan, *work);
    IntegratorSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = tolerance;
    const auto integrator = make_integrator(settings, {}, ode);
    std::vector<double> y = state.q;
    y.insert(y.end(), state.p.begin(), state.p.end());
    demand(integrator->start(0, y), "a run that does not start");
    const double begin = processor_seconds();
    for (int k = 0; integrator->time() < until_;) {
      demand(integrator->step(until_), "a run that does not end");
      for (; row_step > 0 && k * row_step <= integrator->time(); ++k) {
        demand(integrator->interpolate(k * row_step, y), "no state within a step");
        row(k * row_step, *plan, y);
      }
    }
    return {processor_seconds() - begin, integrator->statistics().evaluations};
  }

  [[nodiscard]] const std::vector<std::string>& drives() const { return drives_; }
  [[nodiscard]] const std::shared_ptr<const Plan>& prescribed() const { return prescribed_; }
  [[nodiscard]] JointIndex joint(std::size_t drive) const { return find_joint(*prescribed_->model, drives_[drive]); }
  /// Effort of a drive [N m].
  [[nodiscard]] double effort(std::size_t drive, double t) const { return efforts_[drive].at(t); }

 private:
  /// Right-hand sides with the efforts of the time they are asked for.
  class Feeding final : public Ode {
   public:
    Feeding(const Forced& forced, const Plan& plan, Workspace& work) : forced_(forced), work_(work), forward_(plan, work, {}) {
      for (const std::string& drive : forced.drives_) {
        std::size_t signal = 0;
        while (plan.model->signals.at(signal).path != "effort_" + drive) ++signal;
        signals_.push_back(signal);
      }
      forward_.start_cuts(0);
    }
    int size() const override { return forward_.size(); }
    Status rhs(double t, const double* y, double* dydt) override {
      feed(t);
      return forward_.rhs(t, y, dydt);
    }
    bool after_step(double t, double* y) override {
      feed(t);
      return forward_.after_step(t, y);
    }
    std::span<double> memory() override { return forward_.memory(); }

   private:
    void feed(double t) {
      for (std::size_t d = 0; d < signals_.size(); ++d) work_.signals[signals_[d]] = {true, forced_.effort(d, t), 0, t};
    }
    const Forced& forced_;
    Workspace& work_;
    PlanOde forward_;
    std::vector<std::size_t> signals_;
  };

  [[nodiscard]] std::shared_ptr<const Model> driven() const { return std::make_shared<const Model>(load_model(file_, builtin_registry())); }
  [[nodiscard]] std::shared_ptr<const Model> undriven(const std::string& formulation) const {
    nlohmann::ordered_json json = ModelBuilder::from_file(file_).json();
    for (const std::string& drive : drives_) {
      json["ports"]["effort_" + drive] = {{"signal", "input"}, {"default", 0}};
      json["joints"][drive].erase("motion");
      json["joints"][drive]["effort"] = "=effort_" + drive;
    }
    json["simulate"]["output"].erase("channels");
    json["simulate"]["formulation"] = formulation;
    return std::make_shared<const Model>(build_model(json, file_, builtin_registry()));
  }
  void keep_start(InverseDynamics& inverse) {
    start_.resize(prescribed_->joints.size());
    for (std::size_t j = 0; j < start_.size(); ++j) {
      start_[j].position.resize(1), start_[j].velocity.resize(1);
      joint_position(*prescribed_, inverse.workspace(), {static_cast<int>(j)}, start_[j].position.data());
      joint_velocity(*prescribed_, inverse.workspace(), {static_cast<int>(j)}, start_[j].velocity.data());
    }
  }

  std::string file_;
  std::vector<std::string> drives_;  // paths of driven joints
  double until_;
  std::shared_ptr<const Plan> prescribed_;
  std::vector<EvenTable> efforts_;
  std::vector<JointStart> start_;
};

}  // namespace arthron::bench
