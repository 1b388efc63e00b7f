#pragma once
#include <cstdint>
#include <initializer_list>
#include <random>

namespace arthron::fuzz {

/// Choices that are the same on every machine for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : engine_(mixed(seed + mixed(stream + 1))) {}

  /// 0 to count - 1.
  [[nodiscard]] std::size_t pick(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  [[nodiscard]] bool chance(std::size_t percent) { return pick(100) < percent; }
  [[nodiscard]] std::size_t one_of(std::initializer_list<std::size_t> list) { return list.begin()[pick(list.size())]; }
  template <class List>
  [[nodiscard]] decltype(auto) one_of(List& list) {
    return list[pick(std::size(list))];
  }

 private:
  /// Splitmix64: neighbouring seeds give unrelated sequences.
  static std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }

  std::mt19937_64 engine_;
};

}  // namespace arthron::fuzz
