#include "arthron/plan/subsystem_tree.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

std::string counted(int count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

/// As the file of a subsystem names it; what lies outside keeps its whole path.
std::string local(const std::string& path, const Subsystem& subsystem) {
  const std::string prefix = subsystem.path + '.';
  return !subsystem.path.empty() && path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

/// The subsystem that closes a loop of which `subsystem` has a part.
int closed_in(const Plan& plan, int closure, int subsystem) {
  const auto closes = [&](int s) {
    const std::vector<int>& list = plan.subsystems[s].closes;
    return std::binary_search(list.begin(), list.end(), closure);
  };
  while (subsystem > 0 && !closes(subsystem)) subsystem = plan.model->subsystems[subsystem].parent;
  return subsystem;
}

/// The joint at which a loop is cut, or a coupling, as the subsystem names it, or the one that closes it.
std::string cut_name(const Plan& plan, int closure, int subsystem) {
  const Model& model = *plan.model;
  const PlanClosure& at = plan.closures[closure];
  const std::string& path = at.coupling < 0 ? model.joints[at.joint].path : model.couplings[at.coupling].path;
  const std::string own = local(path, model.subsystems[subsystem]);
  return own.size() < path.size() ? own : local(path, model.subsystems[closed_in(plan, closure, subsystem)]);
}

/// The number behind "name_", -1 where there is none.
int index_of(const std::string& name) {
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  return digits == name.size() || digits == 0 || name[digits - 1] != '_' || name.size() - digits > 9 ? -1 : std::stoi(name.substr(digits));
}

/// Indices of repeated names as their distance from `own`: "link_3.tip" seen from link_4 is "link_[-1].tip".
std::string seen_from(int own, const std::string& path) {
  std::string text;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    const int index = own < 0 ? -1 : index_of(name);
    text += index < 0 ? name : name.substr(0, name.rfind('_') + 1) + '[' + std::to_string(index - own) + ']';
    text += '.';
  }
  return text;
}

/// Gives every subsystem the number of its kind: equal for those that are alike but for their names.
class Kinds {
 public:
  explicit Kinds(const Plan& plan) : plan_(plan), model_(*plan.model), kind_(model_.subsystems.size()) {
    for (int s = static_cast<int>(kind_.size()) - 1; s > 0; --s)
      kind_[s] = known_.emplace(word(s), static_cast<int>(known_.size())).first->second;
  }
  [[nodiscard]] int of(int subsystem) const { return kind_[subsystem]; }

 private:
  [[nodiscard]] std::string word(int s) const {
    const Subsystem& subsystem = model_.subsystems[s];
    const Subsystem& enclosing = model_.subsystems[subsystem.parent];
    const int own = index_of(last_name(subsystem.path));
    std::ostringstream out;
    out << std::hexfloat << subsystem.file << '\n' << subsystem.name << '\n' << subsystem.placement.is_mirror_image();
    const SubsystemMembers& members = members_of(model_, s);
    for (int p = members.parameters.first; p < members.parameters.last; ++p)
      out << '\n' << local(model_.parameters[p].path, subsystem) << '=' << model_.parameters[p].value;
    for (int p = members.ports.first; p < members.ports.last; ++p) {
      const Port& port = model_.ports[p];
      if (port.subsystem != s) break;  // a file's own ports come first
      out << '\n' << last_name(port.path) << ' ' << static_cast<int>(port.kind) << port.connected;
      if (port.kind != Port::Kind::mount || !port.connected) continue;
      const std::string& carrier = port.through < 0 ? model_.bodies[port.body.value].path : model_.ports[port.through].path;
      out << seen_from(own, local(carrier, enclosing));
    }
    for (const auto* list : {&plan_.subsystems[s].loops, &plan_.subsystems[s].closes, &plan_.subsystems[s].passes_on}) {
      out << '\n';
      for (const int c : *list) out << seen_from(own, cut_name(plan_, c, s)) << ' ';
    }
    for (const int child : children_of(model_, s)) out << '\n' << last_name(model_.subsystems[child].path) << ':' << kind_[child];
    return out.str();
  }

  const Plan& plan_;
  const Model& model_;
  std::vector<int> kind_;
  std::map<std::string, int> known_;
};

void list_within(const Model& model, const Kinds& kinds, int subsystem, int depth, std::vector<AlikeSubsystems>& list) {
  std::map<int, size_t> place;  // of a kind among those found here
  std::vector<AlikeSubsystems> here;
  for (const int child : children_of(model, subsystem)) {
    const auto [entry, fresh] = place.try_emplace(kinds.of(child), here.size());
    if (fresh) here.push_back({{}, depth});
    here[entry->second].members.push_back(child);
  }
  for (AlikeSubsystems& alike : here) {
    const int first = alike.first();
    list.push_back(std::move(alike));
    list_within(model, kinds, first, depth + 1, list);
  }
}

/// Names of the joints at which loops are cut, and of couplings.
std::string cut_names(const Plan& plan, const std::vector<int>& closures, int subsystem) {
  std::vector<std::string> names;
  for (const int c : closures) names.push_back(cut_name(plan, c, subsystem));
  return dozen(names);
}

int rows_of(const Plan& plan, const std::vector<int>& closures) {
  int rows = 0;
  for (const int c : closures) rows += plan.closures[c].rows;
  return rows;
}

}  // namespace

std::string dozen(const std::vector<std::string>& names) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? text + ", ..." : text;
}

std::vector<AlikeSubsystems> subsystem_tree(const Plan& plan) {
  std::vector<AlikeSubsystems> list;
  list_within(*plan.model, Kinds(plan), 0, 0, list);
  return list;
}

std::vector<int> stand_ins(const Plan& plan) {
  const Model& model = *plan.model;
  std::vector<int> first(plan.subsystems.size(), -1), result(plan.subsystems.size(), 0);
  for (const AlikeSubsystems& alike : subsystem_tree(plan))
    for (const int s : alike.members) first[s] = alike.first();
  for (int s = 1; s < static_cast<int>(result.size()); ++s) {
    const int parent = model.subsystems[s].parent, listed = result[parent];
    if (listed == parent) {
      result[s] = first[s];
      continue;
    }
    for (const int twin : children_of(model, listed))
      if (last_name(model.subsystems[twin].path) == last_name(model.subsystems[s].path)) result[s] = first[twin];
  }
  return result;
}

std::string names_of(const Model& model, const AlikeSubsystems& alike) {
  const auto name = [&](int s) { return last_name(model.subsystems[s].path); };
  const std::string first = name(alike.first());
  if (alike.members.size() == 1) return first;
  return first + (alike.members.size() == 2 ? ", " : " ... ") + name(alike.members.back()) + " (x " + std::to_string(alike.members.size()) +
         ')';
}

std::string describe_rows(const Plan& plan, const std::vector<int>& closures, int subsystem) {
  return counted(rows_of(plan, closures), "row", "rows") + " (" + cut_names(plan, closures, subsystem) + ')';
}

std::string describe_clusters(const Plan& plan) {
  if (plan.closures.empty()) return "";
  const LoopClusters clusters = loop_clusters(*plan.model);
  std::vector<int> loops(clusters.count, 0);
  for (int c = 0; c < plan.cuts; ++c) ++loops[clusters.of_edge[plan.closures[c].joint]];
  std::string text;
  if (plan.cuts > 0)
    text = counted(plan.cuts, "loop", "loops") + " in " + counted(clusters.count, "cluster", "clusters") +
           " of coupled loops, the largest of " + std::to_string(*std::max_element(loops.begin(), loops.end())) + '\n';
  int rows = 0, within = 0;
  for (size_t s = 1; s < plan.subsystems.size(); ++s)
    if (const std::vector<int>& closes = plan.subsystems[s].closes; !closes.empty()) rows += rows_of(plan, closes), ++within;
  if (plan.subsystems.size() == 1) return text;
  text += "closed in the lowest subsystem that holds the loop: " + counted(rows, "row", "rows") + " in " +
          counted(within, "subsystem", "subsystems");
  const std::vector<int>& own = plan.subsystems.front().closes;
  text += ", " + std::to_string(rows_of(plan, own)) + " in the model itself";
  return text + (own.empty() ? "" : " (" + cut_names(plan, own, 0) + ')') + '\n';
}

}  // namespace arthron
