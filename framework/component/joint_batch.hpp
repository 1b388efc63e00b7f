#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "arthron/component/joint.hpp"

/// The template that turns an author's joint struct into what the kernel and the loader call. Built-ins and plug-ins share it.
namespace arthron {

template <class J>
constexpr bool constant_subspace_of() {
  if constexpr (requires { J::constant_subspace; }) return J::constant_subspace;
  return J::nu == 0;
}

template <class J>
constexpr ColumnShape column_shape_of(int column) {
  if constexpr (requires { J::shapes; }) return J::shapes[static_cast<std::size_t>(column)];
  return ColumnShape::general;
}

template <class J>
constexpr bool gives_complement_of() {
  return requires(const J& joint, const Pose<double>& X, const Spatial6& V, Spatial6* D) {
    joint.complement(X, D);
    joint.complement_rate(X, V, D);
    joint.gap(X);
  };
}

template <class J>
class JointDefinitionOf final : public JointDefinition {
 public:
  JointDefinitionOf(J joint, std::shared_ptr<const JointType> type) : joint_(std::move(joint)), type_(std::move(type)) {}
  [[nodiscard]] const JointType& type() const override { return *type_; }
  [[nodiscard]] const J& joint() const { return joint_; }

 private:
  J joint_;
  std::shared_ptr<const JointType> type_;
};

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
      if constexpr (constant_subspace_of<J>()) subspace(item, nullptr, H + item.slot.u);
    }
  }

  void position(Slice joints, const double* q, Pose<double>* X, Spatial6* H) const override {
    for (const Item& item : some(joints)) {
      const double* qj = q + item.slot.q;
      X[item.slot.joint] = pose(item, qj);
      if constexpr (!constant_subspace_of<J>()) subspace(item, qj, H + item.slot.u);
      if (item.slot.reversed) reverse_position(item, qj, X[item.slot.joint], H + item.slot.u);
    }
  }

  void rate(Slice joints, const double* q, const double* u, Spatial6* Hdot) const override {
    for (const Item& item : some(joints)) {
      const double *qj = q + item.slot.q, *uj = u + item.slot.u;
      Spatial6* rates = Hdot + item.slot.u;
      own_rate(item, qj, uj, rates);
      if (item.slot.reversed) reverse_rate(item, qj, uj, rates);
    }
  }

  void coordinate_rate(Slice joints, const double* q, const double* u, double* qdot) const override {
    for (const Item& item : some(joints)) {
      const double *qj = q + item.slot.q, *uj = u + item.slot.u;
      if constexpr (requires { item.joint.coordinate_rate(qj, uj, qdot); })
        item.joint.coordinate_rate(qj, uj, qdot + item.slot.q);
      else
        std::copy_n(uj, J::nu, qdot + item.slot.q);
    }
  }

  void normalise([[maybe_unused]] Slice joints, [[maybe_unused]] double* q, [[maybe_unused]] int count) const override {
    if constexpr (requires(const J& joint) { joint.normalise(q); })
      for (const Item& item : some(joints))
        if (item.slot.q < count) item.joint.normalise(q + item.slot.q);
  }

  [[nodiscard]] bool gives_complement() const override { return gives_complement_of<J>(); }

  void complement([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] Spatial6* D) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        item.joint.complement(own(item, X[item.slot.cut]), D + 6 * item.slot.cut);
        turn_slides_of(item, D + 6 * item.slot.cut, 6 - J::nu);
      }
  }

  void complement_rate([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] const Spatial6* V,
                       [[maybe_unused]] Spatial6* Ddot) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        Spatial6 velocity = V[item.slot.cut];
        turn_slides_of(item, &velocity, 1);
        item.joint.complement_rate(own(item, X[item.slot.cut]), velocity, Ddot + 6 * item.slot.cut);
        turn_slides_of(item, Ddot + 6 * item.slot.cut, 6 - J::nu);
      }
  }

  void gap([[maybe_unused]] Slice joints, [[maybe_unused]] const Pose<double>* X, [[maybe_unused]] Spatial6* gap) const override {
    if constexpr (gives_complement_of<J>())
      for (const Item& item : some(joints)) {
        if (item.slot.cut < 0) continue;
        gap[item.slot.cut] = item.joint.gap(own(item, X[item.slot.cut]));
        turn_slides_of(item, gap + item.slot.cut, 1);
      }
  }

 private:
  struct Item {
    J joint;
    JointSlot slot;
  };

  [[nodiscard]] std::span<const Item> some(Slice joints) const {
    return {items_.data() + joints.first, static_cast<std::size_t>(joints.size())};
  }

  /// The pose as the joint's author sees it.
  static Pose<double> own(const Item& item, Pose<double> X) {
    if (item.slot.mirrored) X.p = -X.p;
    return X;
  }

  static Pose<double> pose(const Item& item, const double* q) { return own(item, item.joint.pose(q)); }

  static void subspace(const Item& item, const double* q, Spatial6* H) {
    item.joint.subspace(q, H);
    turn_slides_of(item, H, J::nu);
  }

  static void own_rate(const Item& item, const double* q, const double* u, Spatial6* Hdot) {
    if constexpr (constant_subspace_of<J>()) {
      std::fill_n(Hdot, J::nu, Spatial6{});
    } else {
      item.joint.subspace_rate(q, u, Hdot);
      turn_slides_of(item, Hdot, J::nu);
    }
  }

  static void turn_slides_of(const Item& item, Spatial6* columns, int count) {
    if (!item.slot.mirrored) return;
    for (int i = 0; i < count; ++i) columns[i].linear = -columns[i].linear;
  }

  /// X' = X^-1 and, with h' the velocity of F in M at F's origin in M axes: h'_ang = -R^T h_ang, h'_lin = -R^T (h_lin - h_ang x p).
  static void reverse_position(const Item& item, const double* q, Pose<double>& X, Spatial6* H) {
    if constexpr (constant_subspace_of<J>()) subspace(item, q, H);
    for (int i = 0; i < J::nu; ++i)
      H[i] = {-transposed_times(X.R, H[i].linear - cross(H[i].angular, X.p)), -transposed_times(X.R, H[i].angular)};
    X = inverse(X);
  }

  /// Time derivative of the columns of reverse_position, with d(R^T)/dt = -R^T w~ and dp/dt = v.
  static void reverse_rate(const Item& item, const double* q, const double* u, Spatial6* Hdot) {
    const Pose<double> X = pose(item, q);
    std::array<Spatial6, static_cast<std::size_t>(std::max(J::nu, 1))> H;
    subspace(item, q, H.data());
    Spatial6 V;
    for (int i = 0; i < J::nu; ++i) V += u[i] * H[static_cast<std::size_t>(i)];
    for (int i = 0; i < J::nu; ++i) {
      const Spatial6 &h = H[static_cast<std::size_t>(i)], hdot = Hdot[i];
      const Vec3 arm = h.linear - cross(h.angular, X.p);
      const Vec3 arm_rate = hdot.linear - cross(hdot.angular, X.p) - cross(h.angular, V.linear);
      Hdot[i] = {transposed_times(X.R, cross(V.angular, arm) - arm_rate),
                 transposed_times(X.R, cross(V.angular, h.angular) - hdot.angular)};
    }
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
  [[nodiscard]] std::shared_ptr<const JointDefinition> parse(const JsonReader& in) const override {
    return std::make_shared<JointDefinitionOf<J>>(J::parse(in), shared_from_this());
  }
  [[nodiscard]] std::unique_ptr<JointBatch> make_batch() const override { return std::make_unique<JointBatchOf<J>>(); }

  void from_chart(const JointDefinition& definition, const double* chart, double* q) const override {
    if constexpr (J::nq != J::nu)
      joint(definition).from_chart(chart, q);
    else
      std::copy_n(chart, J::nu, q);
  }
  void to_chart(const JointDefinition& definition, const double* q, double* chart) const override {
    if constexpr (J::nq != J::nu)
      joint(definition).to_chart(q, chart);
    else
      std::copy_n(q, J::nu, chart);
  }
  void chart_motion(const JointDefinition& definition, const TimeFunction::Sample* chart, double* u, double* udot) const override {
    if constexpr (J::nq != J::nu) {
      joint(definition).chart_motion(chart, u, udot);
    } else {
      for (int i = 0; i < J::nu; ++i) u[i] = chart[i].rate, udot[i] = chart[i].acceleration;
    }
  }
  void chart_rate(const JointDefinition& definition, const double* q, const double* u, double* rate) const override {
    if constexpr (J::nq != J::nu)
      joint(definition).chart_rate(q, u, rate);
    else
      std::copy_n(u, J::nu, rate);
  }
  void chart_effort(const JointDefinition& definition, const double* q, const double* force, double* effort) const override {
    if constexpr (J::nq != J::nu) {
      std::array<double, 6> unit{}, rate{};
      for (std::size_t i = 0; i < static_cast<std::size_t>(J::nu); ++i) {
        unit = {}, unit[i] = 1;
        joint(definition).chart_rate(q, unit.data(), rate.data());
        effort[i] = std::inner_product(rate.begin(), rate.begin() + J::nu, force, 0.0);
      }
    } else {
      std::copy_n(force, J::nu, effort);
    }
  }

 private:
  static const J& joint(const JointDefinition& definition) { return static_cast<const JointDefinitionOf<J>&>(definition).joint(); }
};

}  // namespace arthron
