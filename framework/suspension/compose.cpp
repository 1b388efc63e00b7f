#include "arthron/suspension/compose.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arthron/core/diagnostic.hpp"

namespace arthron {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto rig_name = "rig";

/// Ports of the file itself, not of what it uses.
std::vector<Port> own_ports(const Model& model, Port::Kind kind) {
  std::vector<Port> ports;
  for (const Port& port : model.ports)
    if (port.subsystem == 0 && port.kind == kind) ports.push_back(port);
  return ports;
}

[[noreturn]] void refuse(const Model& model, const SourceRef& at, const std::string& found, const std::string& expected) {
  throw ModelError(
      {{at.file.empty() ? model.files.front() : at.file, at.line, at.pointer.empty() ? "/ports" : at.pointer, found, expected, ""}});
}

/// The outputs at the wheels: one of a corner, two of an axle, the left one first.
std::vector<Port> hubs_of(const Model& model) {
  std::vector<Port> hubs;
  std::string others;
  for (const Port& port : own_ports(model, Port::Kind::output)) {
    if (port.path.find("hub") != std::string::npos) hubs.push_back(port);
    others += (others.empty() ? "" : ", ") + port.path;
  }
  constexpr auto expected = "an output `hub` at the wheel centre with the wheel's spin axis, or one each for the left and the right wheel";
  if (hubs.empty()) refuse(model, {}, others.empty() ? "no outputs" : "the outputs " + others, expected);
  if (hubs.size() > 2) refuse(model, hubs[2].source, std::to_string(hubs.size()) + " outputs for wheels", expected);
  for (const Port& hub : hubs) {
    if (model.bodies[hub.body.value].ground) refuse(model, hub.source, "a wheel on a ground or a mount", "a body that moves");
    if (std::abs(hub.axis.y) < 0.5)
      refuse(model, hub.source, "a spin axis that points along the vehicle or up", "the wheel's spin axis, across the vehicle");
    if (hub.at.y == 0)
      refuse(model, hub.source, "a wheel centre in the middle of the vehicle", "a wheel to the left (y > 0) or to the right");
  }
  std::sort(hubs.begin(), hubs.end(), [](const Port& a, const Port& b) { return a.at.y > b.at.y; });
  if (hubs.size() == 2 && !(hubs[0].at.y > 0 && hubs[1].at.y < 0))
    refuse(model, hubs[1].source, "two wheels on one side", "one wheel to the left (y > 0), one to the right");
  return hubs;
}

/// A mistake that shows only on the rig, which nobody has written, is told where the file has its wheel.
std::vector<Diagnostic> told_in_file(std::vector<Diagnostic> mistakes, const SourceRef& wheel) {
  for (Diagnostic& mistake : mistakes)
    if (mistake.file == rig_name) mistake.file = wheel.file, mistake.line = wheel.line, mistake.pointer = wheel.pointer;
  return mistakes;
}

}  // namespace

ComposedRig compose_rig(const std::string& file, const Registry& registry, const std::vector<ParameterOverride>& overrides) {
  const Model alone = load_model(file, registry, overrides);
  const std::vector<Port> hubs = hubs_of(alone);
  const bool corner = hubs.size() == 1;

  Json connect = Json::object();
  for (const Port& mount : own_ports(alone, Port::Kind::mount)) connect[mount.path] = mount.path == "rack" ? "rack" : "stand";
  const auto placed = [&](bool mirrored) {
    return Json{{"use", std::filesystem::absolute(file).string()}, {"mirror", mirrored ? "y" : "none"}, {"connect", connect}};
  };
  constexpr double out_of_reach = -1000;  // [m]
  Json rig{{"arthron", 1}, {"name", alone.name + " on the rig"}, {"gravity", {0, 0, 0}}, {"road", {{"height", out_of_reach}}}};
  for (const char* ground : {"stand", "rack", "post_left", "post_right"}) rig["grounds"][ground] = Json::object();
  std::vector<ParameterOverride> rig_overrides;
  for (const std::string side : {"left", "right"}) {
    const std::string instance = corner ? side : "axle";
    const Port& hub = corner || side == "left" ? hubs.front() : hubs.back();
    const bool drawn_left = hub.at.y > 0;
    if (!rig["subsystems"].contains(instance)) {
      rig["subsystems"][instance] = placed(corner && drawn_left != (side == "left"));
      for (const ParameterOverride& given : overrides) rig_overrides.push_back({instance + '.' + given.name, given.value});
    }
    const std::string place = instance + '.' + hub.path;
    rig["joints"]["height_" + side] = {
        {"type", "point_in_plane"}, {"parent", "post_" + side}, {"child", place}, {"at", place}, {"normal", {0, 0, 1}}};
    rig["markers"]["wheel_" + side] = {{"body", place}, {"at", place}};
    rig["ports"]["hub_" + side] = {{"output", place}};
  }
  try {
    return {parse_model(rig.dump(), rig_name, registry, rig_overrides), corner};
  } catch (const ModelError& error) {
    throw ModelError(told_in_file(error.diagnostics(), hubs.front().source));
  }
}

}  // namespace arthron
