#pragma once
#include <Eigen/Dense>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arthron/component/registry.hpp"

/// Random mechanisms, and what must hold for every one of them. Written against the documentation of the program alone: nothing here
/// knows how motions are computed.
namespace arthron::test {

using Json = nlohmann::ordered_json;
using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

/// amplitude sin(rate t + phase), as time functions are drawn; their own value is needed to balance forces.
struct Wave {
  double amplitude = 0, rate = 0, phase = 0;
  [[nodiscard]] double operator()(double t) const { return amplitude * std::sin(rate * t + phase); }
  [[nodiscard]] Json json() const;
};

/// A mechanism as a model file, with what its checks have to know.
struct Mechanism {
  unsigned seed = 0;
  Json model;
  double until = 0.1;                                // [s]
  bool floating = false;                             // nothing but the free joint of one body touches the ground
  bool conservative = true;                          // nothing adds or takes energy
  bool light = false;                                // some bodies weigh a billionth to a millionth of the others
  std::map<std::string, std::array<Wave, 6>> waves;  // force and torque of every applied force
};

/// The same mechanism for the same seed. Joint types are taken from the registry.
[[nodiscard]] Mechanism draw_mechanism(const Registry& types, unsigned seed);

[[nodiscard]] inline Json json_of(const Vector& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline Vector vector_of(const Json& v) { return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()}; }

/// Bodies by number, -1 for the ground.
[[nodiscard]] int body_number(const Mechanism& mechanism, const Json& name);

/// True for joints that are part of a loop: without them all bodies are still joined.
[[nodiscard]] std::vector<bool> joints_in_loops(const Json& model);

}  // namespace arthron::test
