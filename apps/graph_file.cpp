#include "graph_file.hpp"

#include <memory>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/output_file.hpp"

#ifdef ARTHRON_WITH_GRAPHVIZ
#include <graphviz/gvc.h>
#endif

namespace arthron::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& found, const std::string& expected) {
  throw ModelError({{"", 0, option, found, expected, ""}});
}

}  // namespace

#ifdef ARTHRON_WITH_GRAPHVIZ
bool draws_graphs() { return true; }

std::string drawn_graph(const std::string& dot, const std::string& option) {
  const std::unique_ptr<GVC_t, int (*)(GVC_t*)> context(gvContext(), gvFreeContext);
  const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agmemread(dot.c_str()), agclose);
  char* data = nullptr;
  unsigned size = 0;
  if (!graph || gvLayout(context.get(), graph.get(), "dot") != 0)
    refuse(option, "a graph that Graphviz cannot lay out", "FILE.dot instead");
  const int failed = gvRenderData(context.get(), graph.get(), "svg", &data, &size);
  gvFreeLayout(context.get(), graph.get());
  const std::unique_ptr<char, void (*)(char*)> owned(data, gvFreeRenderData);
  if (failed != 0) refuse(option, "a graph that Graphviz cannot draw", "FILE.dot instead");
  return {data, size};
}
#else
bool draws_graphs() { return false; }

std::string drawn_graph(const std::string&, const std::string& option) {
  refuse(option, "an .svg file, and a program built without Graphviz", "FILE.dot");
}
#endif

void require_graph_file(const std::string& file, const std::string& option) {
  if (!file.ends_with(".dot") && !file.ends_with(".svg")) refuse(option, '"' + file + '"', "FILE.dot or FILE.svg");
}

void write_graph(const std::string& dot, const std::string& file, const std::string& option) {
  require_graph_file(file, option);
  OutputFile out(file, option);
  out.write(file.ends_with(".svg") ? drawn_graph(dot, option) : dot);
  out.commit();
}

}  // namespace arthron::cli
