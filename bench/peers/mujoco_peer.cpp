#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "peer.hpp"

namespace arthron::peers {

namespace {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  std::array<char, 512> text{};
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text.data(), text.size(), pattern, arguments);
  va_end(arguments);
  return text.data();
}

std::string text(const Vector& v) { return format("\"%.17g %.17g %.17g\"", v[0], v[1], v[2]); }

/// A mechanism in MuJoCo's language. Its XML reader refuses depths of 100 elements, so that deeper trees go on in included files.
class Writer {
 public:
  Writer(const Mechanism& mechanism, bool one_ball) : mechanism_(mechanism), one_ball_(one_ball), children_(mechanism.links.size() + 1) {
    for (std::size_t i = 0; i < mechanism.links.size(); ++i) children_[place(mechanism.links[i].parent)].push_back(static_cast<int>(i));
  }

  /// Texts of the files; the first is the model.
  std::vector<std::string> write() {
    files_.emplace_back();
    std::string& head = files_[0];
    head = "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>";
    // Constraints as stiff as they may be: the impedance at its bound, the time constant two steps.
    head += "<option timestep=\"0.001\" gravity=" + text(mechanism_.gravity) + "/>";
    head += "<default><equality solref=\"0.002 1\" solimp=\"0.9999 0.9999 0.001\"/></default>";
    head += format("<size njmax=\"%zu\"/>", 6 * mechanism_.loops.size() + mechanism_.gears.size());
    std::string world;
    for (const int child : children_[place(Link::ground)]) world += body(child, 3);
    const std::string rods = tendons(), loops = equalities();
    files_[0] += "<worldbody>" + sites_of(Link::ground) + world + "</worldbody>" + rods + loops + "</mujoco>";
    return files_;
  }
  static std::string file_name(std::size_t i) { return i == 0 ? "model.xml" : format("part%zu.xml", i); }

 private:
  static constexpr int deepest = 80;

  static std::size_t place(int link) { return static_cast<std::size_t>(link + 1); }

  std::string body(int i, int depth) {
    const Link& link = mechanism_.link(i);
    std::string result = format("<body name=\"b%d\" pos=", i) + text(mechanism_.in_link(link.parent, link.at)) + ">";
    if (link.joint == JointKind::free)
      result += format("<freejoint name=\"j%d\"/>", i);
    else if (link.joint == JointKind::spherical)
      result += format("<joint name=\"j%d\" type=\"ball\"/>", i);
    else
      result += format("<joint name=\"j%d\" type=\"%s\" axis=", i, link.joint == JointKind::revolute ? "hinge" : "slide") +
                text(link.axis) + "/>";
    const auto& I = link.inertia;
    result += format("<inertial mass=\"%.17g\" fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\" pos=", link.mass, I[0], I[1], I[2], I[3],
                     I[4], I[5]) +
              text(link.com - link.at) + "/>" + sites_of(i);
    for (const int child : children_[place(i)]) result += depth < deepest ? body(child, depth + 1) : included(child);
    return result + "</body>";
  }

  std::string included(int i) {
    const std::size_t number = files_.size();
    files_.emplace_back();
    const std::string content = "<mujocoinclude>" + body(i, 2) + "</mujocoinclude>";
    files_[number] = content;
    return "<include file=\"" + file_name(number) + "\"/>";
  }

  /// Ends of rods.
  [[nodiscard]] std::string sites_of(int link) const {
    std::string result;
    for (std::size_t k = 0; k < mechanism_.loops.size(); ++k) {
      const LoopJoint& loop = mechanism_.loops[k];
      if (loop.joint != JointKind::distance) continue;
      if (loop.a == link) result += format("<site name=\"a%zu\" pos=", k) + text(mechanism_.in_link(link, loop.at_a)) + "/>";
      if (loop.b == link) result += format("<site name=\"b%zu\" pos=", k) + text(mechanism_.in_link(link, loop.at_b)) + "/>";
    }
    return result;
  }

  [[nodiscard]] std::string tendons() const {
    std::string result;
    for (std::size_t k = 0; k < mechanism_.loops.size(); ++k)
      if (mechanism_.loops[k].joint == JointKind::distance)
        result += format("<spatial name=\"t%zu\"><site site=\"a%zu\"/><site site=\"b%zu\"/></spatial>", k, k, k);
    return result.empty() ? result : "<tendon>" + result + "</tendon>";
  }

  [[nodiscard]] std::string connect(const LoopJoint& loop, const Vector& point) const {
    const int first = loop.a == Link::ground ? loop.b : loop.a, second = loop.a == Link::ground ? loop.a : loop.b;
    std::string result = format("<connect body1=\"b%d\"", first);
    if (second != Link::ground) result += format(" body2=\"b%d\"", second);
    return result + " anchor=" + text(mechanism_.in_link(first, point)) + "/>";
  }

  [[nodiscard]] std::string equalities() const {
    std::string result;
    for (std::size_t k = 0; k < mechanism_.loops.size(); ++k) {
      const LoopJoint& loop = mechanism_.loops[k];
      if (loop.joint == JointKind::distance) {
        result += format("<tendon tendon1=\"t%zu\"/>", k);
      } else if (loop.joint == JointKind::spherical || (one_ball_ && loop.joint == JointKind::revolute)) {
        result += connect(loop, loop.at_a);
      } else if (loop.joint == JointKind::revolute) {
        // A hinge is two balls on its axis.
        result += connect(loop, along(loop.at_a, -0.5, loop.axis)) + connect(loop, along(loop.at_a, 0.5, loop.axis));
      } else {
        throw std::runtime_error("no such loop in MuJoCo");
      }
    }
    for (const Gear& gear : mechanism_.gears)
      result += format("<joint joint1=\"j%d\" joint2=\"j%d\" polycoef=\"0 %.17g 0 0 0\"/>", gear.driven, gear.driver, gear.ratio);
    return result.empty() ? result : "<equality>" + result + "</equality>";
  }

  const Mechanism& mechanism_;
  bool one_ball_;
  std::vector<std::vector<int>> children_;  // of the ground first
  std::vector<std::string> files_;
};

mjModel* load(const std::vector<std::string>& files) {
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = Writer::file_name(i);
    mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(files[i].size()));
    std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], files[i].data(), files[i].size());
  }
  std::array<char, 1000> error{};
  mjModel* const model = mj_loadXML("model.xml", vfs.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(vfs.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
  return model;
}

class MujocoPeer final : public Peer {
 public:
  MujocoPeer(const Mechanism& mechanism, bool one_ball)
      : mechanism_(mechanism), one_ball_(one_ball), model_(load(Writer(mechanism, one_ball).write())), data_(mj_makeData(model_.get())) {
    model_->opt.disableflags |=
        mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_CLAMPCTRL | mjDSBL_ACTUATION | mjDSBL_SENSOR;
    if (mechanism.loops.empty()) model_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_EQUALITY;
  }

  [[nodiscard]] std::string name() const override { return one_ball_ ? "MuJoCo (one ball)" : "MuJoCo"; }
  /// The mass matrix of a chain of n hinges has a condition that grows with n^4, and as many digits are lost when it is factored.
  [[nodiscard]] double accuracy(std::size_t bodies) const override { return std::max(1e-9, 2e-16 * std::pow(bodies, 4)); }
  [[nodiscard]] bool soft_loops() const override { return true; }

  void add(const Motion& motion) override {
    qpos_.resize(qpos_.size() + static_cast<std::size_t>(model_->nq));
    qvel_.resize(qvel_.size() + static_cast<std::size_t>(model_->nv));
    double* const q = qpos_.data() + qpos_.size() - static_cast<std::size_t>(model_->nq);
    double* const u = qvel_.data() + qvel_.size() - static_cast<std::size_t>(model_->nv);
    // MuJoCo numbers bodies and joints depth first, as our planner does not: the coordinates are found by name.
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, format("j%zu", i).c_str());
      set(mechanism_.links[i], motion[i], q + model_->jnt_qposadr[joint], u + model_->jnt_dofadr[joint]);
    }
  }

  void evaluate(std::size_t state) override {
    mju_copy(data_->qpos, qpos_.data() + state * static_cast<std::size_t>(model_->nq), model_->nq);
    mju_copy(data_->qvel, qvel_.data() + state * static_cast<std::size_t>(model_->nv), model_->nv);
    mj_forward(model_.get(), data_.get());
  }

  [[nodiscard]] std::vector<Acceleration> accelerations() override {
    mj_rnePostConstraint(model_.get(), data_.get());
    std::vector<Acceleration> result;
    for (std::size_t i = 0; i < mechanism_.links.size(); ++i) {
      std::array<double, 6> a{};
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, format("b%zu", i).c_str());
      mj_objectAcceleration(model_.get(), data_.get(), mjOBJ_XBODY, body, a.data(), 0);
      // As an accelerometer has it: gravity is an acceleration of the world.
      result.push_back({along({a[3], a[4], a[5]}, 1, mechanism_.gravity), {a[0], a[1], a[2]}});
    }
    return result;
  }

 private:
  /// Coordinates and velocities of a link's joint.
  void set(const Link& link, const LinkMotion& motion, double* q, double* u) const {
    const Matrix& R = motion.R_PB;
    std::array<double, 4> turn{};
    Vector w_B{};
    mju_mat2Quat(turn.data(), R.data());
    mju_rotVecMatT(w_B.data(), motion.w_PB.data(), R.data());
    switch (link.joint) {
      case JointKind::revolute:
        q[0] = std::atan2(product(link.axis, {R[7] - R[5], R[2] - R[6], R[3] - R[1]}), R[0] + R[4] + R[8] - 1);
        u[0] = product(link.axis, motion.w_PB);
        break;
      case JointKind::prismatic:
        q[0] = product(link.axis, motion.p_PB - mechanism_.in_link(link.parent, link.at));
        u[0] = product(link.axis, motion.v_PB);
        break;
      case JointKind::spherical:
        mju_copy4(q, turn.data());
        mju_copy3(u, w_B.data());
        break;
      case JointKind::free:
        mju_copy3(q, motion.p_PB.data());
        mju_copy4(q + 3, turn.data());
        mju_copy3(u, motion.v_PB.data());
        mju_copy3(u + 3, w_B.data());
        break;
      case JointKind::distance: throw std::runtime_error("no such joint in MuJoCo");
    }
  }

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  Mechanism mechanism_;
  bool one_ball_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<double> qpos_, qvel_;  // state by state
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const Mechanism& mechanism, bool one_ball) { return std::make_unique<MujocoPeer>(mechanism, one_ball); }

}  // namespace arthron::peers
