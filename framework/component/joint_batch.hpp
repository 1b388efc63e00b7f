#pragma once
#include <algorithm>
#include <span>
#include <utility>

#include "arthron/component/author_code.hpp"
#include "arthron/component/joint_chart.hpp"
#include "arthron/component/lane_joint_batch.hpp"

/// The template that turns an author's joint struct into what the kernel and the loader call. Built-ins and plug-ins share it.
namespace arthron {

template <class J>
constexpr bool gives_complement_of() {
  return requires(const J& joint, const Pose<double>& X, const Spatial6& V, Spatial6* D) {
    joint.complement(X, D);
    joint.complement_rate(X, V, D);
    joint.gap(X);
  };
}

template <class J>
constexpr bool holds_length_of() {
  if constexpr (requires { J::holds_length; }) {
    static_assert(!J::holds_length || (J::nu == 5 && gives_complement_of<J>() && requires(const J& joint) { joint.link_end(); }),
                  "a joint that holds a length gives the end of its link, its complement, and five freedoms");
    return J::holds_length;
  }
  return false;
}

template <class J>
class JointBatchOf final : public JointBatch {
 public:
  void add(const JointDefinition& definition, const JointSlot& slot) override {
    items_.push_back({static_cast<const JointDefinitionOf<J>&>(definition).joint(), slot});
    if (slot.reversed) varies_ = varies_ || J::nu > 0;
  }

  [[nodiscard]] int size() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] bool varies() const override { return varies_; }

  void constants(Pose<double>* X, Spatial6* H) const override {
    for (const Item& item : items_) {
      X[item.slot.joint] = {};
      if constexpr (constant_subspace_of<J>()) ask(item, [&] { item.constant_subspace(H + item.slot.u); });
    }
  }

  void position(Slice joints, const double* q, Pose<double>* X, Spatial6* H) const override {
    for (const Item& item : some(joints)) ask(item, [&] { item.position(q + item.slot.q, X[item.slot.joint], H + item.slot.u); });
  }

  void rate(Slice joints, const double* q, const double* u, Spatial6* Hdot) const override {
    for (const Item& item : some(joints)) ask(item, [&] { item.rate(q + item.slot.q, u + item.slot.u, Hdot + item.slot.u); });
  }

  void coordinate_rate(Slice joints, const double* q, const double* u, double* qdot) const override {
    for (const Item& item : some(joints)) ask(item, [&] { item.coordinate_rate(q + item.slot.q, u + item.slot.u, qdot + item.slot.q); });
  }

  void normalise([[maybe_unused]] Slice joints, [[maybe_unused]] double* q, [[maybe_unused]] int count) const override {
    if constexpr (requires(const J& joint) { joint.normalise(q); })
      for (const Item& item : some(joints))
        if (item.slot.q < count) ask(item, [&] { item.joint.normalise(q + item.slot.q); });
  }

  [[nodiscard]] bool gives_complement() const override { return gives_complement_of<J>(); }
  [[nodiscard]] bool holds_length() const override { return holds_length_of<J>(); }

  void complement([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] Spatial6* D) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        ask(item, [&] { item.joint.complement(item.own(X[item.slot.cut]), D + 6 * item.slot.cut); });
        item.turn_slides_of(D + 6 * item.slot.cut, 6 - J::nu);
      }
  }

  void complement_rate([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] const Spatial6* V,
                       [[maybe_unused]] Spatial6* Ddot) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        Spatial6 velocity = V[item.slot.cut];
        item.turn_slides_of(&velocity, 1);
        ask(item, [&] { item.joint.complement_rate(item.own(X[item.slot.cut]), velocity, Ddot + 6 * item.slot.cut); });
        item.turn_slides_of(Ddot + 6 * item.slot.cut, 6 - J::nu);
      }
  }

  void gap([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] Spatial6* gap) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        gap[item.slot.cut] = ask(item, [&] { return item.joint.gap(item.own(X[item.slot.cut])); });
        item.turn_slides_of(gap + item.slot.cut, 1);
      }
  }

 private:
  using Item = PlacedJoint<J>;

  template <class Call>
  static decltype(auto) ask(const Item& item, const Call& call) {
    return ask_joint(J::type, item.slot.joint, call);
  }

  [[nodiscard]] std::span<const Item> some(Slice joints) const {
    return {items_.data() + joints.first, static_cast<std::size_t>(joints.size())};
  }

  std::vector<Item> items_;
  bool varies_ = !constant_subspace_of<J>();
};

template <class J>
class JointTypeOf final : public JointType {
 public:
  [[nodiscard]] std::string_view name() const override { return J::type; }
  [[nodiscard]] int nq() const override { return J::nq; }
  [[nodiscard]] int nu() const override { return J::nu; }
  [[nodiscard]] ColumnShape shape(int column) const override { return column_shape_of<J>(column); }
  [[nodiscard]] bool steady() const override { return constant_subspace_of<J>() && JointMotion<J>::plain_coordinates; }
  [[nodiscard]] std::string_view unit(int column) const override {
    if constexpr (requires { J::units; }) return J::units[column];
    return shape(column) == ColumnShape::translation ? "m" : "rad";
  }
  [[nodiscard]] std::string_view example() const override {
    if constexpr (requires { J::example; }) return J::example;
    return {};
  }
  [[nodiscard]] std::shared_ptr<const JointDefinition> parse(const JsonReader& in) const override {
    return std::make_shared<JointDefinitionOf<J>>(J::parse(in), shared_from_this());
  }
  [[nodiscard]] std::unique_ptr<JointBatch> make_batch() const override { return std::make_unique<JointBatchOf<J>>(); }
  [[nodiscard]] std::unique_ptr<LaneJointBatch> make_lane_batch() const override { return std::make_unique<LaneJointBatchOf<J>>(); }

  [[nodiscard]] std::optional<Vec3> link_end(const JointDefinition& definition) const override {
    if constexpr (requires(const J& j) { j.link_end(); })
      return ask_joint(J::type, -1, [&] { return joint(definition).link_end(); });
    else
      return (void)definition, std::nullopt;
  }
  [[nodiscard]] bool holds_length() const override { return holds_length_of<J>(); }
  [[nodiscard]] Pose<double> drawn_pose(const JointDefinition& definition) const override {
    std::array<double, JointMotion<J>::nq> q{};
    JointChart<J>::from(joint(definition), std::array<double, JointMotion<J>::nu>{}.data(), q.data());
    return joint(definition).pose(static_cast<const double*>(q.data()));
  }
  void from_chart(const JointDefinition& definition, const double* chart, double* q) const override {
    ask([&] { JointChart<J>::from(joint(definition), chart, q); });
  }
  void to_chart(const JointDefinition& definition, const double* q, double* chart) const override {
    ask([&] { JointChart<J>::to(joint(definition), q, chart); });
  }
  void chart_motion(const JointDefinition& definition, const TimeFunction::Sample* chart, double* u, double* udot) const override {
    ask([&] { JointChart<J>::motion(joint(definition), chart, u, udot); });
  }
  void chart_rate(const JointDefinition& definition, const double* q, const double* u, double* rate) const override {
    ask([&] { JointChart<J>::rate(joint(definition), q, u, rate); });
  }
  void chart_effort(const JointDefinition& definition, const double* q, const double* force, double* effort) const override {
    ask([&] { JointChart<J>::effort(joint(definition), q, force, effort); });
  }

 private:
  /// Of a joint that is not known here.
  template <class Call>
  static void ask(const Call& call) {
    ask_joint(J::type, -1, call);
  }
  static const J& joint(const JointDefinition& definition) { return static_cast<const JointDefinitionOf<J>&>(definition).joint(); }
};

}  // namespace arthron
