#include "arthron/dynamics/four_at.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace arthron;

// Under the undefined-behaviour sanitizer this tells of loads that count on more alignment than a number has.
TEST_CASE("four numbers are read and written wherever they begin") {
  alignas(32) std::array<double, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  for (int first = 0; first <= 4; ++first) {
    CAPTURE(first);
    const Lanes4 four = four_at(numbers.data() + first);
    for (int i = 0; i < 4; ++i) CHECK(four[i] == first + i);
    std::array<double, 8> copy{};
    put_four(four, copy.data() + first);
    for (int i = 0; i < 8; ++i) CHECK(copy[i] == (i < first || i > first + 3 ? 0 : i));
  }
}
