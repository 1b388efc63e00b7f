#include "cases.hpp"

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "../paper_runs.hpp"
#include "../peers/systems.hpp"
#include "../peers/translate.hpp"

namespace arthron::precision {

namespace {

using peers::Vector;

/// The same with these points as its only markers.
Model following(Model model, const std::vector<Handle>& points) {
  model.markers.clear(), model.simulation.channels.clear();
  for (std::size_t i = 0; i < points.size(); ++i) model.markers.push_back({"point" + std::to_string(i), 0, points[i], {}});
  return model;
}

/// The mass centres of all that moves.
Model following_all(const Model& model) {
  std::vector<Handle> points;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (!model.bodies[b].ground && model.bodies[b].mass > 0) points.push_back({{static_cast<int>(b)}, model.bodies[b].com});
  return following(model, points);
}

/// A solution of tests/data, in a plane: of every point x, y and their rates.
Course read_reference(const std::string& name, std::size_t points, const std::vector<double>& times) {
  std::ifstream file(ARTHRON_SOURCE_DIR "/tests/data/" + name + ".csv");
  Course course;
  std::string line;
  std::getline(file, line);
  while (course.size() < times.size() && std::getline(file, line)) {
    std::istringstream cells(line);
    const auto next = [&] {
      std::string cell;
      std::getline(cells, cell, ',');
      return std::stod(cell);
    };
    if (std::abs(next() - times[course.size()]) > 1e-9) continue;
    std::vector<Vector>& row = course.emplace_back();
    for (std::size_t i = 0; i < points; ++i) {
      const double x = next(), y = next();
      (void)next(), (void)next();
      row.push_back({x, y, 0});
    }
  }
  if (course.size() != times.size()) throw std::runtime_error("no reference at all times");
  return course;
}

Case of_papers(const std::string& name, double until) {
  const auto model = [name] { return peers::example(name); };
  return {name, model, until, [=](const std::vector<double>& times) { return read_reference(name, model().markers.size(), times); }};
}

/// The tops of all cranks of n four-bars.
Model followed_four_bars(int n) {
  const Model model = peers::four_bars(n);
  std::vector<Handle> tops;
  for (const Joint& joint : model.joints)
    if (joint.parent.value == 0) tops.push_back({joint.child, joint.frame.p + Vec3{0, 1, 0}});
  return following(model, tops);
}

/// They stay parallel: theta'' = k sin(theta) from theta = 0, theta' = 1 rad/s, in closed form. Measured from the lowest position phi =
/// theta
/// - pi: sin(phi/2) = sn(Omega t/2 - K(m), m), where Omega is the rate at the bottom and m = 2 sqrt(k)/Omega.
Course four_bar_solution(int n, const std::vector<double>& times) {
  using Real = long double;
  const Real g = 9.81, k = 3 * g * (3 * n + 1) / (2 * (4 * n + 1)), Omega = std::sqrt(1 + 4 * k), m = 2 * std::sqrt(k) / Omega;
  Course course;
  for (const double t : times) {
    Real cn = 0, dn = 0;
    const Real sn = boost::math::jacobi_elliptic(m, Omega * static_cast<Real>(t) / 2 - boost::math::ellint_1(m), &cn, &dn);
    std::vector<Vector>& row = course.emplace_back();
    for (int i = 0; i <= n; ++i) row.push_back({static_cast<double>(i - 2 * sn * cn), static_cast<double>(2 * sn * sn - 1), 0});
  }
  return course;
}

Case four_bars(int n, double until) {
  return {"fourbar" + std::to_string(n), [n] { return followed_four_bars(n); }, until,
          [n](const std::vector<double>& times) { return four_bar_solution(n, times); }};
}

}  // namespace

std::vector<double> looks(const Case& given) {
  constexpr int count = 10;
  std::vector<double> times;
  for (int i = 1; i <= count; ++i) times.push_back(given.until * i / count);
  return times;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> list = {of_papers("pendulum16", 5),   of_papers("loop4", 10), of_papers("loop8", 10),
                              of_papers("double_loop", 10), four_bars(2, 10),       four_bars(40, 2)};
    list.back().longest = 0.6, list.back().longest_of_simbody = 3;
    list.push_back({"vehicle-hung", [] { return following_all(*peers::without_loads(peers::hung_vehicle())); }, 1});
    list.back().longest_of_simbody = 4;
    list.push_back(
        {"vehicle", [] { return following_all(load_model(bench::example_file("vehicle", "step_steer"), builtin_registry())); }, 2});
    list.back().simbody = false;
    return list;
  }();
  return all;
}

}  // namespace arthron::precision
