#include "arthron/analysis/handles.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/subsystem.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/compound_tree.hpp"

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

/// What a body gives to the one that carries it, from the factors that folding has left.
void add_branch(const Plan& plan, int number, const Workspace& work, Equations& sum) {
  const PlanBody& body = plan.bodies[number];
  const BodyWork& here = work.body[number];
  Compound compound{rigid_body(body, here), Wide6::zero()};
  if (!body.leaf) compound.M += here.M_children, compound.b += here.bias_children;
  const auto close_at = [&](int n) {
    const ClosureNode& node = plan.closure_nodes[n];
    const ClosureWork::Node& at = work.closures->nodes[n];
    if (node.eliminated == 0) return;
    add_dyads(at.X, node.rows, at.d_inverse, node.first_open_row() / 4, compound.M);
    for (int r = 0; r < node.first_open_row(); ++r) {
      const double s = at.d_inverse[r] * at.g[r];
      Spatial6 row{{at.X[r], at.X[node.rows + r], at.X[2 * node.rows + r]},
                   {at.X[3 * node.rows + r], at.X[4 * node.rows + r], at.X[5 * node.rows + r]}};
      compound.b += s * Wide6(row);
    }
  };
  if (body.node >= 0) {
    for (const int child : plan.closure_nodes[body.node].children)
      if (plan.closure_nodes[child].closes_branch_loops) close_at(child);
    close_at(body.node);
  }
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    const ColumnWork& column = work.column[c];
    if (body.driven) {
      compound.b += work.u[c] * (compound.M * column.H);
      continue;
    }
    release_column(compound.M, column.U, column.d_inverse);
    compound.b += column.u_at_rest * column.U;
  }
  shift(here.arm, compound);
  sum.M += dense(compound.M), sum.b += dense(compound.b);
  if (body.node < 0) return;
  OpenPart part = open_part(plan, body.node, work);
  part.X = shift(static_cast<Vec3>(here.arm)) * part.X;
  add_rows(plan, body.node, part, sum);
}

/// Rows of a closure that is complete: the base's own side, what is prescribed, and the elimination of the rows that do not depend on
/// others.
void close_group(const Plan& plan, const Group group, int base, const Workspace& work, Equations& e) {
  const PlanClosure& closure = plan.closures[group.closure];
  const ClosureWork::Cut& cut = work.closures->cuts[group.closure];
  for (int r = 0; r < group.count; ++r) {
    const int row = group.first + r;
    if (closure.coupling < 0 && closure.child == base) e.X.col(row) -= dense(wrench_from(cut.D[r], cut.arm_child));
    if (closure.coupling < 0 && closure.parent == base) e.X.col(row) += dense(wrench_from(cut.D[r], cut.arm_parent));
    e.g[row] += dot(cut.D[r], cut.known);
  }
}

void eliminate_rows(const std::vector<Group>& complete, Equations& e) {
  constexpr double dependent = 1e-5;
  std::vector<bool> gone(e.g.size(), false);
  for (const Group& group : complete) {
    const double trace = e.gamma.block(group.first, group.first, group.count, group.count).trace();
    for (int step = 0; step < group.count; ++step) {
      int row = -1;
      for (int r = group.first; r < group.first + group.count; ++r)
        if (!gone[r] && (row < 0 || e.gamma(r, r) > e.gamma(row, row))) row = r;
      const double d = e.gamma(row, row);
      gone[row] = true;
      if (!(d > dependent * dependent * trace)) continue;
      const Vector common = e.gamma.col(row);
      const Vector6 x = e.X.col(row);
      const double g = e.g[row];
      e.M += x * x.transpose() / d, e.b += x * (g / d);
      e.X -= x * common.transpose() / d, e.g -= common * (g / d), e.gamma -= common * common.transpose() / d;
    }
  }
}

/// Takes these rows out, and the others in order: outputs, then loops.
void keep_open(const Plan& plan, const std::vector<Group>& complete, Equations& e) {
  std::vector<Group> left;
  for (const Group& group : e.groups)
    if (std::none_of(complete.begin(), complete.end(), [&](const Group& of) { return of.closure == group.closure; })) left.push_back(group);
  const int outputs = static_cast<int>(plan.closures.size());
  std::stable_sort(left.begin(), left.end(), [&](const Group& a, const Group& b) {
    const bool of_output = a.closure >= outputs, other = b.closure >= outputs;
    return of_output != other ? of_output : a.closure < b.closure;
  });
  std::vector<Eigen::Index> rows;
  for (Group& group : left) {
    const int first = static_cast<int>(rows.size());
    for (int r = 0; r < group.count; ++r) rows.push_back(group.first + r);
    group.first = first;
  }
  e.X = Matrix(e.X(Eigen::all, rows)), e.gamma = Matrix(e.gamma(rows, rows)), e.g = Vector(e.g(rows));
  e.groups = left;
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

std::vector<HandleEquations> mounted_handles(const Plan& plan, int subsystem, const Workspace& work) {
  const std::vector<int> home = subsystem_of_bodies(plan);
  const auto inside = [&](int b) { return b >= plan.grounds && lies_within(*plan.model, home[b], subsystem); };
  std::map<int, std::vector<int>> roots;  // by the body that they hang on
  for (const int b : plan.subsystems[subsystem].bodies)
    if (!inside(plan.bodies[b].parent)) roots[plan.bodies[b].parent].push_back(b);
  std::vector<HandleEquations> list;
  for (const auto& [base, branches] : roots) {
    Equations e;
    for (const int b : branches) add_branch(plan, b, work, e);
    const auto hangs = [&, &on = branches](int b) {
      for (; b >= plan.grounds; b = plan.bodies[b].parent)
        if (std::find(on.begin(), on.end(), b) != on.end()) return true;
      return false;
    };
    std::vector<Group> complete;
    for (const Group& group : e.groups) {
      const std::vector<int> bodies = bodies_of_closure(plan, group.closure);
      const bool cut = plan.closures[group.closure].coupling < 0;
      if (!std::all_of(bodies.begin(), bodies.end(), [&, base = base](int b) { return (cut && b == base) || hangs(b); })) continue;
      complete.push_back(group);
      close_group(plan, group, base, work, e);
    }
    eliminate_rows(complete, e);
    keep_open(plan, complete, e);
    list.push_back(named(plan, subsystem, base, true, std::move(e), work));
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
    keep_open(plan, {}, e);
    list.push_back(named(plan, subsystem, base, false, std::move(e), work));
  }
  return list;
}

}  // namespace arthron
