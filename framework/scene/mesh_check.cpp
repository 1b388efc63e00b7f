#include "arthron/scene/mesh_check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace arthron {

namespace {

using std::size_t;

constexpr size_t stl_head = 84, stl_triangle = 50;

std::string in_line(const char* what, size_t line) { return std::string(what) + " in line " + std::to_string(line); }

/// Words of a line.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr auto blanks = " \t\r";
  for (size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

bool are_finite(const std::vector<std::string_view>& words, size_t first, size_t count) {
  if (words.size() < first + count) return false;
  for (size_t i = first; i < first + count; ++i) {
    double number = 0;
    const std::string_view text = words[i].starts_with('+') ? words[i].substr(1) : words[i];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return false;
  }
  return true;
}

/// Calls with every line and its number until a call returns words.
template <class Call>
std::string for_lines(std::string_view text, const Call& call) {
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (std::string trouble = call(text.substr(0, end), number); !trouble.empty()) return trouble;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

std::string trouble_with_text_stl(std::string_view text) {
  size_t corners = 0;
  const std::string trouble = for_lines(text, [&](std::string_view line, size_t number) -> std::string {
    const auto words = words_of(line);
    if (words.empty() || words[0] != "vertex") return "";
    ++corners;
    return words.size() == 4 && are_finite(words, 1, 3) ? "" : in_line("a vertex that is none", number);
  });
  if (!trouble.empty()) return trouble;
  return corners == 0 ? "an STL without a triangle" : corners % 3 != 0 ? "an STL whose last triangle is cut off" : "";
}

}  // namespace

std::string trouble_with_stl(std::string_view bytes) {
  std::uint32_t triangles = 0;
  if (bytes.size() >= stl_head) std::memcpy(&triangles, bytes.data() + 80, sizeof triangles);
  if (bytes.size() < stl_head || bytes.size() != stl_head + stl_triangle * static_cast<size_t>(triangles))
    return bytes.starts_with("solid") ? trouble_with_text_stl(bytes) : "no STL, or a part of one";
  if (triangles == 0) return "an STL without a triangle";
  for (size_t t = 0; t < triangles; ++t) {
    float numbers[12];
    std::memcpy(numbers, bytes.data() + stl_head + stl_triangle * t, sizeof numbers);
    for (size_t i = 3; i < 12; ++i)
      if (!std::isfinite(numbers[i])) return "a vertex that is not finite in triangle " + std::to_string(t + 1);
  }
  return "";
}

std::string trouble_with_obj(std::string_view text) {
  long vertices = 0, faces = 0;
  const std::string trouble = for_lines(text, [&](std::string_view line, size_t number) -> std::string {
    const auto words = words_of(line);
    if (words.empty()) return "";
    if (words[0] == "v") {
      ++vertices;
      return are_finite(words, 1, 3) ? "" : in_line("a vertex that is none", number);
    }
    if (words[0] != "f") return "";
    ++faces;
    if (words.size() < 4) return in_line("a face with less than three corners", number);
    for (size_t i = 1; i < words.size(); ++i) {
      long corner = 0;
      const auto [end, error] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), corner);
      const bool ends = end == words[i].data() + words[i].size() || *end == '/';
      if (error != std::errc() || !ends || corner == 0 || corner > vertices || corner < -vertices)
        return in_line("a corner that is no vertex before it", number);
    }
    return "";
  });
  return !trouble.empty() ? trouble : faces == 0 ? "an OBJ without a face" : "";
}

}  // namespace arthron
