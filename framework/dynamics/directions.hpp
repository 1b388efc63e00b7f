#pragma once
#include "arthron/dynamics/dense6.hpp"

namespace arthron {

/// From the free directions H of a joint: H_dual = H (H^T H)^-1 and the orthonormal constrained directions D, D^T H = 0.
void split_directions(const Columns6& H, Columns6& H_dual, Columns6& D);

/// How far the columns are from depending on one another: the least length that Gram and Schmidt leave of a column, over the longest
/// column, or over 1 where all are shorter.
[[nodiscard]] double independence(const Columns6& H);

}  // namespace arthron
