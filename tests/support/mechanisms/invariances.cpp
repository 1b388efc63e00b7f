#include <algorithm>
#include <cmath>
#include <random>

#include "arthron/formulation/formulation.hpp"
#include "support/mechanisms/checks.hpp"

namespace arthron::test {

namespace {

/// Two runs at one tolerance may differ by what a run at 100 times as much is off, which is more than their errors together, and by
/// rounding that the projection of loops and light bodies amplify.
double agreement(const Trial& trial) { return std::max(3e-9, trial.spread); }

bool skip(const Trial& trial, Report& report, const std::string& check, bool applies = true) {
  // What amplifies errors without being near a singular position is the matter of check_tolerance.
  const bool skipped = !applies || trial.singular || !(trial.spread < 1e-6);
  ++(skipped ? report.skipped : report.done)[check];
  return skipped;
}

/// Two-handle equations and dependency matrices begin with inverse inertias: those of heavy bodies are added to those of light ones and
/// keep 1e-16 of these. Beyond a ratio of a million the error is larger than the tolerance of the runs, and steps are rejected for it.
bool inverses_drown(const Trial& trial) { return trial.rounding_of_light_bodies() > 1e-10; }

/// Runs a variant of the model and holds it against the base.
Motion compare(const Trial& trial, Report& report, const std::string& check, const std::string& variant, const Json& model, const How& how,
               const Image& image = {}, double allowed = 0) {
  Motion other = move(trial.types, model, how);
  const auto fail = [&](const std::string& detail) {
    report.failures.push_back({trial.mechanism.seed, check, variant + ": " + detail, with_settings(model, how)});
  };
  if (!other.ok()) {
    fail(other.failure);
    return other;
  }
  const double difference = deviation(trial.model, trial.base, other, image);
  allowed = std::max(allowed, agreement(trial));
  if (!(difference <= allowed)) {
    const double of_base = trial.interpolated(trial.model, trial.base, trial.how());
    allowed += of_base + (image.prefix.empty() ? trial.interpolated(model, other, how) : of_base);
  }
  if (!(difference <= allowed)) fail("differs by " + text(difference) + " where " + text(allowed) + " is explained");
  return other;
}

/// Everything of the model in a subsystem `m` that is placed as `use` says.
Json placed_as_subsystem(const Json& model, Json use, const Vector& gravity) {
  Json inner = model;
  for (const char* key : {"arthron", "name", "simulate", "gravity"}) inner.erase(key);
  use["use"] = inner;
  return {{"arthron", 1}, {"name", "placed"}, {"gravity", json_of(gravity)}, {"subsystems", {{"m", use}}}};
}

/// The same with entries of a section in another order.
void shuffle(Json& section, std::mt19937& random) {
  std::vector<std::pair<std::string, Json>> entries;
  for (const auto& [name, entry] : section.items()) entries.emplace_back(name, entry);
  for (std::size_t i = entries.size(); i > 1; --i) std::swap(entries[i - 1], entries[random() % i]);
  section = Json::object();
  for (const auto& [name, entry] : entries) section[name] = entry;
}

void negate(Json& value) {
  if (value.is_array())
    for (Json& entry : value) negate(entry);
  else if (value.is_string())
    value = "=-1*(" + value.get<std::string>().substr(1) + ")";
  else
    value = -value.get<double>();
}

/// The joint drawn from its child to its parent, where that is the same joint with coordinates of the other sign.
void reverse(Json& joint) {
  const std::string type = joint["type"];
  if (type != "revolute" && type != "prismatic" && type != "screw" && type != "cylindrical" && type != "fixed") return;
  std::swap(joint["parent"], joint["child"]);
  for (const char* key : {"motion", "effort"})
    if (joint.contains(key)) negate(joint[key]);
  if (joint.contains("spring") && joint["spring"].contains("rest")) negate(joint["spring"]["rest"]);
  if (joint.contains("initial"))
    for (auto& [key, value] : joint["initial"].items()) negate(value);
}

}  // namespace

/// Every joint of a loop in turn is the one that is cut.
void check_cut(const Trial& trial, Report& report) {
  const std::vector<bool> in_loop = joints_in_loops(trial.model);
  if (skip(trial, report, "cut", std::count(in_loop.begin(), in_loop.end(), true) > 0)) return;
  std::size_t i = 0;
  for (const auto& [name, joint] : trial.model["joints"].items()) {
    if (!in_loop[i++]) continue;
    Json model = trial.model;
    model["joints"][name]["cut"] = true;
    compare(trial, report, "cut", "cut at " + name + " (" + joint["type"].get<std::string>() + ")", model, trial.how());
  }
}

/// A joint that adds no constraint can be left out: the rank is the same without it at both ends of the motion.
void check_redundant(const Trial& trial, Report& report) {
  const std::vector<bool> in_loop = joints_in_loops(trial.model);
  std::vector<Json> without;
  std::size_t i = 0;
  for (const auto& [name, joint] : trial.model["joints"].items()) {
    if (!in_loop[i++] || joint.contains("motion") || joint.contains("spring") || joint.contains("effort")) continue;
    Json model = trial.model;
    model["joints"].erase(name);
    if (trial.freedom_without(name, 0) == trial.mobilities.front().freedom &&
        trial.freedom_without(name, trial.base.rows.size() - 1) == trial.mobilities.back().freedom)
      without.push_back(std::move(model));
  }
  if (skip(trial, report, "redundant", !without.empty())) return;
  for (const Json& model : without) {
    How how = trial.how();
    std::erase_if(how.channels,
                  [&](const std::string& channel) { return !model["bodies"].contains(channel.substr(0, channel.find('.'))); });
    Image image;
    image.coordinates = false;
    std::string left_out;
    for (const auto& [name, joint] : trial.model["joints"].items())
      if (!model["joints"].contains(name)) left_out = name + " (" + joint["type"].get<std::string>() + ")";
    compare(trial, report, "redundant", "without " + left_out, model, how, image);
  }
}

/// Joints drawn the other way round; and of what floats, another body carries the rest.
void check_root(const Trial& trial, Report& report) {
  if (skip(trial, report, "root")) return;
  Image image;
  image.coordinates = false;
  Json reversed = trial.model;
  for (auto& [name, joint] : reversed["joints"].items()) reverse(joint);
  compare(trial, report, "root", "reversed joints", reversed, trial.how(), image);
  if (!trial.mechanism.floating || trial.model["bodies"].size() < 2) return;
  Json other = trial.model;
  // What a light root turns by is a difference of what it carries: rounding of that, times the ratio of the masses.
  std::string root;
  for (const auto& [name, body] : other["bodies"].items())
    if (body["mass"].get<double>() > 0.1) root = name;
  const BodyRow start = trial.base.body(0, root);
  const std::string base = other["joints"].begin().key();
  const Displacement X = displacement_of(start, vector_of(other["bodies"][root]["com"]));
  const Eigen::AngleAxisd turn(X.R);
  Vector rotation = turn.angle() * turn.axis();
  const Vector at = vector_of(other["bodies"][root]["com"]), way = start.x - at;
  other["joints"][base] = {{"type", "free"},
                           {"parent", "ground"},
                           {"child", root},
                           {"at", json_of(at)},
                           {"initial",
                            {{"position", {way.x(), way.y(), way.z(), rotation.x(), rotation.y(), rotation.z()}},
                             {"velocity", {start.v.x(), start.v.y(), start.v.z(), start.w.x(), start.w.y(), start.w.z()}}}}};
  compare(trial, report, "root", "carried by " + root, other, trial.how(), image);
}

/// Bodies, joints and forces listed in another order.
void check_order(const Trial& trial, Report& report) {
  if (skip(trial, report, "order")) return;
  std::mt19937 random(trial.mechanism.seed);
  Json model = trial.model;
  for (const char* section : {"bodies", "joints", "forces"}) shuffle(model[section], random);
  compare(trial, report, "order", "another order", model, trial.how());
}

/// Millimetres, milligrams and tenths of seconds; and masses alone, which change no motion and no step.
void check_units(const Trial& trial, Report& report) {
  if (skip(trial, report, "units")) return;
  const auto run_in = [&](const std::string& name, const Units& units) {
    Image image;
    image.length = units.length, image.time = units.time, image.coordinates = units.length == 1;
    const double until = trial.mechanism.until * units.time;
    const How how = trial.how({{"until", until}, {"output", {{"step", until / 4}}}});
    return compare(trial, report, "units", name, in_units(trial.types, trial.model, units), how, image);
  };
  const auto steps = [](const Motion& motion) { return static_cast<double>(motion.summary.statistics.accepted); };
  const auto compare_steps = [&](const std::string& name, const Motion& motion, double factor) {
    // A dozen steps more or less are the search for the first one.
    if (motion.ok() && (steps(motion) > factor * steps(trial.base) + 12 || steps(trial.base) > factor * steps(motion) + 12))
      report.failures.push_back(
          {trial.mechanism.seed, "units", name + ": " + text(steps(motion)) + " steps instead of " + text(steps(trial.base)), trial.model});
  };
  compare_steps("masses", run_in("masses", {1, 1e6, 1}), 1.1);
  // The absolute tolerance is a thousandth then, in metres, and a tenth in seconds, which a method of order five takes in steps that are
  // up to 1e4^(1/5) = 6.3 times shorter.
  compare_steps("all", run_in("all", {1e3, 1e6, 10}), 7);
}

/// Drawn elsewhere and turned, with gravity turned along.
void check_place(const Trial& trial, Report& report) {
  if (skip(trial, report, "place")) return;
  std::mt19937 random(trial.mechanism.seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const Vector axis = Vector(number(random), number(random), number(random)) + Vector(0, 0, 1.1);
  Image image;
  const double angle = 3 * number(random);
  image.Q = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  image.shift = 5 * Vector(number(random), number(random), number(random)), image.prefix = "m.";
  const Json use{{"at", json_of(image.shift)}, {"rotation", {{"axis", json_of(axis)}, {"angle", angle}}}};
  compare(trial, report, "place", "turned and shifted", placed_as_subsystem(trial.model, use, image.Q * vector_of(trial.model["gravity"])),
          trial.how(Json::object(), "m."), image);
}

void check_mirror(const Trial& trial, Report& report) {
  if (skip(trial, report, "mirror")) return;
  const std::size_t plane = trial.mechanism.seed % 3;
  Image image;
  image.Q(static_cast<Eigen::Index>(plane), static_cast<Eigen::Index>(plane)) = -1, image.prefix = "m.";
  const Json use{{"mirror", std::array{"x", "y", "z"}[plane]}};
  compare(trial, report, "mirror", "mirror image", placed_as_subsystem(trial.model, use, image.Q * vector_of(trial.model["gravity"])),
          trial.how(Json::object(), "m."), image);
}

/// On a ground that moves steadily nothing is different.
void check_common_velocity(const Trial& trial, Report& report) {
  if (skip(trial, report, "common velocity")) return;
  Image image;
  image.velocity = {70, -50, 30};
  Json model = trial.model;
  model["grounds"]["carriage"]["motion"]["translation"] = {"=70*t", "=-50*t", "=30*t"};
  for (auto& [name, joint] : model["joints"].items())
    for (const char* end : {"parent", "child"})
      if (joint[end] == "ground") joint[end] = "carriage";
  for (auto& [name, force] : model["forces"].items())
    for (const char* end : {"from", "to", "on"})
      if (force.contains(end) && force[end][0] == "ground") force[end][0] = "carriage";
  compare(trial, report, "common velocity", "on a moving ground", model, trial.how(), image);
}

void check_formulation(const Trial& trial, Report& report) {
  if (skip(trial, report, "formulation")) return;
  for (const std::string& name : formulation_names())
    if (name != "block-module" || !inverses_drown(trial))
      compare(trial, report, "formulation", name, trial.model, trial.how({{"formulation", name}}));
}

void check_elimination(const Trial& trial, Report& report) {
  if (skip(trial, report, "elimination")) return;
  for (const char* formulation : {"hdca", "dca"})
    for (const char* name : {"fold", "pair", "modular"})
      if (name == std::string("fold") || !inverses_drown(trial))
        compare(trial, report, "elimination", std::string(formulation) + " " + name, trial.model,
                trial.how({{"formulation", formulation}, {"elimination", name}}));
}

/// One of the other methods, with two tolerances or steps: the finer run is nearer to the base than the two are to each other.
void check_integrator(const Trial& trial, Report& report) {
  // Where a slide passes a point of its curve, accelerations of a child along it jump: a fixed step over it has an error of first order
  // that depends on where in the step the point is, and need not fall with the step.
  bool curve = false;
  for (const auto& [name, joint] : trial.model["joints"].items()) curve = curve || joint["type"] == "curve";
  const unsigned choice = trial.mechanism.seed % (curve ? 4 : 6);
  const char* name = std::array{"rkf78", "bs32", "adams", "bdf", "rk4", "gauss4"}[choice];
  const bool fixed = choice >= 4;
  constexpr int fixed_steps = 200;
  // Where something snaps, within steps far shorter than these, fixed steps have nothing to say.
  if (skip(trial, report, "integrator", !fixed || trial.loose_steps <= fixed_steps)) return;
  const auto settings = [&](bool fine) {
    Json integrator{{"type", name}};
    if (fixed)
      integrator["step"] = trial.mechanism.until / (fine ? 2 * fixed_steps : fixed_steps);
    else
      integrator["tolerance"] = fine ? 1e-10 : 1e-8;
    return trial.how({{"integrator", integrator}});
  };
  const Motion coarse = move(trial.types, trial.model, settings(false));
  if (!coarse.ok())
    return report.failures.push_back(
        {trial.mechanism.seed, "integrator", std::string(name) + ": " + coarse.failure, with_settings(trial.model, settings(false))});
  compare(trial, report, "integrator", name, trial.model, settings(true), {},
          std::clamp(deviation(trial.model, trial.base, coarse), 1e-7, 1e-4));
}

/// Rows at other times; the places of the last one are the same.
void check_output_step(const Trial& trial, Report& report) {
  if (skip(trial, report, "output step")) return;
  for (const double step : {trial.mechanism.until, trial.mechanism.until / 37})
    compare(trial, report, "output step", "a row every " + text(step) + " s", trial.model, trial.how({{"output", {{"step", step}}}}));
}

/// Bit for bit.
void check_threads(const Trial& trial, Report& report) {
  if (skip(trial, report, "threads", trial.mechanism.seed % 4 == 0)) return;
  How one = trial.how(), several = trial.how({{"threads", 3}});
  one.fine_grain = several.fine_grain = true;
  const Motion first = move(trial.types, trial.model, one), second = move(trial.types, trial.model, several);
  if (first.failure != second.failure || first.rows != second.rows)
    report.failures.push_back({trial.mechanism.seed, "threads", "one and three workers differ", with_settings(trial.model, several)});
}

const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks{{"freedom", check_freedom},
                                         {"balance", check_balance},
                                         {"work", check_work},
                                         {"energy", check_energy},
                                         {"momentum", check_momentum},
                                         {"closure", check_closure},
                                         {"tolerance", check_tolerance},
                                         {"cut", check_cut},
                                         {"redundant", check_redundant},
                                         {"root", check_root},
                                         {"order", check_order},
                                         {"units", check_units},
                                         {"place", check_place},
                                         {"mirror", check_mirror},
                                         {"common velocity", check_common_velocity},
                                         {"formulation", check_formulation},
                                         {"elimination", check_elimination},
                                         {"integrator", check_integrator},
                                         {"output step", check_output_step},
                                         {"threads", check_threads}};
  return checks;
}

}  // namespace arthron::test
