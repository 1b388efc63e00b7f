#include "arthron/plan/elimination_tree.hpp"

#include <cstdio>
#include <sstream>

#include "arthron/plan/dot_text.hpp"

namespace arthron {

namespace {

using std::size_t;

/// The body as the model calls it.
std::string name_of(const Plan& plan, int body) {
  for (size_t m = 0; m < plan.body_of.size(); ++m)
    if (plan.body_of[m] == body) return plan.model->bodies[m].path;
  return "";
}

std::string label(const Plan& plan, const PlanPart& part) {
  std::ostringstream text;
  const int first = part.bodies.first, last = part.bodies.last - 1;
  text << name_of(plan, first);
  if (last > first) text << (last == first + 1 ? ", " : " ... ") << name_of(plan, last);
  text << '\n' << part.bodies.size() << (part.bodies.size() == 1 ? " body" : " bodies");
  if (part.cuts.size() > 0) text << ", " << part.cuts.size() << (part.cuts.size() == 1 ? " loop" : " loops");
  char cost[32];
  std::snprintf(cost, sizeof cost, "%.1f us", part.cost / 1e3);
  text << '\n' << cost;
  return text.str();
}

std::string compound(const Plan& plan, int number) {
  return number < shared_part(plan) ? "part" + std::to_string(number) : "join" + std::to_string(number - shared_part(plan));
}

}  // namespace

std::string elimination_tree(const Plan& plan) {
  std::ostringstream out;
  out << "digraph " << quoted(plan.model->name) << " {\n"
      << "  rankdir=RL;\n  ranksep=0.35;\n  nodesep=0.12;\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\", "
         "color=\"#4a6fa5\", fontname=\"Helvetica\", "
         "fontsize=11];\n  edge [color=\"#4a6fa5\", arrowsize=0.7];\n"
      << "  ground [label=\"ground\", shape=plaintext, style=\"\"];\n";
  const auto carrier = [&](const PlanPart& part) { return part.carrier < 0 ? "ground" : compound(plan, part.carrier); };
  std::vector<bool> in_chain(shared_part(plan), false);
  for (int p = 0; p < shared_part(plan); ++p) out << "  part" << p << " [label=" << quoted(label(plan, part(plan, p))) << "];\n";
  for (size_t s = 0; s < plan.chains.size(); ++s) {
    const SegmentChain& chain = plan.chains[s];
    for (const int p : chain.parts) in_chain[p] = true;
    for (int j = chain.joins.first; j < chain.joins.last; ++j) {
      const SegmentJoin& join = plan.joins[j];
      out << "  join" << j << " [label=\"join\", shape=ellipse, fillcolor=\"#fdf1dc\", color=\"#c08a2d\"];\n"
          << "  " << compound(plan, join.near) << " -> join" << j << ";\n  " << compound(plan, join.far) << " -> join" << j << ";\n";
    }
    out << "  join" << chain.joins.last - 1 << " -> " << carrier(part(plan, chain.parts.front())) << ";\n";
  }
  for (int p = 0; p < shared_part(plan); ++p)
    if (!in_chain[p]) out << "  part" << p << " -> " << carrier(part(plan, p)) << ";\n";
  const int shared = part(plan, shared_part(plan)).cuts.size();
  for (int p = 0; p < shared_part(plan) && shared > 0; ++p)
    for (const CutSide& side : part(plan, p).shared_sides)
      if (side.child) {
        const int other = plan.part_of_body[plan.closures[side.closure].parent];
        if (other >= 0) out << "  part" << p << " -> part" << other << " [style=dashed, dir=none, constraint=false, color=\"#b05050\"];\n";
      }
  out << "}\n";
  return out.str();
}

}  // namespace arthron
