#include "arthron/scene/drawn_shapes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace arthron {

namespace {

using std::size_t;

constexpr double density = 2000;      // of what is drawn, between plastic and aluminium [kg/m^3]
constexpr size_t most_held_rods = 6;  // a body held at more places is drawn as a box

const Pose<double>& frame_of(const Model& model, BodyIndex body) { return model.bodies[body.value].frame; }

void add_place(std::vector<Vec3>& places, const Vec3& place, double apart) {
  for (const Vec3& other : places)
    if (norm(other - place) < apart) return;
  places.push_back(place);
}

/// Nobody can draw what is not finite, nor what is as large as nothing.
bool can_be_drawn(const Shape& shape) {
  const auto size = [](double x) { return std::isfinite(x) && x >= 0; };
  return is_finite(shape.pose) && size(shape.edges.x) && size(shape.edges.y) && size(shape.edges.z) && size(shape.radius) &&
         size(shape.inner_radius) && size(shape.length) && size(shape.scale);
}

/// What the force shows, and at which of its handles.
std::vector<HandleShape> shapes_of(const Force& force) {
  std::vector<HandleShape> shapes = force.definition->shapes();
  std::erase_if(shapes,
                [&](const HandleShape& at) { return at.handle < 0 || at.handle >= std::ssize(force.handles) || !can_be_drawn(at.shape); });
  return shapes;
}

/// A free joint holds nothing.
bool holds(const Joint& joint) { return joint.definition->type().nu() < 6; }

/// Radius of a rod: what its mass makes it, within what looks like a rod and is seen in a model of that size.
double rod_radius(double mass, double length, double model) {
  const double heavy = std::sqrt(mass / (density * M_PI * length)), thinnest = std::max(0.012 * length, 0.003 * model);
  return std::min(std::clamp(heavy, thinnest, std::max(thinnest, 0.05 * length)), 0.4 * length);
}

/// The box of uniform density with the mass and inertia of the body, in its frame.
Shape equivalent_box(const Body& body, double least) {
  const Sym3& I = body.inertia;
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(matrix);
  const Eigen::Vector3d moments = principal.eigenvalues();
  const auto axis = [&](int i) {
    return Vec3{principal.eigenvectors()(0, i), principal.eigenvectors()(1, i), principal.eigenvectors()(2, i)};
  };
  const auto edge = [&](int i) {
    return body.mass > 0 ? std::sqrt(std::max(6 * (moments.sum() - 2 * moments[i]) / body.mass, least * least)) : least;
  };
  const Vec3 x = axis(0), y = axis(1);
  const Pose<double> X{{x, y, cross(x, y)}, body.com};
  return Shape::box({edge(0), edge(1), edge(2)}, inverse(body.frame) * X);
}

/// The point of the box nearest to `place`.
Vec3 nearest_in(const Shape& box, const Vec3& place) {
  const Vec3 local = inverse(box.pose) * place, half = 0.5 * box.edges;
  return box.pose * Vec3{std::clamp(local.x, -half.x, half.x), std::clamp(local.y, -half.y, half.y), std::clamp(local.z, -half.z, half.z)};
}

double thinnest(const Shape& box) { return std::min({box.edges.x, box.edges.y, box.edges.z}); }

/// A box, and rods to the places outside of it. One that holds much is drawn smaller than it is, for it would hide what it holds.
void draw_box(const Body& body, const std::vector<Vec3>& places, double length, std::vector<Shape>& shapes) {
  Shape box = equivalent_box(body, 0.004 * length);
  if (places.size() > most_held_rods) box.edges = 0.6 * box.edges;
  for (const Vec3& place : places) {
    const Vec3 inside = nearest_in(box, place);
    const double apart = norm(place - inside);
    if (apart > 0.02 * length || apart > 0.3 * thinnest(box))
      shapes.push_back(Shape::between(Shape::Kind::capsule, inside, place, std::min(rod_radius(body.mass, apart, length), 0.01 * length)));
  }
  shapes.push_back(box);
}

/// A rod between two places; with its mass centre far from it, a second one to there.
void draw_rod(const Body& body, const Vec3& a, const Vec3& b, double length, std::vector<Shape>& shapes) {
  const double distance = norm(b - a), radius = rod_radius(body.mass, distance, length);
  shapes.push_back(Shape::between(Shape::Kind::capsule, a, b, radius));
  const Vec3 com = inverse(body.frame) * body.com;
  const double along = std::clamp(dot(com - a, b - a) / (distance * distance), 0.0, 1.0);
  const Vec3 foot = a + along * (b - a);
  if (norm(com - foot) > std::max(0.3 * distance, 2 * radius)) shapes.push_back(Shape::between(Shape::Kind::capsule, foot, com, radius));
}

void draw_star(const Body& body, const std::vector<Vec3>& places, double length, std::vector<Shape>& shapes) {
  Vec3 middle;
  for (const Vec3& place : places) middle += (1.0 / static_cast<double>(places.size())) * place;
  double widest = 0;
  for (const Vec3& place : places) widest = std::max(widest, norm(place - middle));
  const double radius = rod_radius(body.mass / static_cast<double>(places.size()), 2 * widest, length);
  for (const Vec3& place : places)
    if (norm(place - middle) > 0.05 * widest) shapes.push_back(Shape::between(Shape::Kind::capsule, middle, place, radius));
}

void draw_by_places(const Body& body, const std::vector<Vec3>& places, double length, std::vector<Shape>& shapes) {
  if (places.size() < 2 || places.size() > most_held_rods)
    draw_box(body, places, length, shapes);
  else if (places.size() == 2)
    draw_rod(body, places[0], places[1], length, shapes);
  else
    draw_star(body, places, length, shapes);
}

/// Half the diagonal of a shape.
double reach(const Shape& shape) { return shape.kind == Shape::Kind::box ? norm(shape.edges) / 2 : shape.radius + shape.length / 2; }

}  // namespace

std::vector<std::vector<Vec3>> held_places(const Model& model) {
  const double apart = 1e-3 * drawn_length(model);
  std::vector<std::vector<Vec3>> places(model.bodies.size());
  const auto add = [&](BodyIndex body, const Vec3& place) { add_place(places[body.value], inverse(frame_of(model, body)) * place, apart); };
  for (const Joint& joint : model.joints) {
    if (!holds(joint)) continue;
    const std::optional<Vec3> link = joint.definition->type().link_end(*joint.definition);
    add(joint.parent, joint.frame * (!link ? Vec3{} : joint.mirrored ? -1.0 * *link : *link));
    add(joint.child, joint.child_frame().p);
  }
  for (const Force& force : model.forces) {
    const bool shown = force.handles.size() == 2 || !shapes_of(force).empty();
    for (const Handle& handle : force.handles)
      if (shown) add(handle.body, force.placement.point(handle.point));
  }
  // The end of a body that nothing else is held by is often a point that somebody wants to know about.
  const std::vector<std::vector<Vec3>> held = places;
  for (const Marker& marker : model.markers)
    if (held[marker.handle.body.value].size() == 1) add(marker.handle.body, marker.handle.point);
  return places;
}

double drawn_length(const Model& model) {
  Vec3 low{1e300, 1e300, 1e300}, high = -low;
  const auto include = [&](const Vec3& point, double around) {
    low = {std::min(low.x, point.x - around), std::min(low.y, point.y - around), std::min(low.z, point.z - around)};
    high = {std::max(high.x, point.x + around), std::max(high.y, point.y + around), std::max(high.z, point.z + around)};
  };
  for (const Body& body : model.bodies) {
    if (!body.ground) include(body.com, 0);
    if (body.shapes)
      for (const Shape& shape : *body.shapes)
        if (can_be_drawn(shape)) include(body.frame * shape.pose.p, reach(shape));
  }
  for (const Joint& joint : model.joints) include(joint.frame.p, 0), include(joint.child_frame().p, 0);
  for (const Force& force : model.forces)
    for (const HandleShape& at : shapes_of(force)) include(force.placement.point(force.handles[at.handle].point), reach(at.shape));
  const double length = low.x <= high.x ? norm(high - low) : 0;
  return length > 1e-9 ? length : 1;
}

std::vector<std::vector<Shape>> drawn_shapes(const Model& model) {
  const double length = drawn_length(model);
  const std::vector<std::vector<Vec3>> places = held_places(model);
  std::vector<std::vector<Shape>> shapes(model.bodies.size());
  for (const Force& force : model.forces)
    for (const HandleShape& at : shapes_of(force)) {
      const Handle& handle = force.handles[at.handle];
      Shape shape = at.shape;
      const Pose<double> drawn{shape.pose.R, handle.point + shape.pose.p};
      shape.pose = inverse(frame_of(model, handle.body)) * force.placement.axial_frame(drawn);
      shapes[handle.body.value].push_back(shape);
    }
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.shapes)
      std::ranges::copy_if(*body.shapes, std::back_inserter(shapes[b]), can_be_drawn);
    else if (!body.ground && (shapes[b].empty() || places[b].size() > 1))
      draw_by_places(body, places[b], length, shapes[b]);
  }
  return shapes;
}

}  // namespace arthron
