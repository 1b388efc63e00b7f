#include <cmath>

#include "support/mechanisms/checks.hpp"

namespace arthron::test {

namespace {

/// Rounding of sums over a dozen bodies with levers of a few metres, some hundred products each: less than this part of the largest.
constexpr double summed = 1e-12;

void fail(const Trial& trial, Report& report, const std::string& check, const std::string& detail) {
  report.failures.push_back({trial.mechanism.seed, check, detail, with_settings(trial.model, trial.how())});
}

/// What acts on one body, and the sum of the sizes of all that was added up.
struct Load {
  Vector force = Vector::Zero(), moment = Vector::Zero();  // about the mass centre
  double forces = 0, moments = 0;

  void add(const Vector& f, const Vector& m, const Vector& lever) {
    force += f, moment += m + lever.cross(f);
    forces += f.norm(), moments += m.norm() + lever.norm() * f.norm();
  }
};

/// One row of the base run, as far as forces go.
class Row {
 public:
  Row(const Trial& trial, std::size_t row) : trial_(trial), row_(row), loads(trial.bodies[row].size()) {
    for (const auto& [name, body] : trial.model["bodies"].items()) states.push_back(trial.base.body(row, name, true));
  }

  /// Mass times acceleration, with the opposite sign.
  void add_inertia() {
    std::size_t b = 0;
    for (const auto& [name, body] : trial_.model["bodies"].items()) {
      const BodyRow& at = states[b];
      const Json& i = body["inertia"];
      Matrix I;
      I << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
      I = at.R * I * at.R.transpose();
      const double mass = body["mass"];
      loads[b].add(mass * vector_of(trial_.model["gravity"]), Vector::Zero(), Vector::Zero());
      loads[b].add(-mass * at.a, Vector::Zero(), Vector::Zero());
      loads[b].add(Vector::Zero(), -(I * at.alpha), Vector::Zero());
      loads[b].add(Vector::Zero(), -at.w.cross(I * at.w), Vector::Zero());
      ++b;
    }
  }

  void add_forces() {
    for (const auto& [name, force] : trial_.model["forces"].items()) {
      const std::string type = force["type"];
      if (type == "force") {
        const std::array<Wave, 6>& waves = trial_.mechanism.waves.at(name);
        const double t = trial_.base.times[row_];
        const Matrix axes = force["axes"] == "body" ? body_of(force["on"]).R : Matrix::Identity();
        act(force["on"], place_of(force["on"]), axes * Vector(waves[0](t), waves[1](t), waves[2](t)),
            axes * Vector(waves[3](t), waves[4](t), waves[5](t)));
        continue;
      }
      const Vector a = place_of(force["from"]), b = place_of(force["to"]);
      const Matrix R = body_of(force["from"]).R;
      Vector pull = Vector::Zero(), torque = Vector::Zero();  // on the second body, at its place
      if (type == "spring_damper") {
        pull = -trial_.base.value(row_, name + ".force") * (b - a).normalized();
      } else if (type == "torsion_spring") {
        torque = -trial_.base.value(row_, name + ".torque") *
                 (R * twist_gradient(vector_of(force["axis"]).normalized(), R.transpose() * body_of(force["to"]).R));
      } else {
        Matrix axes;
        axes.col(0) = vector_of(force["x_axis"]).normalized();
        axes.col(2) = axes.col(0).cross(vector_of(force["y_axis"])).normalized();
        axes.col(1) = axes.col(2).cross(axes.col(0));
        const auto along = [&](const char* kind) -> Vector {
          return R * axes *
                 Vector(trial_.base.value(row_, name + kind + "_x"), trial_.base.value(row_, name + kind + "_y"),
                        trial_.base.value(row_, name + kind + "_z"));
        };
        pull = along(".force"), torque = along(".torque");
      }
      act(force["to"], b, pull, torque);
      act(force["from"], b, -pull, -torque);
    }
  }

  /// Size of the largest load on a body with all its parts, levers of 1 m: rounding is a part of that, wherever it shows, since what joints
  /// transmit is found from the loads on all that they carry.
  [[nodiscard]] double largest() const {
    double size = 1e-12;  // nothing is loaded
    for (const Load& load : loads) size = std::max(size, load.forces + load.moments);
    return size;
  }

  void add_reactions() {
    for (const auto& [name, joint] : trial_.model["joints"].items()) {
      const std::vector<double> r = trial_.base.values(row_, name + ".reaction");
      const Vector force(r.at(0), r.at(1), r.at(2)), moment(r.at(3), r.at(4), r.at(5));
      const int child = body_number(trial_.mechanism, joint["child"]);
      const Displacement at = child < 0 ? Displacement{} : trial_.bodies[row_][child];
      const Vector place = at.R * trial_.base.reaction_places.at(name) + at.p;
      act(Json::array({joint["child"]}), place, force, moment);
      act(Json::array({joint["parent"]}), place, -force, -moment);
    }
  }

 private:
  /// Derivative of the turn of a rotation about an axis by the angular velocity, in the axes that `axis` is given in.
  static Vector twist_gradient(const Vector& axis, const Matrix& R) {
    const Eigen::Quaterniond q(R);
    const double s = axis.dot(q.vec()), w = q.w();
    return (w * w * axis + w * q.vec().cross(axis) + s * q.vec()) / (s * s + w * w);
  }
  [[nodiscard]] Displacement body_of(const Json& handle) const {
    const int body = body_number(trial_.mechanism, handle[0]);
    return body < 0 ? Displacement{} : trial_.bodies[row_][body];
  }
  [[nodiscard]] Vector place_of(const Json& handle) const {
    const Displacement X = body_of(handle);
    return X.R * vector_of(handle[1]) + X.p;
  }
  void act(const Json& handle, const Vector& place, const Vector& force, const Vector& moment) {
    const int body = body_number(trial_.mechanism, handle[0]);
    if (body < 0) return;
    const auto b = static_cast<std::size_t>(body);
    loads[b].add(force, moment, place - states[b].x);
  }

  const Trial& trial_;
  std::size_t row_;

 public:
  std::vector<BodyRow> states;
  std::vector<Load> loads;
};

}  // namespace

/// Degrees of freedom are 6 for each body less the rank of all constraints.
void check_freedom(const Trial& trial, Report& report) {
  const Mobility& start = trial.mobilities.front();
  if (start.near_singular()) return void(++report.skipped["freedom"]);
  ++report.done["freedom"];
  if (trial.base.loops.freedom_as_assembled != start.freedom)
    fail(trial, report, "freedom",
         std::to_string(trial.base.loops.freedom_as_assembled) + " as assembled instead of " + std::to_string(start.freedom));
  else if (!trial.singular && trial.base.loops.freedom != start.freedom)
    fail(trial, report, "freedom", std::to_string(trial.base.loops.freedom) + " instead of " + std::to_string(start.freedom));
}

/// Newton and Euler: for every body in every row all reported loads, reactions and accelerations add up to nothing.
void check_balance(const Trial& trial, Report& report) {
  ++report.done["balance"];
  double worst = 0;
  std::string where;
  for (std::size_t row = 0; row < trial.base.rows.size(); ++row) {
    Row all(trial, row);
    all.add_inertia(), all.add_forces(), all.add_reactions();
    const double size = all.largest();
    std::size_t b = 0;
    for (const auto& [name, body] : trial.model["bodies"].items()) {
      const Load& load = all.loads[b++];
      const double left = std::max(load.force.norm(), load.moment.norm()) / size;
      if (!(left <= worst)) worst = left, where = name + " at " + text(trial.base.times[row]) + " s";
    }
  }
  if (!(worst < summed)) fail(trial, report, "balance", text(worst) + " of the largest load is left over on " + where);
}

/// Jourdain: reported accelerations, loads and efforts do no work on any motion that the joints admit. Where constraints are redundant
/// this determines the accelerations all the same.
void check_work(const Trial& trial, Report& report) {
  const Mobility& start = trial.mobilities.front();
  if (start.near_singular()) return void(++report.skipped["work"]);
  ++report.done["work"];
  Row row(trial, 0);
  row.add_inertia(), row.add_forces();
  double worst = 0, size = row.largest();
  for (Eigen::Index k = 0; k < start.motions.cols(); ++k) {
    double work = 0;
    for (std::size_t b = 0; b < row.loads.size(); ++b) {
      const Load& load = row.loads[b];
      const Vector v = start.motions.block(static_cast<Eigen::Index>(6 * b), k, 3, 1),
                   w = start.motions.block(static_cast<Eigen::Index>(6 * b + 3), k, 3, 1);
      work += (v + w.cross(row.states[b].x - start.centre)).dot(load.force) + w.dot(load.moment);
    }
    std::size_t j = 0;
    for (const auto& [name, joint] : trial.model["joints"].items()) {
      const std::size_t i = j++;
      const Eigen::MatrixXd& twists = trial.twists[0][i];
      if (twists.cols() == 0 || joint.contains("motion")) continue;
      const int parent = body_number(trial.mechanism, joint["parent"]);
      const Eigen::MatrixXd H = placed(twists, parent < 0 ? Displacement{} : trial.bodies[0][parent], start.centre);
      const Eigen::VectorXd u = H.colPivHouseholderQr().solve(start.relative.block(static_cast<Eigen::Index>(6 * i), k, 6, 1));
      const std::vector<double> effort = trial.base.values(0, name + ".effort");
      for (std::size_t f = 0; f < effort.size(); ++f)
        work += effort[f] * u[static_cast<Eigen::Index>(f)], size = std::max(size, std::abs(effort[f]));
    }
    worst = std::max(worst, std::abs(work));
  }
  // Errors of the motions, which are unit vectors, are those of the singular values.
  if (!(worst < summed / start.least * size))
    fail(trial, report, "work", "accelerations at the start do " + text(worst / size) + " of all work on a motion that the joints admit");
}

/// Nothing adds or takes energy.
void check_energy(const Trial& trial, Report& report) {
  if (!trial.mechanism.conservative || trial.singular) return void(++report.skipped["energy"]);
  ++report.done["energy"];
  const Motion& base = trial.base;
  double drift = 0, size = 1e-9;
  for (std::size_t row = 0; row < base.rows.size(); ++row) {
    if (const double change = std::abs(base.value(row, "energy.total") - base.value(0, "energy.total")); !(change <= drift)) drift = change;
    size = std::max(
        {size, base.value(row, "energy.kinetic"), std::abs(base.value(row, "energy.potential") - base.value(0, "energy.potential"))});
  }
  // Errors of 1e-10 a step in velocities, some hundred steps; energies of springs and weights that exchange are of the same order.
  if (!(drift < 1e-7 * (size + 1))) fail(trial, report, "energy", "drifts by " + text(drift) + " of " + text(size) + " J");
}

/// The mass centre falls freely and the angular momentum about it stays, where nothing outside acts.
void check_momentum(const Trial& trial, Report& report) {
  if (!trial.mechanism.floating || !trial.mechanism.waves.empty()) return void(++report.skipped["momentum"]);
  ++report.done["momentum"];
  double total = 0;
  for (const auto& [name, body] : trial.model["bodies"].items()) total += body["mass"].get<double>();
  Vector start_linear = Vector::Zero(), start_angular = Vector::Zero();
  for (std::size_t row = 0; row < trial.base.rows.size(); ++row) {
    // From the motion of the bodies, not from the channel, which is held against it.
    Vector linear = Vector::Zero(), angular = Vector::Zero(), centre = Vector::Zero();
    double size = 1e-3 * total;  // 1e-10 m/s, the tolerance, of what is at rest
    for (const auto& [name, body] : trial.model["bodies"].items())
      centre += body["mass"].get<double>() / total * trial.base.body(row, name).x;
    for (const auto& [name, body] : trial.model["bodies"].items()) {
      const BodyRow at = trial.base.body(row, name);
      const Json& i = body["inertia"];
      Matrix I;
      I << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
      const Vector p = body["mass"].get<double>() * at.v, spin = at.R * I * at.R.transpose() * at.w;
      linear += p, angular += (at.x - centre).cross(p) + spin;
      size += p.norm() * (1 + (at.x - centre).norm()) + spin.norm();
    }
    if (row == 0) start_linear = linear, start_angular = angular;
    const Vector fall = total * trial.base.times[row] * vector_of(trial.model["gravity"]);
    double error = (linear - start_linear - fall).norm();
    error = std::max({error, (angular - start_angular).norm(), (trial.base.vector(row, "momentum.linear") - linear).norm(),
                      (trial.base.vector(row, "momentum.angular") - angular).norm()});
    if (!(error < 1e-7 * (size + fall.norm())))
      return fail(trial, report, "momentum",
                  "off by " + text(error) + " of " + text(size) + " N s at " + text(trial.base.times[row]) + " s");
  }
}

/// Every joint, of loops too, is where its reported coordinates say, in every row.
void check_closure(const Trial& trial, Report& report) {
  ++report.done["closure"];
  for (std::size_t row = 0; row < trial.base.rows.size(); ++row) {
    const std::vector<Displacement> drawn = trial.joints->displacements(trial.coordinates[row]);
    std::size_t i = 0;
    for (const auto& [name, joint] : trial.model["joints"].items()) {
      const auto at = [&](const char* end) {
        const int body = body_number(trial.mechanism, joint[end]);
        return body < 0 ? Displacement{} : trial.bodies[row][body];
      };
      const Displacement parent = at("parent"), child = at("child"), expected = parent * drawn[i++];
      const Vector place = vector_of(joint["at"]);
      const double gap = std::max((child.R - expected.R).norm(), (child.R * place + child.p - expected.R * place - expected.p).norm());
      // Loops are closed to rounding; angles of many radians and places of many metres round accordingly. In singular positions projection
      // comes no closer than what counts as closed, ten tolerances or 2e-9 m: of every entry of a displacement.
      double size = 1 + parent.p.norm() + child.p.norm();
      for (const double q : trial.coordinates[row][i - 1]) size += std::abs(q);
      const double closed = trial.singular ? std::max(2e-9, 10 * trial.tolerance) * std::sqrt(3) : 1e-10;
      if (!(gap < closed * size))
        return fail(
            trial, report, "closure",
            name + " (" + joint["type"].get<std::string>() + ") is off by " + text(gap) + " at " + text(trial.base.times[row]) + " s");
    }
  }
}

/// A tighter tolerance gives a better result. Errors of a method of order five are in proportion to the tolerance to the power of 4/5 at
/// least, 40 times smaller at a hundredth of it, unless they are down at rounding: of a tenth of a second of light bodies' velocities too.
void check_tolerance(const Trial& trial, Report& report) {
  if (trial.singular) return void(++report.skipped["tolerance"]);
  ++report.done["tolerance"];
  const How finer = trial.how({{"integrator", {{"tolerance", 0.01 * trial.tolerance}}}});
  const Motion best = move(trial.types, trial.model, finer);
  const double error = best.ok() ? deviation(trial.model, trial.base, best) : 0;
  if (!best.ok())
    report.failures.push_back({trial.mechanism.seed, "tolerance", best.failure, with_settings(trial.model, finer)});
  else if (!(error < std::max({3e-9, 0.1 * trial.rounding_of_light_bodies(), trial.spread / 10})))
    fail(trial, report, "tolerance",
         "runs at " + text(trial.tolerance) + " and a hundredth of it differ by " + text(error) +
             ", those at it and 100 times as much by " + text(trial.spread));
}

}  // namespace arthron::test
