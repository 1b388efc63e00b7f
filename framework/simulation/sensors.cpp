#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <unordered_map>

#include "arthron/core/diagnostic.hpp"
#include "arthron/simulation/channels.hpp"

namespace arthron {
namespace {

/// The quantity, or the one component of it, that `channel` names, as a quantity of the port.
std::optional<Quantity> named(const std::string& channel, const Port& port, const Quantity& quantity) {
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
  return {};
}

/// Quantities that channels may name, by their elements.
class NamedQuantities {
 public:
  NamedQuantities(const Plan& plan, const WantedElements& wanted) {
    std::vector<Quantity> quantities;
    add_elements(plan, wanted, quantities);
    add_subsystems(plan, wanted, quantities);
    for (Quantity& quantity : quantities) add(std::move(quantity));
  }

  void add(Quantity quantity) { of_[quantity.element].emplace_back(number_++, std::move(quantity)); }

  /// What the port's channel names; of several the first that was added.
  [[nodiscard]] std::optional<Quantity> named_by(const Port& port) const {
    const std::string_view channel = port.channel;
    std::optional<Quantity> first;
    std::size_t number = number_;
    for (std::size_t end = channel.size(); end != std::string_view::npos && end > 0; end = channel.rfind('.', end - 1)) {
      const auto element = of_.find(channel.substr(0, end));
      if (element == of_.end()) continue;
      for (const auto& [place, quantity] : element->second)
        if (std::optional<Quantity> sensor = place < number ? named(port.channel, port, quantity) : std::nullopt)
          first = std::move(sensor), number = place;
    }
    return first;
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::pair<std::size_t, Quantity>>> of_;
  std::size_t number_ = 0;
};

WantedElements measured_elements(const Model& model) {
  std::vector<std::string_view> channels;
  for (const Port& port : model.ports)
    if (port.kind == Port::Kind::signal_output) channels.push_back(port.channel);
  return WantedElements(channels);
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
  std::vector<Quantity> sensors;
  add_sensors(plan, {}, sensors);
  std::unordered_map<std::string_view, const Quantity*> sensor_of;
  for (const Quantity& sensor : sensors) sensor_of.emplace(sensor.element, &sensor);
  const Model& model = *plan.model;
  std::vector<Diagnostic> mistakes;
  for (int number = 0; const SignalSource& signal : model.signals) {
    const int here = number++;
    if (signal.input) continue;
    const auto found_sensor = sensor_of.find(signal.path);
    if (found_sensor == sensor_of.end()) throw InternalError("every measurement is a signal output");
    const Quantity& sensor = *found_sensor->second;
    if (const auto [found, expected] = objection(sensor); !found.empty()) {
      const auto port = std::find_if(model.ports.begin(), model.ports.end(), [&](const Port& p) { return p.path == signal.path; });
      mistakes.push_back({signal.source->file, signal.source->line, signal.source->pointer,
                          '"' + signal.path + "\", which is \"" + port->channel + "\", " + found, expected, "", signal.instance});
      continue;
    }
    if (sensor.before + 1 + sensor.behind > PlanSensor::most_values) throw InternalError("what moves has at most most_values numbers");
    plan.sensors.push_back({here, sensor.read, sensor.index, sensor.before});
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

void add_sensors(const Plan& plan, const WantedElements& wanted, std::vector<Quantity>& quantities) {
  const Model& model = *plan.model;
  std::vector<Diagnostic> mistakes;
  NamedQuantities known(plan, measured_elements(model));
  std::vector<Quantity> sensors, everything;  // else, for messages
  // Subsystems come behind those that enclose them, which may pass their sensors on.
  for (const Port& port : std::views::reverse(model.ports)) {
    if (port.kind != Port::Kind::signal_output) continue;
    if (auto sensor = known.named_by(port)) {
      known.add(*sensor);
      sensors.push_back(std::move(*sensor));
      continue;
    }
    if (const std::string chain = circle(port, model); !chain.empty()) {
      mistakes.push_back({port.source->file, port.source->line, port.source->pointer + "/channel", chain + ", a circle of signals",
                          "a channel that is measured", "", model.subsystems[port.subsystem].path});
      continue;
    }
    const std::string& instance = model.subsystems[port.subsystem].path;
    const std::size_t prefix = instance.empty() ? 0 : instance.size() + 1;
    if (everything.empty()) add_elements(plan, {}, everything), add_subsystems(plan, {}, everything);
    std::vector<std::string> names;
    for (const auto* list : {&everything, &sensors})
      for (const Quantity& quantity : *list) {
        if (!std::string(quantity.element).starts_with(port.channel.substr(0, prefix))) continue;
        names.push_back(quantity.path().substr(prefix));
        for (std::size_t i = 0; i < quantity.components.size(); ++i) names.push_back(quantity.column(i).substr(prefix));
      }
    const std::string written = port.channel.substr(prefix);
    mistakes.push_back({port.source->file, port.source->line, port.source->pointer + "/channel", '"' + written + '"',
                        "one quantity of something in this file, such as arm.position or arm.position.z", nearest_name(written, names),
                        instance});
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  std::ranges::copy_if(sensors, std::back_inserter(quantities), [&](const Quantity& sensor) { return wanted.contain(sensor.element); });
}

}  // namespace arthron
