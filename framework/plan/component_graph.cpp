#include "arthron/plan/component_graph.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/dot_text.hpp"
#include "arthron/plan/drawing.hpp"

namespace arthron {
namespace {

using std::size_t;

constexpr const char* joint_color = "#4a6fa5";
constexpr const char* cut_color = "#b05050";
constexpr const char* driven_color = "#c08a2d";
constexpr const char* force_color = "#4f8a5b";
constexpr const char* coupling_color = "#7a5ba6";
constexpr const char* port_color = "#8a8f98";

std::string counted(size_t count, const std::string& singular, const std::string& plural) {
  return std::to_string(count) + ' ' + (count == 1 ? singular : plural);
}

/// Grey and small, between `margins`.
std::string small_print(const std::string& text, const std::string& margins = "") {
  return "<font point-size=\"8\" color=\"#6b7280\">" + margins + html_text(text) + margins + "</font>";
}

std::string mass_text(double mass) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g kg", mass);
  return text;
}

/// What is drawn, and by which node.
class Picture {
 public:
  Picture(const Plan& plan, const GraphOptions& options) : plan_(plan), model_(*plan.model), options_(options) {
    for (const Subsystem& subsystem : model_.subsystems) level_.push_back(subsystem.parent < 0 ? 0 : level_[subsystem.parent] + 1);
    deepest_ = *std::max_element(level_.begin(), level_.end());
    choose_depth();
    for (size_t p = 0; p < model_.ports.size(); ++p) {
      const Port& port = model_.ports[p];
      if (port.kind == Port::Kind::mount && !port.connected) stand_in_[port.body.value] = static_cast<int>(p);
    }
    for (const Coupling& coupling : model_.couplings)
      for (const Coupling::Term& term : coupling.terms) coupled_.insert(term.joint.value);
  }

  std::string text() {
    draw_edges();
    draw_subsystem(0, Drawing::whole);
    arrange_loose_boxes();
    std::ostringstream out;
    out << "  graph [fontname=\"Helvetica\", fontsize=10, rankdir=" << (open_subsystems() > 6 ? "LR" : "TB")
        << ", ranksep=0.3, nodesep=0.22, pad=0.15, nslimit=4, nslimit1=4, "
           "mclimit=1, labelloc=b, labeljust=l, tooltip="
        << quoted(model_.name) << ", label=" << legend() << "];\n"
        << "  node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\", color=\""
        << joint_color << "\", margin=\"0.09,0.05\", height=0.3, width=0.4];\n"
        << "  edge [fontname=\"Helvetica\", fontsize=9, color=\"" << joint_color << "\", arrowsize=0.55];\n";
    return drawing_.text(out.str());
  }

 private:
  enum class Line { joint, cut, driven, force, coupling, port };

  /// A picture of many boxes is better read from left to right: boxes one above the other take less paper.
  [[nodiscard]] int open_subsystems() const {
    return static_cast<int>(std::count_if(level_.begin(), level_.end(), [&](int level) { return level <= depth_; }));
  }

  void choose_depth() {
    if (options_.depth) {
      depth_ = *options_.depth;
      return;
    }
    const auto boxes = [&](int depth) {
      const auto drawn = [&](const Body& body) { return level_[body.subsystem] <= depth; };
      const auto box = [&](int level) { return level <= depth + 1; };
      return static_cast<size_t>(std::count_if(model_.bodies.begin(), model_.bodies.end(), drawn) +
                                 std::count_if(level_.begin(), level_.end(), box));
    };
    depth_ = deepest_;
    while (depth_ > 0 && boxes(depth_) > options_.readable) --depth_;
    constexpr size_t drawable = 150;
    if (boxes(depth_) <= drawable) return;
    // Not even one level can be drawn: the first bodies and subsystems of the model itself stand for the others.
    size_t own = 0, parts = 0;
    for (size_t b = 0; b < model_.bodies.size(); ++b)
      if (model_.bodies[b].subsystem == 0 && ++own > drawable / 2) left_out_bodies_.insert(static_cast<int>(b));
    for (size_t s = 0; s < level_.size(); ++s)
      if (level_[s] == 1 && ++parts > drawable / 2) left_out_subsystems_.insert(static_cast<int>(s));
  }

  /// The subsystem whose box hides what is in `subsystem`; -1 when it is drawn.
  [[nodiscard]] int box_of(int subsystem) const {
    int box = -1;
    for (int s = subsystem; s >= 0; s = model_.subsystems[s].parent)
      if (level_[s] > depth_) box = s;
    return box;
  }

  [[nodiscard]] std::string box_node(int box) const {
    return left_out_subsystems_.contains(box) ? "more_subsystems" : "s" + std::to_string(box);
  }

  /// The node that stands for a body, as something in the file of `from` names it: by a port or by its own name. The model's ground has a
  /// symbol in every file that names it, as in circuit diagrams.
  std::string node(int body, int port, int from) {
    if (port < 0)
      if (const auto open = stand_in_.find(body); open != stand_in_.end()) port = open->second;
    const int home = port >= 0 ? model_.ports[port].subsystem : model_.bodies[body].subsystem;
    if (const int box = box_of(home); box >= 0) return box_node(box);
    if (port >= 0) {
      use_port(port);
      return "p" + std::to_string(port);
    }
    if (left_out_bodies_.contains(body)) return "more_bodies";
    if (body > 0) return "b" + std::to_string(body);
    grounds_.insert(from);
    return "g" + std::to_string(from);
  }

  std::string node(const Handle& handle, int from) { return node(handle.body.value, handle.port, from); }

  /// What a port passes on: another port, or a body; "" while it is open.
  std::string behind(const Port& port) {
    if (port.through >= 0) return node(-1, port.through, port.subsystem);
    if (port.kind == Port::Kind::mount && !port.connected) return "";
    const int named_in = port.kind == Port::Kind::mount ? model_.subsystems[port.subsystem].parent : port.subsystem;
    return node(port.body.value, -1, std::max(named_in, 0));
  }

  void use_port(int number) {
    if (!ports_.insert(number).second) return;
    const std::string from = behind(model_.ports[number]);
    if (!from.empty()) edge(Line::port, from, "p" + std::to_string(number), "", "");
  }

  void edge(Line line, const std::string& from, const std::string& to, const std::string& label, const std::string& tip) {
    if (from == to) return;
    lines_.insert(line);
    joined_.insert({from, to});
    std::string text;
    switch (line) {
      case Line::joint: break;
      case Line::cut: text += "style=dashed, color=\"" + std::string(cut_color) + "\", "; break;
      case Line::driven: text += "penwidth=1.8, color=\"" + std::string(driven_color) + "\", "; break;
      case Line::force: text += "dir=none, penwidth=0.7, weight=0, color=\"" + std::string(force_color) + "\", "; break;
      case Line::coupling:
        text += "dir=none, style=dotted, penwidth=1.4, constraint=false, color=\"" + std::string(coupling_color) + "\", ";
        break;
      case Line::port: text += "dir=none, weight=2, color=\"" + std::string(port_color) + "\", "; break;
    }
    if (!label.empty()) text += "label=<" + label + ">, ";
    drawing_.edge(from, to, text + "tooltip=" + quoted(tip));
  }

  void draw_edges() {
    for (size_t j = 0; j < model_.joints.size(); ++j) draw_joint(j);
    for (const Coupling& coupling : model_.couplings) draw_coupling(coupling);
    draw_forces();
    // What carries the subsystems that are drawn as boxes.
    for (const Port& port : model_.ports) {
      const int box = box_of(port.subsystem);
      if (box != port.subsystem || port.kind != Port::Kind::mount || !port.connected) continue;
      std::string names = last_name(port.path);
      if (port.through >= 0 && box_of(model_.ports[port.through].subsystem) >= 0)
        if (const std::string other = last_name(model_.ports[port.through].path); other != names) names = other + " - " + names;
      edge(Line::port, behind(port), box_node(box), small_print(names), port.path);
    }
  }

  void draw_joint(size_t j) {
    const Joint& joint = model_.joints[j];
    if (box_of(joint.subsystem) >= 0) return;
    const std::string from = node(joint.parent.value, joint.parent_port, joint.subsystem),
                      to = node(joint.child.value, joint.child_port, joint.subsystem);
    const Line line = plan_.joints[j].closure >= 0 ? Line::cut : joint.motion.empty() ? Line::joint : Line::driven;
    const std::string label =
        "&#160;" + html_text(last_name(joint.path)) + "&#160;<br/>" + small_print(std::string(joint.definition->type().name()), "&#160;");
    if (!coupled_.contains(static_cast<int>(j))) return edge(line, from, to, label, joint.path);
    // A joint that a coupling ties to others is a node, so that the coupling has something to end at.
    const std::string at = "j" + std::to_string(j);
    const std::string color = line == Line::cut ? cut_color : line == Line::driven ? driven_color : joint_color;
    nodes_[joint.subsystem].emplace_back(at, R"(shape=ellipse, fillcolor="#ffffff", fontsize=9, margin="0.02,0.0", color=")" + color +
                                                 "\", label=<" + label + ">, tooltip=" + quoted(joint.path));
    edge(line, from, at, "", joint.path);
    edge(line, at, to, "", joint.path);
  }

  void draw_coupling(const Coupling& coupling) {
    std::vector<std::string> ends;
    for (const Coupling::Term& term : coupling.terms) {
      const int box = box_of(model_.joints[term.joint.value].subsystem);
      ends.push_back(box >= 0 ? box_node(box) : "j" + std::to_string(term.joint.value));
    }
    if (box_of(coupling.subsystem) >= 0) return;
    const std::string label = html_text(last_name(coupling.path)) + "<br/>" + small_print("coupling");
    if (ends.size() == 2) return edge(Line::coupling, ends[0], ends[1], label, coupling.path);
    const std::string at = "c" + std::to_string(&coupling - model_.couplings.data());
    mark(coupling.subsystem, at, coupling_color, label, coupling.path);
    for (const std::string& end : ends) edge(Line::coupling, at, end, "", coupling.path);
  }

  /// Forces between the same two ends share a line: a strut of spring, damper and stops is one.
  void draw_forces() {
    struct Bundle {
      std::string label, tip;
    };
    std::map<std::pair<std::string, std::string>, Bundle> bundles;
    for (size_t f = 0; f < model_.forces.size(); ++f) {
      const Force& force = model_.forces[f];
      if (box_of(force.subsystem) >= 0 || (force.handles.size() < 2 && !options_.forces)) continue;
      const std::string label =
          "&#160;" + html_text(last_name(force.path)) + ' ' + small_print(std::string(force.definition->type().name())) + "&#160;";
      if (force.handles.size() == 2) {
        Bundle& bundle = bundles[{node(force.handles[0], force.subsystem), node(force.handles[1], force.subsystem)}];
        bundle.label += (bundle.label.empty() ? "" : "<br/>") + label;
        bundle.tip += (bundle.tip.empty() ? "" : ", ") + force.path;
        continue;
      }
      const std::string at = "f" + std::to_string(f);
      mark(force.subsystem, at, force_color, label, force.path);
      for (const Handle& handle : force.handles) edge(Line::force, node(handle, force.subsystem), at, "", force.path);
    }
    for (const auto& [ends, bundle] : bundles) edge(Line::force, ends.first, ends.second, bundle.label, bundle.tip);
  }

  /// A text without a box, for what is neither a body nor between two of them.
  void mark(int subsystem, const std::string& node, const std::string& color, const std::string& label, const std::string& tip) {
    nodes_[subsystem].emplace_back(
        node, "shape=plain, style=\"\", fontsize=9, fontcolor=\"" + color + "\", label=<" + label + ">, tooltip=" + quoted(tip));
  }

  void draw_subsystem(int number, int around) {
    const Subsystem& subsystem = model_.subsystems[number];
    if (box_of(number) >= 0) {
      if (!left_out_subsystems_.contains(number)) drawing_.node(box_node(number), box(number), around);
      return;
    }
    constexpr const char* shades[] = {"#ffffff", "#f7f7f4", "#efefea", "#e7e7e0"};
    const int inside = drawing_.box("cluster_" + std::to_string(number),
                                    "style=\"rounded,filled\"; color=\"#c9c9c0\"; labelloc=t; labeljust=l; fillcolor=\"" +
                                        std::string(shades[std::min<size_t>(level_[number], 3)]) + "\"; label=<" + title(subsystem) +
                                        ">; tooltip=" + quoted(subsystem.path.empty() ? model_.name : subsystem.path) + ';',
                                    around);
    if (grounds_.contains(number))
      drawing_.node("g" + std::to_string(number),
                    R"(label="ground", style=filled, shape=box, fillcolor="#dcdcd6", color="#77776f", fontsize=9)", inside);
    for (size_t b = 1; b < model_.bodies.size(); ++b)
      if (model_.bodies[b].subsystem == number && !left_out_bodies_.contains(static_cast<int>(b))) draw_body(b, inside);
    for (const int p : ports_)
      if (model_.ports[p].subsystem == number) draw_port(p, inside);
    for (const auto& [node, attributes] : nodes_[number]) drawing_.node(node, attributes, inside);
    if (number == 0) draw_rest(inside);
    for (const int child : children_of(model_, number)) draw_subsystem(child, inside);
  }

  void draw_body(size_t b, int inside) {
    const Body& body = model_.bodies[b];
    if (stand_in_.contains(static_cast<int>(b))) return;
    const char* const kind = body.motion ? "moving ground" : "ground";
    std::string text = "label=<" + html_text(last_name(body.path)) + "<br/>" + small_print(body.ground ? kind : mass_text(body.mass)) + '>';
    if (body.ground) text += ", style=filled, fillcolor=\"#dcdcd6\", color=\"" + std::string(body.motion ? driven_color : "#77776f") + '"';
    drawing_.node("b" + std::to_string(b), text + ", tooltip=" + quoted(body.path), inside);
  }

  void draw_port(int number, int inside) {
    const Port& port = model_.ports[number];
    const bool open = port.kind == Port::Kind::mount && !port.connected;
    drawing_.node("p" + std::to_string(number),
                  "label=" + quoted(last_name(port.path) + (open ? " (open)" : "")) + ", style=\"filled" + (open ? ",dashed" : "") +
                      "\", fillcolor=\"" + (open ? "#dcdcd6" : "#ffffff") + "\", color=\"" + port_color +
                      "\", fontsize=8, height=0.18, margin=\"0.05,0.02\", tooltip=" + quoted(port.path),
                  inside);
  }

  /// Boxes that no line leads to would stand in one row, however many they are; lines that do not show make a block of them.
  void arrange_loose_boxes() {
    std::vector<std::string> loose;
    for (const int child : children_of(model_, 0)) {
      const std::string node = box_node(child);
      if (box_of(child) >= 0 && !left_out_subsystems_.contains(child) && !joined_.contains(node)) loose.push_back(node);
    }
    const size_t row = 5;
    for (size_t i = row; i < loose.size(); ++i) drawing_.edge(loose[i - row], loose[i], "style=invis");
  }

  void draw_rest(int inside) {
    const auto more = [&](const char* node, const std::string& text) {
      drawing_.node(node, "label=" + quoted(text) + R"(, style="rounded,filled,dashed", fillcolor="#ffffff")", inside);
    };
    if (!left_out_bodies_.empty()) more("more_bodies", counted(left_out_bodies_.size(), "more body", "more bodies"));
    if (!left_out_subsystems_.empty()) more("more_subsystems", counted(left_out_subsystems_.size(), "more subsystem", "more subsystems"));
  }

  [[nodiscard]] std::string title(const Subsystem& subsystem) const {
    const std::string name = subsystem.path.empty() ? model_.name : last_name(subsystem.path);
    std::string details = subsystem.file.substr(subsystem.file.rfind('/') + 1);
    if (subsystem.placement.is_mirror_image()) details += ", mirror image";
    return "<b>" + html_text(name) + "</b>  " + small_print(details);
  }

  /// A subsystem as one box.
  [[nodiscard]] std::string box(int number) const {
    const size_t bodies = plan_.subsystems[number].bodies.size(), joints = joints_of(model_, number).size();
    return std::string("shape=box, peripheries=2, style=filled, fillcolor=\"#fdf1dc\", color=\"") + driven_color + "\", label=<" +
           title(model_.subsystems[number]) + "<br/>" +
           small_print(counted(bodies, "body", "bodies") + ", " + counted(joints, "joint", "joints")) +
           ">, tooltip=" + quoted(model_.subsystems[number].path);
  }

  /// What the lines mean, of those that are drawn, and what is not drawn.
  [[nodiscard]] std::string legend() const {
    constexpr std::pair<Line, std::pair<const char*, const char*>> kinds[] = {
        {Line::joint, {joint_color, "&#8594; joint, parent to child"}}, {Line::cut, {cut_color, "&#8674; joint where a loop is cut"}},
        {Line::driven, {driven_color, "&#8594; driven joint"}},         {Line::force, {force_color, "&#8212; force between bodies"}},
        {Line::coupling, {coupling_color, "&#8943; coupling"}},         {Line::port, {port_color, "&#8212; connection through a port"}}};
    std::string text = "<<table border=\"0\" cellspacing=\"6\" cellpadding=\"0\"><tr>";
    for (const auto& [line, look] : kinds)
      if (lines_.contains(line))
        text += "<td><font point-size=\"9\" color=\"" + std::string(look.first) + "\">" + look.second + "</font></td>";
    text += "<td></td></tr>";
    const std::string left_out = not_drawn();
    if (!left_out.empty()) text += "<tr><td colspan=\"7\" align=\"left\">" + small_print(left_out) + "</td></tr>";
    return text + "</table>>";
  }

  [[nodiscard]] std::string not_drawn() const {
    std::string text;
    if (depth_ < deepest_)
      text = "Subsystems " + (depth_ == 0 ? std::string() : counted(depth_, "level", "levels") + " down ") +
             "are drawn as boxes; arthron graph --depth " + std::to_string(deepest_) + " opens all.";
    else if (!left_out_bodies_.empty())
      text = "Too large to be drawn whole; arthron graph --depth 0 draws it nevertheless.";
    const auto single =
        std::count_if(model_.forces.begin(), model_.forces.end(), [](const Force& force) { return force.handles.size() < 2; });
    if (single > 0 && !options_.forces)
      text += (text.empty() ? "" : " ") + counted(single, "force", "forces") +
              " on single bodies not drawn; arthron graph --forces draws them.";
    return text;
  }

  const Plan& plan_;
  const Model& model_;
  const GraphOptions& options_;
  std::vector<int> level_;  // per subsystem
  int deepest_ = 0, depth_ = 0;
  std::set<int> left_out_bodies_, left_out_subsystems_;
  std::map<int, int> stand_in_;  // ground of an open mount -> its port
  std::set<int> coupled_;        // joints
  // What the edges need, found while they are drawn.
  Drawing drawing_;
  std::set<Line> lines_;
  std::set<std::string> joined_;                                           // nodes at which lines end
  std::set<int> ports_, grounds_;                                          // ports; subsystems with a symbol of the model's ground
  std::map<int, std::vector<std::pair<std::string, std::string>>> nodes_;  // further ones, by subsystem
};

}  // namespace

std::string component_graph(const Plan& plan, const GraphOptions& options) { return Picture(plan, options).text(); }

}  // namespace arthron
