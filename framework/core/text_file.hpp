#pragma once
#include <cstdint>
#include <string>

namespace arthron {

/// No model, study or list is larger.
constexpr std::uintmax_t largest_text = std::uintmax_t{1} << 28;
/// Tables and recordings may be.
constexpr std::uintmax_t largest_result = std::uintmax_t{1} << 34;

/// All that is in a regular file or a pipe. Devices are not read, for they may have no end, nor more than `most` bytes. Where there is no
/// text to give, `trouble` says what is there instead: "no such file", "a directory".
[[nodiscard]] std::string read_text(const std::string& file, std::string& trouble, std::uintmax_t most = largest_text);

}  // namespace arthron
