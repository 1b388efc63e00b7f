#pragma once
#include "arthron/simulation/channels.hpp"

/// Components that several quantities have, and how they are written out.
namespace arthron {

inline void put(const Vec3& v, double* out) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
inline void put(const Spatial6& v, double* out) { put(v.linear, out), put(v.angular, out + 3); }

inline std::vector<Quantity::Component> xyz(std::string_view unit) { return {{"x", unit}, {"y", unit}, {"z", unit}}; }
inline std::vector<Quantity::Component> wrench_components() {
  return {{"force.x", "N"}, {"force.y", "N"}, {"force.z", "N"}, {"moment.x", "N m"}, {"moment.y", "N m"}, {"moment.z", "N m"}};
}

}  // namespace arthron
