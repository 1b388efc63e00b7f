#pragma once
#include <compare>

namespace arthron {

/// Position of an element in the Model's arrays; `Index<struct BodyTag>` and `Index<struct JointTag>` do not mix.
template <class Tag>
struct Index {
  int value = -1;
  friend auto operator<=>(const Index&, const Index&) = default;
  [[nodiscard]] bool valid() const { return value >= 0; }
};

using BodyIndex = Index<struct BodyTag>;
using JointIndex = Index<struct JointTag>;

}  // namespace arthron
