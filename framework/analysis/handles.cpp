#include "arthron/analysis/handles.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/hierarchy.hpp"

namespace arthron {

namespace {

using std::size_t;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Open rows of one closure, or of the output behind all closures.
struct Group {
  int closure, first, count;
};

/// Equations at the O of a base body, rows in groups.
struct Equations {
  Matrix6 M = Matrix6::Zero();
  Vector6 b = Vector6::Zero();
  Matrix X = Matrix::Zero(6, 0), gamma = Matrix::Zero(0, 0);
  Vector g = Vector::Zero(0);
  std::vector<Group> groups;

  [[nodiscard]] const Group* group_of(int closure) const {
    const auto place = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.closure == closure; });
    return place == groups.end() ? nullptr : &*place;
  }
  void resize(Eigen::Index rows) {
    const Eigen::Index before = g.size();
    X.conservativeResize(6, rows), gamma.conservativeResize(rows, rows), g.conservativeResize(rows);
    X.rightCols(rows - before).setZero(), g.tail(rows - before).setZero();
    gamma.rightCols(rows - before).setZero(), gamma.bottomRows(rows - before).setZero();
  }
};

/// Open rows of a closure node.
struct OpenPart {
  Matrix X, gamma;
  Vector g;
};

OpenPart open_part(const Plan& plan, int n, const Workspace& work) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureNode::Block& open = node.open();
  const ClosureWork::Node& here = work.closures->nodes[n];
  OpenPart part{Matrix::Zero(6, open.rows), Matrix(open.rows, open.rows), Vector(open.rows)};
  for (int r = 0; r < open.rows; ++r) {
    for (int k = 0; k < 6 && node.body >= 0; ++k) part.X(k, r) = here.X[open.row + k * node.rows + r];
    for (int s = 0; s < open.rows; ++s) part.gamma(r, s) = here.gamma[open.gamma + r * open.stride + s];
    part.g[r] = here.g[open.row + r];
  }
  return part;
}

/// Adds rows of a node to equations at the same point.
void add_rows(const Plan& plan, int n, const OpenPart& part, Equations& sum) {
  const ClosureNode& node = plan.closure_nodes[n];
  std::vector<Eigen::Index> to;
  for (size_t i = node.eliminated; i < node.closures.size(); ++i) {
    if (!sum.group_of(node.closures[i])) {
      sum.groups.push_back({node.closures[i], static_cast<int>(sum.g.size()), node.count[i]});
      sum.resize(sum.g.size() + node.count[i]);
    }
    for (int r = 0; r < node.count[i]; ++r) to.push_back(sum.group_of(node.closures[i])->first + r);
  }
  for (Eigen::Index r = 0; r < part.g.size(); ++r) {
    sum.X.col(to[r]) += part.X.col(r), sum.g[to[r]] += part.g[r];
    for (Eigen::Index s = 0; s < part.g.size(); ++s) sum.gamma(to[r], to[s]) += part.gamma(r, s);
  }
}

/// Outputs first, then loops.
void put_in_order(const Plan& plan, Equations& e) {
  const int outputs = static_cast<int>(plan.closures.size());
  std::stable_sort(e.groups.begin(), e.groups.end(), [&](const Group& a, const Group& b) {
    const bool of_output = a.closure >= outputs, other = b.closure >= outputs;
    return of_output != other ? of_output : a.closure < b.closure;
  });
  std::vector<Eigen::Index> rows;
  for (Group& group : e.groups) {
    const int first = static_cast<int>(rows.size());
    for (int r = 0; r < group.count; ++r) rows.push_back(group.first + r);
    group.first = first;
  }
  e.X = Matrix(e.X(Eigen::all, rows)), e.gamma = Matrix(e.gamma(rows, rows)), e.g = Vector(e.g(rows));
}

BodyIndex model_body(const Plan& plan, int body) {
  return {static_cast<int>(std::find(plan.body_of.begin(), plan.body_of.end(), body) - plan.body_of.begin())};
}

HandlePoint point_of(const Plan& plan, int subsystem, int body, Port::Kind kind, const Workspace& work) {
  HandlePoint point{plan.model->bodies[model_body(plan, body).value].path, {}, work.body[body].X_WB.p};
  const Slice ports = members_of(*plan.model, subsystem).ports;
  for (int p = ports.first; p < ports.last; ++p) {
    const Port& port = plan.model->ports[p];
    if (port.kind != kind || plan.ports[p].body != body || (kind == Port::Kind::mount && port.subsystem != subsystem)) continue;
    if (point.ports.empty()) point.position = port_position(plan, work, p);
    point.ports.push_back(port.path);
  }
  return point;
}

std::vector<double> numbers(const Matrix& matrix) {
  std::vector<double> list;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) list.push_back(matrix(i, j));
  return list;
}

/// Moved to the ports' points, with their names.
HandleEquations named(const Plan& plan, int subsystem, int base, bool mounted, Equations e, const Workspace& work) {
  HandleEquations result;
  result.subsystem = plan.model->subsystems[subsystem].path;
  result.mounted = mounted, result.grounded = base < plan.grounds;
  const auto origin = [&](int body) { return static_cast<Vec3>(work.body[body].X_WB.p); };
  for (const Group& group : e.groups) {
    if (const int output = group.closure - static_cast<int>(plan.closures.size()); output >= 0) {
      const int body = plan.modules.outputs[output];
      result.outputs.push_back(point_of(plan, subsystem, body, Port::Kind::output, work));
      const Matrix6 S = shift(result.outputs.back().position - origin(body));
      e.X.middleCols<6>(group.first) *= S;
      e.gamma.middleCols<6>(group.first) *= S;
      e.gamma.middleRows<6>(group.first) = (S.transpose() * e.gamma.middleRows<6>(group.first)).eval();
      e.g.segment<6>(group.first) = (S.transpose() * e.g.segment<6>(group.first)).eval();
      continue;
    }
    const PlanClosure& closure = plan.closures[group.closure];
    HandleLoop& loop = result.loops.emplace_back();
    if (closure.coupling >= 0) {
      loop.name = plan.model->couplings[closure.coupling].path;
      continue;
    }
    const ClosureWork::Cut& cut = work.closures->cuts[group.closure];
    loop.name = plan.model->joints[closure.joint].path;
    loop.position = origin(closure.child) + static_cast<Vec3>(cut.arm_child);
    for (int r = 0; r < closure.rows; ++r) loop.directions.emplace_back(cut.D[r]);
  }
  result.rows = static_cast<int>(e.g.size());
  result.Gamma = numbers(e.gamma), result.g = numbers(e.g);
  if (base < 0) return result;
  result.base = point_of(plan, subsystem, base, Port::Kind::mount, work);
  const Matrix6 S = shift(origin(base) - result.base.position);
  result.M = numbers(S * e.M * S.transpose()), result.b = numbers(S * e.b), result.X = numbers(S * e.X);
  return result;
}

}  // namespace

std::optional<HandleEquations::Xi> HandleEquations::xi() const {
  if (M.empty()) return {};
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> mass(M.data(), 6, 6), coupling(X.data(), 6, rows), own(Gamma.data(), rows, rows);
  const Eigen::Map<const Vector> bias(b.data(), 6), rate(g.data(), rows);
  constexpr double lost = 1e-13;
  const Eigen::SelfAdjointEigenSolver<Matrix6> sizes(Matrix6(mass), Eigen::EigenvaluesOnly);
  if (!(sizes.eigenvalues()[0] > lost * sizes.eigenvalues()[5])) return {};
  const Eigen::LDLT<Matrix6> factors{Matrix6(mass)};
  const Matrix inverse = factors.solve(Matrix6::Identity()), along = factors.solve(Matrix(coupling));
  Xi xi;
  xi.xi11 = numbers((inverse + inverse.transpose()) / 2);
  xi.xi12 = numbers(along), xi.xi21 = numbers(along.transpose());
  xi.xi22 = numbers(own + coupling.transpose() * along);
  xi.xi10 = numbers(-factors.solve(Vector(bias))), xi.xi20 = numbers(rate - along.transpose() * bias);
  return xi;
}

std::vector<HandleEquations> mounted_handles(const Plan& plan, const MountedHandles& handles, int subsystem, const Workspace& work) {
  std::vector<HandleEquations> list;
  for (const MountedHandles::Read& read : handles.all()) {
    if (read.subsystem != subsystem) continue;
    const int first = read.first_open, rows = read.rows - first;
    Equations e;
    e.M = dense(read.M), e.b = dense(read.b);
    e.resize(rows);
    for (int r = 0; r < rows; ++r) {
      for (int k = 0; k < 6; ++k) e.X(k, r) = read.X[k * read.rows + first + r];
      for (int s = 0; s < rows; ++s) e.gamma(r, s) = read.gamma[(first + r) * read.rows + first + s];
      e.g[r] = read.g[first + r];
    }
    for (const MountedHandles::Read::Group& group : read.open) e.groups.push_back({group.closure, group.first - first, group.count});
    put_in_order(plan, e);
    list.push_back(named(plan, subsystem, read.base, true, std::move(e), work));
  }
  return list;
}

std::vector<HandleEquations> handles_alone(const Plan& plan, int subsystem, const Workspace& work) {
  const ModulePlan& modules = plan.modules;
  std::vector<HandleEquations> list;
  for (const int compound : modules.of_subsystem[subsystem]) {
    const int base = modules.on[compound], parts = shared_part(plan), outputs = static_cast<int>(plan.closures.size());
    Equations e;
    add_rows(plan, modules.node[compound], open_part(plan, modules.node[compound], work), e);
    if (base >= 0) e.M = dense(work.modules->compound[compound].M), e.b = dense(work.modules->compound[compound].b);
    // Nothing is assumed at the outputs.
    for (const Group& group : e.groups) {
      if (group.closure < outputs) continue;
      Vector6 assumed = Vector6::Zero();
      for (const int join : modules.joins_at[group.closure - outputs])
        if (parts + join > compound) assumed += work.modules->join[join].assumed;
      e.b -= e.X.middleCols<6>(group.first) * assumed, e.g += e.gamma.middleCols<6>(group.first) * assumed;
    }
    put_in_order(plan, e);
    list.push_back(named(plan, subsystem, base, false, std::move(e), work));
  }
  return list;
}

}  // namespace arthron
