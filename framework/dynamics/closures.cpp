#include "arthron/dynamics/closures.hpp"

#include <limits>

#include "arthron/dynamics/closure_blocks.hpp"
#include "arthron/dynamics/closure_mobility.hpp"
#include "arthron/dynamics/compound.hpp"
#include "arthron/dynamics/modules.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

namespace {

using std::size_t;

Wide6 ground_motion(Level level, int ground, const Workspace& work) {
  return level == Level::velocity ? work.body[ground].V : work.A[ground];
}

/// What the ground that a body hangs on gives it, at its O.
Wide6 motion_on_ground(const Plan& plan, Level level, int body, const Workspace& work) {
  return velocity_at(ground_motion(level, plan.bodies[body].parent, work), work.body[body].arm);
}

/// The body's own sides: the joint pushes the child with D sigma, which its inboard joint need not carry, and the parent the other way.
void add_sides(const ClosureNode& node, const ClosureWork& closures, double* X) {
  const int stride = node.rows;
  for (const ClosureNode::Side& side : node.sides) {
    if (side.closure < 0) {  // an output
      for (int k = 0; k < 6; ++k) X[k * stride + side.row + k] += 1;
      continue;
    }
    const ClosureWork::Cut& cut = closures.cuts[side.closure];
    const Wide3& arm = side.child ? cut.arm_child : cut.arm_parent;
    const double sign = side.child ? -1 : 1;
    if (side.row % 4 == 0 && side.rows > 1) {
      for (int r = 0; r < side.rows; r += 4) {
        FourRows rows = rows_of(cut.D.data() + r, sign);
        rows.move(arm);
        add_rows(rows, first_lanes(4), X + side.row + r, stride);
      }
      continue;
    }
    for (int r = 0; r < side.rows; ++r) {
      const int row = side.row + r;
      add_rows(four_times(sign * wrench_from(cut.D[r], arm)), lane(row % 4), X + row / 4 * 4, stride);
    }
  }
}

}  // namespace

ClosureWork::ClosureWork(const Plan& plan) {
  const Wide6 none = Wide6::zero();
  for (const PlanClosure& closure : plan.closures) {
    Cut cut{};
    cut.D.fill(none), cut.known = cut.T = cut.T_rate = none, cut.sigma.setZero();
    if (closure.coupling >= 0) cut.D[0].linear = Wide3(Vec3{1, 0, 0});
    cuts.push_back(cut);
    scale.push_back(length_scale(plan, closure));
    free_mobility.push_back(mobility_of_free_bodies(plan, closure, scale.back()));
  }
  if (has_uneven_loops(plan)) uneven = std::make_unique<UnevenLoops>(plan);
  null.resize(cuts.size()), error.resize(cuts.size());
  X_FM.resize(cuts.size()), V_FM.resize(cuts.size()), gap_F.resize(cuts.size()), D_F.resize(6 * cuts.size()),
      Ddot_F.resize(6 * cuts.size());
  freedoms.resize(cuts.size());
  for (Freedoms& freedom : freedoms) freedom.dual_F.resize(6, 0), freedom.dual.resize(6, 0);
  step.assign(plan.nu_all, 0);
  momentum.assign(plan.bodies.size(), none), load.assign(plan.bodies.size(), none);
  const ClosureNode& last = plan.closure_nodes.back();
  const Lanes4 zeros{0, 0, 0, 0};  // between the rows too
  const size_t rows = static_cast<size_t>(last.place.row + last.rows) / 4 + 1;
  X.assign(6 * rows, zeros), g.assign(rows, zeros), sigma.assign(rows, zeros), d_inverse.assign(rows, zeros);
  y.assign(6 * static_cast<size_t>(last.place.open / 4 + last.open().width), zeros);
  gamma.assign(static_cast<size_t>(last.place.gamma + last.gamma_size) / 4 + 1, zeros);
  reference.assign(rows, zeros);
  for (const ClosureNode& node : plan.closure_nodes) {
    const ClosureNode::Place& at = node.place;
    const auto numbers = [](std::vector<Lanes4>& from, int first) { return reinterpret_cast<double*>(from.data() + first / 4); };
    nodes.push_back({numbers(X, 6 * at.row), numbers(g, at.row), numbers(sigma, at.row), numbers(d_inverse, at.row),
                     numbers(y, 6 * at.open), numbers(gamma, at.gamma), numbers(reference, at.row)});
  }
}

ClosureWork::~ClosureWork() = default;

/// Against what the rows that are complete at a node are small.
static void find_references(const Plan& plan, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work) {
  const ClosureWork& closures = *work.closures;
  const std::vector<double>& mobility = closures.uneven ? closures.uneven->free_mobility : closures.free_mobility;
  for (const ClosureNode::Block& block : node.closing())
    for (int i = block.closures.first; i < block.closures.last; ++i) {
      const Closure own = closure_of(node, block, here, i);
      double trace = 0;
      const double* diagonal = own.gamma + own.place;
      for (int r = 0; r < own.rows; ++r, diagonal += block.stride + 1) trace += *diagonal;
      const size_t c = node.closures[i];
      if (adds_nothing(plan, c, trace, mobility[c], work)) [[unlikely]]
        trace = std::numeric_limits<double>::infinity();
      for (int r = 0; r < own.rows; ++r) here.reference[own.first + r] = trace;
    }
}

/// Merges matrices of the nodes below with the body's own sides, and factors what is complete.
static void factor_node(const Plan& plan, int n, Workspace& work) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  const bool grounded = node.body < 0;
  const int stride = node.rows;
  clear(node.gamma_size / 4, here.gamma);
  if (!grounded) {
    clear(6 * stride / 4, here.X);
    add_sides(node, closures, here.X);
  }
  if (node.join >= 0) put_joined_rows(plan, node, here, work);
  // What the children pass on: X, and Gamma of every pair that is open there.
  for (const int child : node.passing_on()) {
    const ClosureNode& below = plan.closure_nodes[child];
    const ClosureWork::Node& from = closures.nodes[child];
    const int from_stride = below.open().stride;
    for (const ClosureNode::Entries& entries : below.upward_gamma) {
      const Mask4 mask = chosen_lanes(entries.lanes);
      const double* source = from.gamma + entries.from;
      double* sum = here.gamma + entries.to;
      for (int r = 0; r < entries.rows; ++r, source += from_stride, sum += entries.to_stride) lanes(sum) += masked(four_at(source), mask);
    }
    if (grounded) continue;
    const double* const X = from.X + below.first_open_row();
    for (const ClosureNode::Run& run : below.upward) {
      FourRows rows = rows_from(X + run.from, below.rows);
      if (!below.closes_branch_loops) rows.move(work.body[below.body].arm);
      add_rows(rows, chosen_lanes(run.lanes), here.X + run.to, stride);
    }
  }
  if (node.eliminated == 0) return;
  if (!(closures.uneven && closures.uneven->found)) find_references(plan, node, here, work);
  for (const ClosureNode::Block& block : node.closing()) eliminate_block(node, block, closures, here);
}

/// The same of right-hand sides.
static void find_constants(const Plan& plan, int n, Level level, Workspace& work) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  clear(node.rows / 4, here.g);
  const bool grounded = node.body < 0;
  const auto add = [](double* g, const Wide6* X, int rows, double factor, const Wide6& V) {
    if (dot(V, V) == 0) return;
    for (int r = 0; r < rows; ++r) g[r] += factor * dot(X[r], V);
  };
  for (size_t i = 0; i < static_cast<size_t>(node.eliminated); ++i) {
    const size_t c = node.closures[i];
    const PlanClosure& closure = plan.closures[c];
    const ClosureWork::Cut& cut = closures.cuts[c];
    double* const g = here.g + node.row[i];
    add(g, cut.D.data(), closure.rows, 1, cut.known);
    // A side that is a ground: its velocity is known.
    if (!grounded || closure.coupling >= 0) continue;
    if (closure.child < plan.grounds)
      add(g, cut.D.data(), closure.rows, -1, velocity_at(ground_motion(level, closure.child, work), cut.arm_child));
    if (closure.parent < plan.grounds)
      add(g, cut.D.data(), closure.rows, 1, velocity_at(ground_motion(level, closure.parent, work), cut.arm_parent));
  }
  if (node.join >= 0) put_joined_constants(plan, node, here, work);
  for (const int child : node.passing_on()) {
    const ClosureNode& below = plan.closure_nodes[child];
    const ClosureWork::Node& from = closures.nodes[child];
    const double *const g = from.g + below.first_open_row(), *const X = from.X + below.first_open_row();
    const Wide6 V = grounded && below.body >= 0 ? motion_on_ground(plan, level, below.body, work) : Wide6::zero();
    const bool moves = dot(V, V) != 0;
    for (const ClosureNode::Run& run : below.upward) {
      Lanes4 passed = four_at(g + run.from);
      if (moves) passed += dot(rows_from(X + run.from, below.rows), V);
      lanes(here.g + run.to) += masked(passed, chosen_lanes(run.lanes));
    }
  }
  if (node.eliminated == 0) return;
  // The eliminations of factor_node, repeated for g.
  for (const ClosureNode::Block& block : node.closing())
    for (int i = block.closures.first; i < block.closures.last; ++i) {
      const ClosureWork::Cut& cut = closures.cuts[node.closures[i]];
      const Closure own = closure_of(node, block, here, i);
      leave_null_space(closures.null[node.closures[i]], cut.rank, own.rows, here.g + own.first);
      for (int p = 0; p < cut.rank; ++p) {
        const int r = cut.pivot[p];
        const double sigma = here.d_inverse[own.first + r] * here.g[own.first + r];
        const double* const row = own.row(r);
        for_coupled(node, block, [&](int from, int to) { lanes(here.g + to) -= sigma * lanes(row + from); });
      }
    }
}

void close_inertia(const Plan& plan, int n, WideInertia& M, Workspace& work) {
  factor_node(plan, n, work);
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  if (node.eliminated > 0 && node.body >= 0) add_dyads(here.X, node.rows, here.d_inverse, node.first_open_row() / 4, M);
}

void close_node(const Plan& plan, int n, Level level, Compound& compound, Workspace& work) {
  factor_node(plan, n, work);
  find_constants(plan, n, level, work);
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  if (node.eliminated == 0 || node.body < 0) return;
  OpenRows complete;
  complete.X = here.X, complete.g = here.g, complete.s = here.sigma;
  complete.stride = node.rows, complete.width = node.first_open_row() / 4;
  close(complete, here.d_inverse, compound);
}

void take_open_multipliers(const Plan& plan, int n, Workspace& work) {
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = work.closures->nodes[n];
  double* const open = here.sigma + node.first_open_row();
  clear(node.open().width, open);
  if (node.parent < 0) return;
  const double* const found = work.closures->nodes[node.parent].sigma;
  for (const ClosureNode::Run& run : node.downward) lanes(open + run.to) += masked(four_at(found + run.from), chosen_lanes(run.lanes));
}

void open_node(const Plan& plan, int n, Workspace& work, const Wide6& V) {
  ClosureWork& closures = *work.closures;
  const ClosureNode& node = plan.closure_nodes[n];
  const ClosureWork::Node& here = closures.nodes[n];
  if (node.eliminated == 0) return;
  // Right-hand sides take the places of the multipliers until these are known.
  for (int i = 0; i < node.first_open_row() / 4; ++i) {
    lanes(here.sigma, i) = lanes(here.g, i);
    if (node.body >= 0) lanes(here.sigma, i) += dot_rows(here.X + 4 * i, node.rows, V);
  }
  for (size_t b = node.blocks.size() - 1; b-- > 0;) solve_block(node, node.blocks[b], closures, here);
}

}  // namespace arthron
