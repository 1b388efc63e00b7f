#include "arthron/plan/elimination_tree.hpp"

#include <cstdio>
#include <sstream>

#include "arthron/plan/dot_text.hpp"
#include "arthron/plan/drawing.hpp"

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
  Drawing drawing;
  drawing.node("ground", R"(label="ground", shape=plaintext, style="")");
  const auto carrier = [&](const PlanPart& part) { return part.carrier < 0 ? "ground" : compound(plan, part.carrier); };
  std::vector<bool> in_chain(shared_part(plan), false);
  for (int p = 0; p < shared_part(plan); ++p) drawing.node(compound(plan, p), "label=" + arthron::quoted(label(plan, part(plan, p))));
  for (const SegmentChain& chain : plan.chains) {
    for (const int p : chain.parts) in_chain[p] = true;
    std::string whole;
    for (int j = chain.joins.first; j < chain.joins.last; ++j) {
      const SegmentJoin& join = plan.joins[j];
      whole = compound(plan, shared_part(plan) + j);
      drawing.node(whole, R"(label="join", shape=ellipse, fillcolor="#fdf1dc", color="#c08a2d")");
      drawing.edge(compound(plan, join.near), whole, "");
      drawing.edge(compound(plan, join.far), whole, "");
    }
    drawing.edge(whole, carrier(part(plan, chain.parts.front())), "");
  }
  for (int p = 0; p < shared_part(plan); ++p)
    if (!in_chain[p]) drawing.edge(compound(plan, p), carrier(part(plan, p)), "");
  const int shared = part(plan, shared_part(plan)).cuts.size();
  for (int p = 0; p < shared_part(plan) && shared > 0; ++p)
    for (const CutSide& side : part(plan, p).shared_sides)
      if (side.child) {
        const int other = plan.part_of_body[plan.closures[side.closure].parent];
        if (other >= 0)
          drawing.edge(compound(plan, p), compound(plan, other), R"(style=dashed, dir=none, constraint=false, color="#b05050")");
      }
  return drawing.text("  graph [rankdir=RL, ranksep=0.35, nodesep=0.12, tooltip=" + arthron::quoted(plan.model->name) +
                      "];\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\", color=\"#4a6fa5\", fontname=\"Helvetica\", "
                      "fontsize=11];\n  edge [color=\"#4a6fa5\", arrowsize=0.7];\n");
}

}  // namespace arthron
