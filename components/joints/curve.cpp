#include "arthron/components/joints/curve.hpp"

#include <cstdio>

namespace arthron {

namespace {

/// "12.5 m"
std::string metres(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g m", length);
  return text;
}

/// What is wrong with a way through points and what is expected instead; nothing where it is a way.
struct Mistake {
  std::string found, expected;
};
std::optional<Mistake> mistake(const std::vector<Vec3>& points, bool closed) {
  constexpr std::size_t most = 10'000;  // each makes a piece of many cubics
  constexpr double least = 1e-6;        // of the whole way: cubics along a shorter step drown in the rounding of the length
  const std::string enough = closed ? "three points or more, neighbours apart" : "two points or more, neighbours apart";
  const std::size_t steps = points.size() - (closed ? 0 : 1);
  if (closed && points.size() < 3) return Mistake{std::to_string(points.size()) + " points", enough};
  if (points.size() > most) return Mistake{std::to_string(points.size()) + " points", "at most " + std::to_string(most)};

  const auto step = [&](std::size_t i) { return norm(points[(i + 1) % points.size()] - points[i]); };
  double way = 0;
  for (std::size_t i = 0; i < steps; ++i) way += step(i);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::string pair = "points " + std::to_string(i) + " and " + std::to_string((i + 1) % points.size());
    if (!(step(i) > 1e-9)) return Mistake{pair + " in one place", enough};
    if (step(i) < least * way)
      return Mistake{pair + ' ' + metres(step(i)) + " apart on a way of " + metres(way),
                     "neighbours apart by a millionth of the way or more"};
  }
  return {};
}

/// A child along the curve would turn over where the curve runs along `up`.
void check_up(const JsonReader& in, const Spline& path, const Vec3& up, double length) {
  constexpr int places = 4000;
  constexpr double least = 0.005;  // [rad]
  for (int i = 0; i <= places; ++i) {
    const double s = length * i / places;
    if (norm(cross(up, normalized(path.at(s).slope))) > least) continue;
    return in.complain("up", "a direction along which the curve runs, " + metres(s) + " from its start", "one that stays across it");
  }
}

}  // namespace

CurveJoint CurveJoint::parse(const JsonReader& in) {
  std::vector<Vec3> points = in.offsets({"points", "m", "places the curve runs through"});
  const bool closed = in.flag_or({"closed", "", "the curve comes back to its first point"}, false);
  const bool along =
      in.choice({"orientation", "", "the child keeps its axes, or turns them along the curve"}, {"fixed", "along"}) == "along";
  const Vec3 up = in.unit_vector_or({"up", "", "direction near which z stays, for a child along the curve"}, {0, 0, 1});
  std::vector<double> bank = in.list({"bank", "rad", "turn about the curve at each point, of a child along it; zero when absent"});
  std::vector<Vec3> rotations = in.vectors({"rotations", "rad", "rotation vector of the child at each point, instead of an orientation"});

  std::vector<double> s;
  std::optional<Spline> path;
  if (!points.empty()) {
    auto wrong = mistake(points, closed);
    if (!wrong) path = curve_through(points, closed, s);
    if (!wrong && !path)
      wrong = {"points through which no smooth curve was found", "a way that does not stop or double back between its points"};
    if (wrong) in.complain("points", wrong->found, wrong->expected), points.clear();
  }
  const auto one_each = [&](const char* key, std::size_t count) {
    if (count != 0 && count != points.size() && !points.empty())
      in.complain(key, std::to_string(count) + " entries", std::to_string(points.size()) + ", one for each point");
  };
  one_each("bank", bank.size());
  one_each("rotations", rotations.size());
  if (!in.describing() && along) in.refuse("rotations", "none: \"orientation\" says how the child turns");
  if (!in.describing() && !along) in.refuse("bank", "none: the child does not turn along the curve");
  if (points.empty()) path = curve_through(points = {{0, 0, 0}, {1, 0, 0}}, false, s);

  CurveJoint joint;
  joint.path = std::make_shared<const Spline>(*path);
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
