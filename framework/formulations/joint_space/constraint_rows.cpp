#include "arthron/formulations/joint_space/constraint_rows.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Bodies between some bodies and the grounds, in falling order.
std::vector<int> bodies_below(const Plan& plan, const std::vector<int>& tips) {
  std::set<int, std::greater<>> bodies;
  for (int b : tips)
    for (; b >= plan.grounds && bodies.insert(b).second;) b = plan.bodies[b].parent;
  return {bodies.begin(), bodies.end()};
}

}  // namespace

ConstraintRows::ConstraintRows(const Plan& plan) {
  size_t longest = 0;
  for (const PlanClosure& closure : plan.closures) {
    add_path(plan, closure);
    longest = std::max(longest, paths_.back().steps.size() * closure.rows);
  }
  X_.assign(longest, Wide6::zero());
  std::fill(y_.begin(), y_.end(), std::numeric_limits<double>::quiet_NaN());
}

void ConstraintRows::add_path(const Plan& plan, const PlanClosure& closure) {
  std::vector<int> tips;
  const bool coupling = closure.coupling >= 0;
  const std::vector<Coupling::Term> none;
  const std::vector<Coupling::Term>& terms = coupling ? plan.model->couplings[closure.coupling].terms : none;
  if (!coupling) tips = {closure.parent, closure.child};
  for (const Coupling::Term& term : terms)
    if (const PlanJoint& joint = plan.joints[term.joint.value]; !joint.driven) tips.push_back(joint.body);

  Path path;
  const std::vector<int> bodies = bodies_below(plan, tips);
  const auto step_of = [&](int body) {
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), body, std::greater<>());
    return found == bodies.end() || *found != body ? -1 : static_cast<int>(found - bodies.begin());
  };
  for (const int b : bodies) {
    const PlanBody& body = plan.bodies[b];
    path.steps.push_back({b, step_of(body.parent), static_cast<int>(y_.size())});
    y_.resize(y_.size() + closure.rows * free_columns(body));
  }
  if (!coupling)
    for (const bool child : {true, false})
      if (const int step = step_of(child ? closure.child : closure.parent); step >= 0) path.sides.push_back({step, child});
  for (const Coupling::Term& term : terms)
    if (const PlanJoint& joint = plan.joints[term.joint.value]; !joint.driven)
      path.terms.push_back({step_of(joint.body), term.freedom, term.coefficient});
  paths_.push_back(std::move(path));
  first_row_.push_back(first_row_.back() + closure.rows);
}

std::vector<std::pair<int, int>> ConstraintRows::coupled(const Plan& plan) const {
  std::vector<std::vector<int>> through(plan.bodies.size());
  for (size_t c = 0; c < paths_.size(); ++c)
    for (const Step& step : paths_[c].steps)
      if (free_columns(plan.bodies[step.body]) > 0) through[step.body].push_back(static_cast<int>(c));
  std::set<std::pair<int, int>> pairs;
  for (const std::vector<int>& closures : std::set<std::vector<int>>(through.begin(), through.end()))
    for (size_t i = 0; i < closures.size(); ++i)
      for (size_t j = i + 1; j < closures.size(); ++j) pairs.emplace(closures[i], closures[j]);
  return {pairs.begin(), pairs.end()};
}

void ConstraintRows::propagate(const Plan& plan, const Workspace& work) {
  for (size_t c = 0; c < paths_.size(); ++c) {
    const Path& path = paths_[c];
    const int rows = plan.closures[c].rows;
    const ClosureWork::Cut& cut = work.closures->cuts[c];
    const auto arriving = [&](int step) { return X_.data() + step * rows; };
    std::fill_n(X_.begin(), path.steps.size() * rows, Wide6::zero());
    for (const Side& side : path.sides)
      for (int r = 0; r < rows; ++r) {
        const Wide6& D = cut.D[r];
        if (side.child)
          arriving(side.step)[r] += wrench_from(D, cut.arm_child);
        else
          arriving(side.step)[r] -= wrench_from(D, cut.arm_parent);
      }
    for (size_t s = 0; s < path.steps.size(); ++s) {
      const Step& step = path.steps[s];
      const PlanBody& body = plan.bodies[step.body];
      Wide6* const X = arriving(static_cast<int>(s));
      for (int column = free_columns(body); column-- > 0;) {
        const size_t i = body.u + column;
        double* const y = y_.data() + step.y + column * rows;
        for (int r = 0; r < rows; ++r) y[r] = column_dot(work.column[i].H, X[r], plan.shapes[i]);
        for (const Term& term : path.terms)
          if (term.step == static_cast<int>(s) && term.column == column) y[0] += term.coefficient;
        for (int r = 0; r < rows; ++r) X[r] -= (work.column[i].d_inverse * y[r]) * work.column[i].U;
      }
      if (step.into < 0) continue;
      for (int r = 0; r < rows; ++r) arriving(step.into)[r] += wrench_from(X[r], work.body[step.body].arm);
    }
  }
}

void ConstraintRows::add_block(const Plan& plan, const Workspace& work, int r, int s, double* block, int row_stride,
                               int column_stride) const {
  const std::vector<Step>&left = paths_[r].steps, &right = paths_[s].steps;
  const int left_rows = rows(r), right_rows = rows(s);
  for (size_t a = 0, b = 0; a < left.size() && b < right.size();) {
    if (left[a].body != right[b].body) {
      left[a].body > right[b].body ? ++a : ++b;
      continue;
    }
    const PlanBody& body = plan.bodies[left[a].body];
    for (int column = 0; column < free_columns(body); ++column) {
      const double d_inverse = work.column[body.u + column].d_inverse;
      const double *y_left = y_.data() + left[a].y + column * left_rows, *y_right = y_.data() + right[b].y + column * right_rows;
      for (int i = 0; i < left_rows; ++i) {
        const double scaled = d_inverse * y_left[i];
        for (int j = 0; j < right_rows; ++j) block[i * row_stride + j * column_stride] += scaled * y_right[j];
      }
    }
    ++a, ++b;
  }
}

void ConstraintRows::add_answers(const Plan& plan, const Workspace& work, const double* lambda, double* rates) const {
  for (size_t c = 0; c < paths_.size(); ++c, lambda += plan.closures[c - 1].rows) {
    const int rows = plan.closures[c].rows;
    for (const Step& step : paths_[c].steps) {
      const PlanBody& body = plan.bodies[step.body];
      const double* y = y_.data() + step.y;
      for (int i = body.u; i < body.u + free_columns(body); ++i, y += rows)
        for (int r = 0; r < rows; ++r) rates[i] += work.column[i].d_inverse * y[r] * lambda[r];
    }
  }
}

}  // namespace arthron
