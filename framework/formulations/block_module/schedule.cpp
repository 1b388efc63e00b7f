#include "arthron/formulations/block_module/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

#include "arthron/model/hierarchy.hpp"

/// Which constraint is eliminated when. Subsystems come from the innermost outward; within one, the tree joint whose elimination leaves the
/// fewest border bodies more comes first, outermost first among equals, and every closure as soon as its sides are connected.
namespace arthron {

namespace {

using std::size_t;

/// Sorts a list, and leaves every number in it once.
void leave_single(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Scheduler {
 public:
  Scheduler(const Plan& plan, BlockModuleWork& work);
  void build();

 private:
  using Work = BlockModuleWork;

  struct Closure {
    int level = 0;
    std::vector<int> nodes;  // what has to be connected: bodies, all grounds being the first
    std::vector<int> bodies;
    bool eliminated = false;
  };
  /// Connected by tree joints that are eliminated, or constrain nothing.
  struct Cluster {
    int top = -1;           // its body nearest to the ground, -1 with the ground
    std::vector<int> open;  // closures with a side in it
  };
  /// Most pressing last: least growth of the border, then the outermost body.
  struct Candidate {
    int growth, body;
    bool operator<(const Candidate& other) const { return std::tie(other.growth, body) < std::tie(growth, other.body); }
  };

  [[nodiscard]] int node(int body) const { return body < plan_.grounds ? 0 : body; }
  [[nodiscard]] int parent(int body) const { return plan_.bodies[body].parent; }
  int find(int node);
  [[nodiscard]] int common_level(int a, int b) const;
  void describe_joints();
  void describe_closures();
  void start_bodies();

  void run_level(int level);
  void finish_level(int level);
  int growth(int body);
  void join(int body);
  void connect(int a, int b, std::vector<int>& complete);
  [[nodiscard]] bool connected(const Closure& closure);
  [[nodiscard]] std::vector<Work::Reference> trace_blocks(const Closure& closure) const;
  void close(std::vector<int> complete);
  [[nodiscard]] int growth_of_closing(int closure);
  void assemble(int body, int closure, int rows, const std::vector<int>& on, const std::vector<Work::Reference>& references);

  const Plan& plan_;
  Work& work_;
  std::vector<int> level_of_body_;             // its subsystem
  std::vector<int> joint_level_, joint_rows_;  // per body
  std::vector<Closure> closures_;              // per closure; no bodies: nothing to eliminate
  std::vector<int> links_;                     // per body: constraints that still act on it
  std::vector<int> module_, slot_;             // per body: where it is a border body, -1: nowhere
  std::vector<int> above_;                     // per node, towards its cluster
  std::vector<Cluster> clusters_;              // per node, of those that are their own
  std::vector<int> waiting_;                   // per body: joint of this level to be eliminated
  std::priority_queue<Candidate> queue_;
  int level_ = 0;  // the subsystem that is assembled
};

Scheduler::Scheduler(const Plan& plan, Work& work) : plan_(plan), work_(work) {
  const size_t bodies = plan.bodies.size();
  level_of_body_.assign(bodies, 0), joint_level_.assign(bodies, 0), joint_rows_.assign(bodies, 0);
  links_.assign(bodies, 0), module_.assign(bodies, -1), slot_.assign(bodies, -1), waiting_.assign(bodies, 0);
  above_.resize(bodies), clusters_.resize(bodies);
  std::iota(above_.begin(), above_.end(), 0);
  for (size_t b = plan.grounds; b < bodies; ++b) clusters_[b].top = static_cast<int>(b);
  for (size_t i = 0; i < plan.model->bodies.size(); ++i) level_of_body_[plan.body_of[i]] = plan.model->bodies[i].subsystem;
}

int Scheduler::find(int node) {
  while (above_[node] != node) {
    int& above = above_[node];
    above = above_[above];
    node = above;
  }
  return node;
}

/// The innermost subsystem that holds both.
int Scheduler::common_level(int a, int b) const {
  while (a != b) {
    int& inner = a > b ? a : b;  // parents have lower numbers
    inner = plan_.model->subsystems[inner].parent;
  }
  return a;
}

void Scheduler::describe_joints() {
  for (int b = plan_.grounds; b < static_cast<int>(plan_.bodies.size()); ++b) {
    const PlanBody& body = plan_.bodies[b];
    int& level = joint_level_[b];
    level = common_level(level_of_body_[b], plan_.model->joints[body.joint].subsystem);
    if (body.parent >= plan_.grounds) level = common_level(level, level_of_body_[body.parent]);
    const int rows = joint_rows_[b] = 6 - (body.driven ? 0 : body.columns);
    if (rows == 0) continue;
    ++links_[b];
    if (body.parent >= plan_.grounds) ++links_[body.parent];
  }
}

void Scheduler::describe_closures() {
  closures_.resize(plan_.closures.size());
  for (size_t c = 0; c < plan_.closures.size(); ++c) {
    const PlanClosure& from = plan_.closures[c];
    Closure& closure = closures_[c];
    if (from.rows == 0) continue;
    if (from.coupling < 0) {
      closure.level = plan_.model->joints[from.joint].subsystem;
      closure.bodies = {from.parent, from.child};
    } else {
      const Coupling& coupling = plan_.model->couplings[from.coupling];
      closure.level = coupling.subsystem;
      for (const Coupling::Term& term : coupling.terms) {
        const PlanJoint& joint = plan_.joints[term.joint.value];
        if (joint.driven) continue;
        closure.bodies.push_back(joint.body), closure.bodies.push_back(parent(joint.body));
      }
    }
    for (const int b : closure.bodies) closure.nodes.push_back(node(b));
    leave_single(closure.bodies), leave_single(closure.nodes);
    std::erase_if(closure.bodies, [&](int b) { return b < plan_.grounds; });
    for (const int b : closure.bodies) {
      ++links_[b];
      closure.level = common_level(closure.level, level_of_body_[b]);
    }
  }
}

void Scheduler::start_bodies() {
  work_.modules.resize(plan_.bodies.size());
  for (int b = plan_.grounds; b < static_cast<int>(plan_.bodies.size()); ++b) {
    const size_t i = b;
    const int slot = slot_[i] = static_cast<int>(work_.slots.size());
    work_.modules[i] = {{slot, slot + 1}, static_cast<size_t>(slot)};
    work_.slots.push_back({b, b, -1, -1});
    module_[i] = b;
    if (links_[i] == 0) work_.loose.push_back(b);
  }
}

/// Border bodies that a constraint between modules adds to the larger one: those of the others, less what becomes internal.
int Scheduler::growth(int body) {
  const int on = parent(body), own = find(body), other = find(node(on));
  const auto others_connected = [&](const Closure& closure) {
    return std::all_of(closure.nodes.begin(), closure.nodes.end(), [&](int n) { return find(n) == own || find(n) == other; });
  };
  std::vector<int> losing{body};
  if (on >= plan_.grounds) losing.push_back(on);
  const Cluster &a = clusters_[own], &b = clusters_[other];
  for (const int c : (a.open.size() < b.open.size() ? a : b).open) {
    const Closure& closure = closures_[c];
    if (!closure.eliminated && others_connected(closure)) losing.insert(losing.end(), closure.bodies.begin(), closure.bodies.end());
  }
  std::sort(losing.begin(), losing.end());
  int growth = on < plan_.grounds ? 0 : work_.modules[module_[body]].border.size();
  for (size_t i = 0; i < losing.size();) {
    const size_t first = i;
    while (i < losing.size() && losing[i] == losing[first]) ++i;
    growth -= links_[losing[first]] == static_cast<int>(i - first) ? 1 : 0;
  }
  return growth;
}

/// Puts b's cluster into a's, or the other way round; the closures both have open may be complete.
void Scheduler::connect(int a, int b, std::vector<int>& complete) {
  a = find(a), b = find(b);
  if (a == b) return;
  if (clusters_[a].open.size() < clusters_[b].open.size()) std::swap(a, b);
  Cluster &into = clusters_[a], &from = clusters_[b];
  above_[b] = a;
  into.top = std::min(into.top, from.top);
  std::vector<int> open;
  std::swap(open, from.open);
  for (const int c : open) {
    const Closure& closure = closures_[c];
    if (closure.eliminated) continue;
    if (connected(closure)) {
      complete.push_back(c);
      continue;
    }
    into.open.push_back(c);
    // Another part of the loop may now be the most pressing one.
    for (const int n : closure.nodes) {
      const int top = clusters_[find(n)].top;
      if (top >= 0 && waiting_[top]) queue_.push({growth(top), top});
    }
  }
}

bool Scheduler::connected(const Closure& closure) {
  const int first = find(closure.nodes.front());
  return std::all_of(closure.nodes.begin(), closure.nodes.end(), [&](int n) { return find(n) == first; });
}

void Scheduler::assemble(int body, int closure, int rows, const std::vector<int>& on, const std::vector<Work::Reference>& references) {
  Work::Assembly assembly{body, closure, level_, rows, {}, {}, {}};
  const int module = static_cast<int>(work_.modules.size());
  std::vector<int> parts;
  assembly.touches.first = static_cast<int>(work_.touches.size());
  for (const int b : on) {
    const size_t i = b;
    work_.touches.push_back({b, module_[i], slot_[i]});
    parts.push_back(module_[i]);
    --links_[i];
  }
  assembly.touches.last = static_cast<int>(work_.touches.size());
  leave_single(parts);
  assembly.parts = {static_cast<int>(work_.parts.size()), static_cast<int>(work_.parts.size() + parts.size())};
  work_.parts.insert(work_.parts.end(), parts.begin(), parts.end());
  assembly.references.first = static_cast<int>(work_.references.size());
  work_.references.insert(work_.references.end(), references.begin(), references.end());
  assembly.references.last = static_cast<int>(work_.references.size());

  Work::Module result;
  result.border.first = static_cast<int>(work_.slots.size());
  for (const int part : parts)
    for (int s = work_.modules[part].border.first; s < work_.modules[part].border.last; ++s) {
      const int b = work_.slots[s].body;
      const auto touch = std::find(on.begin(), on.end(), b);
      module_[b] = slot_[b] = -1;
      if (links_[b] == 0) continue;
      module_[b] = module, slot_[b] = static_cast<int>(work_.slots.size());
      work_.slots.push_back({b, part, s, touch == on.end() ? -1 : static_cast<int>(touch - on.begin())});
    }
  result.border.last = static_cast<int>(work_.slots.size());
  work_.modules.push_back(result);
  work_.assemblies.push_back(assembly);
}

/// Border bodies of the module that closing makes, over those of the largest part.
int Scheduler::growth_of_closing(int c) {
  const Closure& closure = closures_[c];
  std::vector<int> parts;
  int internal = 0;
  for (const int b : closure.bodies) {
    parts.push_back(module_[b]);
    internal += links_[b] == 1 ? 1 : 0;
  }
  leave_single(parts);
  int sum = 0, largest = 0;
  for (const int part : parts) {
    const int border = work_.modules[part].border.size();
    sum += border, largest = std::max(largest, border);
  }
  return sum - largest - internal;
}

/// Blocks that the trace of a closure is made of as modules are now.
std::vector<BlockModuleWork::Reference> Scheduler::trace_blocks(const Closure& closure) const {
  std::vector<Work::Reference> blocks;
  for (size_t a = 0; a < closure.bodies.size(); ++a)
    for (size_t b = 0; b < closure.bodies.size(); ++b) {
      const size_t i = closure.bodies[a], j = closure.bodies[b];
      if (module_[i] == module_[j]) blocks.push_back({static_cast<int>(a), static_cast<int>(b), module_[i], slot_[i], slot_[j]});
    }
  return blocks;
}

/// Eliminates closures that became complete together, each measured by what it is before the others take their part.
void Scheduler::close(std::vector<int> complete) {
  leave_single(complete);
  std::vector<std::pair<int, std::vector<Work::Reference>>> left;
  for (const int c : complete) left.emplace_back(c, trace_blocks(closures_[c]));
  while (!left.empty()) {
    const auto next = std::min_element(
        left.begin(), left.end(), [&](const auto& a, const auto& b) { return growth_of_closing(a.first) < growth_of_closing(b.first); });
    const size_t c = next->first;
    assemble(-1, next->first, plan_.closures[c].rows, closures_[c].bodies, next->second);
    closures_[c].eliminated = true;
    left.erase(next);
  }
}

void Scheduler::join(int body) {
  const int on = parent(body);
  waiting_[body] = 0;
  assemble(body, -1, joint_rows_[body], on < plan_.grounds ? std::vector{body} : std::vector{body, on}, {});
  std::vector<int> complete;
  connect(body, node(on), complete);
  close(complete);
  const int top = clusters_[find(body)].top;
  if (top >= 0 && waiting_[top]) queue_.push({growth(top), top});
}

void Scheduler::run_level(int level) {
  level_ = level;
  std::vector<int> complete;
  for (size_t c = 0; c < closures_.size(); ++c) {
    if (closures_[c].bodies.empty() || closures_[c].level != level) continue;
    if (connected(closures_[c])) {
      complete.push_back(static_cast<int>(c));
      continue;
    }
    std::vector<int> roots;
    for (const int n : closures_[c].nodes) roots.push_back(find(n));
    leave_single(roots);
    for (const int root : roots) clusters_[root].open.push_back(static_cast<int>(c));
  }
  close(complete);
  for (const int b : plan_.subsystems[level].bodies)
    if (joint_level_[b] == level && joint_rows_[b] > 0) waiting_[b] = 1, queue_.push({growth(b), b});
  while (!queue_.empty()) {
    const Candidate best = queue_.top();
    queue_.pop();
    if (!waiting_[best.body]) continue;
    if (const int now = growth(best.body); now > best.growth)
      queue_.push({now, best.body});
    else
      join(best.body);
  }
  finish_level(level);
}

void Scheduler::finish_level(int level) {
  const PlanSubsystem& subsystem = plan_.subsystems[level];
  Work::Submodel& submodel = work_.submodels[level];
  submodel.level = 1;
  for (const int child : children_of(*plan_.model, level)) submodel.level = std::max(submodel.level, work_.submodels[child].level + 1);
  std::vector<int> pieces;
  for (const int b : subsystem.bodies)
    if (links_[b] > 0) pieces.push_back(module_[b]);
  submodel.border = static_cast<int>(pieces.size());
  leave_single(pieces);
  submodel.pieces = static_cast<int>(pieces.size());
}

void Scheduler::build() {
  describe_joints();
  describe_closures();
  start_bodies();
  work_.submodels.resize(plan_.subsystems.size());
  std::vector<int> none;
  for (int b = plan_.grounds; b < static_cast<int>(plan_.bodies.size()); ++b)
    if (joint_rows_[b] == 0) connect(b, node(parent(b)), none);
  for (int level = static_cast<int>(plan_.subsystems.size()) - 1; level >= 0; --level) run_level(level);
}

}  // namespace

void block_module::schedule(const Plan& plan, BlockModuleWork& work) { Scheduler(plan, work).build(); }

}  // namespace arthron
