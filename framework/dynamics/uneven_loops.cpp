#include "arthron/dynamics/uneven_loops.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/compound.hpp"
#include "arthron/dynamics/pivoted_cholesky.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

using std::size_t;

namespace {

/// Masses further apart than that: then 1e-5 of a singular value is drowned by rounding of what light bodies do.
constexpr double far_apart = 1e5;

/// The outermost ancestor of a body: which branch it is on.
std::vector<size_t> branches(const Plan& plan) {
  std::vector<size_t> branch(plan.bodies.size());
  for (size_t b = 0; b < branch.size(); ++b) {
    const size_t parent = plan.bodies[b].parent, grounds = plan.grounds;
    branch[b] = b < grounds || parent < grounds ? b : branch[parent];
  }
  return branch;
}

/// Sides of a closure that are bodies.
std::vector<size_t> bodies_of(const Plan& plan, const PlanClosure& closure) {
  std::vector<size_t> bodies;
  if (closure.coupling < 0) {
    bodies = {static_cast<size_t>(closure.parent), static_cast<size_t>(closure.child)};
  } else {
    for (const Coupling::Term& term : plan.model->couplings[closure.coupling].terms) bodies.push_back(plan.joints[term.joint.value].body);
  }
  std::erase_if(bodies, [&](size_t b) { return b < static_cast<size_t>(plan.grounds); });
  return bodies;
}

double heaviest_body(const Plan& plan) {
  double heaviest = 0;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) heaviest = std::max(heaviest, plan.bodies[b].mass);
  return heaviest;
}

/// Releases the columns of a body's inboard joint that are free.
void release_free_columns(const Plan& plan, const PlanBody& body, Compound& compound, const OpenRows& rows, Workspace& work) {
  for (int c = body.u + body.columns - 1; c >= body.u; --c) {
    ColumnWork& column = work.column[c];
    if (work.held[c])
      hold(0, plan.shapes[c], column, compound);
    else
      release(0, plan.shapes[c], false, column, compound);
    release(column, c - body.u, rows);
  }
}

OpenRows rows_of_node(const Plan& plan, int n, Workspace& work) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureNode::Block& open = node.open();
  const ClosureWork::Node& here = work.closures->nodes[n];
  double* const g = here.g + open.row;
  return {here.X + open.row, node.rows, open.rows, open.width, here.gamma + open.gamma, g, g, here.sigma + open.row, here.y, node.terms};
}

}  // namespace

namespace {

/// Whether masses of the bodies of some branches are far apart.
bool are_far_apart(const Plan& plan, const std::vector<size_t>& branch, const std::vector<bool>& looked_at) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const double mass = plan.bodies[b].mass;
    if (mass > 0 && looked_at[branch[b]]) least = std::min(least, mass), largest = std::max(largest, mass);
  }
  return largest > far_apart * least;
}

}  // namespace

bool has_uneven_loops(const Plan& plan) {
  if (plan.closures.empty()) return false;
  const std::vector<size_t> branch = branches(plan);
  std::vector<bool> loops(plan.bodies.size(), false);
  for (const PlanClosure& closure : plan.closures)
    for (const size_t b : bodies_of(plan, closure)) loops[branch[b]] = true;
  return are_far_apart(plan, branch, loops);
}

bool is_uneven_tree(const Plan& plan) {
  return plan.closures.empty() && are_far_apart(plan, branches(plan), std::vector<bool>(plan.bodies.size(), true));
}

UnevenLoops::Kept::Kept(const Plan& plan) {
  const Wide6 none = Wide6::zero();
  rates.assign(plan.nu_all, 0), efforts.assign(plan.nu_all, 0), driven.assign(plan.nu_all, 0);
  for (std::vector<Wide6>* list : {&motions, &relative, &bias}) list->assign(plan.bodies.size(), none);
  known.assign(plan.closures.size(), none);
  multipliers.assign(plan.closures.size(), Vector6::Zero());
}

UnevenLoops::UnevenLoops(const Plan& plan) : refined(plan), projected(plan) {
  rows.resize(plan.closures.size());
  const double heaviest = heaviest_body(plan);
  for (const PlanBody& body : plan.bodies) factor.push_back(body.mass > 0 ? heaviest / body.mass : 1);
  carried.assign(plan.bodies.size(), WideInertia::zero()), wrench.assign(plan.bodies.size(), Wide6::zero());
  for (const PlanClosure& closure : plan.closures)
    free_mobility.push_back(mobility_of_free_bodies(plan, closure, length_scale(plan, closure), factor));
}

void find_independent_rows(const Plan& plan, Workspace& work) {
  ClosureWork& closures = *work.closures;
  UnevenLoops& uneven = *closures.uneven;
  uneven.found = false;
  std::fill(uneven.carried.begin(), uneven.carried.end(), WideInertia::zero());
  for (int b = static_cast<int>(plan.bodies.size()); b-- > plan.grounds;) {
    const PlanBody& body = plan.bodies[b];
    const BodyWork& here = work.body[b];
    const double factor = uneven.factor[b];
    const WideSymmetric3 second_moment{factor * here.second_moment.diagonal, factor * here.second_moment.above};
    Compound compound{rigid_inertia(factor * body.mass, factor * here.first_moment, second_moment), Wide6::zero()};
    compound.M += uneven.carried[b];
    OpenRows rows;
    if (body.node >= 0) {
      for (const int child : plan.closure_nodes[body.node].children)
        if (plan.closure_nodes[child].closes_branch_loops) close_inertia(plan, child, compound.M, work);
      close_inertia(plan, body.node, compound.M, work);
      rows = rows_of_node(plan, body.node, work);
    }
    if (!body.driven) release_free_columns(plan, body, compound, rows, work);
    if (body.parent >= plan.grounds) uneven.carried[body.parent] += inertia_from(compound.M, here.arm);
  }
  WideInertia nothing = WideInertia::zero();
  for (size_t n = 0; n < static_cast<size_t>(plan.folding_nodes); ++n)
    if (plan.closure_nodes[n].body < 0) close_inertia(plan, static_cast<int>(n), nothing, work);
  for (size_t c = 0; c < closures.cuts.size(); ++c) {
    const ClosureWork::Cut& cut = closures.cuts[c];
    uneven.rows[c] = {cut.rank, cut.pivot, cut.nearly_dependent};
  }
  uneven.found = true;
}

void set_dependent_apart(const Workspace& work, int r, int s, const MultiplierSystem::Place& block) {
  const ClosureWork& closures = *work.closures;
  const auto entry = [&](int i, int j) -> double& { return block.values[i * block.row_stride + j * block.column_stride]; };
  const int rows = work.plan->closures[r].rows, columns = work.plan->closures[s].rows;
  double trace = 0;
  for (int i = 0; r == s && i < rows; ++i) trace += entry(i, i);
  const auto leave = [&](size_t c, int count, int others, const auto& at) {
    for (int k = closures.uneven->rows[c].rank; k < count; ++k) {
      const auto& n = closures.null[c][k];
      for (int j = 0; j < others; ++j) {
        double part = 0;
        for (int i = 0; i < count; ++i) part += n[i] * at(i, j);
        for (int i = 0; i < count; ++i) at(i, j) -= n[i] * part;
      }
    }
  };
  leave(r, rows, columns, entry);
  leave(s, columns, rows, [&](int i, int j) -> double& { return entry(j, i); });
  if (r != s) return;
  const size_t c = r;
  for (int k = closures.uneven->rows[c].rank; k < rows; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) entry(i, j) += (trace > 0 ? trace : 1) * closures.null[c][k][i] * closures.null[c][k][j];
}

void leave_dependent(const Plan& plan, const Workspace& work, double* multipliers) {
  for (size_t c = 0; c < plan.closures.size(); multipliers += plan.closures[c++].rows)
    for (int k = work.closures->uneven->rows[c].rank; k < plan.closures[c].rows; ++k) {
      Eigen::Map<Eigen::VectorXd> own(multipliers, plan.closures[c].rows);
      const auto n = work.closures->null[c][k].head(plan.closures[c].rows);
      own -= n.dot(own) * n;
    }
}

namespace {

template <Level level>
std::vector<double>& rates(Workspace& work) {
  return level == Level::velocity ? work.u : work.udot;
}
template <Level level>
std::vector<double>& efforts(Workspace& work) {
  return level == Level::velocity ? work.p : work.tau;
}
template <Level level>
Wide6& motion(Workspace& work, size_t body) {
  return level == Level::velocity ? work.body[body].V : work.A[body];
}

/// What is left of a closure's opening, in the place of what is known of it.
template <Level level>
Wide6 opening_left(const Plan& plan, size_t c, Workspace& work) {
  const PlanClosure& closure = plan.closures[c];
  const ClosureWork::Cut& cut = work.closures->cuts[c];
  if (closure.coupling < 0)
    return velocity_at(motion<level>(work, closure.child), cut.arm_child) -
           velocity_at(motion<level>(work, closure.parent), cut.arm_parent) - cut.known;
  Wide6 left = -1.0 * cut.known;
  for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
    left.linear += (term.coefficient * rates<level>(work)[plan.joints[term.joint.value].u + term.freedom]) * Wide3(Vec3{1, 0, 0});
  return left;
}

template <Level level>
void keep(const Plan& plan, UnevenLoops::Kept& kept, Workspace& work) {
  const std::vector<double>&found = rates<level>(work), &given = efforts<level>(work);
  std::copy(found.begin(), found.end(), kept.rates.begin());
  std::copy(given.begin(), given.end(), kept.efforts.begin());
  for (size_t b = 0; b < plan.bodies.size(); ++b) kept.motions[b] = motion<level>(work, b);
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    ClosureWork::Cut& cut = work.closures->cuts[c];
    kept.known[c] = cut.known, kept.multipliers[c] = cut.sigma;
    cut.known = -1.0 * opening_left<level>(plan, c, work);
  }
  std::fill(rates<level>(work).begin(), rates<level>(work).end(), 0);
  std::fill(efforts<level>(work).begin(), efforts<level>(work).end(), 0);
  for (int g = 0; g < plan.grounds; ++g) motion<level>(work, g) = Wide6::zero();
}

template <Level level>
void add(const Plan& plan, const UnevenLoops::Kept& kept, Workspace& work) {
  std::vector<double>&found = rates<level>(work), &given = efforts<level>(work);
  for (size_t c = 0; c < found.size(); ++c) found[c] += kept.rates[c];
  std::copy_n(kept.efforts.begin(), given.size(), given.begin());
  for (int g = 0; g < plan.grounds; ++g) motion<level>(work, g) = kept.motions[g];
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) motion<level>(work, b) += kept.motions[b];
  for (size_t c = 0; c < plan.closures.size(); ++c) {
    ClosureWork::Cut& cut = work.closures->cuts[c];
    cut.known = kept.known[c], cut.sigma += kept.multipliers[c];
  }
}

/// Efforts of couplings along the columns of a body's inboard joint, and springs, dampers and efforts there.
double effort_along(const Plan& plan, int column, const Workspace& work) {
  double effort = work.tau[column];
  for (size_t c = plan.cuts; c < plan.closures.size(); ++c)
    for (const Coupling::Term& term : plan.model->couplings[plan.closures[c].coupling].terms)
      if (plan.joints[term.joint.value].u + term.freedom == column) effort += term.coefficient * work.closures->cuts[c].sigma[0];
  return effort;
}

/// What the parent's wrench F on a body has along the columns of its inboard joint beyond their efforts: none of it is transmitted.
Wide6 beyond_efforts(const Plan& plan, const PlanBody& body, const Wide6& F, const Workspace& work) {
  if (body.driven || body.columns == 0) return Wide6::zero();
  Columns6 H(6, body.columns);
  SmallVector beyond(body.columns);
  for (int c = 0; c < body.columns; ++c) {
    const Wide6& h = work.column[body.u + c].H;
    H.col(c) = dense(h);
    beyond[c] = dot(h, F) - effort_along(plan, body.u + c, work);
  }
  const Small squares = H.transpose().lazyProduct(H);
  const SmallVector along = squares.ldlt().solve(beyond);
  const Vector6 sum = H.lazyProduct(along);
  return spatial(sum);
}

}  // namespace

void find_equations_left(const Plan& plan, const std::vector<Wide6>& A, const Workspace& work, std::vector<Wide6>& F,
                         std::vector<Wide6>& left) {
  std::fill(F.begin(), F.end(), Wide6::zero());
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    Wide6 T = Wide6::zero();
    for (int r = 0; r < closure.rows; ++r) T += cut.sigma[r] * cut.D[r];
    F[closure.child] -= wrench_from(T, cut.arm_child), F[closure.parent] += wrench_from(T, cut.arm_parent);
  }
  for (size_t b = plan.bodies.size(); b-- > static_cast<size_t>(plan.grounds);) {
    const PlanBody& body = plan.bodies[b];
    const BodyWork& here = work.body[b];
    F[b] += rigid_momentum(body.mass, here.first_moment, here.second_moment, A[b]) + work.bias[b];
    left[b] = beyond_efforts(plan, body, F[b], work);
    F[body.parent] += wrench_from(F[b] - left[b], here.arm);
  }
}

template <>
void begin_refinement<Level::velocity>(const Plan& plan, Workspace& work) {
  keep<Level::velocity>(plan, work.closures->uneven->refined, work);
}

template <>
void end_refinement<Level::velocity>(const Plan& plan, Workspace& work) {
  add<Level::velocity>(plan, work.closures->uneven->refined, work);
}

void begin_refinement(const Plan& plan, UnevenLoops& own, Workspace& work) {
  UnevenLoops::Kept& kept = own.refined;
  std::copy(work.bias.begin(), work.bias.end(), kept.bias.begin());
  std::vector<Wide6>& left = work.bias;
  find_equations_left(plan, work.A, work, own.wrench, left);
  keep<Level::acceleration>(plan, kept, work);
  std::copy(work.gamma.begin(), work.gamma.end(), kept.relative.begin());
  std::copy(work.drive_acceleration.begin(), work.drive_acceleration.end(), kept.driven.begin());
  std::fill(work.gamma.begin(), work.gamma.end(), Wide6::zero());
  std::fill(work.drive_acceleration.begin(), work.drive_acceleration.end(), 0);
}

void end_refinement(const Plan& plan, const UnevenLoops& own, Workspace& work) {
  const UnevenLoops::Kept& kept = own.refined;
  add<Level::acceleration>(plan, kept, work);
  std::copy(kept.bias.begin(), kept.bias.end(), work.bias.begin());
  std::copy(kept.relative.begin(), kept.relative.end(), work.gamma.begin());
  std::copy(kept.driven.begin(), kept.driven.end(), work.drive_acceleration.begin());
}

template <>
void begin_refinement<Level::acceleration>(const Plan& plan, Workspace& work) {
  begin_refinement(plan, *work.closures->uneven, work);
}

template <>
void end_refinement<Level::acceleration>(const Plan& plan, Workspace& work) {
  end_refinement(plan, *work.closures->uneven, work);
}

Status close_velocities(const Plan& plan, Workspace& work) {
  UnevenLoops::Kept& kept = work.closures->uneven->projected;
  keep<Level::velocity>(plan, kept, work);
  for (Vector6& sigma : kept.multipliers) sigma.setZero();
  const Status status = fold_velocities(plan, work);
  add<Level::velocity>(plan, kept, work);
  return status;
}

}  // namespace arthron
