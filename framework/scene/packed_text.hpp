#pragma once
#include <string>
#include <string_view>

namespace arthron {

/// The bytes as text (base64).
[[nodiscard]] std::string base64(std::string_view bytes);
/// The bytes compressed (gzip) and written as text (base64).
[[nodiscard]] std::string packed_text(std::string_view bytes);
/// Back again; false when the text is damaged or holds more than `most` bytes.
[[nodiscard]] bool unpack_text(std::string_view text, std::size_t most, std::string& bytes);

}  // namespace arthron
