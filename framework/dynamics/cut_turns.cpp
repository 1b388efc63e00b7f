#include "arthron/dynamics/cut_turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/ground_state.hpp"

namespace arthron {

namespace {

using std::size_t;

/// What a search for a cut joint may be away from it, and a guess from where it was: together less than half a turn [rad].
constexpr double piece = 1.5;
/// Turning after which coordinates that are only looked at are found again [rad].
constexpr double far = 1;
/// A step with more pieces is none that anybody could have followed.
constexpr double most_pieces = 1e4;
/// A link has a direction and no turns to count: however far its ends slide, this much of its way finds it [rad].
constexpr double most_of_link = 100 * piece;

/// Bodies from b to the ground, the ground included.
std::vector<int> way_down(const Plan& plan, int b) {
  std::vector<int> bodies{b};
  while (bodies.back() >= plan.grounds) bodies.push_back(plan.bodies[bodies.back()].parent);
  return bodies;
}

double distance(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

CutTurns::CutTurns(const Plan& plan, Of of) : plan_(plan), of_(of), tree_(plan.nq_all) {
  for (int c = 0; c < plan.cuts; ++c) tree_ = std::min(tree_, plan.closures[c].q);
  for (size_t g = 0; g < plan.ground.size(); ++g)
    if (plan.ground[g].motion) moving_.push_back(static_cast<int>(g));
  for (int c = 0; c < plan.cuts; ++c) {
    const PlanClosure& closure = plan.closures[c];
    const bool needed = closure.tracked || !closure.gives_complement;
    if (closure.driven || needed != (of == Of::motion)) continue;
    const Joint& given = plan.model->joints[closure.joint];
    const JointType& type = given.definition->type();
    const std::optional<Vec3> link = type.link_end(*given.definition);
    Cut cut{static_cast<int>(c),        closure.q, type.nq(), closure.u, 1 + coordinates_, type.nq() == type.nu(), closure.tracked,
            link ? 1 / norm(*link) : 0, {},        {}};
    coordinates_ += cut.nq;
    find_ways(closure, cut);
    cuts_.push_back(cut);
  }
  target_.resize(tree_ + 6 * moving_.size());
  X_FM_.resize(plan.joints.size());
  H_F_.resize(plan.nu_all);
}

void CutTurns::find_ways(const PlanClosure& closure, Cut& cut) {
  std::vector<int> parent = way_down(plan_, closure.parent), child = way_down(plan_, closure.child);
  while (!parent.empty() && !child.empty() && parent.back() == child.back()) parent.pop_back(), child.pop_back();
  cut.ways.first = static_cast<int>(ways_.size()), cut.grounds.first = static_cast<int>(ground_ways_.size());
  for (const std::vector<int>* side : {&parent, &child})
    for (const int b : *side) {
      if (b < plan_.grounds) {
        const auto place = std::find(moving_.begin(), moving_.end(), b);
        if (place == moving_.end()) continue;
        ground_ways_.push_back(tree_ + 6 * static_cast<int>(place - moving_.begin()));
        prescribed_ = true;
        continue;
      }
      const PlanJoint& joint = plan_.joints[plan_.bodies[b].joint];
      if (joint.nq > 0) ways_.push_back({joint.q, joint.nq, joint.u, joint.nq == joint.nu});
      prescribed_ = prescribed_ || joint.driven;
    }
  cut.ways.last = static_cast<int>(ways_.size()), cut.grounds.last = static_cast<int>(ground_ways_.size());
}

size_t CutTurns::size() const { return cuts_.empty() ? 0 : others() + target_.size(); }

void CutTurns::find_target(double t, const double* q, Workspace& work) {
  std::copy_n(q, plan_.nq, target_.begin());
  if (!prescribed_) {
    std::copy(work.q.begin() + plan_.nq, work.q.begin() + tree_, target_.begin() + plan_.nq);
    return;
  }
  const Instant now{t, work.signals.data()};
  for (const int j : plan_.driven_joints) {
    const PlanJoint& joint = plan_.joints[j];
    if (joint.closure >= 0) continue;
    const Joint& given = plan_.model->joints[j];
    std::array<double, 6> chart{};
    for (size_t k = 0; k < given.motion.size(); ++k) chart[k] = given.motion[k].value(now);
    given.definition->type().from_chart(*given.definition, chart.data(), target_.data() + joint.q);
  }
  double* place = target_.data() + tree_;
  for (const int g : moving_)
    for (const Vec3& part : ground_coordinates(plan_.ground[g], now)) *place++ = part.x, *place++ = part.y, *place++ = part.z;
}

double CutTurns::turning(const Cut& cut, std::span<const double> memory, const Workspace& work) const {
  const double *const from = memory.data() + others(), *const to = target_.data();
  // A link turns as its ends slide, and as they are turned about what is as far away as the loop is large.
  const double turned = 1 + cut.per_length * work.closures->scale[cut.closure];
  double sum = 0;
  for (int w = cut.ways.first; w < cut.ways.last; ++w) {
    const Way& way = ways_[w];
    if (!way.plain) {
      sum += 2 * (turned + cut.per_length) * distance(from + way.q, to + way.q, way.nq);
      continue;
    }
    for (int i = 0; i < way.nq; ++i) {
      const Spatial6& H = work.H_F[way.u + i];
      const double slid = cut.per_length > 0 ? cut.per_length * norm(H.linear) : 0;
      sum += std::abs(to[way.q + i] - from[way.q + i]) * (turned * norm(H.angular) + slid);
    }
  }
  for (int g = cut.grounds.first; g < cut.grounds.last; ++g) {
    const int place = ground_ways_[g];
    sum += turned * distance(from + place + 3, to + place + 3, 3) + cut.per_length * distance(from + place, to + place, 3);
  }
  return cut.per_length > 0 ? std::fmin(sum, most_of_link) : sum;
}

/// Pieces of a way on which a joint turns by so much; one where that is no number.
static int pieces_of(double turning) { return turning > piece ? static_cast<int>(std::ceil(std::fmin(turning / piece, most_pieces))) : 1; }

int CutTurns::guess(double t, std::span<const double> memory, Workspace& work) const {
  double farthest = 0;
  for (const Cut& cut : cuts_) {
    farthest = std::fmax(farthest, turning(cut, memory, work));
    for (int i = 0; i < cut.nq; ++i) {
      const size_t place = cut.memory + i;
      double ahead = (t - memory[0]) * memory[place + coordinates_];
      // No farther than it can have turned without being followed.
      if (cut.plain)
        if (const double turns = norm(work.H_F[cut.u + i].angular); std::abs(ahead) * turns > piece)
          ahead = std::copysign(piece / turns, ahead);
      work.q[cut.q + i] = memory[place] + ahead;
    }
  }
  return pieces_of(farthest);
}

void CutTurns::place(std::span<const double> memory, double part, Workspace& work) {
  const double* const from = memory.data() + others();
  const auto at = [&](int i) { return from[i] + part * (target_[i] - from[i]); };
  for (int i = 0; i < tree_; ++i) work.q[i] = at(i);
  for (const auto& batch : plan_.joint_batches) {
    batch->normalise(batch->all(), work.q.data(), tree_);
    batch->position(batch->all(), work.q.data(), X_FM_.data(), H_F_.data());
  }
  for (size_t g = 0; g < plan_.ground.size(); ++g) work.body[g].X_WB = ground_pose(plan_.ground[g], {});
  for (size_t m = 0; m < moving_.size(); ++m) {
    const int i = tree_ + 6 * static_cast<int>(m);
    const size_t g = moving_[m];
    work.body[g].X_WB = ground_pose(plan_.ground[g], {Vec3{at(i), at(i + 1), at(i + 2)}, Vec3{at(i + 3), at(i + 4), at(i + 5)}});
  }
  for (size_t b = plan_.grounds; b < plan_.bodies.size(); ++b) {
    const PlanBody& body = plan_.bodies[b];
    const WidePose& X_WP = work.body[body.parent].X_WB;
    const Pose<double>& X_FM = X_FM_[body.joint];
    const WideMatrix3 R_WF = X_WP.R * body.R_PF;
    work.body[b].X_WB = {R_WF * X_FM.R, X_WP.p + X_WP.R * body.p_PF + R_WF * X_FM.p};
  }
}

void CutTurns::walk(std::span<const double> memory, int pieces, int count, Workspace& work) {
  for (const Cut& cut : cuts_) std::copy_n(memory.begin() + cut.memory, cut.nq, work.q.begin() + cut.q);
  for (int k = 1; k <= count; ++k) {
    place(memory, static_cast<double>(k) / pieces, work);
    locate_cuts(plan_, of_ == Of::looks, work);
  }
}

void CutTurns::store(double t, std::span<double> memory, const Workspace& work) const {
  const double elapsed = t - memory[0];
  memory[0] = t;
  for (const Cut& cut : cuts_)
    for (int i = 0; i < cut.nq; ++i) {
      const size_t place = cut.memory + i;
      const double reached = work.q[cut.q + i];
      if (cut.plain && of_ == Of::motion && elapsed > 0) memory[place + coordinates_] = (reached - memory[place]) / elapsed;
      memory[place] = reached;
    }
  std::copy(target_.begin(), target_.end(), memory.begin() + static_cast<std::ptrdiff_t>(others()));
}

void CutTurns::start(double t, std::span<double> memory, Workspace& work) {
  if (cuts_.empty()) return;
  std::fill(memory.begin(), memory.end(), 0.0);
  find_target(t, work.q.data(), work);
  memory[0] = t;
  store(t, memory, work);
  walk(memory, 1, 1, work);
  store(t, memory, work);
  if (of_ == Of::looks) return;
  for (const Cut& cut : cuts_)
    for (int i = 0; i < cut.nq; ++i) {
      const double rate = cut.tracked && cut.plain ? work.u[cut.u + i] : 0;
      memory[cut.memory + coordinates_ + i] = std::isfinite(rate) ? rate : 0;
    }
}

void CutTurns::lead(double t, const double* q, std::span<const double> memory, Workspace& work) {
  if (cuts_.empty()) return;
  find_target(t, q, work);
  if (const int pieces = guess(t, memory, work); pieces > 1) walk(memory, pieces, pieces - 1, work);
}

void CutTurns::keep(double t, const double* q, std::span<double> memory, Workspace& work) {
  if (cuts_.empty()) return;
  find_target(t, q, work);
  store(t, memory, work);
}

void CutTurns::follow(double t, const double* q, std::span<double> memory, Workspace& work) {
  if (cuts_.empty()) return;
  find_target(t, q, work);
  double farthest = 0;
  for (const Cut& cut : cuts_) farthest = std::fmax(farthest, turning(cut, memory, work));
  if (!(farthest > far)) return;
  const int pieces = pieces_of(farthest);
  walk(memory, pieces, pieces, work);
  store(t, memory, work);
}

}  // namespace arthron
