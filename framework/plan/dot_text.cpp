#include "arthron/plan/dot_text.hpp"

namespace arthron {
namespace {

using std::size_t;

/// Bytes of the UTF-8 character that begins at `at`; 0 when none does, or none that XML allows.
size_t character(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(at);
  const size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (bytes < 2 || at + bytes > text.size()) return bytes == 1 ? 1 : 0;
  unsigned code = first & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(at + i) & 0x3f);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[bytes] || code > 0x10ffff || surrogate || code == 0xfffe || code == 0xffff ? 0 : bytes;
}

/// `written` gives the text of an ASCII character; what is no character, or none that shows, becomes a question mark.
template <class Written>
std::string each_character(std::string_view text, const Written& written) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = character(text, at);
    if (bytes > 1)
      out += text.substr(at, bytes);
    else
      out += bytes == 1 ? written(text[at]) : "?";
    at += bytes == 0 ? 1 : bytes;
  }
  return out;
}

bool shows(char c) { return c >= ' ' && c != 0x7f; }

}  // namespace

std::string quoted(std::string_view text) {
  return '"' +
         each_character(text,
                        [](char c) -> std::string {
                          if (c == '\n') return "\\n";
                          if (c == '&') return "&amp;";
                          if (c == '"' || c == '\\') return std::string("\\") + c;
                          return shows(c) ? std::string(1, c) : "?";
                        }) +
         '"';
}

std::string html_text(std::string_view text) {
  return each_character(text, [](char c) -> std::string {
    switch (c) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '"': return "&quot;";
      default: return shows(c) ? std::string(1, c) : "?";
    }
  });
}

}  // namespace arthron
