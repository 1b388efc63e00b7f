#include "arthron/simulation/examine_loops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {
namespace {

using std::size_t;
using Directions = std::vector<Spatial6>;

/// Ranks and redundant directions of every closure at one position.
struct Position {
  std::vector<int> ranks;
  std::vector<Directions> redundant;
  std::vector<Mat3> axes;  // of the cut joints' frames on their parents
};

double product(const Spatial6& a, const Spatial6& b) { return dot(a.linear, b.linear) + dot(a.angular, b.angular); }

Spatial6 axis(const Mat3& R, size_t i) {
  const Vec3 column = i % 3 == 0 ? R.c0 : i % 3 == 1 ? R.c1 : R.c2;
  return i < 3 ? Spatial6{column, {}} : Spatial6{{}, column};
}

/// Which of the six axes lie in the space of the directions.
std::vector<size_t> axes_within(const Directions& directions, const Mat3& R) {
  constexpr double sine = 1e-3;
  std::vector<size_t> within;
  for (size_t i = 0; i < 6; ++i) {
    double square = 0;
    for (const Spatial6& direction : directions) square += std::pow(product(direction, axis(R, i)), 2);
    if (1 - square < sine * sine) within.push_back(i);
  }
  return within;
}

std::string vector_text(const Vec3& v) {
  const auto digits = [](double x) { return rounded_text(std::abs(x) < 5e-5 ? 0 : x); };
  return '(' + digits(v.x) + ", " + digits(v.y) + ", " + digits(v.z) + ')';
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : i + 1 < list.size() ? ", " : " and ") + list[i];
  return text;
}

/// "translation z, rotations x and y" of axes by number.
std::string axes_text(const std::vector<size_t>& axes) {
  static const char* const letters[] = {"x", "y", "z"};
  std::vector<std::string> kinds[2];
  for (const size_t i : axes) kinds[i / 3].push_back(letters[i % 3]);
  std::string text;
  for (const int kind : {0, 1}) {
    if (kinds[kind].empty()) continue;
    text += (text.empty() ? "" : ", ") + std::string(kind == 0 ? "translation" : "rotation") + (kinds[kind].size() > 1 ? "s " : " ") +
            words(kinds[kind]);
  }
  return text;
}

/// Directions that are no axes, as vectors.
std::string vectors_text(const Directions& directions) {
  std::vector<std::string> list;
  for (const Spatial6& d : directions) {
    std::vector<std::string> parts;
    if (norm(d.linear) > 1e-3) parts.push_back("translation " + vector_text(d.linear));
    if (norm(d.angular) > 1e-3) parts.push_back("rotation " + vector_text(d.angular));
    list.push_back(parts.size() > 1 ? parts[0] + " with " + parts[1] : parts[0]);
  }
  return words(list);
}

/// By world axes where they fit, else by those of the joint's frame, else as vectors in world axes.
std::string directions_text(const Directions& directions, const Mat3& joint_axes, const std::string& joint) {
  const Mat3 world = Mat3::identity();
  if (const auto within = axes_within(directions, world); within.size() == directions.size())
    return axes_text(within) + " (axes of the file)";
  if (const auto within = axes_within(directions, joint_axes); within.size() == directions.size())
    return axes_text(within) + " (axes of the frame of " + joint + ")";
  return vectors_text(directions) + " (axes of the file)";
}

Position look(const Plan& plan, const Workspace& work) {
  Position position{closure_ranks(plan, work), {}, {}};
  for (int c = 0; c < plan.cuts; ++c) {
    position.redundant.push_back(redundant_directions(plan, work, static_cast<int>(c)));
    const Pose<double> X_WP = work.body[plan.closures[c].parent].X_WB;
    position.axes.push_back(X_WP.R * plan.closures[c].X_PF.R);
  }
  return position;
}

/// Moves every free coordinate a little: angles by up to 0.2 rad, slides by up to 0.2 of the size of the bodies.
void stir(const Plan& plan, const Workspace& work, std::mt19937& random, std::vector<double>& q) {
  const std::vector<double>& scale = work.closures->scale;
  const double length = std::accumulate(scale.begin(), scale.end(), 0.0) / static_cast<double>(scale.size());
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  for (const PlanJoint& joint : plan.joints) {
    if (joint.driven || joint.closure >= 0) continue;
    const bool plain = joint.nq == joint.nu;
    for (int i = 0; i < joint.nq; ++i) {
      const bool slides = plain && plan.shapes[joint.u + i] == ColumnShape::translation;
      q[joint.q + i] += (slides ? length : 1) * uniform(random);
    }
  }
  normalise(plan, q.data());
}

std::vector<Position> positions_around(const Simulation& simulation) {
  constexpr int attempts = 8, newton_steps = 50;
  // An opening e leaves room for a displacement of sqrt(2 e L) where a loop of size L closes to second order only, as the third of three
  // parallel cranks does. What is redundant there when closed has that part of a singular value, and counts from 1e-5 on, at 5e-11 L.
  // Rounding is 8 eps L.
  constexpr double closed = 500;  // roundings
  const Plan& plan = simulation.plan();
  const State& assembled = simulation.state();
  const auto work = make_workspace(plan);
  work->q = simulation.workspace().q;  // where cut joints look for their coordinates
  const std::vector<double> at_rest(plan.nu, 0);
  std::mt19937 random(1);
  std::vector<Position> positions;
  for (int attempt = 0; attempt <= attempts; ++attempt) {
    std::vector<double> q = assembled.q;
    if (attempt > 0) stir(plan, *work, random, q);
    const Projection projection = project(plan, assembled.t, q.data(), 0, newton_steps, *work);
    if (attempt > 0 && !projection.status.ok() && !(projection.error <= closed * projection.rounding)) continue;
    if (solve_velocities(plan, assembled.t, q.data(), at_rest.data(), *work).ok()) positions.push_back(look(plan, *work));
  }
  return positions;
}

std::string remark(const Plan& plan, const std::vector<Position>& positions, size_t c) {
  const int rows = plan.closures[c].rows;
  const std::string& joint = plan.model->joints[plan.closures[c].joint].path;
  const auto regular =
      std::max_element(positions.begin(), positions.end(), [&](const Position& a, const Position& b) { return a.ranks[c] < b.ranks[c]; });
  const Position& drawn = positions.front();
  const std::string directions = std::to_string(rows) + " closure directions";
  std::string text;
  if (regular->ranks[c] == rows)
    text = rows == 1 ? "its one closure direction is independent" : "all " + directions + " are independent";
  else
    text = std::to_string(rows - regular->ranks[c]) + " of " + directions +
           " are redundant: " + directions_text(regular->redundant[c], regular->axes[c], joint) +
           "; their reactions are not unique, the smallest are reported";
  if (drawn.ranks[c] < regular->ranks[c])
    text += "; singular position as assembled: " + std::to_string(rows - drawn.ranks[c]) + " are redundant there, " +
            directions_text(drawn.redundant[c], drawn.axes[c], joint);
  return text;
}

}  // namespace

LoopReport examine_loops(const Simulation& simulation) {
  const Plan& plan = simulation.plan();
  LoopReport report;
  report.freedom = report.freedom_as_assembled = plan.nu;
  if (plan.closures.empty()) return report;
  const std::vector<Position> positions = positions_around(simulation);
  report.positions = static_cast<int>(positions.size());
  if (positions.empty()) return report;
  const auto freedom = [&](const Position& at) { return plan.nu - std::accumulate(at.ranks.begin(), at.ranks.end(), 0); };
  report.freedom_as_assembled = freedom(positions.front());
  for (const Position& position : positions) report.freedom = std::min(report.freedom, freedom(position));
  for (int c = 0; c < plan.cuts; ++c) report.remarks.push_back(remark(plan, positions, c));
  return report;
}

}  // namespace arthron
