#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "arthron/component/road_on.hpp"

using namespace arthron;

/// The truth is Road, which finds every plane alone.
namespace {

using Roads = PerLane<Road>;

Roads roads(const std::string& height, double first = 1, double growth = 0.1) {
  return per_lane<Road>([&](std::size_t lane) {
    return Road(Expression::parse(height, {"x", "y", "t"}, {{"a", first + growth * static_cast<double>(lane)}, {"b", 0.5}}));
  });
}
RoadOn<Lanes> on_lanes(const Roads& roads) {
  return RoadOn<Lanes>(per_lane<const Road*>([&](std::size_t lane) { return &roads[lane]; }));
}

struct Places {
  PerLane<Vec3> p, axis;
  Vector3<Lanes> p_lanes, axis_lanes;
};
Places random_places(std::mt19937& generator) {
  std::uniform_real_distribution<double> number(-1, 1);
  Places places;
  for (int lane = 0; lane < lane_count; ++lane) {
    Vec3& p = places.p[lane];
    Vec3& axis = places.axis[lane];
    p = {3 * number(generator), 3 * number(generator), 0.4 + 0.2 * number(generator)};
    axis = normalized(Vec3{number(generator), 2, 0.2 * number(generator)});
    set_lane(&places.p_lanes, lane, &p, 1), set_lane(&places.axis_lanes, lane, &axis, 1);
  }
  return places;
}

/// Distance of two planes found for p: of their normals, and of p above them.
double apart(const Road::Plane& a, const Road::Plane& b, const Vec3& p) {
  return norm(a.normal - b.normal) + std::abs(height_above(a, p) - height_above(b, p)) + norm(a.velocity - b.velocity) +
         norm(a.point - b.point);
}

Road::Plane plane_of(const RoadPlane<Lanes>& planes, int lane) {
  Road::Plane plane;
  get_lane(&planes, lane, &plane, 1);
  return plane;
}

}  // namespace

TEST_CASE("roads on lanes: the nearest planes are those of each road alone, to rounding, whatever the height is made of") {
  const char* const heights[] = {
      "0.05*a*(1 - step(abs(x - 1), 0, 0, b, 1))*step(y, 0, 0, 0.2, 1)",
      "0.1*sin(a*x) + 0.05*cos(2*y)*x/(3 + a)",
      "0.02*(x + y)^2 - 0.01*x^3 + 0.1*a",
      "0.1*exp(-(x^2 + y^2)) + 0.02*tanh(3*x)*a + 0.1*t*b",
      "0.05*sqrt(4 + x^2) + 0.02*atan(y) + 0.01*atan2(y, 4 + x) + 0.01*log(9 + a*y)",
      "0.05*max(x - 1, 0)^2 + 0.05*min(y, 0.3*a)^2",
      "if(x < 0 && y > b, 0.02*x^2, 0.03*x^2) + 0.01*(3.5 + y)^2.5",
      "0.02*sinh(0.5*x) + 0.02*cosh(0.3*y*a) + 0.03*asin(x/5) - 0.02*acos(y/5) + 0.01*tan(0.2*x)",
      "0.03*(2 + x*x)^(0.3*y) + 0.02/(1 + a + x*x)",
      "0.1*sin(3*t + x) + 0*y",
      "0.05*x + a*0.02 - 0.01*abs(y)*0",
  };
  std::mt19937 generator(5);
  for (const char* const height : heights) {
    CAPTURE(height);
    const Roads each = roads(height);
    const RoadOn<Lanes> together = on_lanes(each);
    REQUIRE(together.applies());
    for (int k = 0; k < 50; ++k) {
      const Places at = random_places(generator);
      const double t = 0.1 * k;
      const RoadPlane<Lanes> across = together.nearest_across(at.axis_lanes, at.p_lanes, t), nearest = together.nearest(at.p_lanes, t);
      for (int lane = 0; lane < lane_count; ++lane) {
        CAPTURE(lane);
        CHECK(apart(plane_of(across, lane), each[lane].nearest_across(at.axis[lane], at.p[lane], t), at.p[lane]) < 1e-11);
        CHECK(apart(plane_of(nearest, lane), each[lane].nearest(at.p[lane], t), at.p[lane]) < 1e-11);
      }
    }
  }
}

TEST_CASE("roads on lanes: what is found in a lane does not depend on the others, to the last bit") {
  const Roads each = roads("0.1*sin(3*x) + 0.05*cos(2*y)*x + 0.1*step(x, 0, 0, 0.5, 1)");
  const RoadOn<Lanes> together = on_lanes(each);
  std::mt19937 generator(6);
  for (int k = 0; k < 100; ++k) {
    const Places at = random_places(generator);
    Places other = random_places(generator);
    for (int lane = 0; lane < 1; ++lane)
      set_lane(&other.p_lanes, lane, &at.p[lane], 1), set_lane(&other.axis_lanes, lane, &at.axis[lane], 1);
    const Road::Plane a = plane_of(together.nearest_across(at.axis_lanes, at.p_lanes, 0), 0);
    const Road::Plane b = plane_of(together.nearest_across(other.axis_lanes, other.p_lanes, 0), 0);
    CHECK(std::memcmp(&a, &b, sizeof(a)) == 0);
  }
}

TEST_CASE("roads on lanes: of several drawings, turned, moved and mirrored") {
  Roads each = roads("0.1*sin(a*x) + 0.05*y*y");
  for (int lane = 0; lane < lane_count; ++lane) {
    const double angle = 0.3 * lane, c = std::cos(angle), s = std::sin(angle);
    Placement placement{{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, {0.2 * lane, -0.1, 0.3}}, lane % 2 == 0 ? 1.0 : -1.0, {}};
    each[lane] = each[lane].seen_from(placement);
  }
  const RoadOn<Lanes> together = on_lanes(each);
  std::mt19937 generator(7);
  for (int k = 0; k < 20; ++k) {
    const Places at = random_places(generator);
    const RoadPlane<Lanes> found = together.nearest_across(at.axis_lanes, at.p_lanes, 0);
    for (int lane = 0; lane < lane_count; ++lane)
      CHECK(apart(plane_of(found, lane), each[lane].nearest_across(at.axis[lane], at.p[lane], 0), at.p[lane]) < 1e-11);
  }
}

TEST_CASE("roads on lanes: those that are made of other operations are asked one by one, flat ones are no matter what") {
  Roads each = roads("0.1*sin(x)");
  each[2] = Road(Expression::parse("0.1*cos(x)", {"x", "y", "t"}));
  CHECK_FALSE(on_lanes(each).applies());
  each[2] = Road(Expression::constant(0.2));
  CHECK_FALSE(on_lanes(each).applies());
  Roads flat;
  for (int lane = 0; lane < lane_count; ++lane) flat[lane] = Road(Expression::constant(0.1 * lane));
  CHECK(on_lanes(flat).applies());
  for (int lane = 0; lane < lane_count; ++lane)
    CHECK(height_above(plane_of(on_lanes(flat).nearest({}, 0), lane), {1, 2, 0.5}) == doctest::Approx(0.5 - 0.1 * lane));
}

TEST_CASE("roads on numbers that carry derivatives: those of the distance are the normal's over the sine of axis and normal") {
  using Number = Dual<double, 1>;
  const Roads each = roads("0.05*sin(2*x + y) + 0.03*cos(3*y)");
  const RoadOn<Number> road(per_lane<const Road*>([&](std::size_t lane) { return &each[lane]; }));
  std::mt19937 generator(8);
  std::normal_distribution<double> number;
  for (int k = 0; k < 50; ++k) {
    const Vec3 p{number(generator), number(generator), 0.35}, axis = normalized(Vec3{0.3 * number(generator), 1, 0.2 * number(generator)});
    const Vec3 direction{number(generator), number(generator), number(generator)};
    Vector3<Number> moving{p.x, p.y, p.z};
    moving.x.d[0] = direction.x, moving.y.d[0] = direction.y, moving.z.d[0] = direction.z;
    const RoadPlane<Number> found = road.nearest_across({axis.x, axis.y, axis.z}, moving, 0);
    const Road::Plane plane = each[0].nearest_across(axis, p, 0);
    const double sine = norm(cross(axis, plane.normal)), distance = height_above(plane, p) / sine;
    const Number of_distance = norm(found.point - moving);
    CHECK(of_distance.value == doctest::Approx(distance).epsilon(1e-12));
    CHECK(of_distance.d[0] == doctest::Approx(dot(plane.normal, direction) / sine).epsilon(1e-9));
  }
}
