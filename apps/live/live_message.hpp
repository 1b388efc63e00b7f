#pragma once
#include <optional>
#include <string>

namespace arthron::cli {

/// What a client of a live run wants.
struct LiveWish {
  enum class Kind { pause, resume, speed, set, restart, stop };
  Kind kind = Kind::pause;
  std::string parameter{};
  double value = 0;  // of a parameter; of the speed, infinite for as fast as it can
};

inline constexpr double slowest = 0.01, fastest = 100;

/// Reads {"type":"set","parameter":"rate","value":4e4} and the like; otherwise says in `trouble` what is wrong with it.
[[nodiscard]] std::optional<LiveWish> read_wish(const std::string& text, std::string& trouble);

[[nodiscard]] std::string error_message(const std::string& words);

}  // namespace arthron::cli
