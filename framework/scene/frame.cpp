#include "arthron/scene/frame.hpp"

#include <bit>

#include "arthron/simulation/quaternion.hpp"

namespace arthron {

namespace {

using std::size_t;

void append(const Spatial6& wrench, std::vector<float>& numbers) {
  for (const Vec3& v : {wrench.linear, wrench.angular})
    for (const double x : {v.x, v.y, v.z}) numbers.push_back(static_cast<float>(x));
}

template <class Number>
void append_bytes(const std::vector<Number>& numbers, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

}  // namespace

void read_frame(const Simulation& simulation, std::span<const double> row, Frame& frame) {
  static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");
  const Plan& plan = simulation.plan();
  const Workspace& work = simulation.workspace();
  const Model& model = simulation.model();
  frame.t = simulation.state().t;
  frame.channels.assign(row.begin(), row.end());
  frame.poses.clear();
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const bool fixed = plan.body_of[b] < 0;
    const Pose<double> X = fixed ? model.bodies[b].frame : frame_pose(plan, work, BodyIndex{b});
    for (const double x : {X.p.x, X.p.y, X.p.z}) frame.poses.push_back(static_cast<float>(x));
    for (const double x : quaternion(X.R)) frame.poses.push_back(static_cast<float>(x));
  }
  frame.loads.clear();
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) append(joint_reaction(plan, work, JointIndex{j}), frame.loads);
  for (const PlanForce& force : plan.forces)
    for (int h = force.handles.first; h < force.handles.last; ++h) append(work.wrenches[h], frame.loads);
}

std::string frame_bytes(const Frame& frame) {
  std::string bytes(reinterpret_cast<const char*>(&frame.t), sizeof frame.t);
  append_bytes(frame.channels, bytes);
  append_bytes(frame.poses, bytes);
  append_bytes(frame.loads, bytes);
  return bytes;
}

}  // namespace arthron
