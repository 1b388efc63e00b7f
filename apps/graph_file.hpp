#pragma once
#include <string>

namespace arthron::cli {

/// Writes a graph given in Graphviz's language: as it is to FILE.dot, laid out and drawn to FILE.svg. Every mistake is a ModelError that
/// names `option`.
void write_graph(const std::string& dot, const std::string& file, const std::string& option);

}  // namespace arthron::cli
