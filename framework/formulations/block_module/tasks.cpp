#include <algorithm>
#include <utility>

#include "arthron/formulations/block_module/schedule.hpp"
#include "arthron/formulations/block_module/stages.hpp"

namespace arthron::block_module {

namespace {

using std::size_t;

/// Expected cost of an assembly, matrices and right-hand sides [ns].
double cost_of(const Work& own, const Work::Assembly& assembly, const Work::Module& result) {
  const double rows = assembly.rows, border = result.border.size(), touches = assembly.touches.size();
  double parts = 0;
  for (int p = assembly.parts.first; p < assembly.parts.last; ++p) parts += own.modules[own.parts[p]].border.size();
  return 500 + 60 * touches * touches + 40 * border * touches + 10 * rows * border * (border + 1) + 10 * parts;
}

/// How a task's part of a pass is done.
template <auto step>
void call(void* context, int task) {
  Work& own = *static_cast<Work*>(context);
  step(own, own.tasks[task]);
}

class Divider {
 public:
  Divider(Work& own, double grain) : own_(own), grain_(grain), task_of_(own.assemblies.size(), -1) {}

  /// Assemblies with all that they wait for, as soon as together they are worth a task; what is left at the end goes together as far as it
  /// is worth one.
  void divide(size_t bodies) {
    const size_t count = own_.assemblies.size();
    std::vector<int> user(own_.modules.size(), -1);
    std::vector<double> open(count, 0);
    for (size_t i = 0; i < count; ++i) {
      const Work::Assembly& assembly = own_.assemblies[i];
      const Work::Module& result = own_.modules[bodies + i];
      costs_.push_back(cost_of(own_, assembly, result));
      open[i] = costs_[i];
      for (int p = assembly.parts.first; p < assembly.parts.last; ++p) {
        const int part = own_.parts[p];
        user[part] = static_cast<int>(i);
        if (const size_t m = part; m >= bodies && task_of_[m - bodies] < 0) open[i] += open[m - bodies];
      }
      if (open[i] >= grain_) close({static_cast<int>(i)}, bodies);
    }
    std::vector<int> roots;
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      if (user[bodies + i] >= 0 || task_of_[i] >= 0) continue;
      roots.push_back(static_cast<int>(i));
      sum += open[i];
      if (sum >= grain_) close(std::exchange(roots, {}), bodies), sum = 0;
    }
    if (!roots.empty()) close(std::move(roots), bodies);
    for (size_t b = 0; b < bodies; ++b)
      if (user[b] >= 0) own_.tasks[task_of_[user[b]]].bodies.push_back(static_cast<int>(b));
    if (!own_.loose.empty()) own_.tasks.push_back({{}, own_.loose, -1, true, 0});
    find_order(bodies);
  }

  template <auto step>
  [[nodiscard]] TaskGraph each(std::string_view name, double share) const {
    TaskGraph graph = empty();
    for (int t = 0; t < std::ssize(own_.tasks); ++t) graph.tasks.push_back({{piece<step>(name, t, share)}, {}, subsystem(t)});
    return graph;
  }
  template <auto step>
  void up(std::string_view name, double share, TaskGraph& graph) const {
    for (int t = 0; t < std::ssize(own_.tasks); ++t) graph.tasks.push_back({{piece<step>(name, t, share)}, before_[t], subsystem(t)});
  }
  /// After up, or by itself.
  template <auto step>
  void down(std::string_view name, double share, TaskGraph& graph) const {
    const int first = static_cast<int>(graph.tasks.size()), count = static_cast<int>(own_.tasks.size());
    for (int t = count; t-- > 0;) {
      std::vector<int> after;
      if (first > 0) after.push_back(t);
      if (user_[t] >= 0) after.push_back(first + count - 1 - user_[t]);
      graph.tasks.push_back({{piece<step>(name, t, share)}, std::move(after), subsystem(t)});
    }
  }
  [[nodiscard]] TaskGraph empty() const { return {{}, names_}; }
  void name(std::shared_ptr<const std::vector<std::string>> names) { names_ = std::move(names); }

 private:
  /// Makes a task of some assemblies and what they wait for that is in none yet.
  void close(std::vector<int> assemblies, size_t bodies) {
    for (size_t k = 0; k < assemblies.size(); ++k) {
      const Work::Assembly& assembly = own_.assemblies[assemblies[k]];
      task_of_[assemblies[k]] = static_cast<int>(own_.tasks.size());
      for (int p = assembly.parts.first; p < assembly.parts.last; ++p)
        if (const int before = own_.parts[p] - static_cast<int>(bodies); before >= 0 && task_of_[before] < 0) assemblies.push_back(before);
    }
    std::sort(assemblies.begin(), assemblies.end());
    own_.tasks.push_back({std::move(assemblies), {}, -1, true, 0});
  }

  /// Tasks that others wait for, and who waits for them: they come out in an order in which every one is after those it waits for.
  void find_order(size_t bodies) {
    before_.resize(own_.tasks.size()), user_.assign(own_.tasks.size(), -1);
    for (size_t i = 0; i < own_.assemblies.size(); ++i) {
      const Work::Assembly& assembly = own_.assemblies[i];
      for (int p = assembly.parts.first; p < assembly.parts.last; ++p) {
        const int before = own_.parts[p] - static_cast<int>(bodies);
        if (before < 0 || task_of_[before] == task_of_[i]) continue;
        before_[task_of_[i]].push_back(task_of_[before]);
        user_[task_of_[before]] = task_of_[i];
      }
    }
  }

  template <auto step>
  [[nodiscard]] Piece piece(std::string_view name, int task, double share) const {
    double cost = 0;
    for (const int i : own_.tasks[task].assemblies) cost += costs_[i];
    return {call<step>, task, name, share * cost};
  }
  [[nodiscard]] int subsystem(int task) const {
    const std::vector<int>& list = own_.tasks[task].assemblies;
    return list.empty() ? 0 : own_.assemblies[list.back()].subsystem;
  }

  Work& own_;
  const double grain_;
  std::vector<int> task_of_;              // per assembly
  std::vector<double> costs_;             // the same
  std::vector<std::vector<int>> before_;  // per task
  std::vector<int> user_;                 // the same: -1, none
  std::shared_ptr<const std::vector<std::string>> names_;
};

}  // namespace

void divide_assemblies(const Plan& plan, double grain, Work& own) {
  own.children.resize(plan.bodies.size());
  for (int b = plan.grounds; b < std::ssize(plan.bodies); ++b)
    if (const int on = plan.bodies[b].parent; on >= plan.grounds) own.children[on].push_back(b);
  Divider divider(own, grain);
  auto names = std::make_shared<std::vector<std::string>>();
  for (const Subsystem& subsystem : plan.model->subsystems) names->push_back(subsystem.path.empty() ? plan.model->name : subsystem.path);
  divider.name(std::move(names));
  divider.divide(plan.bodies.size());
  constexpr double directions = 0.1, assemble = 0.6, disassemble = 0.15, finish = 0.15, raise = 0.1;  // parts of the cost
  Work::Passes& passes = own.passes;
  passes.directions = divider.each<find_task_directions>("directions", directions);
  passes.solve = divider.empty();
  divider.up<assemble_task>("assemble", assemble, passes.solve);
  divider.down<disassemble_task>("disassemble", disassemble, passes.solve);
  passes.finish = divider.each<finish_task>("accelerations", finish);
  passes.refine = divider.empty();
  divider.up<raise_remainders>("raise remainders", raise, passes.refine);
  divider.down<lower_remainders>("lower remainders", disassemble, passes.refine);
  passes.null_space = divider.empty();
  divider.down<lower_null_space>("lower null space", disassemble, passes.null_space);
  passes.transposed_null_space = divider.empty();
  divider.up<raise_multipliers>("raise multipliers", raise, passes.transposed_null_space);
}

void run(const TaskGraph& pass, Work& own) {
  Serial serial;
  (own.caller.work->parallel ? *own.caller.work->parallel : static_cast<Parallel&>(serial)).run(pass, &own);
}

}  // namespace arthron::block_module
