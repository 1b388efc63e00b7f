#include "arthron/analysis/mounted_handles.hpp"

#include <algorithm>
#include <map>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/compound.hpp"
#include "arthron/model/hierarchy.hpp"
#include "arthron/plan/compound_tree.hpp"

namespace arthron {

namespace {

using std::size_t;
using Read = MountedHandles::Read;

/// Rows that leave a body: closures that its node passes on.
std::vector<Read::Group> passed_on(const Plan& plan, int body) {
  std::vector<Read::Group> groups;
  if (plan.bodies[body].node < 0) return groups;
  const ClosureNode& node = plan.closure_nodes[plan.bodies[body].node];
  for (size_t i = node.eliminated; i < node.closures.size(); ++i)
    groups.push_back({node.closures[i], node.row[i] - node.first_open_row(), node.count[i]});
  return groups;
}

/// Closures that are complete at a node, as their elimination has left them.
void close_at(const Plan& plan, int n, const Workspace& work, Compound& compound) {
  const ClosureNode& node = plan.closure_nodes[n];
  if (node.eliminated == 0) return;
  const ClosureWork::Node& at = work.closures->nodes[n];
  add_dyads(at.X, node.rows, at.d_inverse, node.first_open_row() / 4, compound.M);
  for (int r = 0; r < node.first_open_row(); ++r) {
    const double s = at.d_inverse[r] * at.g[r];
    const auto x = [&](int k) { return at.X[k * node.rows + r]; };
    if (s != 0) compound.b += s * Wide6(Spatial6{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}});
  }
}

}  // namespace

const Read::Group* Read::group_of(int closure) const {
  for (const std::vector<Group>* list : {&complete, &open})
    for (const Group& group : *list)
      if (group.closure == closure) return &group;
  return nullptr;
}

MountedHandles::MountedHandles(const Plan& plan) : plan_(plan), home_(subsystem_of_bodies(plan)) {
  for (int s = static_cast<int>(plan.subsystems.size()); s-- > 0;) {
    const auto inside = [&](int b) { return b >= plan.grounds && lies_within(*plan.model, home_[b], s); };
    std::map<int, std::vector<int>> branches;  // by the body that they hang on
    for (const int b : plan.subsystems[s].bodies)
      if (!inside(plan.bodies[b].parent)) branches[plan.bodies[b].parent].push_back(b);
    for (const auto& [base, on] : branches) lay_out(s, base, on);
  }
}

void MountedHandles::lay_out(int subsystem, int base, const std::vector<int>& branches) {
  const auto hangs = [&](int b) {
    for (; b >= plan_.grounds; b = plan_.bodies[b].parent)
      if (std::find(branches.begin(), branches.end(), b) != branches.end()) return true;
    return false;
  };
  Read read;
  read.subsystem = subsystem, read.base = base;
  Sources sources;
  std::vector<int> left = branches;
  for (int r = 0; r < std::ssize(reads_); ++r) {
    const Read& nested = reads_[r];
    if (nested.base != base || plan_.model->subsystems[nested.subsystem].parent != subsystem) continue;
    sources.nested.push_back({r, {}});
    std::erase_if(left, [&](int b) { return lies_within(*plan_.model, home_[b], nested.subsystem); });
  }
  for (const int b : left) sources.branches.push_back({b, {}});
  // Groups of rows, complete ones first.
  std::vector<Read::Group> all;
  const auto see = [&](const std::vector<Read::Group>& groups) {
    for (const Read::Group& group : groups)
      if (std::none_of(all.begin(), all.end(), [&](const Read::Group& known) { return known.closure == group.closure; }))
        all.push_back(group);
  };
  for (const Source& source : sources.branches) see(passed_on(plan_, source.from));
  for (const Source& source : sources.nested) see(reads_[source.from].open);
  for (const bool complete : {true, false})
    for (Read::Group group : all) {
      const std::vector<int> bodies = bodies_of_closure(plan_, group.closure);
      const bool cut = plan_.closures[group.closure].coupling < 0;
      const bool closed = std::all_of(bodies.begin(), bodies.end(), [&](int b) { return (cut && b == base) || hangs(b); });
      if (closed != complete) continue;
      group.first = read.rows, read.rows += group.count;
      (complete ? read.complete : read.open).push_back(group);
      if (complete) read.first_open = read.rows;
    }
  for (Source& source : sources.branches) place_rows(read, source, passed_on(plan_, source.from));
  for (Source& source : sources.nested) place_rows(read, source, reads_[source.from].open);
  const size_t rows = static_cast<size_t>(read.rows);
  read.X.resize(6 * rows), read.gamma.resize(rows * rows), read.g.resize(rows);
  reads_.push_back(std::move(read)), sources_.push_back(std::move(sources));
}

void MountedHandles::place_rows(Read& read, Source& source, const std::vector<Read::Group>& groups) {
  for (const Read::Group& group : groups)
    for (int r = 0; r < group.count; ++r) source.to.push_back(read.group_of(group.closure)->first + r);
}

void MountedHandles::read(const Workspace& work) {
  for (size_t i = 0; i < reads_.size(); ++i) {
    Read& read = reads_[i];
    read.M = WideInertia::zero(), read.b = Wide6::zero();
    for (std::vector<double>* numbers : {&read.X, &read.gamma, &read.g}) std::fill(numbers->begin(), numbers->end(), 0);
    for (const Source& source : sources_[i].branches) add_branch(source, read, work);
    for (const Source& source : sources_[i].nested) add_nested(source, read);
    if (!read.complete.empty()) close_rows(read, work);
  }
}

/// What a body gives to the one that carries it: as in folding, with the factors that this has left.
void MountedHandles::add_branch(const Source& source, Read& read, const Workspace& work) const {
  const PlanBody& body = plan_.bodies[source.from];
  const BodyWork& here = work.body[source.from];
  Compound compound{rigid_body(body, here), Wide6::zero()};
  if (!body.leaf) compound.M += here.M_children, compound.b += here.bias_children;
  if (body.node >= 0) {
    for (const int child : plan_.closure_nodes[body.node].children)
      if (plan_.closure_nodes[child].closes_branch_loops) close_at(plan_, child, work, compound);
    close_at(plan_, body.node, work, compound);
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
  read.M += compound.M, read.b += compound.b;
  if (source.to.empty()) return;
  const ClosureNode& node = plan_.closure_nodes[body.node];
  const ClosureNode::Block& open = node.open();
  const ClosureWork::Node& from = work.closures->nodes[body.node];
  const Vec3 arm = here.arm;
  for (int r = 0; r < std::ssize(source.to); ++r) {
    const auto x = [&](int k) { return from.X[open.row + k * node.rows + r]; };
    const Spatial6 row = wrench_from(Spatial6{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}}, arm);
    double* const X = read.X.data() + source.to[r];
    X[0] += row.linear.x, X[read.rows] += row.linear.y, X[2 * read.rows] += row.linear.z;
    X[3 * read.rows] += row.angular.x, X[4 * read.rows] += row.angular.y, X[5 * read.rows] += row.angular.z;
    double* const gamma = read.gamma.data() + source.to[r] * read.rows;
    for (int s = 0; s < std::ssize(source.to); ++s) gamma[source.to[s]] += from.gamma[open.gamma + r * open.stride + s];
    read.g[source.to[r]] += from.g[open.row + r];
  }
}

void MountedHandles::add_nested(const Source& source, Read& read) const {
  const Read& from = reads_[source.from];
  read.M += from.M, read.b += from.b;
  for (int r = 0; r < std::ssize(source.to); ++r) {
    const int row = from.first_open + r;
    for (int k = 0; k < 6; ++k) read.X[k * read.rows + source.to[r]] += from.X[k * from.rows + row];
    for (int s = 0; s < std::ssize(source.to); ++s)
      read.gamma[source.to[r] * read.rows + source.to[s]] += from.gamma[row * from.rows + from.first_open + s];
    read.g[source.to[r]] += from.g[row];
  }
}

/// Eliminates complete rows, largest diagonal of a closure first; what is left of rows that depend on others takes nothing.
void MountedHandles::close_rows(Read& read, const Workspace& work) const {
  constexpr double dependent = 1e-5;
  const int rows = read.rows;
  for (const Read::Group& group : read.complete) {
    const PlanClosure& closure = plan_.closures[group.closure];
    const ClosureWork::Cut& cut = work.closures->cuts[group.closure];
    double trace = 0;
    for (int r = 0; r < group.count; ++r) {
      const int row = group.first + r;
      const auto add_side = [&](double sign, const Wide3& arm) {
        const Spatial6 D = sign * static_cast<Spatial6>(wrench_from(cut.D[r], arm));
        double* const X = read.X.data() + row;
        X[0] += D.linear.x, X[rows] += D.linear.y, X[2 * rows] += D.linear.z;
        X[3 * rows] += D.angular.x, X[4 * rows] += D.angular.y, X[5 * rows] += D.angular.z;
      };
      if (closure.coupling < 0 && closure.child == read.base) add_side(-1, cut.arm_child);
      if (closure.coupling < 0 && closure.parent == read.base) add_side(1, cut.arm_parent);
      read.g[row] += dot(cut.D[r], cut.known);
      trace += read.gamma[row * rows + row];
    }
    unsigned gone = 0;
    for (int step = 0; step < group.count; ++step) {
      int row = -1;
      const auto diagonal = [&](int r) { return read.gamma[r * rows + r]; };
      for (int r = 0; r < group.count; ++r)
        if (!(gone >> r & 1u) && (row < 0 || diagonal(group.first + r) > diagonal(row))) row = group.first + r;
      gone |= 1u << (row - group.first);
      const double d = diagonal(row);
      if (!(d > dependent * dependent * trace)) break;
      const double* const common = read.gamma.data() + row * rows;
      const auto x = [&](int k) { return read.X[k * rows + row]; };
      const Wide6 along = Spatial6{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}};
      take_dyad(read.M, (-1 / d) * along, along);
      read.b += (read.g[row] / d) * along;
      for (int s = group.first; s < rows; ++s) {
        if (s == row || common[s] == 0) continue;
        const double part = common[s] / d;
        for (int k = 0; k < 6; ++k) read.X[k * rows + s] -= part * x(k);
        read.g[s] -= part * read.g[row];
        for (int t = group.first; t < rows; ++t)
          if (t != row) read.gamma[s * rows + t] -= part * common[t];
      }
    }
  }
}

}  // namespace arthron
