#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/allocation_count.hpp"

/// Counts every allocation of the test program. Include in one file of a test executable.
namespace arthron::test {

inline void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                                                       : std::malloc(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}
}  // namespace arthron::test

void* operator new(std::size_t size) { return arthron::test::counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return arthron::test::counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++arthron::test::allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
