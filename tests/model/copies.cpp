#include <doctest/doctest.h>

#include <sstream>

#include "arthron/component/json_document.hpp"
#include "loading.hpp"
#include "support/full_model.hpp"

/// Repeated subsystems are copies of the first where they can be. The truth is the same entries written one by one, which never are.
using namespace arthron;
using namespace arthron::testing;

namespace {

/// Everything of a model that is not said by a pointer to a definition, numbers to the last bit.
class Words {
 public:
  explicit Words(const Model& model) {
    out_ << std::hexfloat;
    for (const Subsystem& s : model.subsystems) line(s.path, s.name, s.parent, s.placement.X, s.placement.is_mirror_image());
    for (const Body& b : model.bodies) {
      line(b.path, b.subsystem, b.ground, b.mass, b.com, b.inertia.xx, b.inertia.xy, b.inertia.zz, b.frame, b.motion.has_value());
      if (b.motion) line(b.motion->translation[2].value(0.3), b.motion->placement.X);
      if (b.shapes)
        for (const Shape& shape : *b.shapes) line(shape.pose, shape.edges, shape.radius, shape.inverted, shape.color);
    }
    for (const Joint& j : model.joints) {
      line(j.path, j.subsystem, std::string(j.definition->type().name()), j.parent.value, j.child.value, j.parent_port, j.child_port);
      line(j.frame, j.child_frame(), j.mirrored, j.cut.has_value(), j.keep);
      for (const TimeFunction& effort : j.effort) line(effort.value(0.3), effort.is_measured());
    }
    for (const Coupling& c : model.couplings)
      for (const Coupling::Term& term : c.terms) line(c.path, c.subsystem, term.joint.value, term.freedom, term.coefficient);
    for (const Force& f : model.forces) {
      line(f.path, f.subsystem, std::string(f.definition->type().name()), f.placement.X, f.handles.size());
      for (const Handle& handle : f.handles) line(handle.body.value, handle.point, handle.port);
    }
    for (const Marker& m : model.markers) line(m.path, m.subsystem, m.handle.body.value, m.handle.point, m.handle.port);
    for (const Port& p : model.ports) {
      line(p.path, p.subsystem, static_cast<int>(p.kind), p.body.value, p.through, p.at, p.axis, p.channel, p.required, p.connected);
      line(p.signal.value(0.3), p.signal.is_measured());
    }
    for (const SignalSource& s : model.signals) line(s.path, s.input, s.instance);
    for (const Parameter& p : model.parameters) line(p.path, p.subsystem, p.unit(), p.value, p.range().low, p.range().high, p.tunable());
  }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  template <class... Values>
  void line(const Values&... values) {
    (put(values), ...);
    out_ << '\n';
  }
  template <class Value>
  void put(const Value& value) {
    if constexpr (std::is_same_v<Value, Pose<double>>) {
      put(value.p);
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) put(value.R * axis);
    } else if constexpr (std::is_same_v<Value, Vec3>) {
      out_ << value.x << ' ' << value.y << ' ' << value.z << ' ';
    } else {
      out_ << value << ' ';
    }
  }

  std::ostringstream out_;
};

Json unit(const std::string& index, double gain_from = 0) {
  Json use = Json::parse(full_model);
  Json entry{{"use", std::move(use)},
             {"at", {"=3*" + index, 0.1, "=0.2*" + index}},
             {"rotation", {{"axis", {0, 0, 1}}, {"angle", 0.3}}},
             {"mirror", "x"},
             {"connect", {{"chassis", "frame"}, {"drive", "=0.1*t + 0.01*" + index}}}};
  if (gain_from > 0) entry["parameters"] = {{"track", "=1 + 0.5*(" + index + " > " + std::to_string(gain_from - 0.5) + ")"}};
  return entry;
}

Model train(const Json& subsystems, const std::vector<ParameterOverride>& overrides = {}) {
  const Json model{{"arthron", 1},
                   {"name", "train"},
                   {"bodies", {{"frame", {{"mass", 1}, {"inertia", {1, 1, 1}}}}}},
                   {"joints", {{"float", {{"type", "free"}, {"parent", "ground"}, {"child", "frame"}, {"at", {0, 0, 0}}}}}},
                   {"subsystems", subsystems}};
  return parse(model.dump(), overrides);
}

}  // namespace

TEST_CASE("repeated subsystems are what they are when written one by one: nested repeats, signals, measurements, road and mirror images") {
  for (const double gain_from : {0.0, 1.0}) {
    Json repeated = unit("k", gain_from), single = Json::object();
    repeated["repeat"] = 4, repeated["index"] = "k";
    for (int k = 0; k < 4; ++k) single["unit_" + std::to_string(k)] = unit(std::to_string(k), gain_from);
    for (const std::vector<ParameterOverride>& overrides :
         {std::vector<ParameterOverride>{}, {{"unit_2.track", 1.7}}, {{"unit_0.pair_1.gain", 3}}})
      CHECK(Words(train({{"unit", repeated}}, overrides)).text() == Words(train(single, overrides)).text());
  }
}

TEST_CASE("mistakes in repeated subsystems name the first that have them, whether or not the others are copies") {
  Json repeated = unit("k");
  repeated["repeat"] = 6, repeated["index"] = "k";
  repeated["use"]["bodies"]["ball"]["mass"] = -1;
  const auto report = [](const Json& entry) {
    try {
      (void)train({{"unit", entry}});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(report(repeated) ==
        "m.json:1: /subsystems/unit/use/bodies/ball/mass, used as unit_0, unit_1, unit_2, unit_3, ...\n"
        "  found -1; expected a number in kg, >= 0 and <= 1e+12");
  repeated["use"]["bodies"]["ball"]["mass"] = 1;
  CHECK(report(repeated).empty());
  repeated["at"] = {"=1/(k - 3)", 0, 0};
  CHECK(report(repeated).find("a division by zero (k = 3)") != std::string::npos);
}
