#pragma once
#include <string>

namespace arthron::cli {

/// Throws ModelError unless the name ends in .dot or .svg.
void require_graph_file(const std::string& file, const std::string& option);
/// False for a program that was built without Graphviz.
[[nodiscard]] bool draws_graphs();
/// A graph given in Graphviz's language, laid out and drawn as an SVG document. Throws ModelError that names `option`.
[[nodiscard]] std::string drawn_graph(const std::string& dot, const std::string& option);

/// Writes a graph given in Graphviz's language: as it is to FILE.dot, laid out and drawn to FILE.svg. Every mistake is a ModelError that
/// names `option`.
void write_graph(const std::string& dot, const std::string& file, const std::string& option);

}  // namespace arthron::cli
