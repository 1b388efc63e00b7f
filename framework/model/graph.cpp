#include "arthron/topology/graph.hpp"

#include <algorithm>
#include <memory>

#include "arthron/model/model.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Places of the elements that are in subsystems [own.first, own.last): all stand in the order of their subsystems.
template <class Element>
Slice places_within(const std::vector<Element>& elements, const Slice& own) {
  const auto at = [&](int subsystem) {
    return static_cast<int>(
        std::partition_point(elements.begin(), elements.end(), [&](const Element& e) { return e.subsystem < subsystem; }) -
        elements.begin());
  };
  return {at(own.first), at(own.last)};
}

std::vector<ModelGraph::Part> graph_parts(const Model& model) {
  std::vector<ModelGraph::Part> list(model.subsystems.size());
  for (size_t s = list.size(); s-- > 0;) {
    const int number = static_cast<int>(s), parent = model.subsystems[s].parent;
    Slice& own = list[s].members.subsystems;
    own = {number, std::max(own.last, number + 1)};
    list[s].parent = parent;
    list[s].members = {own,
                       places_within(model.couplings, own),
                       places_within(model.forces, own),
                       places_within(model.markers, own),
                       places_within(model.ports, own),
                       places_within(model.parameters, own)};
    if (parent < 0) continue;
    Slice& around = list[parent].members.subsystems;
    around.last = std::max(around.last, own.last);
  }
  return list;
}

std::unique_ptr<const ModelGraph> graph_of(const Model& model) {
  std::vector<int> bodies;
  for (const Body& body : model.bodies) bodies.push_back(body.subsystem);
  std::vector<ModelGraph::JointEnds> joints;
  for (const Joint& joint : model.joints) joints.push_back({joint.parent.value, joint.child.value, joint.subsystem});
  return std::make_unique<const ModelGraph>(bodies, joints, graph_parts(model));
}

}  // namespace

const ModelGraph& KeptGraph::of(const Model& model) const {
  if (const ModelGraph* known = graph_.load(std::memory_order_acquire)) return *known;
  std::unique_ptr<const ModelGraph> made = graph_of(model);
  const ModelGraph* first = nullptr;
  if (!graph_.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel)) return *first;  // another thread was faster
  return *made.release();
}

KeptGraph& KeptGraph::operator=(KeptGraph other) noexcept {
  other.graph_.store(graph_.exchange(other.graph_.load()));
  return *this;
}

KeptGraph::~KeptGraph() { delete graph_.load(); }

}  // namespace arthron
