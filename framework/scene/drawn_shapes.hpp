#pragma once
#include <vector>

#include "arthron/model/model.hpp"

namespace arthron {

/// What is drawn for every body of the model, in the body's own frame.
///
/// What its file says, and what its forces show at their handles. Where the file says nothing, rods between the places where joints and
/// springs hold it; a body that is held nowhere, at one place or at many is the box of uniform density that has its inertia, with rods to
/// what lies outside.
[[nodiscard]] std::vector<std::vector<Shape>> drawn_shapes(const Model& model);

/// Places of a body, in its own frame, where joints and springs hold it and where forces show a shape; with only one of these, its markers
/// too.
[[nodiscard]] std::vector<std::vector<Vec3>> held_places(const Model& model);

/// Diagonal of the box around all that is drawn, at the drawn position [m]; never zero.
[[nodiscard]] double drawn_length(const Model& model);

}  // namespace arthron
