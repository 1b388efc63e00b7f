#include "arthron/component/plugin_loader.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

void read_plugins(const JsonReader& in, Loading& loading) {
  const std::vector<std::string> libraries =
      in.texts({"plugins", "", "libraries of component types, relative to this file; their types are known in the whole model"});
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    const std::string file = Files::beside(loading.scope.document.file(), libraries[i]);
    for (PluginMistake& mistake : add_plugin(file, libraries[i], loading.all.registry)) {
      in.source().report("plugins", std::move(mistake.found), std::move(mistake.expected), std::move(mistake.suggestion),
                         "/" + std::to_string(i));
      loading.all.plugins_are_sound = false;
    }
  }
}

}  // namespace arthron
