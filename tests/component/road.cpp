#include "arthron/component/road.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace arthron;

/// Nearest points are compared with points from which the surface was left along its normal: closed forms, and no search.
namespace {

Road road(const std::string& height) { return Road(Expression::parse(height, {"x", "y", "t"})); }

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

/// z = a x^2 + b x y + c y^2.
struct Quadric {
  double a, b, c;
  [[nodiscard]] Vec3 point(double x, double y) const { return {x, y, a * x * x + b * x * y + c * y * y}; }
  [[nodiscard]] Vec3 normal(double x, double y) const { return unit({-2 * a * x - b * y, -b * x - 2 * c * y, 1}); }
  [[nodiscard]] Road road() const {
    return ::road(std::to_string(a) + "*x^2 + " + std::to_string(b) + "*x*y + " + std::to_string(c) + "*y^2");
  }
};

}  // namespace

TEST_CASE("nearest: the foot in a valley is found to rounding, as far as its smallest radius of curvature") {
  // z = x^2 / 2 has the curvature (1 + x^2)^(-3/2), at most 1: up to a distance of 1 every point has one foot. The nearer the centre of
  // curvature, the less the distance depends on the foot: its second derivative falls to 1 - distance curvature, and roundings grow by
  // the inverse.
  const Quadric valley{0.5, 0, 0};
  const Road surface = valley.road();
  for (const double x : {-1.2, 0.0, 0.3, 2.0})
    for (const double distance : {-3.0, -0.5, 0.1, 0.5, 0.9, 0.96, 0.999}) {
      CAPTURE(x);
      CAPTURE(distance);
      const Vec3 foot = valley.point(x, 0.7), p = foot + distance * valley.normal(x, 0.7);
      const Road::Plane plane = surface.nearest(p, 0);
      const double steepness = 1 - std::max(distance, 0.0) * std::pow(1 + x * x, -1.5);
      CHECK(norm(plane.point - foot) < 1e-14 * (1 + norm(p)) / steepness);
      CHECK(std::abs(height_above(plane, p) - distance) < 1e-14 * (1 + norm(p)));
    }
}

TEST_CASE("nearest: so it is on bowls and saddles") {
  for (const Quadric& surface : {Quadric{0.3, 0.2, 0.4}, Quadric{0.3, 0.1, -0.4}, Quadric{-0.3, 0.1, -0.2}})
    for (const double distance : {-0.6, -0.1, 0.0, 0.4, 0.8}) {
      CAPTURE(distance);
      const Vec3 foot = surface.point(0.4, -0.25), p = foot + distance * surface.normal(0.4, -0.25);
      CHECK(norm(surface.road().nearest(p, 0).point - foot) < 1e-13);
    }
}

TEST_CASE("nearest across an axis: an upright disc over a valley meets the parabola that its plane cuts") {
  // Heading at an angle to x, the plane cuts z = (a cos)^2 / 2 over the way a: a parabola of curvature cos^2.
  const Road surface = road("x^2/2");
  for (const double angle : {0.0, 0.4, 1.1}) {
    const double c = std::cos(angle), s = std::sin(angle), way = 0.5, slope = c * c * way;
    const Vec3 heading{c, s, 0}, axis{-s, c, 0};
    const Vec3 foot = way * heading + Vec3{0, 0, c * c * way * way / 2};
    const Vec3 p = foot + 0.6 * unit(Vec3{0, 0, 1} - slope * heading);
    CAPTURE(angle);
    CHECK(norm(surface.nearest_across(axis, p, 0).point - foot) < 1e-13);
  }
}

TEST_CASE(
    "nearest across an axis: the gradient of the distance is the normal over the sine of axis and normal, and the point is in the plane") {
  // By differences of fourth order over 1e-3 m: the distance bends over lengths of 0.2 m.
  const Road surface = road("0.05*sin(2*x + y) + 0.03*cos(3*y)");
  const Vec3 p{0.3, -0.2, 0.35};
  for (const Vec3& given : {Vec3{0, 1, 0}, Vec3{0.2, 1, 0.3}, Vec3{-0.5, 1, -0.6}, Vec3{0.3, 0.2, 0.5}}) {
    const Vec3 axis = unit(given);
    const auto distance = [&](const Vec3& at) { return norm(surface.nearest_across(axis, at, 0).point - at); };
    const Road::Plane plane = surface.nearest_across(axis, p, 0);
    CHECK(std::abs(dot(axis, plane.point - p)) < 1e-15);
    const Vec3 expected = (1 / norm(cross(axis, plane.normal))) * plane.normal;
    for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const double h = 1e-3;
      const double slope =
          (8 * (distance(p + h * e) - distance(p + -h * e)) - (distance(p + 2 * h * e) - distance(p + -2 * h * e))) / (12 * h);
      CHECK(std::abs(slope - dot(expected, e)) < 1e-8);
    }
  }
}

TEST_CASE("on a sloped plane, the point across an axis is the foot of the perpendicular within the wheel's plane") {
  const Road surface = road("0.1*x - 0.2*y + 0.05");
  const Vec3 n = unit({-0.1, 0.2, 1}), axis = unit({0.1, 1, -0.2}), p{2, 3, 0.6};
  const Vec3 forward = unit(cross(axis, n)), upward = cross(forward, axis);
  const double distance = dot(n, p - Vec3{0, 0, 0.05}) / dot(n, upward);
  CHECK(norm(surface.nearest_across(axis, p, 0).point - (p - distance * upward)) < 1e-14);
}

TEST_CASE("a road that moves goes up and down as a whole, whatever its slope and whoever looks") {
  const Road surface = road("0.1*x + 0.02*sin(12*t)");
  const double t = 0.3;
  const Vec3 rising{0, 0, 0.02 * 12 * std::cos(12 * t)};
  CHECK(norm(surface.nearest({1, 2, 0.5}, t).velocity - rising) < 1e-15);
  // A quarter turn about x brings the drawing's y up; then its mirror image across y.
  const Placement turned{{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {}}, 1, {1, 1, 1}};
  CHECK(norm(surface.seen_from(turned).nearest({1, 0.5, -2}, t).velocity - Vec3{0, rising.z, 0}) < 1e-15);
  CHECK(norm(surface.seen_from(turned * Placement::mirror(1)).nearest({1, -0.5, -2}, t).velocity - Vec3{0, -rising.z, 0}) < 1e-15);
}
