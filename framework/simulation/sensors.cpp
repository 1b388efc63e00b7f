#include <algorithm>
#include <optional>
#include <ranges>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/channels.hpp"

namespace arthron {
namespace {

/// The quantity, or the one component of it, that `channel` names, as a quantity of the port.
std::optional<Quantity> named(const std::string& channel, const Port& port, const std::vector<Quantity>& quantities) {
  for (const Quantity& quantity : quantities) {
    if (!channel.starts_with(quantity.element)) continue;
    Quantity sensor = quantity;
    sensor.kind = Quantity::Kind::sensor, sensor.element = port.path, sensor.name = "", sensor.by_default = true;
    const std::size_t n = quantity.components.size();
    if (channel == quantity.path()) return sensor;
    for (std::size_t i = 0; i < n; ++i) {
      if (channel != quantity.column(i)) continue;
      sensor.components = {{"", quantity.components[i].unit}};
      sensor.before += i, sensor.behind += n - 1 - i;
      return sensor;
    }
  }
  return {};
}

}  // namespace

void add_sensors(const Model& model, std::vector<Quantity>& quantities) {
  std::vector<Diagnostic> mistakes;
  // Subsystems come behind those that enclose them, which may pass their sensors on.
  for (const Port& port : std::views::reverse(model.ports)) {
    if (port.kind != Port::Kind::signal_output) continue;
    if (auto sensor = named(port.channel, port, quantities)) {
      quantities.push_back(std::move(*sensor));
      continue;
    }
    const std::string& instance = model.subsystems[static_cast<std::size_t>(port.subsystem)].path;
    const std::size_t prefix = instance.empty() ? 0 : instance.size() + 1;
    std::vector<std::string> names;
    for (const Quantity& quantity : quantities) {
      if (!std::string(quantity.element).starts_with(port.channel.substr(0, prefix))) continue;
      names.push_back(quantity.path().substr(prefix));
      for (std::size_t i = 0; i < quantity.components.size(); ++i) names.push_back(quantity.column(i).substr(prefix));
    }
    const std::string written = port.channel.substr(prefix);
    mistakes.push_back({port.source.file, port.source.line, port.source.pointer + "/channel", '"' + written + '"',
                        "one quantity of something in this file, such as arm.position or arm.position.z", nearest_name(written, names),
                        instance});
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

}  // namespace arthron
