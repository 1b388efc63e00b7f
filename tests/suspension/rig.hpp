#pragma once
#include <nlohmann/json.hpp>

#include "arthron/spatial/vector3.hpp"
#include "arthron/suspension/sweep.hpp"
#include "support/folder.hpp"
#include "support/loaded.hpp"

namespace arthron::test {

inline SuspensionRig rig_of(const Folder& folder, const nlohmann::ordered_json& corner) {
  return SuspensionRig(folder.write("corner.json", corner.dump()), builtins());
}

/// The row at the drawn position, which every sweep has in its middle.
inline const SweepRow& drawn(const KinematicSweep& sweep) { return sweep.rows.at(sweep.rows.size() / 2); }

inline Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

}  // namespace arthron::test
