#include "arthron/dynamics/chains.hpp"

#include <limits>

namespace arthron {

namespace {

using std::size_t;

constexpr int width = 2;  // registers of six rows
using Rows6 = Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>, 0, Eigen::OuterStride<4 * width>>;

template <class Registers>
auto* numbers(Registers& registers) {
  return reinterpret_cast<std::conditional_t<std::is_const_v<Registers>, const double, double>*>(registers.data());
}
template <class Registers>
auto six(Registers& registers) {
  return Eigen::Map<std::conditional_t<std::is_const_v<Registers>, const Vector6, Vector6>>(numbers(registers));
}

/// The compound that a part is by itself: its matrices, and its right-hand sides.
void read_matrices(const Plan& plan, int number, Workspace& work) {
  if (number >= shared_part(plan)) return;
  Segment& compound = work.chains->compound[number];
  const ChainWork::Part& own = work.chains->part[number];
  compound.M = dense(work.part[number].M);
  if (compound.has_tip) compound.X = Rows6(numbers(own.X)), compound.gamma = Rows6(numbers(own.gamma));
}

void read_biases(const Plan& plan, int number, Workspace& work) {
  if (number >= shared_part(plan)) return;
  Segment& compound = work.chains->compound[number];
  const ChainWork::Part& own = work.chains->part[number];
  compound.b = dense(work.part[number].bias);
  if (compound.has_tip) compound.g = six(own.g) + six(own.g_known);
}

/// The part that a compound ends with: it has a handle there when it carries another one.
int outermost(const Plan& plan, int compound) {
  while (compound >= shared_part(plan)) compound = plan.joins[compound - shared_part(plan)].far;
  return compound;
}

ChainWork::Joined& compound_of(int number, Workspace& work) { return work.chains->compound[number]; }

/// Momentum that the far compound of a join takes up on a parent at rest, beside what is assumed at the near one's tip.
Vector6 taken_at_rest(const Plan& plan, const SegmentJoin& join, Workspace& work) {
  return compound_of(join.far, work).b - work.chains->part[outermost(plan, join.near)].assumed;
}

void part_compound(const Plan& plan, int number, Workspace& work) {
  if (number >= shared_part(plan)) return;
  ChainWork::Part& own = work.chains->part[number];
  const ChainWork::Joined& compound = compound_of(number, work);
  own.V = spatial(compound.V), six(own.s) = compound.s;
}

}  // namespace

ChainWork::ChainWork(const Plan& plan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix6 nan66 = Matrix6::Constant(nan);
  const Vector6 nan6 = Vector6::Constant(nan);
  const Wide6 none = Spatial6{{nan, nan, nan}, {nan, nan, nan}};
  // Rows are padded with zeros.
  const ChainWork::Part empty{Pose<double>{}, none, none, {}, {}, {}, {}, nan6, {}};
  part.assign(plan.parts.size(), empty);
  compound.assign(part.size() - 1 + plan.joins.size(), {{nan66, nan66, nan66, nan6, nan6}, nan66, nan6, nan6});
  for (int p = 0; p < shared_part(plan); ++p) compound[p].has_tip = arthron::part(plan, p).tip >= 0;
  y.assign(plan.nu_all, {});
  off_chain.assign(plan.bodies.size(), none);
}

OpenRows tip_rows(const PlanBody& body, int number, Workspace& work) {
  ChainWork::Part& own = work.chains->part[number];
  return {numbers(own.X),
          4 * width,
          6,
          width,
          numbers(own.gamma),
          numbers(own.g),
          numbers(own.g_known),
          numbers(own.s),
          reinterpret_cast<double*>(work.chains->y.data() + body.u),
          {}};
}

void begin_tip(const OpenRows& rows) {
  clear(6 * rows.width, rows.X), clear(rows.count * rows.width, rows.gamma), clear(rows.width, rows.g), clear(rows.width, rows.g_known);
  for (int r = 0; r < rows.count; ++r) rows.X[r * rows.stride + r] = 1;
}

void end_chain(const PlanPart& part, int number, const Wide6& along, Workspace& work) {
  ChainWork::Part& own = work.chains->part[number];
  own.assumed.setZero();
  if (part.carrier < 0) return;
  own.off_chain = work.part[number].bias;
  work.part[number].bias += along;
}

void refold_chain(const Plan& plan, int number, const std::vector<double>& efforts, Workspace& work) {
  const PlanPart& part = arthron::part(plan, number);
  ChainWork::Part& own = work.chains->part[number];
  own.assumed = six(own.s);
  own.g = {};
  Wide6 along = spatial(own.assumed);
  for (int b = part.tip; part.bodies.holds(b); b = plan.bodies[b].parent) {
    const PlanBody& body = plan.bodies[b];
    Wide6 bias = work.chains->off_chain[b] + along;
    for (int c = body.u + body.columns - 1; c >= body.u && !body.driven; --c) {
      ColumnWork& column = work.column[c];
      if (work.held[c])
        bias += column.u_at_rest * column.U;
      else
        release_bias(efforts[c], plan.shapes[c], column, bias);
      add_row(column.u_at_rest, numbers(work.chains->y[c]), width, numbers(own.g));
    }
    along = wrench_from(bias, work.body[b].arm);
  }
  if (part.carrier >= 0) work.part[number].bias = own.off_chain + along;
}

void join_compounds(const Plan& plan, int number, Workspace& work) {
  const SegmentJoin& join = plan.joins[number];
  for (const int half : {join.near, join.far}) read_matrices(plan, half, work);
  ChainWork::Joined& both = compound_of(shared_part(plan) + number, work);
  arthron::join(compound_of(join.near, work), compound_of(join.far, work), both, both.N);
  join_biases(plan, number, work);
}

void join_biases(const Plan& plan, int number, Workspace& work) {
  const SegmentJoin& join = plan.joins[number];
  for (const int half : {join.near, join.far}) read_biases(plan, half, work);
  ChainWork::Joined& both = compound_of(shared_part(plan) + number, work);
  join_biases(compound_of(join.near, work), compound_of(join.far, work), both.N, taken_at_rest(plan, join, work), both);
}

void part_compounds(const Plan& plan, int number, Workspace& work) {
  const SegmentJoin& join = plan.joins[number];
  ChainWork::Joined &near = compound_of(join.near, work), &far = compound_of(join.far, work);
  const ChainWork::Joined& both = compound_of(shared_part(plan) + number, work);
  far.s = both.s;
  Vector6 taken = taken_at_rest(plan, join, work);
  if (far.has_tip) taken.noalias() += far.X * far.s;
  near.V = both.V;
  far.V = velocity_between(near, both.N, taken, near.V);
  near.s = far.M * far.V + taken;
  part_compound(plan, join.near, work), part_compound(plan, join.far, work);
}

void close_chain(const Plan& plan, int number, Workspace& work) {
  const SegmentChain& chain = plan.chains[number];
  const ChainWork::Joined& all = compound_of(shared_part(plan) + chain.joins.last - 1, work);
  PartWork& first = work.part[chain.parts.front()];
  first.bias = spatial(all.b);
  first.M = wide(all.M);
}

void open_chain(const Plan& plan, int number, const Wide6& V, Workspace& work) {
  const SegmentChain& chain = plan.chains[number];
  ChainWork::Joined& all = compound_of(shared_part(plan) + chain.joins.last - 1, work);
  all.V = dense(V);
  all.s.setZero();
}

}  // namespace arthron
