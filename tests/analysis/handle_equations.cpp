#include "arthron/analysis/handle_equations.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/find.hpp"
#include "arthron/model/hierarchy.hpp"
#include "support/loaded.hpp"

/// Handle equations of subsystems. Sources of truth: the velocities of the whole model's own phase one, which know nothing of them;
/// symmetry; mirror images; the inertia of a rigid body.
using namespace arthron;
using arthron::test::Loaded;

namespace {

const std::string car = ARTHRON_SOURCE_DIR "/examples/vehicle/vehicle.json";

/// A model in motion: every joint has a velocity, and all loops are closed.
struct Moving : Loaded {
  explicit Moving(const std::string& file) : Moving(load_model(file, test::builtins())) {}
  explicit Moving(Model model) : Loaded(stirred(std::move(model))) {
    REQUIRE(accelerate().ok());
    measure_cuts(*plan, *work);
  }
  static Model stirred(Model model) {
    int k = 0;
    for (Joint& joint : model.joints) {
      if (!joint.motion.empty()) continue;
      const std::size_t n = joint.definition->type().nu();
      joint.initial_velocity.resize(n), joint.initial_position.resize(n);
      for (double& u : joint.initial_velocity) u += 0.3 + 0.1 * (++k % 7);
      for (double& q : joint.initial_position) q += 0.02 * (++k % 5);
    }
    return model;
  }
  [[nodiscard]] HandleEquations equations(const std::string& path) const {
    SubsystemHandles handles(plan, find_subsystem(*plan->model, path));
    REQUIRE(handles.solve(*work).ok());
    return handles.equations();
  }
};

Eigen::MatrixXd matrix_of(const HandleEquations& e) {
  Eigen::MatrixXd A(e.rows(), e.rows());
  for (int i = 0; i < e.rows(); ++i)
    for (int j = 0; j < e.rows(); ++j) A(i, j) = e.at(i, j);
  return A;
}
Eigen::VectorXd constant_of(const HandleEquations& e) { return Eigen::Map<const Eigen::VectorXd>(e.constant.data(), e.rows()); }

/// Rows of the unknowns of one subsystem in a dense system of all.
struct Part {
  HandleEquations equations;
  Eigen::Index first = 0;
};

/// Velocity of the model's one free body, and of every output, from the handle equations of the subsystems it carries: unknowns are the
/// body's velocity and, of each subsystem, V_m, T_o and s_c.
class Assembly {
 public:
  explicit Assembly(const Moving& model) : model_(model), plan_(*model.plan) {
    Eigen::Index size = 6;
    for (const int s : children_of(*plan_.model, 0)) {
      SubsystemHandles handles(model.plan, s);
      REQUIRE(handles.solve(*model.work).ok());
      parts_.push_back({handles.equations(), size});
      size += parts_.back().equations.rows();
    }
    body_ = static_cast<std::size_t>(plan_.body_of[1]);
    A_ = Eigen::MatrixXd::Zero(size, size), c_ = Eigen::VectorXd::Zero(size);
    write_body();
    for (const Part& part : parts_) write(part);
    x_ = A_.fullPivLu().solve(-c_);
  }

  [[nodiscard]] Vector6 body_velocity() const { return x_.head<6>(); }
  [[nodiscard]] Vector6 output_velocity(int port) const {
    const auto [rows, constant] = output(port);
    return rows * x_ + constant;
  }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  using Rows = std::pair<Eigen::Matrix<double, 6, Eigen::Dynamic>, Vector6>;

  [[nodiscard]] Vec3 place(int port) const { return port_position(plan_, *model_.work, port); }
  /// Six rows of a subsystem's equations as functions of all unknowns.
  [[nodiscard]] Rows rows_of(const Part& part, Eigen::Index row) const {
    Rows rows{Eigen::MatrixXd::Zero(6, x_size()), constant_of(part.equations).segment<6>(row)};
    rows.first.middleCols(part.first, part.equations.rows()) = matrix_of(part.equations).middleRows<6>(row);
    return rows;
  }
  [[nodiscard]] Rows output(int port) const {
    for (const Part& part : parts_)
      for (std::size_t o = 0; o < part.equations.outputs.size(); ++o)
        if (part.equations.outputs[o] == port) return rows_of(part, 6 * static_cast<Eigen::Index>(part.equations.mounts.size() + o));
    throw std::runtime_error("an output of a subsystem of the model itself");
  }
  [[nodiscard]] Eigen::Index x_size() const { return A_.cols(); }

  /// M V + momenta of all mounts on the body = momentum of its free joint.
  void write_body() {
    const BodyWork& body = model_.work->body[body_];
    A_.block<6, 6>(0, 0) = dense(rigid_inertia(plan_.bodies[body_].mass, body.first_moment, body.second_moment));
    const PlanBody& given = plan_.bodies[body_];
    REQUIRE(given.columns == 6);
    Matrix6 H;
    for (int i = 0; i < 6; ++i) H.col(i) = dense(model_.work->column[given.u + i].H);
    const Vector6 p = Eigen::Map<const Vector6>(model_.work->p.data() + given.u);
    c_.head<6>() = -H.transpose().fullPivLu().solve(p);
  }

  void write(const Part& part) {
    const HandleEquations& e = part.equations;
    Eigen::Index row = part.first;
    for (std::size_t m = 0; m < e.mounts.size(); ++m, row += 6) {
      const int mount = e.mounts[m], through = plan_.model->ports[mount].through;
      // V_m is that of what carries the mount ...
      A_.block<6, 6>(row, row) += Matrix6::Identity();
      const Rows momentum = rows_of(part, 6 * static_cast<Eigen::Index>(m));
      if (through < 0) {
        const Vec3 arm = place(mount) - static_cast<Vec3>(model_.work->body[body_].X_WB.p);
        A_.block<6, 6>(row, 0) -= shift(arm).transpose();
        A_.topRows<6>() += shift(arm) * momentum.first, c_.head<6>() += shift(arm) * momentum.second;
        continue;
      }
      const Vec3 arm = place(mount) - place(through);
      const Rows velocity = output(through);
      A_.middleRows<6>(row) -= shift(arm).transpose() * velocity.first;
      c_.segment<6>(row) -= shift(arm).transpose() * velocity.second;
      // ... which takes the opposite of P_m.
      const Eigen::Index impulse = impulse_row(through);
      A_.middleRows<6>(impulse) += shift(arm) * momentum.first, c_.segment<6>(impulse) += shift(arm) * momentum.second;
    }
    for (std::size_t o = 0; o < e.outputs.size(); ++o, row += 6) A_.block<6, 6>(row, row) += Matrix6::Identity();
    const Eigen::Index cuts = e.rows() - (row - part.first);
    A_.block(row, part.first, cuts, e.rows()) = matrix_of(e).bottomRows(cuts);
    c_.segment(row, cuts) = constant_of(e).tail(cuts);
  }
  [[nodiscard]] Eigen::Index impulse_row(int port) const {
    for (const Part& part : parts_)
      for (std::size_t o = 0; o < part.equations.outputs.size(); ++o)
        if (part.equations.outputs[o] == port) return part.first + 6 * static_cast<Eigen::Index>(part.equations.mounts.size() + o);
    throw std::runtime_error("an output of a subsystem of the model itself");
  }

  const Moving& model_;
  const Plan& plan_;
  std::size_t body_ = 0;
  std::vector<Part> parts_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd c_, x_;
};

Vector6 velocity_of(const Moving& model, int port) {
  const PlanPort& at = model.plan->ports[port];
  const BodyWork& body = model.work->body[at.body];
  return dense(static_cast<Spatial6>(velocity_at(body.V, body.X_WB.R * Wide3(at.p_B))));
}

/// A floating beam of two halves with a hinge and no mount, held by another part at either end.
constexpr auto floating = R"json({ "arthron": 1, "name": "floating",
  "bodies": { "base": { "mass": 5, "com": [0.1, 0.2, 0.3], "inertia": [0.4, 0.5, 0.6] } },
  "joints": { "free": { "type": "free", "parent": "ground", "child": "base", "at": [0, 0, 0] } },
  "subsystems": {
    "beam": { "use": { "ports": { "near": { "output": "a", "at": [1, 0, 0] }, "far": { "output": "b", "at": [3, 0.2, 0] } },
                       "bodies": { "a": { "mass": 2, "com": [1.4, 0.1, 0], "inertia": [0.1, 0.2, 0.3] },
                                   "b": { "mass": 3, "com": [2.5, 0, 0.1], "inertia": [0.2, 0.3, 0.3] } },
                       "joints": { "hinge": { "type": "revolute", "parent": "a", "child": "b", "at": [2, 0, 0], "axis": [0.2, 0.3, 1] } } } },
    "holder": { "use": { "ports": { "base": { "mount": true }, "near": { "mount": true }, "far": { "mount": true } },
                         "bodies": { "rod": { "mass": 1, "com": [2, -1, 0], "inertia": [0.1, 0.1, 0.1] } },
                         "joints": { "ball": { "type": "spherical", "parent": "base", "child": "near", "at": [0.9, 0, 0] },
                                     "pin": { "type": "revolute", "parent": "base", "child": "rod", "at": [1, -1, 0], "axis": [0, 1, 1] },
                                     "ball_of_rod": { "type": "spherical", "parent": "rod", "child": "far", "at": [3, -0.5, 0], "cut": true } } },
                "connect": { "base": "base", "near": "beam.near", "far": "beam.far" } } } })json";

}  // namespace

TEST_CASE("handle equations are symmetric, and inertias and mobilities positive semidefinite") {
  const Moving model(car);
  for (const std::string path : {"front.left", "front.right", "rear", "steering", "front_left", "front.bar"}) {
    CAPTURE(path);
    const HandleEquations e = model.equations(path);
    const Eigen::MatrixXd A = matrix_of(e);
    const Eigen::Index m = 6 * static_cast<Eigen::Index>(e.mounts.size()), n = A.rows() - m;
    const double scale = A.cwiseAbs().maxCoeff();
    CHECK((A.topLeftCorner(m, m) - A.topLeftCorner(m, m).transpose()).norm() < 1e-11 * scale);
    CHECK((A.bottomRightCorner(n, n) - A.bottomRightCorner(n, n).transpose()).norm() < 1e-11 * scale);
    CHECK((A.topRightCorner(m, n) + A.bottomLeftCorner(n, m).transpose()).norm() < 1e-11 * scale);
    const auto lowest = [](const Eigen::MatrixXd& B) {
      return B.size() == 0 ? 0.0 : Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(B).eigenvalues().minCoeff();
    };
    CHECK(lowest(A.topLeftCorner(m, m)) > -1e-11 * scale);
    CHECK(lowest(A.bottomRightCorner(n, n)) > -1e-11 * scale);
  }
}

TEST_CASE("the handle equations of its subsystems, joined by a dense solution, move a car as its own phase one does") {
  const Moving model(car);
  const Assembly assembly(model);
  const Vector6 V = dense(model.work->body[model.plan->body_of[1]].V);
  CHECK(V.norm() > 1);
  CHECK((assembly.body_velocity() - V).norm() < 1e-10 * V.norm());
  for (const Part& part : assembly.parts())
    for (const int output : part.equations.outputs) {
      CAPTURE(model.plan->model->ports[output].path);
      CHECK((assembly.output_velocity(output) - velocity_of(model, output)).norm() < 1e-9 * V.norm());
    }
}

TEST_CASE("a part without mounts moves through its outputs alone, and closes a loop that runs through another part") {
  const Moving model(parse_model(floating, "floating.json", test::builtins()));
  const HandleEquations beam = model.equations("beam");
  CHECK(beam.mounts.empty());
  CHECK(beam.rows() == 12);
  const Assembly assembly(model);
  const Vector6 V = dense(model.work->body[model.plan->body_of[1]].V);
  CHECK((assembly.body_velocity() - V).norm() < 1e-11 * V.norm());
  for (const int output : beam.outputs) CHECK((assembly.output_velocity(output) - velocity_of(model, output)).norm() < 1e-11 * V.norm());
}

TEST_CASE("the mobility of a single free body is that of its inertia: xi_hk = S(r_h - r_C)^T M_C^-1 S(r_k - r_C)") {
  const Loaded model = [] {
    Loaded loaded = Loaded::text(R"json({ "arthron": 1, "name": "block",
      "joints": { "hold": { "type": "spherical", "parent": "ground", "child": "block.near", "at": [1, 0, 0] } },
      "subsystems": { "block": { "use": {
        "ports": { "near": { "output": "a", "at": [1, 0, 0] }, "far": { "output": "a", "at": [3, 0.2, 0.5] } },
        "bodies": { "a": { "mass": 2, "com": [1.4, 0.1, 0], "inertia": [0.1, 0.2, 0.25] } } } } } })json");
    REQUIRE(loaded.accelerate().ok());
    return loaded;
  }();
  SubsystemHandles handles(model.plan, 1);
  REQUIRE(handles.solve(*model.work).ok());
  Matrix6 M = Matrix6::Zero();
  M.diagonal() << 2, 2, 2, 0.1, 0.2, 0.25;
  const Vec3 centre{1.4, 0.1, 0}, places[] = {{1, 0, 0}, {3, 0.2, 0.5}};
  Eigen::MatrixXd expected(12, 12);
  for (int h = 0; h < 2; ++h)
    for (int k = 0; k < 2; ++k)
      expected.block<6, 6>(6 * h, 6 * k) = shift(places[h] - centre).transpose() * M.inverse() * shift(places[k] - centre);
  CHECK((matrix_of(handles.equations()) - expected).norm() < 1e-13 * expected.norm());
  CHECK(constant_of(handles.equations()).norm() == 0);
}

TEST_CASE("a mirrored corner exports the mirrored equations") {
  Model model = load_model(ARTHRON_SOURCE_DIR "/subsystems/double_wishbone/double_wishbone_axle.json", test::builtins());
  for (Joint& joint : model.joints)
    if (joint.path.ends_with(".lower")) joint.initial_velocity = {0.7}, joint.initial_position = {0.1};
  Loaded loaded(std::move(model));
  REQUIRE(loaded.accelerate().ok());
  measure_cuts(*loaded.plan, *loaded.work);
  const auto equations = [&](const std::string& path) {
    SubsystemHandles handles(loaded.plan, find_subsystem(*loaded.plan->model, path));
    REQUIRE(handles.solve(*loaded.work).ok());
    return handles.equations();
  };
  const HandleEquations left = equations("left"), right = equations("right");
  REQUIRE(left.rows() == right.rows());
  const Eigen::Index n = 6 * static_cast<Eigen::Index>(left.mounts.size() + left.outputs.size());
  Eigen::VectorXd mirror(n);
  for (Eigen::Index i = 0; i < n; i += 6) mirror.segment<6>(i) << 1, -1, 1, -1, 1, -1;
  const Eigen::MatrixXd A = matrix_of(left).topLeftCorner(n, n), B = matrix_of(right).topLeftCorner(n, n);
  CHECK((A - mirror.asDiagonal() * B * mirror.asDiagonal()).norm() < 1e-12 * A.norm());
  const Eigen::VectorXd a = constant_of(left).head(n), b = constant_of(right).head(n);
  CHECK(a.norm() > 0.1);
  CHECK((a - mirror.asDiagonal() * b).norm() < 1e-12 * a.norm());
}

TEST_CASE("where the subsystem alone is cut does not change its equations") {
  const Moving model(car);
  const auto joint = [&](const std::string& path) {
    int j = 0;
    while (model.plan->model->joints[j].path != path) ++j;
    return j;
  };
  const int corner = find_subsystem(*model.plan->model, "front.left");
  const HandleEquations given = model.equations("front.left");
  // Cut in the whole: upper_ball and rod. The loop within is cut elsewhere, at joints that have momenta there.
  for (const std::string other : {"front.left.lower_ball", "front.left.upper", "front.left.lower"}) {
    CAPTURE(other);
    SubsystemHandles handles(model.plan, corner, {joint(other), joint("front.left.rod")});
    REQUIRE(handles.solve(*model.work).ok());
    const Eigen::MatrixXd A = matrix_of(given), B = matrix_of(handles.equations());
    REQUIRE(A.rows() == B.rows());
    const Eigen::Index n = A.rows() - 1;  // the row of the rod has a length scale of its own
    CHECK((A.topLeftCorner(n, n) - B.topLeftCorner(n, n)).norm() < 1e-10 * A.norm());
    const Eigen::VectorXd a = constant_of(given).head(n), b = constant_of(handles.equations()).head(n);
    CHECK((a - b).norm() < 1e-10 * a.norm());
  }
}
