#pragma once
#include "arthron/dynamics/dense6.hpp"

namespace arthron {

/// From the free directions H of a joint: H_dual = H (H^T H)^-1 and the orthonormal constrained directions D, D^T H = 0.
void split_directions(const Columns6& H, Columns6& H_dual, Columns6& D);

}  // namespace arthron
