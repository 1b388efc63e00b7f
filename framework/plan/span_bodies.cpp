#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <unordered_set>

#include "arthron/core/diagnostic.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/passes.hpp"
#include "arthron/topology/graph.hpp"

namespace arthron {

namespace {

using std::size_t;
using Wish = Edge::Wish;

Diagnostic mistake(const SourceRef& source, std::string found, std::string expected) {
  return {source.file, source.line, source.pointer, std::move(found), std::move(expected), ""};
}

/// Directions that a joint constrains.
int constraints(const Joint& joint) { return joint.motion.empty() ? 6 - joint.definition->type().nu() : 6; }

/// Light bodies that still move by themselves when all they are joined to stands still, as far as counting tells.
std::vector<bool> loose_bodies(const Model& model) {
  std::vector<int> held(model.bodies.size(), 0);
  for (const Joint& joint : model.joints) held[joint.parent.value] += constraints(joint), held[joint.child.value] += constraints(joint);
  std::vector<bool> list = light_bodies(model);
  for (size_t b = 0; b < list.size(); ++b) list[b] = list[b] && model.bodies[b].mass > 0 && held[b] < 6;
  return list;
}

/// The whole model's graph, grounds being vertex 0.
std::vector<Edge> whole_graph(const Model& model, const std::vector<Wish>& wish) {
  std::vector<Edge> edges;
  const auto vertex = [&](BodyIndex b) { return model.bodies[b.value].ground ? 0 : 1 + static_cast<int>(b.value); };
  for (size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    edges.push_back({vertex(joint.parent), vertex(joint.child), wish[j], constraints(joint)});
  }
  return edges;
}

/// Bodies that hang on loose ones; or that nothing reaches.
long badly_hung(const Model& model, const std::vector<Wish>& wish, const std::vector<bool>& loose) {
  const SpanningTree tree = span(static_cast<int>(model.bodies.size()) + 1, whole_graph(model, wish), 0);
  const auto hangs = [&](const SpanningTree::Link& link) { return link.parent > 0 && loose[link.parent - 1]; };
  return std::count_if(tree.links.begin(), tree.links.end(), hangs) + std::ssize(model.bodies) * std::ssize(tree.unreached);
}

/// What the user wants to become of each joint. Whatever that is, those of light bodies whose motion others determine are rather kept
/// whole: the tree carries inertia through them. Loose ones carry nothing where there is another way: their own momenta would be small
/// differences of those that they carry.
std::vector<Wish> wishes(const Model& model) {
  std::vector<Wish> list;
  for (const Joint& joint : model.joints)
    list.push_back(joint.cut == true ? Wish::chord : joint.cut == false || joint.keep ? Wish::tree : Wish::none);
  for (const Coupling& coupling : model.couplings)
    for (const Coupling::Term& term : coupling.terms) {
      Wish& wish = list[term.joint.value];
      if (wish == Wish::none) wish = Wish::tree;
    }
  const std::vector<bool> light = light_bodies(model), loose = loose_bodies(model);
  const auto joins = [&](const std::vector<bool>& bodies, size_t j) {
    return bodies[model.joints[j].parent.value] || bodies[model.joints[j].child.value];
  };
  for (size_t j = 0; j < list.size(); ++j) {
    if (list[j] == Wish::none && joins(loose, j))
      list[j] = Wish::rather_chord;
    else if ((list[j] == Wish::none || list[j] == Wish::chord) && joins(light, j) && !joins(loose, j))
      list[j] = Wish::rather_tree;
  }
  if (std::find(loose.begin(), loose.end(), true) == loose.end()) return list;
  for (size_t j = 0; j < list.size(); ++j) {
    if (list[j] != Wish::chord || joins(loose, j)) continue;
    std::vector<Wish> without = list;
    without[j] = Wish::none;
    if (badly_hung(model, without, loose) < badly_hung(model, list, loose)) list = without;
  }
  return list;
}

/// What lies within a subsystem. Vertex 0 is everything that its joints cannot move: grounds, mounts, and of a nested subsystem one body of
/// each part that floats.
class MovingBodies {
 public:
  MovingBodies(const Model& model, int subsystem) : model_(model), joint_(joints_of(model, subsystem)) {
    const SystemGraph& graph = model.graph().subsystem(subsystem);
    std::vector<int> vertex(num_vertices(graph), 0);
    for (const BodyDescriptor at : boost::make_iterator_range(vertices(graph)))
      if (const BodyIndex body = graph[at].body; !stands_still(model, subsystem, body, -1))
        vertex[at] = static_cast<int>(body_.size()), body_.push_back(body.value);
    const auto vertex_of = [&](BodyIndex body, int port) {
      return stands_still(model, subsystem, body, port) ? 0 : vertex[graph.global_to_local(static_cast<BodyDescriptor>(body.value))];
    };
    for (const int j : joint_) {
      const Joint& joint = model.joints[j];
      edges_.push_back(
          {vertex_of(joint.parent, joint.parent_port), vertex_of(joint.child, joint.child_port), Wish::none, constraints(joint)});
    }
    if (subsystem == 0) return;
    for (const int b : floating_bodies(model, subsystem)) edges_.push_back({0, vertex_of({b}, -1), Wish::tree});
  }

  /// Joints of the subsystem are edges [0, joints()), in the Model's order.
  [[nodiscard]] size_t joints() const { return joint_.size(); }
  [[nodiscard]] int joint(size_t edge) const { return joint_[edge]; }
  [[nodiscard]] const Body& body(int vertex) const { return model_.bodies[body_[vertex]]; }

  SpanningTree tree(const std::vector<Wish>& wish) {
    for (size_t e = 0; e < joints(); ++e) edges_[e].wish = wish[joint_[e]];
    return span(static_cast<int>(body_.size()), edges_, 0);
  }
  [[nodiscard]] LoopClusters clusters() const { return loop_clusters(static_cast<int>(body_.size()), edges_); }

 private:
  const Model& model_;
  const std::vector<int> joint_;
  std::vector<int> body_{-1};
  std::vector<Edge> edges_;
};

/// True when every vertex is reached and no joint is cut against the user's wish.
bool serves(const SpanningTree& tree, const MovingBodies& bodies, const std::vector<Wish>& wanted) {
  return tree.unreached.empty() &&
         std::none_of(tree.chords.begin(), tree.chords.end(), [&](int chord) { return wanted[bodies.joint(chord)] == Wish::tree; });
}

void check(const Model& model, const MovingBodies& bodies, const SpanningTree& tree) {
  std::vector<Diagnostic> mistakes;
  for (const int v : tree.unreached) {
    const Body& lost = bodies.body(v);
    mistakes.push_back(mistake(lost.source, "body \"" + lost.path + "\" with no path of joints to a ground",
                               "a joint that leads to it; for a body that floats freely, a joint of type \"free\" to \"ground\""));
  }
  for (const int chord : tree.chords) {
    const Joint& joint = model.joints[chord];
    if (joint.keep)
      mistakes.push_back(mistake(joint.source, "\"keep\" in every joint of a loop", "a joint of the loop that may move when it is closed"));
  }
  const std::unordered_set<int> chords(tree.chords.begin(), tree.chords.end());
  for (const Coupling& coupling : model.couplings)
    for (const Coupling::Term& term : coupling.terms)
      if (chords.contains(term.joint.value))
        mistakes.push_back(mistake(coupling.source, "joint \"" + model.joints[term.joint.value].path + "\", at which a loop is cut",
                                   "joints that stay whole: leave out \"cut\", or cut another joint of the loop"));
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

}  // namespace

std::vector<bool> light_bodies(const Model& model) {
  constexpr double light = 1e-5;
  std::vector<double> heaviest(model.bodies.size(), 0);
  const auto at = [](BodyIndex b) { return static_cast<size_t>(b.value); };
  const auto see = [&](BodyIndex from, BodyIndex to) {
    if (!model.bodies[at(to)].ground) heaviest[at(from)] = std::max(heaviest[at(from)], model.bodies[at(to)].mass);
  };
  for (const Joint& joint : model.joints) see(joint.parent, joint.child), see(joint.child, joint.parent);
  std::vector<bool> list;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    list.push_back(!body.ground && (body.mass == 0 || body.mass < light * heaviest[b]));
  }
  return list;
}

BodyTree span_bodies(const Model& model) {
  const std::vector<Wish> wanted = wishes(model);
  std::vector<Wish> decided = wanted;
  BodyTree result{{}, std::vector<int>(model.joints.size(), -1)};
  for (int s = static_cast<int>(model.subsystems.size()) - 1; s >= 0; --s) {
    MovingBodies bodies(model, s);
    if (bodies.joints() == 0 && s > 0) continue;
    result.tree = bodies.tree(decided);
    if (!serves(result.tree, bodies, wanted)) result.tree = bodies.tree(wanted);
    if (s == 0) check(model, bodies, result.tree);
    std::vector<bool> chord(bodies.joints(), false);
    for (const int c : result.tree.chords) chord[c] = true;
    for (size_t e = 0; e < bodies.joints(); ++e) {
      const size_t j = bodies.joint(e);
      const bool open = wanted[j] == Wish::none || wanted[j] == Wish::rather_tree || wanted[j] == Wish::rather_chord;
      decided[j] = !open ? wanted[j] : chord[e] ? Wish::chord : Wish::tree;
      int& home = result.loop_subsystem[j];
      if (!chord[e])
        home = -1;
      else if (home < 0)
        home = s;
    }
  }
  return result;
}

LoopClusters loop_clusters(const Model& model) { return MovingBodies(model, 0).clusters(); }

}  // namespace arthron
