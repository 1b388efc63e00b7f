#include "arthron/analysis/handle_equations.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/column.hpp"
#include "arthron/dynamics/dynamics.hpp"
#include "arthron/dynamics/observe.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

using std::size_t;

/// On a body of the open plan, at its O.
struct SubsystemHandles::Impulse {
  int body;
  Wide6 wrench;
};

/// In which something is excited or observed: a velocity of a ground, a place of a body, or the opening of a cut.
struct SubsystemHandles::Direction {
  enum class Kind { ground, place, cut } kind;
  int body, other;         // of the open plan; `other` is the parent of a cut
  Wide6 axis, axis_other;  // unit direction, of a place and a cut as a wrench at the O of each body
  double prescribed;       // opening rate of a driven cut
};

namespace {

Alone cut_at(Alone alone, const std::vector<int>& cuts) {
  for (size_t j = 0; j < alone.joint.size(); ++j)
    alone.model.joints[j].cut = std::find(cuts.begin(), cuts.end(), alone.joint[j]) != cuts.end();
  return alone;
}

/// Joints at which loops are cut that run from a mount to another ground.
std::vector<int> open_cuts(const Plan& plan, const std::vector<int>& mounts) {
  const auto is_mount = [&](int number) {
    return std::any_of(mounts.begin(), mounts.end(), [&](int m) { return plan.body_of[m] == number; });
  };
  std::vector<int> joints;
  for (size_t c = 0; c < static_cast<size_t>(plan.cuts); ++c) {
    const auto [a, b] = loop_ends(plan, plan.closures[c]);
    if (a != b && (is_mount(a) || is_mount(b))) joints.push_back(plan.closures[c].joint);
  }
  return joints;
}

/// The model without some of its joints; `kept` says which are left.
Model without(Model model, const std::vector<int>& joints, std::vector<int>& kept) {
  std::vector<Joint> left;
  std::vector<int> place(model.joints.size(), -1);
  for (size_t j = 0; j < model.joints.size(); ++j) {
    if (std::find(joints.begin(), joints.end(), static_cast<int>(j)) != joints.end()) continue;
    place[j] = static_cast<int>(left.size());
    kept.push_back(static_cast<int>(j));
    left.push_back(model.joints[j]);
  }
  model.joints = std::move(left);
  for (Coupling& coupling : model.couplings)
    for (Coupling::Term& term : coupling.terms) term.joint.value = place[term.joint.value];
  return model;
}

Wide6 unit(int i) {
  Vector6 e = Vector6::Zero();
  e[i] = 1;
  return spatial(e);
}

Wide6 at_point(const Workspace& work, int body, const Wide6& wrench, const Vec3& point) {
  return wrench_from(wrench, Wide3(point) - work.body[body].X_WB.p);
}

/// Inertia of a body of the Model at a point.
Matrix6 inertia_at(const Plan& plan, const Workspace& work, int body, const Wide3& point) {
  const size_t b = plan.body_of[body];
  const WideInertia M = rigid_inertia(plan.bodies[b].mass, work.body[b].first_moment, work.body[b].second_moment);
  return dense(inertia_from(M, work.body[b].X_WB.p - point));
}

/// No ground and no drive moves of itself.
void stop(const Plan& plan, Workspace& work) {
  for (size_t g = 0; g < static_cast<size_t>(plan.grounds); ++g) work.body[g].V = Wide6::zero();
  std::fill(work.u.begin(), work.u.end(), 0);
  if (work.closures)
    for (ClosureWork::Cut& cut : work.closures->cuts) cut.known = Wide6::zero();
}

/// Eliminates rows and columns [first, first + n), which belong to bodies that float: nothing outside gives them an impulse.
void eliminate(Eigen::MatrixXd& A, Eigen::VectorXd& c, Eigen::Index first, Eigen::Index n) {
  const Eigen::Index rest = A.rows() - n;
  std::vector<Eigen::Index> kept(rest), gone(n);
  for (Eigen::Index i = 0; i < rest; ++i) kept[i] = i < first ? i : i + n;
  for (Eigen::Index i = 0; i < n; ++i) gone[i] = first + i;
  const Eigen::LDLT<Eigen::MatrixXd> K(A(gone, gone));
  const Eigen::MatrixXd left = A(kept, gone);
  const Eigen::VectorXd constant = c(kept) - left * K.solve(c(gone));
  const Eigen::MatrixXd matrix = A(kept, kept) - left * K.solve(A(gone, kept));
  A = matrix, c = constant;
}

}  // namespace

SubsystemHandles::SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem, const std::vector<int>& cuts)
    : SubsystemHandles(whole, subsystem, cut_at(alone(*whole->model, subsystem), cuts)) {}

SubsystemHandles::SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem)
    : SubsystemHandles(whole, subsystem, alone(*whole->model, subsystem)) {}

SubsystemHandles::SubsystemHandles(std::shared_ptr<const Plan> whole, int subsystem, Alone part)
    : whole_(std::move(whole)), alone_(std::move(part)), closed_(compile(std::make_shared<const Model>(alone_.model))) {
  Model model = *closed_->model;
  for (size_t j = 0; j < model.joints.size(); ++j) {
    closed_joint_.push_back(static_cast<int>(j));
    model.joints[j].cut = closed_->joints[j].closure >= 0;  // the same cuts once more
  }
  const std::vector<int> cuts = open_cuts(*closed_, alone_.mounts);
  open_ = compile(std::make_shared<const Model>(without(std::move(model), cuts, open_joint_)));
  closed_work_ = make_workspace(*closed_), open_work_ = make_workspace(*open_);
  const Slice ports = members_of(*whole_->model, subsystem).ports;
  for (int p = ports.first; p < ports.last; ++p) {
    if (whole_->model->ports[p].subsystem != subsystem) break;  // a file's own ports come first
    const Port::Kind kind = whole_->model->ports[p].kind;
    if (kind == Port::Kind::mount) equations_.mounts.push_back(p);
    if (kind != Port::Kind::output) continue;
    equations_.outputs.push_back(p);
    outputs_.push_back(p - ports.first);
  }
  for (const int j : cuts) {
    cut_closures_.push_back(closed_->joints[j].closure);
    equations_.cuts.push_back(alone_.joint[j]);
    equations_.cut_rows.push_back(closed_->closures[cut_closures_.back()].rows);
  }
}

SubsystemHandles::~SubsystemHandles() = default;

/// Grounds where their bodies are in the whole, and the coordinates of all joints.
void SubsystemHandles::take_positions(const Plan& plan, const std::vector<int>& joints, const Workspace& from, Workspace& work) const {
  for (size_t b = 0; b < alone_.body.size(); ++b) {
    const int ground = plan.body_of[b];
    if (ground >= plan.grounds) continue;
    const BodyIndex body{alone_.body[b]};
    const Pose<double> moved = frame_pose(*whole_, from, body) * inverse(whole_->model->bodies[body.value].frame);
    work.body[ground].X_WB = moved * Pose<double>{Mat3::identity(), plan.ground[ground].origin};
    const Vec3 arm = static_cast<Vec3>(work.body[ground].X_WB.p) - frame_pose(*whole_, from, body).p;
    const bool known = plan.ground[ground].motion != nullptr;
    work.body[ground].V = known ? Wide6(velocity_at(frame_velocity(*whole_, from, body), arm)) : Wide6::zero();
  }
  for (size_t j = 0; j < plan.joints.size(); ++j) {
    const PlanJoint& there = whole_->joints[alone_.joint[joints[j]]];
    std::copy_n(from.q.data() + there.q, there.nq, work.q.data() + plan.joints[j].q);
  }
  const std::vector<double> q(work.q.begin(), work.q.begin() + plan.nq);
  kinematics_on_grounds(plan, from.t, q.data(), work);
  if (work.closures) closure_kinematics(plan, work);
}

/// Momenta of the joints that are in the tree here. Along joints that are cut here, but not in the whole, they act as impulses.
void SubsystemHandles::take_momenta(const Workspace& from) {
  const auto momentum = [&](size_t joint, int i) {
    const PlanJoint& there = whole_->joints[alone_.joint[joint]];
    return there.driven || there.closure >= 0 ? 0 : from.p[there.u + i];
  };
  momenta_.assign(open_->nu, 0);
  for (size_t j = 0; j < open_->joints.size(); ++j) {
    const PlanJoint& joint = open_->joints[j];
    if (joint.closure >= 0 || joint.driven) continue;
    for (int i = 0; i < joint.nu; ++i) momenta_[joint.u + i] = momentum(static_cast<size_t>(open_joint_[j]), i);
  }
  known_.clear();
  for (size_t c = 0; c < static_cast<size_t>(closed_->cuts); ++c) {
    const PlanClosure& closure = closed_->closures[c];
    const Columns6& dual = closed_work_->closures->freedoms[c].dual;
    Vector6 wrench = Vector6::Zero();
    for (Eigen::Index i = 0; i < dual.cols(); ++i) wrench += momentum(closure.joint, static_cast<int>(i)) * dual.col(i);
    const Vec3 point = joint_point(*closed_, *closed_work_, {closure.joint});
    known_.push_back({in_open(closure.child), at_point(*open_work_, in_open(closure.child), spatial(wrench), point)});
    known_.push_back({in_open(closure.parent), at_point(*open_work_, in_open(closure.parent), spatial(-wrench), point)});
  }
}

int SubsystemHandles::in_open(int closed_body) const {
  const auto place = std::find(closed_->body_of.begin(), closed_->body_of.end(), closed_body) - closed_->body_of.begin();
  return open_->body_of[place];
}

/// Velocities of the open plan that answer to what the workspace prescribes, to momenta and to impulses on bodies.
Status SubsystemHandles::respond(const std::vector<double>& p, const std::vector<Impulse>& impulses) {
  Workspace& work = *open_work_;
  const size_t grounds = open_->grounds;
  std::copy(p.begin(), p.end(), work.p.begin());
  from_ground_.assign(grounds, Wide6::zero());
  // An impulse on a body acts on every joint between it and its ground, which gives as much less.
  for (const Impulse& impulse : impulses) {
    size_t b = impulse.body;
    Wide6 wrench = impulse.wrench;
    for (; b >= grounds; b = static_cast<size_t>(open_->bodies[b].parent)) {
      const PlanBody& body = open_->bodies[b];
      for (size_t c = body.u; !body.driven && c < static_cast<size_t>(body.u + body.columns); ++c)
        work.p[c] += dot(work.column[c].H, wrench);
      wrench = wrench_from(wrench, work.body[b].arm);
    }
    from_ground_[b] -= wrench;
  }
  if (const Status status = fold_velocities(*open_, work); !status.ok()) return status;
  if (work.closures) closure_loads(*open_, work);
  momentum_rates(*open_, nullptr, work);
  for (size_t b = grounds; b < open_->bodies.size(); ++b)
    if (const size_t parent = open_->bodies[b].parent; parent < grounds)
      from_ground_[parent] += wrench_from(work.body[b].P, work.body[b].arm);
  if (work.closures)
    for (size_t g = 0; g < grounds; ++g) from_ground_[g] += work.closures->momentum[g];
  return {};
}

void SubsystemHandles::find_directions() {
  const Workspace& work = *open_work_;
  directions_.clear();
  for (const std::vector<int>* grounds : {&alone_.mounts, &alone_.floats})
    for (const int body : *grounds)
      for (int i = 0; i < 6; ++i) directions_.push_back({Direction::Kind::ground, open_->body_of[body], 0, unit(i), Wide6::zero(), 0});
  for (const int output : outputs_) {
    const PlanPort& port = open_->ports[output];
    const Pose<double> X_WB = work.body[port.body].X_WB;
    for (int i = 0; i < 6; ++i)
      directions_.push_back({Direction::Kind::place, port.body, 0, at_point(work, port.body, unit(i), X_WB * port.p_B), Wide6::zero(), 0});
  }
  for (const int c : cut_closures_) {
    const PlanClosure& closure = closed_->closures[c];
    const ClosureWork::Cut& cut = closed_work_->closures->cuts[c];
    const Vec3 point = joint_point(*closed_, *closed_work_, {closure.joint});
    const int child = in_open(closure.child), parent = in_open(closure.parent);
    for (size_t r = 0; r < static_cast<size_t>(closure.rows); ++r)
      directions_.push_back({Direction::Kind::cut, child, parent, at_point(work, child, cut.D[r], point),
                             at_point(work, parent, cut.D[r], point), dot(cut.D[r], cut.known)});
  }
}

/// Moves or pushes by one unit, with no momenta, where everything else is at rest.
Status SubsystemHandles::excite(const Direction& direction) {
  stop(*open_, *open_work_);
  std::vector<Impulse> impulses;
  if (direction.kind == Direction::Kind::ground)
    open_work_->body[direction.body].V = direction.axis;
  else
    impulses.push_back({direction.body, direction.axis});
  if (direction.kind == Direction::Kind::cut) impulses.push_back({direction.other, -1.0 * direction.axis_other});
  return respond(std::vector<double>(momenta_.size(), 0), impulses);
}

double SubsystemHandles::observed(const Direction& direction) const {
  if (direction.kind == Direction::Kind::ground) return dot(direction.axis, from_ground_[direction.body]);
  const double own = dot(direction.axis, open_work_->body[direction.body].V);
  if (direction.kind == Direction::Kind::place) return own;
  return own - dot(direction.axis_other, open_work_->body[direction.other].V);
}

Status SubsystemHandles::solve(const Workspace& from) {
  Workspace& work = *open_work_;
  take_positions(*closed_, closed_joint_, from, *closed_work_);
  for (BodyWork& body : closed_work_->body) body.V = Wide6::zero();
  measure_cuts(*closed_, *closed_work_);
  take_positions(*open_, open_joint_, from, work);
  take_momenta(from);
  find_directions();
  const Eigen::Index n = static_cast<Eigen::Index>(directions_.size());
  Eigen::MatrixXd A(n, n);
  Eigen::VectorXd c(n);
  if (const Status status = respond(momenta_, known_); !status.ok()) return status;
  for (Eigen::Index i = 0; i < n; ++i) c[i] = observed(directions_[i]) - directions_[i].prescribed;

  for (Eigen::Index j = 0; j < n; ++j) {
    if (const Status status = excite(directions_[j]); !status.ok()) return status;
    for (Eigen::Index i = 0; i < n; ++i) A(i, j) = observed(directions_[i]);
  }

  const Eigen::Index first = 6 * static_cast<Eigen::Index>(alone_.mounts.size());
  for (size_t f = 0; f < alone_.floats.size(); ++f) {
    const Eigen::Index at = first + 6 * static_cast<Eigen::Index>(f);
    const size_t body = alone_.floats[f];
    A.block<6, 6>(at, at) += inertia_at(*whole_, from, alone_.body[body], work.body[open_->body_of[body]].X_WB.p);
  }
  if (!alone_.floats.empty()) eliminate(A, c, first, 6 * static_cast<Eigen::Index>(alone_.floats.size()));
  equations_.constant.assign(c.data(), c.data() + c.size());
  equations_.matrix.resize(A.size());
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(equations_.matrix.data(), A.rows(), A.cols()) = A;
  return {};
}

}  // namespace arthron
