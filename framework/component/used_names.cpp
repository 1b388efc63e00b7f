#include "arthron/component/used_names.hpp"

#include <algorithm>
#include <string_view>

namespace arthron {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<int> used_names(const std::string& text, const std::vector<std::string>& names) {
  std::vector<int> used;
  char before = '\0';  // the last character that is no space, '0' for a number
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_letter(text[i])) {
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
      const auto found = std::find(names.begin(), names.end(), std::string_view(text).substr(i, end - i));
      if (found != names.end() && before != '0' && before != '.') used.push_back(static_cast<int>(found - names.begin()));
      before = 'a';
    } else if (is_digit(text[i])) {
      // "1e-3" is one number.
      while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
      if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E') &&
          (is_digit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+'))
        for (end += 2; end < text.size() && is_digit(text[end]);) ++end;
      before = '0';
    } else if (text[i] != ' ') {
      before = text[i];
    }
    i = end;
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

}  // namespace arthron
