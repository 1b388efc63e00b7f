#pragma once

namespace arthron {

/// Elements [first, last) of a list.
struct Slice {
  int first = 0, last = 0;
  [[nodiscard]] int size() const { return last - first; }
  [[nodiscard]] bool holds(int element) const { return element >= first && element < last; }
};

}  // namespace arthron
