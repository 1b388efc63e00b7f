#pragma once
#include <nlohmann/json_fwd.hpp>

#include "arthron/scene/frame.hpp"

namespace arthron {

/// What pages that draw a model need to know of it besides its frames, as docs/view.md describes it: hierarchy, shapes, joints, forces,
/// markers, channels, tunable parameters. Of a simulation that has been observed at its first frame. Throws ModelError for a mesh that
/// cannot be read.
[[nodiscard]] nlohmann::ordered_json scene_json(const Simulation& simulation, const std::vector<ChannelColumn>& columns);

}  // namespace arthron
