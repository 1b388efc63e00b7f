#pragma once
#include "arthron/spatial/wide.hpp"

/// Four numbers that lie one behind the other and begin anywhere, in one register.
namespace arthron {

/// A struct, for Clang takes no alignment off the type of a vector.
struct [[gnu::packed, gnu::aligned(alignof(double)), gnu::may_alias]] Loose4 {
  Lanes4 v;
};

[[gnu::always_inline]] inline Lanes4 four_at(const double* at) { return reinterpret_cast<const Loose4*>(at)->v; }
[[gnu::always_inline]] inline void put_four(Lanes4 four, double* at) { reinterpret_cast<Loose4*>(at)->v = four; }

}  // namespace arthron
