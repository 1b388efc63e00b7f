#pragma once

namespace arthron::test {

/// Allocations of the test program so far, where one of its files includes allocations.hpp.
inline long allocations = 0;

}  // namespace arthron::test
