#include "arthron/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "arthron/core/diagnostic.hpp"
#include "arthron/scene/drawn_shapes.hpp"
#include "arthron/scene/mesh_check.hpp"
#include "arthron/scene/packed_text.hpp"
#include "arthron/simulation/quaternion.hpp"

namespace arthron {

namespace {

using std::size_t;
using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return {v.x, v.y, v.z}; }
Json list(const Mat3& R) { return quaternion(R); }

const Body& body_of(const Model& model, BodyIndex body) { return model.bodies[body.value]; }

/// A point of the model's frame at the drawn position, seen from the body that carries it.
Vec3 seen_from(const Model& model, BodyIndex body, const Vec3& point) { return inverse(body_of(model, body).frame) * point; }

/// Mesh files, each once.
class Meshes {
 public:
  int number_of(const std::string& file) {
    const auto [known, fresh] = numbers_.try_emplace(file, static_cast<int>(json_.size()));
    if (fresh) {
      std::ifstream stream(file, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
      const char last = file.back();
      const bool obj = last == 'j' || last == 'J';
      if (const std::string trouble = obj ? trouble_with_obj(bytes) : trouble_with_stl(bytes); !stream || !trouble.empty())
        throw ModelError({{file, 0, "", stream ? trouble : "a mesh that cannot be read", "triangles that can be drawn", ""}});
      json_.push_back({{"format", obj ? "obj" : "stl"}, {"data", packed_text(bytes)}});
    }
    return known->second;
  }
  [[nodiscard]] const Json& json() const { return json_; }

 private:
  std::map<std::string, int> numbers_;
  Json json_ = Json::array();
};

Json shape_json(const Shape& shape, Meshes& meshes) {
  using Kind = Shape::Kind;
  Json json;
  switch (shape.kind) {
    case Kind::box: json = {{"type", "box"}, {"size", list(shape.edges)}}; break;
    case Kind::cylinder:
      json = {{"type", "cylinder"}, {"radius", shape.radius}, {"inner_radius", shape.inner_radius}, {"length", shape.length}};
      break;
    case Kind::capsule: json = {{"type", "capsule"}, {"radius", shape.radius}, {"length", shape.length}}; break;
    case Kind::sphere: json = {{"type", "sphere"}, {"radius", shape.radius}}; break;
    case Kind::mesh:
      json = {{"type", "mesh"}, {"mesh", meshes.number_of(shape.file)}, {"scale", shape.scale}, {"mirrored", shape.inverted}};
      break;
  }
  json["at"] = list(shape.pose.p);
  json["rotation"] = list(shape.pose.R);
  if (!shape.color.empty()) json["color"] = shape.color;
  return json;
}

Json subsystems_json(const Model& model) {
  Json json = Json::array();
  for (const Subsystem& subsystem : model.subsystems)
    json.push_back({{"path", subsystem.path}, {"name", subsystem.name}, {"file", subsystem.file}, {"parent", subsystem.parent}});
  return json;
}

Json bodies_json(const Model& model, Meshes& meshes) {
  Json json = Json::array();
  const std::vector<std::vector<Shape>> drawn = drawn_shapes(model);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    Json shapes = Json::array();
    for (const Shape& shape : drawn[b]) shapes.push_back(shape_json(shape, meshes));
    json.push_back({{"path", body.path},
                    {"subsystem", body.subsystem},
                    {"ground", body.ground},
                    {"mass", body.mass},
                    {"com", list(body.ground ? Vec3{} : inverse(body.frame) * body.com)},
                    {"shapes", std::move(shapes)}});
  }
  return json;
}

/// Columns of the joint in its own axes, as drawn.
Json freedoms_json(const Joint& joint) {
  const JointType& type = joint.definition->type();
  const auto batch = type.make_batch();
  JointSlot slot;
  slot.mirrored = joint.mirrored;
  batch->add(*joint.definition, slot);
  std::vector<double> chart(6), q(std::max(1, type.nq()));
  type.from_chart(*joint.definition, chart.data(), q.data());
  Pose<double> X;
  std::vector<Spatial6> H(6);
  batch->constants(&X, H.data());
  batch->position(batch->all(), q.data(), &X, H.data());
  Json json = Json::array();
  for (int i = 0; i < type.nu(); ++i) json.push_back({{"linear", list(H[i].linear)}, {"angular", list(H[i].angular)}});
  return json;
}

/// What glyphs measure: those of joints a little more than the thinner of the rods that they join, and all in proportion to the model.
class GlyphSizes {
 public:
  explicit GlyphSizes(const Model& model) : length_(drawn_length(model)) {
    for (const std::vector<Shape>& shapes : drawn_shapes(model)) {
      double thickest = 0, longest = 0;
      for (const Shape& shape : shapes)
        if (shape.kind == Shape::Kind::capsule) thickest = std::max(thickest, shape.radius), longest = std::max(longest, shape.length);
      rods_.push_back(thickest);
      longest_.push_back(longest > 0 ? longest : length_);
    }
  }
  [[nodiscard]] double at_joint(const Joint& joint) const {
    const double p = rods_[joint.parent.value], c = rods_[joint.child.value];
    const double rod = p > 0 && c > 0 ? std::min(p, c) : std::max(p, c);
    const double shorter = std::min(longest_[joint.parent.value], longest_[joint.child.value]);
    return std::min(std::clamp(1.25 * rod, 0.0035 * length_, 0.03 * length_), 0.2 * shorter);
  }
  [[nodiscard]] double of_spring(double distance) const { return std::clamp(0.11 * distance, 0.003 * length_, 0.03 * length_); }

 private:
  double length_;
  std::vector<double> rods_, longest_;  // radius of a body's thickest rod, length of its longest
};

Json joints_json(const Plan& plan, const GlyphSizes& sizes) {
  const Model& model = *plan.model;
  Json json = Json::array();
  for (size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const Pose<double> X = inverse(body_of(model, joint.parent).frame) * joint.frame;
    json.push_back({{"path", joint.path},
                    {"subsystem", joint.subsystem},
                    {"type", joint.definition->type().name()},
                    {"parent", joint.parent.value},
                    {"child", joint.child.value},
                    {"at", list(X.p)},
                    {"rotation", list(X.R)},
                    {"at_child", list(seen_from(model, joint.child, joint.child_frame().p))},
                    {"freedoms", freedoms_json(joint)},
                    {"cut", plan.joints[j].closure >= 0},
                    {"driven", !joint.motion.empty()},
                    {"size", sizes.at_joint(joint)}});
    if (const std::optional<Vec3> end = joint.definition->type().link_end(*joint.definition))
      json.back()["from"] = list(X * (joint.mirrored ? -1.0 * *end : *end));
  }
  return json;
}

Json forces_json(const Model& model, const GlyphSizes& sizes) {
  Json json = Json::array();
  for (const Force& force : model.forces) {
    const bool two = force.handles.size() == 2;
    const ForceLook look = two ? force.definition->type().look() : ForceLook::none;
    Json handles = Json::array();
    std::vector<Vec3> points;
    for (const Handle& handle : force.handles) {
      points.push_back(force.placement.point(handle.point));
      handles.push_back({{"body", handle.body.value}, {"at", list(seen_from(model, handle.body, points.back()))}});
    }
    json.push_back({{"path", force.path},
                    {"subsystem", force.subsystem},
                    {"type", force.definition->type().name()},
                    {"look", look == ForceLook::coil   ? "coil"
                             : look == ForceLook::line ? "line"
                                                       : "none"},
                    {"handles", std::move(handles)},
                    {"size", sizes.of_spring(two ? norm(points[1] - points[0]) : 0)}});
  }
  return json;
}

Json markers_json(const Model& model) {
  Json json = Json::array();
  for (const Marker& marker : model.markers)
    json.push_back({{"path", marker.path},
                    {"subsystem", marker.subsystem},
                    {"body", marker.handle.body.value},
                    {"at", list(seen_from(model, marker.handle.body, marker.handle.point))}});
  return json;
}

Json parameters_json(const Model& model) {
  Json json = Json::array();
  for (const Parameter& parameter : model.parameters) {
    if (!parameter.tunable()) continue;
    json.push_back({{"path", parameter.path}, {"value", parameter.value}, {"unit", parameter.unit()}});
    if (std::isfinite(parameter.range().low) && std::isfinite(parameter.range().high))
      json.back()["range"] = {parameter.range().low, parameter.range().high};
  }
  return json;
}

/// Where things are at the present state, and along which direction they are thinnest.
void add_view(const Simulation& simulation, Json& scene) {
  const Model& model = simulation.model();
  const auto places = held_places(model);
  Vec3 low{1e300, 1e300, 1e300}, high = -low;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Pose<double> X = simulation.plan().body_of[b] < 0
                               ? model.bodies[b].frame
                               : frame_pose(simulation.plan(), simulation.workspace(), BodyIndex{static_cast<int>(b)});
    std::vector<Vec3> points = places[b];
    if (!model.bodies[b].ground) points.push_back(inverse(model.bodies[b].frame) * model.bodies[b].com);
    for (const Vec3& place : points) {
      const Vec3 p = X * place;
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  scene["centre"] = list(low.x <= high.x ? 0.5 * (low + high) : Vec3{});
  const double g = norm(model.gravity);
  scene["up"] = list(g > 0 ? (-1 / g) * model.gravity : Vec3{0, 0, 1});
  scene["length"] = std::max(drawn_length(model), low.x <= high.x ? norm(high - low) : 0.0);
}

}  // namespace

nlohmann::ordered_json scene_json(const Simulation& simulation, const std::vector<ChannelColumn>& columns) {
  const Model& model = simulation.model();
  const GlyphSizes sizes(model);
  Meshes meshes;
  Json scene{{"format", 1}, {"name", model.name}, {"until", model.simulation.until}};
  add_view(simulation, scene);
  scene["subsystems"] = subsystems_json(model);
  scene["bodies"] = bodies_json(model, meshes);
  scene["joints"] = joints_json(simulation.plan(), sizes);
  scene["forces"] = forces_json(model, sizes);
  scene["markers"] = markers_json(model);
  scene["meshes"] = meshes.json();
  scene["parameters"] = parameters_json(model);
  scene["channels"] = Json::array();
  for (const ChannelColumn& column : columns) scene["channels"].push_back({{"name", column.name}, {"unit", column.unit}});
  return scene;
}

}  // namespace arthron
