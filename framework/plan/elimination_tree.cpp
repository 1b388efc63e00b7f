#include "arthron/plan/elimination_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "arthron/plan/compound_lines.hpp"
#include "arthron/plan/dot_text.hpp"
#include "arthron/plan/drawing.hpp"

namespace arthron {

namespace {

using std::size_t;
using Assembly = CompoundNode::Edge;

constexpr const char* blue = "#4a6fa5";
constexpr const char* orange = "#c08a2d";
constexpr const char* grey = "#8a94a3";

std::string count_of(int count, const char* one, const char* many) { return std::to_string(count) + ' ' + (count == 1 ? one : many); }

std::string join_name(const Plan& plan, int compound) { return "join" + std::to_string(compound - shared_part(plan)); }

class TreePicture {
 public:
  explicit TreePicture(const Plan& plan) : plan_(plan), tree_(compound_tree(plan)), lines_(compound_lines(plan, tree_)) {
    for (size_t i = 0; i < lines_.size(); ++i)
      if (node_of(lines_[i]).part >= 0) line_of_part_.try_emplace(node_of(lines_[i]).part, static_cast<int>(i));
  }

  std::string text() {
    drawing_.node("ground", R"(label="ground", shape=plaintext, style="")");
    for (size_t i = 0; i < lines_.size(); ++i) drawing_.node(name(static_cast<int>(i)), label(lines_[i]));
    for (const SegmentChain& chain : plan_.chains) draw_joins(chain);
    for (int i = 0; i < std::ssize(lines_); ++i) draw_edge(i);
    return drawing_.text(
        "  graph [rankdir=RL, ranksep=0.45, nodesep=0.14, fontname=\"Helvetica\", fontsize=10, labelloc=b, fontcolor=\"#5b6b7f\", label=" +
        quoted(legend()) + ", tooltip=" + quoted(plan_.model->name) +
        "];\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\", color=\"#4a6fa5\", fontname=\"Helvetica\", fontsize=11, "
        "margin=\"0.08,0.04\"];\n  edge [fontname=\"Helvetica\", fontsize=9, fontcolor=\"#5b6b7f\", arrowsize=0.7];\n");
  }

 private:
  [[nodiscard]] const CompoundNode& node_of(const CompoundLine& line) const { return tree_.nodes[line.node]; }
  [[nodiscard]] static std::string name(int line) { return "compound" + std::to_string(line); }

  [[nodiscard]] std::string label(const CompoundLine& line) const {
    const CompoundNode& node = node_of(line);
    std::string small;
    const auto add = [&](const std::string& words) { small += (small.empty() ? "" : " &#183; ") + words; };
    const int in_a_row = line.in_a_row ? line.times : 1;
    if (!node.bodies.empty()) add(count_of(in_a_row * static_cast<int>(node.bodies.size()), "body", "bodies"));
    if (node.rows_closed > 0) add("closes " + count_of(node.rows_closed, "row", "rows"));
    if (line.lanes > 1) add(std::to_string(line.lanes) + " lanes");
    char cost[32];
    std::snprintf(cost, sizeof cost, "%.1f us", node.cost * in_a_row / 1e3);
    if (!node.bodies.empty()) add(cost);
    const bool joined = line.edge == Assembly::joined;
    std::string text =
        R"(label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="1"><tr><td><b>)" + html_text(line.name) + "</b></td></tr>";
    if (!small.empty()) text += "<tr><td><font point-size=\"9\" color=\"#5b6b7f\">" + small + "</font></td></tr>";
    text += "</table>>";
    if (node.bodies.empty()) text += std::string(", fillcolor=\"#ffffff\", color=\"") + grey + '"';
    if (joined) text += std::string(", fillcolor=\"#fdf1dc\", color=\"") + orange + '"';
    if (line.times > 1 && !line.in_a_row) text += ", peripheries=2";
    return text;
  }

  static std::string rows_on_edge(const CompoundNode& node) {
    return node.rows_passed > 0 ? "label=" + quoted(count_of(node.rows_passed, "row", "rows")) : "";
  }

  void draw_edge(int line) {
    const CompoundNode& node = node_of(lines_[line]);
    if (in_joins_.contains(line)) return;
    const Assembly edge = lines_[line].edge;
    uses_.insert(edge);
    std::string style = rows_on_edge(node);
    style += style.empty() ? "" : ", ";
    if (edge == Assembly::merged)
      style += std::string("arrowhead=dot, color=\"") + grey + '"';
    else if (edge == Assembly::joined)
      style += std::string("penwidth=2, arrowhead=none, color=\"") + orange + '"';
    else
      style += std::string("color=\"") + blue + '"';
    drawing_.edge(name(line), lines_[line].above < 0 ? "ground" : name(lines_[line].above), style);
  }

  /// Compounds of a chain as a tree of joins, where each of them is drawn by itself.
  void draw_joins(const SegmentChain& chain) {
    for (const int p : chain.parts)
      if (!line_of_part_.contains(p)) return;
    uses_.insert(Assembly::joined);
    const std::string style = std::string("color=\"") + orange + '"';
    const auto end = [&](int compound) {
      return compound < shared_part(plan_) ? name(line_of_part_.at(compound)) : join_name(plan_, compound);
    };
    for (const int p : chain.parts) in_joins_.insert(line_of_part_.at(p));
    for (int j = chain.joins.first; j < chain.joins.last; ++j) {
      const std::string join = join_name(plan_, shared_part(plan_) + j);
      drawing_.node(
          join, R"(label="join", shape=ellipse, fillcolor="#fdf1dc", margin="0.02,0.01", fontsize=9, color=")" + std::string(orange) + '"');
      drawing_.edge(end(plan_.joins[j].near), join, style);
      drawing_.edge(end(plan_.joins[j].far), join, style);
    }
    const int above = lines_[line_of_part_.at(chain.parts.front())].above;
    drawing_.edge(join_name(plan_, shared_part(plan_) + chain.joins.last - 1), above < 0 ? "ground" : name(above), style);
  }

  [[nodiscard]] std::string legend() const {
    std::vector<std::string> words;
    if (uses_.contains(Assembly::carried)) words.push_back("arrow: carried, the outer compound is complete first");
    if (uses_.contains(Assembly::merged)) words.push_back("dot: merged with others on the same body");
    if (uses_.contains(Assembly::joined)) words.push_back("orange: joined, both are assembled at the same time");
    const auto any = [&](auto holds) { return std::any_of(lines_.begin(), lines_.end(), holds); };
    if (any([&](const CompoundLine& line) { return node_of(line).rows_passed > 0; }))
      words.push_back("rows on a line: directions of open loops that are passed on");
    if (any([](const CompoundLine& line) { return line.times > 1 && !line.in_a_row; }))
      words.push_back("double frame: several that are alike");
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i % 2 == 0 ? "\n" : "     ") + words[i];
    return text;
  }

  const Plan& plan_;
  const CompoundTree tree_;
  const std::vector<CompoundLine> lines_;
  std::map<int, int> line_of_part_;  // the first
  std::set<int> in_joins_;           // lines that joins are drawn for
  std::set<Assembly> uses_;
  Drawing drawing_;
};

}  // namespace

std::string elimination_tree(const Plan& plan) { return TreePicture(plan).text(); }

}  // namespace arthron
