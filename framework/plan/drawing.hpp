#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace arthron {

/// A graph to be drawn: nodes and edges with their attributes in Graphviz's language, and boxes within boxes around nodes.
class Drawing {
 public:
  static constexpr int whole = -1;  // no box

  /// Returns the box's number.
  int box(const std::string& name, const std::string& attributes, int around = whole);
  void node(const std::string& name, const std::string& attributes, int in_box = whole);
  /// Between nodes that may come later.
  void edge(const std::string& from, const std::string& to, const std::string& attributes);

  [[nodiscard]] std::string text(const std::string& settings) const;

 private:
  struct Box {
    std::string name, attributes;
    std::vector<int> boxes, nodes;
  };
  struct Edge {
    std::string from, to, attributes;
  };
  void write_inside(std::ostream& out, const Box& box, const std::string& margin) const;

  std::vector<Box> boxes_;
  Box whole_;
  std::vector<std::pair<std::string, std::string>> nodes_;  // names and attributes
  std::map<std::string, std::size_t> number_;
  std::vector<Edge> edges_;
};

}  // namespace arthron
