#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arthron/model/model.hpp"

/// Subsystems of a Model: what lies within them, what crosses their ports, and each as a model of its own.
namespace arthron {

/// Behind the last subsystem within `subsystem`, itself counted: they are numbered depth first.
[[nodiscard]] int subsystems_end(const Model& model, int subsystem);

/// Places [first, last) of the elements of subsystems [begin, end).
template <class Element>
std::pair<std::size_t, std::size_t> elements_within(const std::vector<Element>& elements, int begin, int end) {
  const auto before = [](int subsystem) { return [subsystem](const Element& element) { return element.subsystem < subsystem; }; };
  return {static_cast<std::size_t>(std::partition_point(elements.begin(), elements.end(), before(begin)) - elements.begin()),
          static_cast<std::size_t>(std::partition_point(elements.begin(), elements.end(), before(end)) - elements.begin())};
}

/// Ports between a file that names `port` and the body it means, in the order in which they are crossed; none for -1.
[[nodiscard]] std::vector<int> crossed_ports(const Model& model, int port);

/// The mount of `subsystem` by which something within it that is named by `port` leaves it; -1 when it does not.
[[nodiscard]] int mount_crossed(const Model& model, int port, int subsystem);

/// Moving bodies of `subsystem` that no joints within it tie to a ground or a mount: the first of each group that hangs together.
[[nodiscard]] std::vector<int> floating_bodies(const Model& model, int subsystem);

/// A subsystem as a model of its own, where it is drawn in the whole: its mounts are grounds that stand still, and so are its floating
/// bodies. Paths are those of its file. Signals stay connected.
struct Alone {
  Model model;
  std::vector<int> body;    // of the whole, per body of `model`; of a mount's ground what carries it
  std::vector<int> joint;   // the same of joints
  std::vector<int> mounts;  // per mount of the subsystem, in the order of its ports: its ground in `model`
  std::vector<int> floats;  // bodies of `model` that float
};
[[nodiscard]] Alone alone(const Model& whole, int subsystem);

/// The same model moved, turned or mirrored as a whole.
[[nodiscard]] BodyVelocity placed(BodyVelocity velocity, const Placement& placement);
[[nodiscard]] Model placed(Model model, const Placement& placement);

}  // namespace arthron
