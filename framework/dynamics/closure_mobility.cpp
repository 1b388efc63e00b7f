#include "arthron/dynamics/closure_mobility.hpp"

#include <cmath>
#include <limits>

#include "arthron/core/diagnostic.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/group_lanes.hpp"
#include "arthron/dynamics/group_work.hpp"
#include "arthron/dynamics/uneven_loops.hpp"

namespace arthron {

namespace {

using std::size_t;

/// A column that moves the cut in its constrained directions by less than this part of all its motion there does not move it: drawings are
/// no more exact. The same part as for singular values among the rows of one closure (closure_blocks.cpp).
constexpr double not_moved = 1e-5;
/// What is left of a trace when other closures took all of it.
constexpr double trace_rounding = 1e-13;

struct FreeColumn {
  Wide6 H;  // at O
  double d_inverse;
};

/// A column of a body that is computed in a SIMD group.
FreeColumn grouped_column(const Plan& plan, int body, int column, const Workspace& work) {
  using namespace simd_group;
  for (size_t t = 0; t < plan.groups.size(); ++t)
    for (const GroupBody& of : plan.groups[t].bodies)
      for (int lane = 0; lane < plan.groups[t].branches; ++lane) {
        if (of.body[at(lane)] != body) continue;
        const LaneColumnWork& from = work.groups[t]->column[at(of.column + column)];
        Spatial6 H;
        get_lane(&from.H, lane, &H, 1);
        return {H, from.d_inverse[lane]};
      }
  throw InternalError("a body of a SIMD group is in one of them");
}

/// What the free columns between both sides of a cut do to its constrained directions.
struct Mobility {
  bool moved = false;  // by one of them, beyond what drawings are exact to
  double sum = 0;      // of (D . V)^2 / d over columns and rows: the size of what cancels where Gamma is small
};

void add_columns(const Plan& plan, int number, Wide3 point, size_t c, const Workspace& work, Mobility& found) {
  const PlanBody& body = plan.bodies[number];
  if (body.driven) return;
  const ClosureWork::Cut& cut = work.closures->cuts[c];
  const double scale = work.closures->scale[c];
  const bool grouped = body.grouped && is_grouped(work, plan.part_of_body[number]);
  const Wide3 arm = point - work.body[number].X_WB.p;
  for (int k = 0; k < body.columns; ++k) {
    const ColumnWork& single = work.column[body.u + k];
    const FreeColumn column = grouped ? grouped_column(plan, number, k, work) : FreeColumn{single.H, single.d_inverse};
    const Wide6 V = velocity_at(column.H, arm);
    double along = 0;
    for (int r = 0; r < plan.closures[c].rows; ++r) along += std::pow(dot(cut.D[r], V), 2);
    const double all = dot(V.linear, V.linear) + scale * scale * dot(V.angular, V.angular);
    found.moved = found.moved || along > not_moved * not_moved * all;
    found.sum += along * column.d_inverse;
  }
}

}  // namespace

double length_scale(const Plan& plan, const PlanClosure& closure) {
  double mass = 0, moment = 0;
  for (const int b : {closure.parent, closure.child}) {
    if (b < plan.grounds) continue;
    const PlanBody& body = plan.bodies[b];
    mass += body.mass, moment += (body.second_moment.xx + body.second_moment.yy + body.second_moment.zz) / 3;
  }
  return mass > 0 && moment > 0 ? std::sqrt(moment / mass) : 1;
}

double mobility_of_free_bodies(const Plan& plan, const PlanClosure& closure, double scale, std::span<const double> factor) {
  double sum = 0;
  for (const bool child : {false, true}) {
    const int b = child ? closure.child : closure.parent;
    if (b < plan.grounds) continue;
    const PlanBody& body = plan.bodies[b];
    if (body.mass == 0) return std::numeric_limits<double>::infinity();
    // Of the moments about the centre of mass, their mean will do.
    const Vec3 com = (1 / body.mass) * body.first_moment, at = (child ? closure.X_CM : closure.X_PF).p;
    const double moment = (body.second_moment.xx + body.second_moment.yy + body.second_moment.zz - 2 * body.mass * dot(com, com)) / 3;
    const double of_body = 3 / body.mass + (2 * dot(at - com, at - com) + 3 * scale * scale) / moment;
    sum += factor.empty() ? of_body : of_body / factor[b];
  }
  return sum;
}

bool is_redundant(const Plan& plan, size_t c, double trace, const Workspace& work) {
  const PlanClosure& closure = plan.closures[c];
  if (closure.coupling >= 0) return false;
  const Wide3 point = work.body[closure.child].X_WB.p + work.closures->cuts[c].arm_child;
  // Inward from both sides, up to where they meet.
  Mobility found;
  for (int a = closure.child, b = closure.parent; a != b && (a >= plan.grounds || b >= plan.grounds);) {
    int& outer = a > b ? a : b;
    add_columns(plan, outer, point, c, work, found);
    outer = plan.bodies[outer].parent;
  }
  return !found.moved || trace < trace_rounding * found.sum;
}

bool clear_if_redundant(const Plan& plan, size_t c, const MultiplierSystem::Place& block, const Workspace& work) {
  const int rows = plan.closures[c].rows;
  const ClosureWork& closures = *work.closures;
  double trace = 0;
  for (int r = 0; r < rows; ++r) trace += block.values[r * (block.row_stride + block.column_stride)];
  const bool nothing = closures.uneven && closures.uneven->found ? closures.uneven->rows[c].rank == 0
                                                                 : adds_nothing(plan, c, trace, closures.free_mobility[c], work);
  if (!nothing) return false;
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < rows; ++s) block.values[r * block.row_stride + s * block.column_stride] = 0;
  return true;
}

}  // namespace arthron
