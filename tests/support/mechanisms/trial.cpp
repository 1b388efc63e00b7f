#include "support/mechanisms/trial.hpp"

#include <algorithm>
#include <limits>

#include "support/mechanisms/checks.hpp"

namespace arthron::test {

void Report::add(const Report& other) {
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  for (const auto& [name, count] : other.done) done[name] += count;
  for (const auto& [name, count] : other.skipped) skipped[name] += count;
}

Trial::Trial(const Registry& registry, unsigned seed, const std::string& formulation)
    : types(registry), mechanism(draw_mechanism(registry, seed)), formulation_(formulation) {
  joints.emplace(types, mechanism.model);
  for (const auto& [name, joint] : mechanism.model["joints"].items())
    if (joint["type"] == "curve") tolerance = 1e-12;
  if (take_start() && take_base()) take_positions();
}

How Trial::how(const Json& settings, const std::string& prefix) const {
  How how;
  how.simulate = {{"until", mechanism.until},
                  {"integrator", {{"type", "dopri5"}, {"tolerance", tolerance}}},
                  {"output", {{"step", mechanism.until / 4}}},
                  {"formulation", formulation_},
                  {"threads", 1}};
  how.simulate.merge_patch(settings);
  for (const auto& [name, body] : mechanism.model["bodies"].items())
    for (const char* channel : {".position", ".orientation", ".velocity", ".angular_velocity"})
      how.channels.push_back(prefix + name + channel);
  for (const auto& [name, joint] : mechanism.model["joints"].items())
    if (types.joint(joint["type"].get<std::string>())->nu() > 0) how.channels.push_back(prefix + name + ".position");
  return how;
}

bool Trial::take_start() {
  model = mechanism.model;
  How first = how({{"until", 1e-9}, {"output", {{"step", 1e-9}}}});
  first.channels.clear();
  for (const auto& [name, joint] : model["joints"].items())
    if (types.joint(joint["type"].get<std::string>())->nu() > 0) first.channels.push_back(name + ".velocity");
  const Motion start = move(types, model, first);
  if (!start.ok()) return failure = "does not start: " + start.failure, failed = with_settings(model, first), false;
  for (auto& [name, joint] : model["joints"].items()) {
    const std::vector<double> velocity = start.values(0, name + ".velocity");
    if (velocity.empty() || joint.contains("motion")) continue;
    joint["initial"]["velocity"] = velocity.size() == 1 ? Json(velocity[0]) : Json(velocity);
  }
  return true;
}

bool Trial::take_base() {
  How tight = how();
  for (const auto& [name, body] : model["bodies"].items())
    for (const char* channel : {".acceleration", ".angular_acceleration"}) tight.channels.push_back(name + channel);
  for (const auto& [name, joint] : model["joints"].items()) {
    tight.channels.push_back(name + ".reaction");
    if (types.joint(joint["type"].get<std::string>())->nu() > 0) tight.channels.push_back(name + ".effort");
  }
  for (const auto& [name, force] : model["forces"].items())
    if (force["type"] != "force") tight.channels.push_back(name);
  tight.channels.insert(tight.channels.end(), {"energy", "momentum"});
  tight.examine_loops = true;
  base = move(types, model, tight);
  if (turns_over()) return stops = true, false;
  if (!base.ok()) {
    stops = stops_at(tight, base.summary.simulated);
    return failure = "does not run: " + base.failure, failed = with_settings(model, tight), false;
  }
  const How loose = how({{"integrator", {{"tolerance", 100 * tolerance}}}});
  const Motion other = move(types, model, loose);
  if (!other.ok()) {
    stops = stops_at(loose, other.summary.simulated);
    return failure = "does not run: " + other.failure, failed = with_settings(model, loose), false;
  }
  spread = deviation(model, base, other);
  loose_steps = static_cast<int>(other.summary.statistics.accepted);
  return true;
}

/// Whether the rotation vector of a joint with a spring comes near half a turn, where springs jump over it.
bool Trial::turns_over() const {
  constexpr double near_half_a_turn = 2.5;
  for (const auto& [name, joint] : model["joints"].items()) {
    const auto type = types.joint(joint["type"].get<std::string>());
    if (!joint.contains("spring") || type->nq() == type->nu()) continue;
    for (std::size_t row = 0; row < base.rows.size(); ++row) {
      const std::vector<double> x = base.values(row, name + ".position");
      if (x.size() >= 3 && Eigen::Map<const Eigen::Vector3d>(x.data() + x.size() - 3).norm() > near_half_a_turn) return true;
    }
  }
  return false;
}

/// Whether a run that ends too early ends near a singular position, one millionth of the way before, or where it can still be computed.
bool Trial::stops_at(const How& how, double time) const {
  for (const double before : {1e-6, 1e-5, 1e-4}) {
    How shorter = how;
    shorter.simulate.merge_patch({{"until", (1 - before) * time}, {"output", {{"step", (1 - before) * time}}}});
    const Motion motion = move(types, model, shorter);
    if (!motion.ok()) continue;
    std::vector<Displacement> placed;
    Coordinates at;
    for (const auto& [name, body] : model["bodies"].items())
      placed.push_back(displacement_of(motion.body(motion.rows.size() - 1, name), vector_of(body["com"])));
    for (const auto& [name, joint] : model["joints"].items()) at.push_back(motion.values(motion.rows.size() - 1, name + ".position"));
    return mobility(model, placed, joints->twists(at)).near_singular();
  }
  return false;
}

double Trial::interpolated(const Json& of, const Motion& motion, const How& how) const {
  double worst = 0;
  for (std::size_t row = 1; row + 1 < motion.rows.size(); ++row) {
    How shorter = how;
    shorter.simulate.merge_patch({{"until", motion.times[row]}, {"output", {{"step", motion.times[row]}}}});
    const Motion there = move(types, of, shorter);
    if (there.ok()) worst = std::max(worst, deviation(of, motion, there));
  }
  return worst;
}

void Trial::take_positions() {
  for (std::size_t row = 0; row < base.rows.size(); ++row) {
    bodies.emplace_back(), coordinates.emplace_back();
    for (const auto& [name, body] : model["bodies"].items())
      bodies.back().push_back(displacement_of(base.body(row, name), vector_of(body["com"])));
    for (const auto& [name, joint] : model["joints"].items()) coordinates.back().push_back(base.values(row, name + ".position"));
  }
  try {
    for (const std::size_t row : {std::size_t{0}, base.rows.size() - 1})
      twists.push_back(joints->twists(coordinates[row])), mobilities.push_back(mobility(model, bodies[row], twists.back()));
  } catch (const std::exception& error) {
    failure = error.what(), failed = with_settings(model, how());
    return;
  }
  for (const Mobility& found : mobilities) singular = singular || found.near_singular() || found.freedom != mobilities.front().freedom;
}

double Trial::rounding_of_light_bodies() const {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const auto& [name, body] : model["bodies"].items())
    least = std::min(least, body["mass"].get<double>()), largest = std::max(largest, body["mass"].get<double>());
  return std::numeric_limits<double>::epsilon() * largest / least;
}

int Trial::freedom_without(const std::string& joint, std::size_t row) const {
  Json less = model;
  std::vector<Eigen::MatrixXd> left = twists[row == 0 ? 0 : 1];
  std::size_t i = 0;
  for (const auto& [name, keys] : model["joints"].items()) {
    if (name == joint) left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    ++i;
  }
  less["joints"].erase(joint);
  return mobility(less, bodies[row], left).freedom;
}

double deviation(const Json& model, const Motion& base, const Motion& other, const Image& image) {
  double travel = 1, speed = 1, place = 0, velocity = 0, coordinate = 0;
  const double turned = image.Q.determinant();
  const auto raise = [](double& worst, double value) {
    if (!(value <= worst)) worst = value;  // a NaN wins and stays
  };
  std::size_t compared = 0;
  for (std::size_t i = 0, j = 0; i < base.rows.size(); ++i) {
    const double t = base.times[i];
    while (j < other.rows.size() && other.times[j] < image.time * (t - 1e-9)) ++j;
    if (j == other.rows.size() || other.times[j] > image.time * (t + 1e-9)) continue;
    ++compared;
    for (const auto& [name, keys] : model["bodies"].items()) {
      const BodyRow from = base.body(0, name), a = base.body(i, name), b = other.body(j, image.prefix + name);
      const BodyRow other_from = other.body(0, image.prefix + name);
      const Vector x = image.Q * a.x + image.shift + image.velocity * t, v = image.Q * a.v + image.velocity;
      raise(travel, (a.x - from.x).norm()), raise(speed, std::max(a.v.norm(), a.w.norm()));
      raise(place, (b.x / image.length - x).norm());
      raise(place, (b.R * other_from.R.transpose() - image.Q * a.R * from.R.transpose() * image.Q.transpose()).norm());
      raise(velocity, (b.v * image.time / image.length - v).norm());
      raise(velocity, (b.w * image.time - turned * (image.Q * a.w)).norm());
    }
    if (!image.coordinates) continue;
    for (const auto& [name, joint] : model["joints"].items()) {
      const std::vector<double> q = base.values(i, name + ".position"), r = other.values(j, image.prefix + name + ".position");
      for (std::size_t k = 0; k < q.size(); ++k) raise(coordinate, std::abs(q[k] - r.at(k)) / (1 + std::abs(q[k])));
    }
  }
  if (compared < 2) return std::numeric_limits<double>::infinity();
  double worst = place / travel;
  raise(worst, velocity / speed), raise(worst, coordinate);
  return worst;
}

Report check_mechanism(const Registry& types, unsigned seed, const std::vector<std::string>& only, const std::string& formulation) {
  Report report;
  const Trial trial(types, seed, formulation);
  ++(trial.stops ? report.skipped : report.done)["runs"];
  if (trial.stops) return report;
  for (const Check& check : all_checks()) {
    if (!only.empty() && std::find(only.begin(), only.end(), check.name) == only.end()) continue;
    if (!trial.failure.empty()) {
      report.failures.push_back({seed, "runs", trial.failure, trial.failed});
      break;
    }
    check.run(trial, report);
  }
  return report;
}

}  // namespace arthron::test
