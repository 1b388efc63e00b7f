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

/// Why the quantity cannot be fed back: what was found and what was expected; empty when it can.
std::pair<std::string, std::string> objection(const Quantity& sensor) {
  if (!sensor.fed_back)
    return {"a result that needs forces or accelerations",
            "a position, orientation or velocity of a joint, body or marker, or an internal state of a force: forces are not known before "
            "the signals are"};
  if (sensor.components.size() > 1)
    return {std::to_string(sensor.components.size()) + " numbers",
            "one number: a signal output whose \"channel\" ends in a component, such as ." + std::string(sensor.components.back().name)};
  return {};
}

/// Names that lead from `port` through signal outputs back to one of them: "a -> b -> a"; "" when they lead elsewhere.
std::string circle(const Port& port, const Model& model) {
  std::vector<const Port*> chain{&port};
  for (;;) {
    const auto next = std::find_if(model.ports.begin(), model.ports.end(), [&](const Port& other) {
      return other.kind == Port::Kind::signal_output && other.path == chain.back()->channel;
    });
    if (next == model.ports.end()) return "";
    const bool closed = std::find(chain.begin(), chain.end(), &*next) != chain.end();
    chain.push_back(&*next);
    if (closed) break;
  }
  std::string words;
  for (const Port* passed : chain) words += (words.empty() ? "" : " -> ") + passed->path;
  return words;
}

}  // namespace

void connect_sensors(Plan& plan) {
  const std::vector<Quantity> quantities = all_quantities(plan);
  const Model& model = *plan.model;
  std::vector<Diagnostic> mistakes;
  for (int number = 0; const SignalSource& signal : model.signals) {
    const int here = number++;
    if (signal.input) continue;
    const auto sensor = std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& quantity) {
      return quantity.kind == Quantity::Kind::sensor && quantity.element == signal.path;
    });
    if (sensor == quantities.end()) throw InternalError("every measurement is a signal output");
    const auto port = std::find_if(model.ports.begin(), model.ports.end(), [&](const Port& p) { return p.path == signal.path; });
    if (const auto [found, expected] = objection(*sensor); !found.empty()) {
      mistakes.push_back({signal.source.file, signal.source.line, signal.source.pointer,
                          '"' + signal.path + "\", which is \"" + port->channel + "\", " + found, expected, "", signal.instance});
      continue;
    }
    if (sensor->before + 1 + sensor->behind > PlanSensor::most_values) throw InternalError("what moves has at most most_values numbers");
    plan.sensors.push_back({here, sensor->read, sensor->index, sensor->before});
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

void add_sensors(const Model& model, std::vector<Quantity>& quantities) {
  std::vector<Diagnostic> mistakes;
  // Subsystems come behind those that enclose them, which may pass their sensors on.
  for (const Port& port : std::views::reverse(model.ports)) {
    if (port.kind != Port::Kind::signal_output) continue;
    if (auto sensor = named(port.channel, port, quantities)) {
      quantities.push_back(std::move(*sensor));
      continue;
    }
    if (const std::string chain = circle(port, model); !chain.empty()) {
      mistakes.push_back({port.source.file, port.source.line, port.source.pointer + "/channel", chain + ", a circle of signals",
                          "a channel that is measured", "", model.subsystems[static_cast<std::size_t>(port.subsystem)].path});
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
