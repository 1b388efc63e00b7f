#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

constexpr std::array kinds{std::pair{"box", Shape::Kind::box}, std::pair{"capsule", Shape::Kind::capsule},
                           std::pair{"cylinder", Shape::Kind::cylinder}, std::pair{"mesh", Shape::Kind::mesh},
                           std::pair{"sphere", Shape::Kind::sphere}};
constexpr std::uintmax_t largest_mesh = 64u << 20;

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

bool ends_like(const std::string& name, const std::string& ending) {
  return name.size() > ending.size() && std::equal(ending.rbegin(), ending.rend(), name.rbegin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
         });
}

/// What is wrong with a mesh file, and what was expected; empty when nothing is.
std::pair<std::string, std::string> trouble_with(const std::string& path) {
  const bool stl = ends_like(path, ".stl"), obj = ends_like(path, ".obj");
  if (!stl && !obj) return {"another ending", "a file .stl or .obj"};
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {"no such file", "a mesh that is there"};
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (size > largest_mesh) return {std::to_string(size >> 20) + " MB", "a mesh of at most 64 MB"};
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 84> head{};
  stream.read(head.data(), head.size());
  if (stream.gcount() == 0) return {"an empty or unreadable file", "a mesh"};
  if (!stl) return {};
  std::uint32_t triangles = 0;
  std::memcpy(&triangles, head.data() + 80, sizeof triangles);
  const bool binary = stream.gcount() == 84 && size == 84 + 50 * static_cast<std::uintmax_t>(triangles);
  const bool text = std::string_view(head.data(), 5) == "solid";
  return binary || text ? std::pair<std::string, std::string>() : std::pair<std::string, std::string>("no STL, or a part of one", "a mesh");
}

void read_mesh(const JsonReader& in, const Loading& loading, Shape& shape) {
  const std::string file = in.text({"file", "", "mesh, .stl or .obj, relative to the model file"});
  shape.scale = in.number_or({"scale", "m", "metres in a unit of the mesh"}, 1, Range::positive());
  if (in.describing() || file.empty()) return;
  shape.file = Files::beside(loading.scope.document.file(), file);
  if (const auto [found, expected] = trouble_with(shape.file); !found.empty())
    in.source().report("file", quote_text(file) + ": " + found, expected, Files::nearest(loading.scope.document.file(), file));
}

/// Cylinders and capsules run from point to point.
void read_rod(const JsonReader& in, Shape::Kind kind, Shape& shape) {
  const Vec3 from = in.point({"from", "m", "centre of one end"}), to = in.point({"to", "m", "centre of the other end"});
  const double radius = in.number({"radius", "m", "radius"}, Range::positive());
  const double inner = kind == Shape::Kind::cylinder ? in.number_or({"inner_radius", "m", "of a tube"}, 0, Range::non_negative()) : 0;
  if (in.describing()) return;
  if (!(norm(to - from) > 1e-9)) return in.complain("to", "an end at the place of the other", "ends at least 1e-9 m apart");
  if (!(inner < radius)) return in.complain("inner_radius", "a bore as wide as the cylinder", "less than the radius");
  shape = Shape::between(kind, from, to, radius, inner);
}

Shape read_shape(const JsonReader& in, Shape::Kind kind, const Loading& loading) {
  Shape shape;
  if (kind == Shape::Kind::cylinder || kind == Shape::Kind::capsule) {
    read_rod(in, kind, shape);
  } else {
    shape.pose.p = in.point_or({"at", "m", "its centre, or the origin of the mesh"}, {});
    if (kind != Shape::Kind::sphere) shape.pose.R = read_turn(in);
  }
  if (kind == Shape::Kind::box)
    if (const auto edges = in.numbers({"size", "m", "edges along x, y and z"}, 3, Range::positive(), true); edges.size() == 3)
      shape.edges = {edges[0], edges[1], edges[2]};
  if (kind == Shape::Kind::sphere) shape.radius = in.number({"radius", "m", "radius"}, Range::positive());
  if (kind == Shape::Kind::mesh) read_mesh(in, loading, shape);
  shape.kind = kind;
  shape.color = in.text_or({"color", "", "\"#rrggbb\"; that of the subsystem when absent"}, "");
  if (!shape.color.empty() && !is_color(shape.color))
    in.source().report("color", quote_text(shape.color), "\"#rrggbb\", such as \"#4a6fa5\"");
  return shape;
}

}  // namespace

std::optional<std::vector<Shape>> read_shapes(const JsonReader& in, const Pose<double>& X_FB, const Loading& loading) {
  constexpr Key type_key{"type", "", "kind of solid"};
  const JsonReader section =
      in.within_frame(X_FB).object({"shapes", "", "how the body looks, in its frame; chosen from joints and mass when absent"});
  std::vector<Shape> shapes;
  if (in.describing()) {
    for (const auto& [name, kind] : kinds) {
      const JsonReader shape = section.object({"*"});
      shape.one_of(type_key, {name}, "");
      (void)read_shape(shape, kind, loading);
    }
    return {};
  }
  if (!in.holds_object("shapes")) return {};
  std::vector<std::string> words;
  for (const auto& [word, kind] : kinds) words.emplace_back(word);
  for (const std::string& name : section.names()) {
    section.source().know(name);
    if (!is_name(name)) section.source().report(name, quote_text(name), name_words);
    const JsonReader shape = section.object({name});
    const std::string type = shape.one_of(type_key, words, "a shape");
    const auto* kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == type; });
    if (kind != kinds.end())
      shapes.push_back(read_shape(shape, kind->second, loading));
    else
      for (const std::string& key : shape.names()) shape.source().know(key);
  }
  return shapes;
}

void place_shapes(std::vector<Shape>& shapes, const Pose<double>& X_FB, const Placement& placement, const Pose<double>& X_WB) {
  for (Shape& shape : shapes) {
    shape.pose = inverse(X_WB) * placement.axial_frame(X_FB * shape.pose);
    shape.inverted = placement.is_mirror_image();
  }
}

}  // namespace arthron
