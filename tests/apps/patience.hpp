#pragma once
#include <chrono>
#include <functional>
#include <thread>

namespace arthron::test {

/// What a test waits for something that must come. A machine with other work, or a sanitizer, takes many times as long as one at rest.
inline constexpr std::chrono::seconds patience{60};

/// Waits until something is so.
inline bool comes_true(const std::function<bool()>& condition) {
  for (const auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return condition();
}

}  // namespace arthron::test
