#include "arthron/components/joints/curve.hpp"

#include <cstdio>

namespace arthron {

namespace {

/// What is wrong with a way through points, or "".
std::string mistake(const std::vector<Vec3>& points, bool closed) {
  if (closed && points.size() < 3) return std::to_string(points.size()) + " points";
  for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
    const Vec3 step = points[(i + 1) % points.size()] - points[i];
    if (!(norm(step) > 1e-9)) return "points " + std::to_string(i) + " and " + std::to_string((i + 1) % points.size()) + " in one place";
  }
  return "";
}

/// A child along the curve would turn over where the curve runs along `up`.
void check_up(const JsonReader& in, const Spline& path, const Vec3& up, double length) {
  constexpr int places = 4000;
  constexpr double least = 0.005;  // [rad]
  for (int i = 0; i <= places; ++i) {
    const double s = length * i / places;
    if (norm(cross(up, normalized(path.at(s).slope))) > least) continue;
    char place[32];
    std::snprintf(place, sizeof place, "%.4g", s);
    return in.complain("up", std::string("a direction along which the curve runs, ") + place + " m from its start",
                       "one that stays across it");
  }
}

}  // namespace

CurveJoint CurveJoint::parse(const JsonReader& in) {
  std::vector<Vec3> points = in.offsets({"points", "m", "places the curve runs through"});
  const bool closed = in.flag_or({"closed", "", "the curve comes back to its first point"}, false);
  const bool along =
      in.choice({"orientation", "", "the child keeps its axes, or turns them along the curve"}, {"fixed", "along"}) == "along";
  const Vec3 up = in.unit_vector_or({"up", "", "what z stays near to, of a child along the curve"}, {0, 0, 1});
  std::vector<double> bank = in.list({"bank", "rad", "turn about the curve at each point, of a child along it; zero when absent"});
  std::vector<Vec3> rotations = in.vectors({"rotations", "rad", "rotation vector of the child at each point, instead of an orientation"});

  if (const std::string wrong = points.empty() ? "" : mistake(points, closed); !wrong.empty()) {
    in.complain("points", wrong, closed ? "three points or more, neighbours apart" : "two points or more, neighbours apart");
    points.clear();
  }
  const auto one_each = [&](const char* key, std::size_t count) {
    if (count != 0 && count != points.size() && !points.empty())
      in.complain(key, std::to_string(count) + " entries", std::to_string(points.size()) + ", one for each point");
  };
  one_each("bank", bank.size());
  one_each("rotations", rotations.size());
  if (!in.describing() && along) in.refuse("rotations", "none: \"orientation\" says how the child turns");
  if (!in.describing() && !along) in.refuse("bank", "none: the child does not turn along the curve");
  if (points.empty()) points = {{0, 0, 0}, {1, 0, 0}};

  CurveJoint joint;
  std::vector<double> s;
  joint.path = std::make_shared<const Spline>(curve_through(points, closed && points.size() > 2, s));
  if (along) {
    joint.up = up;
    bank.resize(points.size());
    rotations.clear();
    for (const double angle : bank) rotations.push_back({angle, 0, 0});
    check_up(in, *joint.path, up, s.back());
  }
  rotations.resize(rotations.empty() ? 0 : points.size());
  if (!rotations.empty()) joint.turn = std::make_shared<const Spline>(s, rotations, joint.path->period() > 0);
  return joint;
}

}  // namespace arthron
