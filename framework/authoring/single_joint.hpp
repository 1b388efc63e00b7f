#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "arthron/authoring/random_keys.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/model/model.hpp"

namespace arthron {

/// A joint as a model has it, and what to say of where it is from.
struct JointInstance {
  std::string words;  // its keys, or its path in a model
  Joint joint;
};

/// A joint with the given keys between ground and a body, drawn at the origin. Throws ModelError.
[[nodiscard]] JointInstance joint_with_keys(const Registry& registry, nlohmann::ordered_json keys);

/// One joint in a batch of its own, in some state, seen from its parent or (reversed) from its child, as drawn or as a mirror image.
class SingleJoint {
 public:
  struct Position {
    Pose<double> X;
    std::array<Spatial6, 6> H;
  };
  using Coordinates = std::array<double, 8>;
  using Velocities = std::array<double, 6>;

  SingleJoint(const JointInstance& from, bool seen_from_child, bool mirror_image);

  /// A state within the joint's limits, or within one of its start.
  void go_to_random_state(RandomKeys& random);
  /// All user coordinates zero, or as the joint starts; velocities as they were.
  void go_to_start();

  [[nodiscard]] Position at(const Coordinates& coordinates) const;
  /// The coordinates after a motion with the present velocities.
  [[nodiscard]] Coordinates moved(double dt) const { return moved(q, dt, u); }
  [[nodiscard]] Coordinates moved(double dt, const Velocities& velocities) const { return moved(q, dt, velocities); }
  [[nodiscard]] Coordinates moved(const Coordinates& from, double dt, const Velocities& velocities) const;
  [[nodiscard]] std::array<Spatial6, 6> column_rates() const;
  [[nodiscard]] Velocities chart_of(const Coordinates& coordinates) const;
  [[nodiscard]] std::size_t nu() const { return static_cast<std::size_t>(type.nu()); }
  [[nodiscard]] std::size_t nq() const { return static_cast<std::size_t>(type.nq()); }
  /// "with {...} at q = [...], u = [...], seen from the child, as a mirror image"
  [[nodiscard]] std::string words() const;

  const JointInstance& instance;
  const JointType& type;
  const JointDefinition& definition;
  bool reversed, mirrored;
  std::unique_ptr<JointBatch> batch;
  Coordinates q{};
  Velocities u{};
};

/// "[0.1, -0.2]"
[[nodiscard]] std::string list_text(const double* numbers, std::size_t count);

}  // namespace arthron
